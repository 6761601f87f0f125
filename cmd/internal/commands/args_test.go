package commands

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

func TestArrange(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rules", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"solve f.cnf", "sator solve -- f.cnf"},
		{"f.cnf", "sator solve -- f.cnf"},
		{"-", "sator solve -- -"},
		{"f.cnf --time 5", "sator solve --time=5 -- f.cnf"},
		{"--time 5 f.cnf g.cnf -q", "sator solve --time=5 --q -- f.cnf g.cnf"},
		{"--time 5 solve f.cnf", "sator solve --time=5 -- f.cnf"},
		{"-v info f.cnf", "sator: info: unknown flag -v"},
		{"check f.cnf --relaxed g.sol", "sator check --relaxed -- f.cnf g.sol"},
		{"solve f.cnf --assume -3", "sator solve --assume=-3 -- f.cnf"},
		{"solve --assume=-3 f.cnf", "sator solve --assume=-3 -- f.cnf"},
		{"solve -time 5 f.cnf", "sator solve --time=5 -- f.cnf"},
		{"solve -qh f.cnf", "sator help solve"},
		{"solve -- --time", "sator solve -- --time"},
		{"solve a -- -b -- c", "sator solve -- a -b -- c"},
		{"-- slove", "sator solve -- slove"},
		{"./solve", "sator solve -- ./solve"},
		{"rules f.cnf", "sator solve -- rules f.cnf"},
		{"solve", "sator solve"},
		{"solve help", "sator solve -- help"},
		{"solve solve", "sator solve -- solve"},
		{"-h", "sator help"},
		{"--quiet --help", "sator help"},
		{"-h solve", "sator help solve"},
		{"f.cnf -h", "sator help solve"},
		{"-V", "sator version"},
		{"solve f.cnf -V", "sator version"},
		{"-qV f.cnf", "sator version"},
		{"-q", "sator: no command and no file"},
		{"--seed 5 --", "sator: no command and no file"},
		{"-q -- f.cnf", "sator solve --q -- f.cnf"},

		{"f.cnf --time 5 --time 5 -q --quiet", "sator solve --time=5 --time=5 --q --quiet -- f.cnf"},
		{"f.cnf --assume 1 --assume 2 --set phase=0 --set restart-margin=9", "sator solve --assume=1 --assume=2 --set=phase=0 --set=restart-margin=9 -- f.cnf"},
		{"f.cnf --time 5 --time 6", `sator: solve: --time has two values, "5" and "6"`},
		{"f.cnf --engine=", `sator: solve: invalid value "" for --engine: want auto, cdcl, twosat, horn or dpll`},
		{"f.cnf --profile=", `sator: solve: invalid value "" for --profile: want cpu, mem, allocs, heap, block, mutex, goroutine or trace`},
		{"f.cnf --time=", `sator: solve: invalid value "" for --time: want a value that is not empty`},
		{"f.cnf --record=", `sator: solve: invalid file name ""`},
		{"f.cnf --assume=", "sator solve --assume= -- f.cnf"},
		{"f.cnf -o a --output b", `sator: solve: --output has two values, "a" and "b"`},
		{"f.cnf -q --quiet=false", `sator: solve: --quiet has two values, "true" and "false"`},
		{"f.cnf --set phase=0 --set phase=1", `sator: solve: --set phase has two values, "0" and "1"`},

		{"", "sator help"},
		{"slove f.cnf", `sator: "slove" is no command and no file; Did you mean "solve"?`},
		{"--quiet chekc f.cnf g.sol", `sator: "chekc" is no command and no file; Did you mean "check"?`},
		{"solve --tiem 5 f.cnf", `sator: solve: unknown flag --tiem; Did you mean "--time"?`},
		{"f.cnf --verbsoe=true", `sator: solve: unknown flag --verbsoe; Did you mean "--verbose"?`},
		{"solve f.cnf --time", "sator: solve: --time needs a value"},
		{"generate skat", `sator: generate: "skat" is no subcommand; Did you mean "ksat"?`},
		{"generate --seed 1 ksat", "sator: generate: the subcommand must come before the flag --seed"},
		{"generate -h", "sator help generate"},
		{"sudoku help", "sator help sudoku"},
		{"sudoku help rate", "sator help sudoku rate"},
		{"generate ksat -h", "sator help generate ksat"},
		{"generate ksat --vars 10", "sator generate ksat --vars=10"},
	} {
		args, err := Program.Arrange(Program.App(new(cli.Env)), strings.Fields(tt.args), true)
		got := strings.Join(args, " ")
		if err != nil {
			got = "sator: " + err.Error()
			var u *cli.UsageError
			if errors.As(err, &u) && u.Hint != "" && strings.Contains(tt.want, ";") {
				got += "; " + u.Hint
			}
		}
		if got != tt.want {
			t.Errorf("%q\ngot  %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

// TestArrangePipe checks command lines without an operand if standard input is no
// terminal: the default command reads it.
func TestArrangePipe(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "sator solve"},
		{"-q --time 5", "sator solve --q --time=5"},
		{"--seed 5 --", "sator solve --seed=5"},
		{"-h", "sator help"},
		{"--quiet --help", "sator help"},
		{"-V", "sator version"},
	} {
		args, err := Program.Arrange(Program.App(new(cli.Env)), strings.Fields(tt.args), false)
		if got := strings.Join(args, " "); got != tt.want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", tt.args, got, err, tt.want)
		}
	}
}

