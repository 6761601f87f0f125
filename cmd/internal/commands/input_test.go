package commands

import (
	"encoding/hex"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// TestDamageBehindSyntaxError checks that a damaged archive is reported as damaged, even if
// the parser finds a syntax error before the checksum.
func TestDamageBehindSyntaxError(t *testing.T) {
	const damaged = "425a68393141592653591ead76e30000125980001040027f0009014000200031000006" +
		"a7e9468686975a143dee6486e23b53c056eb1d86340aab1f1772453850901ead76e3"
	data, err := hex.DecodeString(damaged)
	if err != nil {
		t.Fatal(err)
	}
	name := clitest.Write(t, "damaged.bz2", string(data))
	for _, operand := range []string{name, "-"} {
		code, out, errs := execute(t, &cli.Env{Stdin: strings.NewReader(string(data))}, "solve", operand)
		if code != 1 || !strings.Contains(errs, "damaged") || strings.Contains(out, "\ns ") {
			t.Errorf("%s: code %d, %q, %q", operand, code, out, errs)
		}
	}
}

// TestBuiltInPuzzle animates without a puzzle at a terminal, and expects a film with decisions
// and backtracks. A puzzle that is typed is read if its operand is "-".
func TestBuiltInPuzzle(t *testing.T) {
	const typed = "1.............2.\n"
	code, out, errs := execute(t, &cli.Env{Typing: true, Stdin: strings.NewReader(typed)}, "sudoku", "animate", "--format", "html")
	if code != 0 || !strings.Contains(errs, "the animation shows a hard one") || strings.Count(out, `"branch":true`) < 200 {
		t.Errorf("exit code %d, standard error %q, %d branches", code, errs, strings.Count(out, `"branch":true`))
	}
	code, out, errs = execute(t, &cli.Env{Typing: true, Stdin: strings.NewReader(typed)}, "sudoku", "animate", "--format", "html", "-")
	if code != 0 || errs != "" || !strings.Contains(out, `"size":4,`) {
		t.Errorf("exit code %d, standard error %q", code, errs)
	}
}

// TestTableWidth prints tables on terminals of several widths. It expects lines that fit, with
// the words of the whole table.
func TestTableWidth(t *testing.T) {
	const formula = "p cnf 4 5\n1 2 0\n-1 2 0\n3 -4 0\n4 -3 0\n1 2 3 0\n"
	const puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n"
	for _, width := range []int{76, 80, 100, 200} {
		code, out, errs := execute(t, &cli.Env{Width: width, Stdin: strings.NewReader(formula)}, "info")
		checkWidth(t, out, width)
		if words := strings.Join(strings.Fields(out), " "); code != 0 || !strings.Contains(words, "1 forced literal, 1 class of equivalent literals (2 variables)") {
			t.Errorf("width %d: exit code %d, %s%s", width, code, out, errs)
		}
		code, out, errs = execute(t, &cli.Env{Width: width, Stdin: strings.NewReader(puzzle)}, "sudoku", "rate", "--engine", "dpll", "--scale", "none")
		checkWidth(t, out, width)
		if code != 0 || !strings.Contains(out, "89/83") || strings.Count(out, "/") != 3 {
			t.Errorf("width %d: exit code %d, %s%s", width, code, out, errs)
		}
	}
}

// checkWidth expects lines of at most the given width.
func checkWidth(t *testing.T, out string, width int) {
	t.Helper()
	for line := range strings.Lines(out) {
		if len(strings.TrimSuffix(line, "\n")) > width {
			t.Errorf("a line is longer than %d: %s", width, line)
		}
	}
}
