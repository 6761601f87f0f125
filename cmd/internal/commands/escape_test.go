package commands

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"sator/cmd/internal/cli"
)

// TestControlCharacters checks that no output has control characters or lines of the names of
// files, of comments, labels and arguments.
func TestControlCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	const hostile = "\x1b[2J\u009b\r\ns INJECTED\n"
	const puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
	for name, text := range map[string]string{
		"cnf":  "c \x1b]0;comment\x07\np cnf 2 2\n1 2 0\n-1 2 0\n",
		"bad":  "p cnf 1 1\n1 \x1b[31m\x07 0\n",
		"wide": "p cnf 1 1\n1 2 0\n",
		"json": `{"name":"\u001b[2J\u009b\ns INJECTED\n","digits":"` + puzzle + "\"}\n",
		"csv":  "puzzle,solution,name\n" + puzzle + ",,\"\x1b[2J\ns INJECTED\n\"\n",
		"text": "# \x1b[2J label\n" + puzzle + "\n# \u009b\n" + puzzle[:80] + "\x1b\n",
	} {
		if err := os.WriteFile(name+hostile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"solve cnf", "solve cnf --json", "solve cnf -v --stats", "solve missing", "solve bad", "solve wide", "solve cnf missing",
		"solve cnf --proof cnf", "solve cnf --assume HOSTILE", "solve cnf --set HOSTILE", "solve cnf --engine HOSTILE", "solve --HOSTILE",
		"HOSTILE", "solve cnf --time HOSTILE", "enumerate cnf --json", "count cnf", "maxsat cnf", "mus cnf", "backbone cnf", "info cnf", "info cnf --json",
		"twosat cnf", "twosat cnf -f svg", "trace cnf", "trace cnf -f dot", "cube cnf", "simplify cnf", "convert cnf", "check cnf bad", "check cnf cnf",
		"extend cnf bad", "generate HOSTILE", "help HOSTILE",
		"sudoku solve json", "sudoku solve csv", "sudoku solve text", "sudoku check json", "sudoku check json --json", "sudoku check text", "sudoku rate json", "sudoku rate csv -f csv",
		"sudoku rate text --json", "sudoku hint json", "sudoku hint json --json", "sudoku why R1C2 json", "sudoku render json", "sudoku render json -f svg", "sudoku render json -f ansi",
		"sudoku convert json", "sudoku convert csv -f csv", "sudoku convert text -f json", "sudoku convert json -f sdk", "sudoku convert csv -f units",
		"sudoku encode json", "sudoku count json", "sudoku minimize json", "sudoku decode cnf bad", "sudoku solve bad", "sudoku solve missing", "sudoku animate json -o - -f svg",
	} {
		args := strings.Fields(line)
		for i, a := range args {
			switch a {
			case "HOSTILE", "--HOSTILE":
				args[i] = strings.Replace(a, "HOSTILE", "x"+hostile, 1)
			case "cnf", "bad", "wide", "csv", "text", "missing", "json":
				if args[i-1] != "-f" {
					args[i] += hostile
				}
			}
		}
		code, out, errs := execute(t, new(cli.Env), args...)
		for _, text := range []string{out, errs} {
			if strings.Contains(line, "ansi") {
				text = strings.ReplaceAll(text, "\x1b[", "")
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
				t.Errorf("%s: exit code %d, a control character in %q", line, code, text[max(0, i-60):])
			}
			if strings.Contains("\n"+text, "\ns INJECTED") {
				t.Errorf("%s: exit code %d, a line of a name in\n%s", line, code, text)
			}
		}
	}
}