func TestCandidates(t *testing.T) {
	var names []string
	for _, command := range commands {
		names = append(names, command(new(cli.Env)).Name)
	}
	all := strings.Join(append(names, "help", "version", "completion", "man"), " ")
	for _, tt := range []struct{ args, want string }{
		{"", all},
		{"c", "cube conquer count check convert completion :files"},
		{"sudoku c", "count check convert"},
		{"help ", all},
		{"help gen", "generate"},
		{"man sudoku ra", "rate"},
		{"completion ", "bash zsh fish"},
		{"completion bash ", ""},
		{"check ", ":files"},
		{"check -- ", ":files"},
		{"solve --engine ", "auto cdcl twosat horn dpll"},
		{"solve --engine=d", "--engine=dpll"},
		{"solve --engine = d", "dpll"},
		{"solve --time ", ""},
		{"solve --time 5 --pro", "--proof --proof-format --proof-text --profile --profile-dir --probe"},
		{"solve --profile-dir ", ":dirs"},
		{"solve --set=restart-", "--set=restart-interval=2 --set=restart-margin=10"},
		{"check --lrat ", ":files .lrat .proof .pf .gz .xz .zst"},
		{"info --engine ", ":files"},
		{"sudoku rate --encoding minimal,ef", "minimal,efficient"},
		{"check -", "--time --relaxed --assume --from --forward --strict-deletions --core --trim --lrat --draw --proof-text --output -o --quiet -q"},
		{"check --q", "--quiet"},
		{"check f.cnf --r", "--relaxed"},
		{"check -- --r", ":files"},
		{"--no", "--no-model --no-verify --no-simplify --no-sharing"},
		{"f.cnf --no", "--no-model --no-verify --no-simplify --no-sharing"},
		{"generate php --o", "--onto --output"},
	} {
		out, errs := clitest.Completions(t, Program, strings.Split(tt.args, " ")...)
		if got := strings.Join(strings.Fields(out), " "); got != tt.want || errs != "" {
			t.Errorf("%q: got %q, want %q; standard error %q", tt.args, got, tt.want, errs)
		}
	}
	for _, args := range [][]string{{"generate"}, {"help", "generate"}} {
		out, _ := clitest.Completions(t, Program, append(args, "")...)
		if want := strings.Join(familyNames(), "\n") + "\n"; out != want {
			t.Errorf("%q: got %q, want %q", args, out, want)
		}
	}
}

