package clitest

import (
	"regexp"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
)

// TestVerbose runs each command that has --verbose. The lines have its command lines by its name,
// with an option. The output must begin with this option alone, and a legend that has
// each letter at the beginning of a later line.
func TestVerbose(t *testing.T, p *cli.Program, lines map[string]string) {
	tested := 0
	EachCommand(p, func(name string, c *cli.Command) {
		if cli.Find(c.Flags, "verbose") == nil {
			return
		}
		args := strings.Fields(lines[name])
		if len(args) < 3 || !strings.HasPrefix(args[0], "--") {
			t.Errorf("%s: the test has no command line with an option", name)
			return
		}
		tested++
		flag, value := strings.TrimPrefix(args[0], "--"), args[1]
		checkPreface(t, p, name, flag+" "+value, args)
	})
	if tested != len(lines) {
		t.Errorf("%d command lines for %d commands with --verbose", len(lines), tested)
	}
}

// legendColumn is the width of a column of a legend.
const legendColumn = 38

// checkPreface checks the output of a command line with -v.
func checkPreface(t *testing.T, p *cli.Program, name, set string, args []string) {
	t.Helper()
	command := append(append(strings.Fields(name), "-v"), args...)
	_, out, errs := ExecuteProgram(t, p, new(cli.Env), command...)
	prefix := regexp.MustCompile(`^(c|` + p.Name + " " + name + `:) `)
	event := regexp.MustCompile(`^c (\S) +\d`)
	entry := regexp.MustCompile(`^(\S) (\S|  )`) // a letter, or two
	options, events, legend := 0, 0, ""
	for line := range strings.Lines(out + errs) {
		line = strings.TrimSuffix(line, "\n")
		if text := prefix.ReplaceAllString(line, ""); strings.HasPrefix(text, "option") {
			if options++; events > 0 || text != "option "+set {
				t.Errorf("%v: %q among the options, want %q alone and first", command, text, set)
			}
			continue
		}
		if m := event.FindStringSubmatch(line); m != nil {
			if events++; !strings.Contains(legend, m[1]) {
				t.Errorf("%v: the legend %q lacks the letter of %q", command, legend, line)
			}
			continue
		}
		for text := strings.TrimPrefix(line, "c "); text != ""; text = text[min(legendColumn, len(text)):] {
			if m := entry.FindStringSubmatch(text); m != nil && events == 0 {
				legend += m[1] + strings.TrimSpace(m[2])
			}
		}
	}
	if options != 1 {
		t.Errorf("%v: %d options are printed, want 1:\n%s%s", command, options, out, errs)
	}
}
