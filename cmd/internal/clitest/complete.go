package clitest

import (
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/internal/effort"
)

// Completions returns the candidates for the last word without their descriptions.
func Completions(t *testing.T, p *cli.Program, words ...string) (found, stderr string) {
	t.Helper()
	_, out, errs := ExecuteProgram(t, p, new(cli.Env), append(words, cli.CompletionFlag)...)
	for line := range strings.Lines(out) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		found += word + "\n"
	}
	return found, errs
}

// testCompletedFlags checks for every command that exactly its own flags are completed, and that
// each flag with a list of values has them, in both ways of writing. Flags of files and
// directories complete them. The program has at least so many flags with lists.
func testCompletedFlags(t *testing.T, p *cli.Program, least int) {
	t.Helper()
	effort.Sequential(t)
	lists := 0
	EachCommand(p, func(name string, c *cli.Command) {
		words := strings.Fields(name)
		if len(c.Subcommands) > 0 {
			return
		}
		found, _ := Completions(t, p, append(slices.Clone(words), "--")...)
		for _, word := range strings.Fields(found) {
			if cli.Find(c.Flags, strings.TrimLeft(word, "-")) == nil {
				t.Errorf("%s: completed %s is a flag of another command", name, word)
			}
		}
		for _, f := range c.Flags {
			flag := cli.FlagName(f)
			if len(flag) > 1 && flag != "help" && !strings.Contains("\n"+found, "\n--"+flag+"\n") {
				t.Errorf("%s: --%s is not completed", name, flag)
			}
			if cli.TakesValue(f) {
				checkFileValue(t, p, name, f)
			}
			if choice, is := f.(*cli.ChoiceFlag); is {
				lists++
				var want []string
				for _, v := range choice.Choices() {
					want = append(want, v.Name)
				}
				apart, _ := Completions(t, p, append(slices.Clone(words), "--"+flag, "")...)
				joined, _ := Completions(t, p, append(slices.Clone(words), "--"+flag+"=")...)
				if got := strings.Fields(apart); !slices.Equal(got, want) || len(want) == 0 {
					t.Errorf("%s --%s: completed %q, want %q", name, flag, got, want)
				}
				if got := strings.Fields(strings.ReplaceAll(joined, "--"+flag+"=", "")); !slices.Equal(got, want) {
					t.Errorf("%s --%s=: completed %q, want %q", name, flag, got, want)
				}
			}
		}
	})
	if lists < least {
		t.Errorf("%d flags have lists of values, want %d", lists, least)
	}
}

// checkFileValue checks that a flag whose value is a file or a directory completes those, and
// that no other flag does.
func checkFileValue(t *testing.T, p *cli.Program, name string, f cli.Flag) {
	t.Helper()
	_, value, _ := strings.Cut(usageOf(f), "`")
	value, _, _ = strings.Cut(value, "`")
	want := map[string]string{"FILE": ":files", "DIR": ":dirs"}[value]
	got, errs := Completions(t, p, append(strings.Fields(name), "--"+cli.FlagName(f), "")...)
	if errs != "" || want != "" && !strings.HasPrefix(got, want) || want == "" && strings.HasPrefix(got, ":") {
		t.Errorf("%s --%s %s: completed %q, want %q; standard error %q", name, cli.FlagName(f), value, got, want, errs)
	}
}
