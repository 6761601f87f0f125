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
