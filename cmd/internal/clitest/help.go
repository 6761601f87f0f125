package clitest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/internal/effort"
)

// TestHelpTexts checks that the help text of each command fits a screen, and compares the
// whole one, of --help=all, with a file of testdata/help. UPDATE=1 go test renews the files.
func TestHelpTexts(t *testing.T, p *cli.Program) {
	effort.Sequential(t)
	app := p.App(&cli.Env{})
	lines := [][]string{{}}
	for _, c := range app.Commands {
		lines = append(lines, []string{c.Name})
		for _, sub := range c.Subcommands {
			lines = append(lines, []string{c.Name, sub.Name})
		}
	}
	for _, names := range lines {
		t.Run(strings.Join(append([]string{p.Name}, names...), "-"), func(t *testing.T) {
			got := helpText(t, p, append(names, "--help=all"), append([]string{"help", "--all"}, names...))
			if !strings.Contains(got, "Example") {
				t.Error("there is no example")
			}
			short := helpText(t, p, append(names, "-h"), append(names, "--help"), append([]string{"help"}, names...))
			if n := strings.Count(short, "\n"); n > cli.ScreenLines {
				t.Errorf("the text of --help has %d lines, more than a screen:\n%s", n, short)
			}
			if short != got && !strings.Contains(short, "--help=all") {
				t.Errorf("--help does not mention --help=all:\n%s", short)
			}
			checkPhrases(t, short, got)
			golden(t, filepath.Join("testdata", "help", filepath.Base(t.Name())+".txt"), got)
		})
	}
}

// helpText returns the output of a command line that asks for help, and checks that the
// other command lines print the same.
func helpText(t *testing.T, p *cli.Program, lines ...[]string) string {
	t.Helper()
	code, text, errs := ExecuteProgram(t, p, new(cli.Env), lines[0]...)
	if code != 0 || errs != "" {
		t.Fatalf("%v: exit code %d, standard error %q", lines[0], code, errs)
	}
	for _, line := range lines[1:] {
		if _, other, _ := ExecuteProgram(t, p, new(cli.Env), line...); other != text {
			t.Errorf("%v prints another text than %v:\n%s", line, lines[0], other)
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); len(line) > cli.HelpWidth || strings.HasSuffix(line, " ") {
			t.Errorf("%v: a line is too long or ends with a blank: %q", lines[0], line)
		}
	}
	return text
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; renew it with UPDATE=1 go test\ngot:\n%s", file, got)
	}
}

// checkPhrases checks that the short help text cuts no phrase: the text on a flag is that of the
// whole help text, from its beginning to a mark or to the end. It takes one line; the names of
// values may take two.
func checkPhrases(t *testing.T, short, whole string) {
	t.Helper()
	if short == whole {
		return
	}
	all := flagEntries(whole)
	for name, lines := range flagEntries(short) {
		text, full := strings.Join(lines, " "), strings.Join(all[name], " ")
		rest, begins := strings.CutPrefix(full, text)
		atMark := rest == "" || slices.ContainsFunc([]string{";", ":", " ("}, func(mark string) bool { return strings.HasPrefix(rest, mark) })
		listed := strings.Contains(text, ": ") // the meanings of values may stand between their names
		switch {
		case all[name] == nil:
			t.Errorf("%s is not in the whole help text", name)
		case strings.HasSuffix(text, "..."):
			t.Errorf("%s: the text is cut: %q", name, text)
		case !(begins && atMark) && !listed:
			t.Errorf("%s: %q is no whole phrase of %q", name, text, full)
		case len(lines) > 1 && !(listed && len(lines) == 2):
			t.Errorf("%s: the text takes %d lines: %q", name, len(lines), text)
		}
	}
}

// flagEntries returns the lines of the text on each flag of a help text.
func flagEntries(text string) map[string][]string {
	const column = 26
	entries := map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "  -") && len(line) > column && line[column-1] == ' ':
			name = strings.TrimSpace(line[:column])
			entries[name] = []string{line[column:]}
		case strings.HasPrefix(line, "  -"):
			name = strings.TrimSpace(line)
			entries[name] = nil
		case name != "" && strings.HasPrefix(line, strings.Repeat(" ", column)):
			entries[name] = append(entries[name], line[column:])
		default:
			name = ""
		}
	}
	return entries
}
