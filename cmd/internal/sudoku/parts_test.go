package sudoku

import (
	"regexp"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// times matches lines with a time.
var times = regexp.MustCompile(`.*\d+\.\d\d s.*\n`)

// TestCommandsReadParts gives each command puzzles that differ in one part of the position.
// What it prints must differ, unless it refuses the part.
func TestCommandsReadParts(t *testing.T) {
	const line = "1..4..1..3..4..3"
	object := func(more string) string { return `{"grid":"` + line + `"` + more + "}\n" }
	marks := func(cell string) string {
		return object(`,"marks":[[1],` + cell + strings.Repeat(",[1,2,3,4]", 14) + "]")
	}
	const cells = "79458213626..317......76..268.71.32443286..71..724386..2.6574.3.4.1286.7.763942.8"
	hodoku := func(cells, deleted string) string { return ":0803:5:" + cells + ":" + deleted + ":529::\n" }
	for _, test := range []struct{ name, before, after string }{
		{"a given", line + "\n", "2" + line[1:] + "\n"},
		{"a placed digit", hodoku(cells, ""), hodoku(strings.Replace(cells, "26..3", "26+5.3", 1), "")},
		{"a deleted candidate", hodoku(cells, ""), hodoku(cells, "529")},
		{"marks", marks("[2,3]"), marks("[3]")},
		{"a diagonal", line + "\n", "# rules 4 boxes 2x2 x\n" + line + "\n"},
		{"a cage", line + "\n", "# rules 4 boxes 2x2 cages 4:R1C2+R1C3\n" + line + "\n"},
		{"a placed digit of an object", object(`,"placed":["R1C1"]`), object("")},
	} {
		for _, command := range []string{
			"solve", "count", "check", "hint", "hint --all", "rate --engine none", "minimize", "convert --format json", "convert", "render", "render --format svg",
			"render --hint", "encode", "why R1C2", "animate --max-frames 10 --format svg",
		} {
			if strings.HasPrefix(test.name, "a placed digit of") && !strings.Contains("check minimize convert convert --format json render render --format svg", command) {
				continue // the position is the same
			}
			print := func(text string) string {
				args := append(strings.Fields("sudoku "+command), clitest.Write(t, "puzzle", text))
				code, out, errs := execute(t, new(cli.Env), args...)
				switch code {
				case cli.CodeUsage, cli.CodeInternal:
					t.Fatalf("%v: exit code %d, %s", args, code, errs)
				case cli.CodeInput:
					return text
				}
				return strings.ReplaceAll(out+times.ReplaceAllString(errs, ""), args[len(args)-1], "puzzle")
			}
			if before := print(test.before); before == print(test.after) {
				t.Errorf("%s, %s: no effect:\n%s", command, test.name, before)
			}
		}
	}
}
