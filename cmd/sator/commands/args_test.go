package commands

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
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

		{"", "sator help"},
		{"slove f.cnf", `sator: "slove" is no command and no file; Did you mean "solve"?`},
		{"--quiet chekc f.cnf g.sol", `sator: "chekc" is no command and no file; Did you mean "check"?`},
		{"solve --tiem 5 f.cnf", `sator: solve: unknown flag --tiem; Did you mean "--time"?`},
		{"f.cnf --verbsoe=true", `sator: solve: unknown flag --verbsoe; Did you mean "--verbose"?`},
		{"solve f.cnf --time", "sator: solve: --time needs a value"},
		{"generate skat", `sator: generate: "skat" is no subcommand; Did you mean "ksat"?`},
		{"generate --seed 1 ksat", "sator: generate: the subcommand must come before the flag --seed"},
		{"generate -h", "sator help generate"},
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
		{"c", "cube conquer count check convert completion"},
		{"sudoku c", "count check convert"},
		{"help ", all},
		{"help gen", "generate"},
		{"completion ", "bash zsh fish"},
		{"completion bash ", ""},
		{"check ", ""},
		{"check -- ", ""},
		{"check -", "--time --relaxed --assume --from --forward --strict-deletions --core --trim --lrat --proof-text --output -o --quiet -q"},
		{"check --q", "--quiet"},
		{"check f.cnf --r", "--relaxed"},
		{"check -- --r", ""},
		{"--no", "--no-model --no-simplify --no-sharing"},
		{"f.cnf --no", "--no-model --no-simplify --no-sharing"},
		{"generate php --o", "--onto --output"},
	} {
		_, out, errs := execute(t, new(cli.Env), append(strings.Split(tt.args, " "), cli.CompletionFlag)...)
		if got := strings.Join(strings.Fields(out), " "); got != tt.want || errs != "" {
			t.Errorf("%q: got %q, want %q; standard error %q", tt.args, got, tt.want, errs)
		}
	}
	for _, args := range [][]string{{"generate"}, {"help", "generate"}} {
		_, out, _ := execute(t, new(cli.Env), append(args, "", cli.CompletionFlag)...)
		if want := strings.Join(familyNames(), "\n") + "\n"; out != want {
			t.Errorf("%q: got %q, want %q", args, out, want)
		}
	}
}