// TestSuggestions checks the suggestions for flags with other names, joined values and
// formats.
func TestSuggestions(t *testing.T) {
	file := clitest.Write(t, "puzzles.txt", "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n")
	for _, tt := range []struct{ args, want string }{
		{"solve -j 2 f.cnf", `Did you mean "--threads"?`},
		{"solve -j2 f.cnf", `Did you mean "--threads 2"?`},
		{"solve -t10 f.cnf", `Did you mean "--time 10"?`},
		{"solve -fjson f.cnf", `Did you mean "-f json"?`},
		{"solve -oanswer f.cnf", `See "sator help solve".`},
		{"conquer --threads 2 f.cnf", `Did you mean "--jobs"?`},
		{"conquer -j4 f.cnf", `Did you mean "-j 4"?`},
		{"enumerate -n 2 f.cnf", `Did you mean "--limit"?`},
		{"twosat --svg f.cnf", `Did you mean "--format svg"?`},
		{"twosat -fsvg f.cnf", `Did you mean "-f svg"?`},
		{"solve --timeout 5 f.cnf", `Did you mean "--time"?`},
		{"solve --model f.cnf", `Did you mean "--no-model"?`},
		{"generate ksat -n 250", `Did you mean "--vars"?`},
		{"hint p.txt", `Did you mean "sator sudoku hint"?`},
		{"ksat", `Did you mean "sator generate ksat"?`},
		{"sudoku " + file, `Did you mean "sator sudoku solve ` + file + `"?`},
		{"report run.jsonl", `"report" is a command of sator-lab: sator-lab report`},
		{"serve f.icnf", `"serve" is a command of sator-grid: sator-grid serve`},
		{"help sove", `Did you mean "solve"? See "sator help".`},
	} {
		code, _, errs := execute(t, new(cli.Env), strings.Fields(tt.args)...)
		if code != cli.CodeUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit code %d, prints\n%s, want %s", tt.args, code, errs, tt.want)
		}
	}
}

// TestMistakenInputs checks the errors for inputs of another kind, and for operands in
// the wrong order.
func TestMistakenInputs(t *testing.T) {
	const line = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
	puzzle := clitest.Write(t, "puzzle.txt", line+"\n")
	zeros := clitest.Write(t, "zeros.txt", strings.ReplaceAll(line, ".", "0")+"\n")
	file := func(text string) string { return clitest.Write(t, "f", text) }
	formula := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	headless := clitest.Write(t, "headless.cnf", "1 2 0\n-1 0\n")
	proof := clitest.Write(t, "p.drat", "a\x02\x00d\x02\x00")
	text := clitest.Write(t, "text.drat", "1 2 0\nd 1 2 0\n")
	empty := clitest.Write(t, "empty.cnf", "")
	answer := clitest.Write(t, "answer", "s SATISFIABLE\nv 1 0\n")
	const (
		sudoku = `; this looks like a Sudoku, which "sator sudoku solve" reads`
		check  = `; this looks like a proof, which "sator check FORMULA PROOF" checks`
		stack  = `; STACK is the file that --stack of "sator simplify" writes, and stands before MODEL`
	)
	for _, tt := range []struct{ args, want string }{
		{"solve " + puzzle, sudoku},
		{"info " + zeros, sudoku},
		{"solve " + headless, `a clause before the header "p cnf VARIABLES CLAUSES"; --relaxed accepts that` + "\n"},
		{"solve " + file("p cnf 1 1\n1 0\n-1 0\n"), `more clauses than the 1 announced; --relaxed accepts that` + "\n"},
		{"solve " + file("p cnf 1 1\nx1 2 0\n"), `"x1" is not a number: neither names nor XOR clauses are DIMACS` + "\n"},
		{"solve " + file("p cnf 2 1\ne 1 0\na 2 0\n1 2 0\n"), `"e" is not a number: quantifiers (QDIMACS) are not part of CNF` + "\n"},
		{"solve " + file("p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n"), `"a" is not a number: quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF` + "\n"},
		{"solve " + file("p wcnf 2 1 10\n10 1 2 0\n"), `; this looks like WCNF, which "sator maxsat" reads` + "\n"},
		{"count " + file("c\nh 1 2 0\n1 1 0\n"), `; this looks like WCNF, which "sator maxsat" reads` + "\n"},
		{"mus " + file("c\nh 1 2 x\n1 1 0\n"), `"x" is not a number`},
		{"solve " + file("p gcnf 2 1 1\n{1} 1 2 0\n"), `; this looks like GCNF, which "sator mus" reads` + "\n"},
		{"maxsat " + file("p gcnf 2 1 1\n{1} 1 2 0\n"), `; this looks like GCNF, which "sator mus" reads` + "\n"},
		{"solve " + file("p pcnf 2 1 1\nvp 1 0\n1 2 0\n"), `; this looks like a formula for projected model counting, which "sator count" reads and "sator convert" rewrites` + "\n"},
		{"count " + file("* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n"), `; this looks like a pseudo-Boolean formula (OPB), which "sator solve", "sator maxsat" and "sator convert" read` + "\n"},
		{"mus " + file("min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n"), `; this looks like a pseudo-Boolean formula (OPB), which "sator solve", "sator maxsat" and "sator convert" read` + "\n"},
		{"info " + file("aag 1 1 0 1 0\n2\n2\n"), `; this looks like a circuit (AIGER), which "sator solve" and "sator convert" read` + "\n"},
		{"solve " + file("(set-logic QF_BV)\n"), `; this looks like SMT-LIB, which sator does not read` + "\n"},
		{"info " + file("; SMT\n(set-logic QF_BV)\n"), `; this looks like SMT-LIB, which sator does not read` + "\n"},
		{"solve " + file("p edge 3 1\ne 1 2\n"), `; this looks like a formula or a graph of another kind, which sator does not read` + "\n"},
		{"solve " + proof, check},
		{"solve " + empty, `neither the header "p cnf VARIABLES CLAUSES" nor clauses; the input is empty` + "\n"},
		{"check " + text + " " + formula, check},
		{"extend " + formula + " " + answer, stack},
		{"extend " + answer + " " + formula, stack},
		{"sudoku why " + puzzle + " R1C2", `is a file, not a cell such as R3C5` + "\nCELL stands before FILE."},
		{"solve --memory 4G " + formula, `invalid value "4G" for --memory: want an integer, the number of MB`},
	} {
		code, out, errs := execute(t, new(cli.Env), strings.Fields(tt.args)...)
		if code != cli.CodeInput && code != cli.CodeUsage || strings.Contains(out, "\ns ") || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit code %d, prints\n%s%s, want %s", tt.args, code, out, errs, tt.want)
		}
	}
}

