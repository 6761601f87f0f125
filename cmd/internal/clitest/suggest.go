package clitest

import (
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
)

// testSynonyms checks the tables of suggestions for a program: that the table of the
// commands of all programs is complete, and that each synonym is a command line that the
// program does not have, and is suggested for it, and leads to one that it has.
func testSynonyms(t *testing.T, p *cli.Program) {
	var commands []string
	app := p.App(new(cli.Env))
	for _, c := range app.Commands {
		commands = append(commands, c.Name)
	}
	if own, want := commands[:len(p.Commands)], cli.CommandsOf(p.Name); !slices.Equal(own, want) {
		t.Errorf("the commands of %s are %q, in the table for suggestions %q", p.Name, own, want)
	}
	for words, meant := range p.Synonyms {
		_, _, errs := ExecuteProgram(t, p, new(cli.Env), strings.Fields(words)...)
		if want := `Did you mean "` + p.Name + " " + meant + `"?`; !strings.Contains(errs, want) {
			t.Errorf("%s %s prints\n%s, not %s", p.Name, words, errs, want)
		}
		command, rest := findCommand(app, strings.Fields(meant))
		switch {
		case command == nil:
			t.Errorf("%q stands for %q, which is no command", words, meant)
		case command.Name == "help":
			if command, more := findCommand(app, rest); command == nil || len(more) > 0 {
				t.Errorf("%q stands for %q: no such command", words, meant)
			}
		case len(rest) > 1, len(rest) == 1 && cli.Find(command.Flags, strings.TrimPrefix(rest[0], "--")) == nil:
			t.Errorf("%q stands for %q: %s has no flag %q", words, meant, command.Name, rest)
		}
	}
}

// findCommand returns the command or subcommand at the beginning of words, or nil, and the
// words after it.
func findCommand(app *cli.App, words []string) (*cli.Command, []string) {
	var command *cli.Command
	among := app.Commands
	for len(words) > 0 {
		i := slices.IndexFunc(among, func(c *cli.Command) bool { return c.HasName(words[0]) })
		if i < 0 {
			break
		}
		command, words = among[i], words[1:]
		among = command.Subcommands
	}
	return command, words
}
