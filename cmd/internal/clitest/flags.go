package clitest

import (
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/internal/effort"
)

// The flags of all commands agree: a name has one letter, one kind of value and one
// meaning, wherever it is.

// letters are the one-letter names of flags, which no other flag may have.
var letters = map[string]string{"f": "format", "o": "output", "q": "quiet", "v": "verbose", "j": "jobs", "n": "count", "s": "solver"}

// TestCommandLine checks what the command lines of all commands share: that a flag means the same everywhere, manual
// pages, groups, completion of at least so many values of flags, suggestions, and names of at least so many output files.
func TestCommandLine(t *testing.T, p *cli.Program, values, outputs int) {
	t.Run("flags", func(t *testing.T) { testFlagsAgree(t, p) })
	t.Run("manual", func(t *testing.T) { testManPages(t, p) })
	t.Run("groups", func(t *testing.T) { testGroups(t, p) })
	t.Run("completion", func(t *testing.T) { testCompletedFlags(t, p, values) })
	t.Run("synonyms", func(t *testing.T) { testSynonyms(t, p) })
	t.Run("outputs", func(t *testing.T) { testOutputNames(t, p, outputs) })
}

// testFlagsAgree checks the flags of all commands of a program against each other.
func testFlagsAgree(t *testing.T, p *cli.Program) {
	effort.Sequential(t)
	same := map[string]string{} // beginnings of usages by name
	for _, f := range []cli.Flag{cli.TimeFlag(), cli.SeedFlag(""), cli.QuietFlag(), cli.VerboseFlag(), cli.JobsFlag(""), cli.JSONFlag()} {
		same[cli.FlagName(f)] = usageOf(f)
	}
	same["format"], same["limit"], same["output"] = "write the output as `FORMAT`: ", "stop after `N` ", "write to "
	EachCommand(p, func(name string, c *cli.Command) {
		for _, f := range c.Flags {
			names := f.Names()
			// Parameters of families keep the letters of their papers: planted has q.
			if letters[names[0]] != "" && !strings.HasPrefix(name, "generate ") {
				t.Errorf("%s: -%s is a parameter, but --%s elsewhere", name, names[0], letters[names[0]])
			}
			for _, alias := range names[1:] {
				if len(alias) == 1 && letters[alias] != names[0] && alias != "h" {
					t.Errorf("%s: -%s is --%s, want --%s", name, alias, names[0], letters[alias])
				}
			}
			for letter, long := range letters {
				if long == names[0] && (len(names) != 2 || names[1] != letter) {
					t.Errorf("%s: --%s has the names %v, want the letter %s", name, long, names, letter)
				}
			}
			if want, shared := same[names[0]]; shared && !strings.HasPrefix(usageOf(f), want) {
				t.Errorf("%s: --%s means %q, want %q", name, names[0], usageOf(f), want)
			}
			if _, choice := f.(*cli.ChoiceFlag); names[0] == "format" && !choice {
				t.Errorf("%s: --format has no list of formats", name)
			}
		}
		if cli.Find(c.Flags, "json") != nil && cli.Find(c.Flags, "format") == nil {
			t.Errorf("%s has --json and no --format", name)
		}
		if c.Category == "" && !strings.Contains(name, " ") && name != "help" && name != "version" && name != "completion" && name != "man" {
			t.Errorf("%s has no group", name)
		}
	})
}

func usageOf(f cli.Flag) string {
	if d, is := f.(interface{ GetUsage() string }); is {
		return d.GetUsage()
	}
	return ""
}

// testGroups checks that the commands of a group follow each other, so that no group appears twice
// in a list of commands.
func testGroups(t *testing.T, p *cli.Program) {
	app := p.App(&cli.Env{})
	lists := map[string][]*cli.Command{p.Name: app.Commands}
	for _, c := range app.Commands {
		lists[p.Name+" "+c.Name] = c.Subcommands
	}
	for name, commands := range lists {
		ended, group := map[string]bool{}, ""
		for _, c := range commands {
			if c.Category != group {
				ended[group], group = true, c.Category
			}
			if group != "" && ended[group] {
				t.Errorf("%s: the group %s appears again before %s", name, group, c.Name)
			}
		}
	}
}

// EachCommand calls f for each command and subcommand of a program, with its full name.
func EachCommand(p *cli.Program, f func(name string, c *cli.Command)) {
	for _, c := range p.App(&cli.Env{}).Commands {
		f(c.Name, c)
		for _, sub := range c.Subcommands {
			f(c.Name+" "+sub.Name, sub)
		}
	}
}

// testOutputNames checks the names of output files, for each command with such a flag: those
// with the suffix of a format that it writes are accepted, and all others are refused.
func testOutputNames(t *testing.T, p *cli.Program, least int) {
	t.Helper()
	flags, app := 0, p.App(new(cli.Env))
	EachCommand(p, func(name string, c *cli.Command) {
		for _, f := range c.Flags {
			out, is := f.(*cli.FileFlag)
			if !is {
				continue
			}
			flags++
			written := cli.Suffixes(out.Writable(c.Flags)...)
			if len(written) == 0 && len(out.Formats) > 0 {
				t.Errorf("%s --%s: no suffixes of the formats %q", name, out.Name, out.Formats)
			}
			for _, suffix := range append(cli.AllSuffixes(), ".1", ".cnf.bz2", ".7z", "") {
				for _, end := range []string{"", ".gz", ".ZST"} {
					args := append(strings.Fields(name), "--"+out.Name, "x"+suffix+end)
					_, err := p.Arrange(app, args, true)
					want := suffix == ".1" || suffix == "" || slices.Contains(written, suffix)
					if end != "" && (suffix == ".cnf.bz2" || suffix == ".7z") {
						continue
					}
					if got := err == nil; got != want {
						t.Errorf("%s: %v, want accepted %t", strings.Join(args, " "), err, want)
					}
				}
			}
		}
	})
	if flags < least {
		t.Errorf("%d flags for output files, want %d", flags, least)
	}
}