// TestFormatByName checks the formats that the names of output files select.
func TestFormatByName(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"f.cnf": "p cnf 2 2\n1 2 0\n-1 2 0\n", "u.cnf": "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, file, begin string }{
		{"twosat f.cnf -o graph.svg", "graph.svg", "<svg"},
		{"twosat f.cnf -o graph.DOT", "graph.DOT", "digraph"},
		{"twosat f.cnf -f text -o text.svg", "text.svg", "c sator"},
		{"twosat f.cnf --json -o json.svg", "json.svg", "{"},
		{"twosat f.cnf -o answer.txt", "answer.txt", "c sator"},
		{"trace f.cnf -o tree.svg", "tree.svg", "<svg"},
		{"solve f.cnf -o answer.json", "answer.json", "{"},
		{"solve f.cnf -f text -o answer.json", "answer.json", "c sator"},
		{"trace f.cnf -o tree.gv", "tree.gv", "digraph"},
		{"convert f.cnf -o f.icnf", "f.icnf", "p inccnf"},
		{"sudoku generate --variant 4 --seed 1 -o p.csv", "p.csv", "puzzle,solution"},
		{"sudoku generate --variant 4 --seed 1 -o p.txt", "p.txt", "# rules"},
		{"sudoku solve p.csv -o s.json", "s.json", "{"},
		{"sudoku render p.csv --variant 4 -o p.svg", "p.svg", "<svg"},
		{"solve u.cnf --engine cdcl --proof-text --proof p.lrat", "p.lrat", "5 "},
		{"solve u.cnf --engine cdcl --proof-text --proof-format drat --proof d.lrat", "d.lrat", "-2 0\n"},
	} {
		_, _, errs := execute(t, new(cli.Env), strings.Fields(tt.args)...)
		if got, err := os.ReadFile(tt.file); err != nil || !strings.HasPrefix(string(got), tt.begin) {
			t.Errorf("%s writes\n%s, want the beginning %q; %v %s", tt.args, got, tt.begin, err, errs)
		}
	}
}
