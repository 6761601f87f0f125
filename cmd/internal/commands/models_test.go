package commands

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/enumerate"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// bruteModels returns the projected models of a formula by trying all assignments.
func bruteModels(f *dimacs.Formula, project []dimacs.Var, assume []dimacs.Lit) []string {
	found := map[string]bool{}
	for bits := range 1 << f.Vars() {
		m := make(dimacs.Model, f.Vars())
		for v := range m {
			m.Set(dimacs.Var(v).Lit() ^ dimacs.Lit(bits>>v&1))
		}
		right := m.Satisfies(f)
		for _, l := range assume {
			right = right && m.Lit(l) == dimacs.True
		}
		if !right {
			continue
		}
		if project != nil {
			p := make(dimacs.Model, len(m))
			for _, v := range project {
				p[v] = m[v]
			}
			m = p
		}
		found[fmt.Sprint(dimacs.Ints(m.Lits()))] = true
	}
	var list []string
	for m := range found {
		list = append(list, m)
	}
	slices.Sort(list)
	return list
}

// TestModels compares enumerate, with each engine, and count with bruteModels.
func TestModels(t *testing.T) {
	effort.Sequential(t)
	file := filepath.Join(t.TempDir(), "f.cnf")
	kinds := map[bool]int{}
	for seed := range uint64(60) {
		_, c := dplltest.RandomCase(seed, 0)
		n := c.Formula.Vars()
		if n == 0 || n > 10 {
			continue
		}
		c.Assumptions = slices.DeleteFunc(c.Assumptions, func(l dimacs.Lit) bool { return int(l.Var()) >= n })
		w, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := dimacs.Write(w, c.Formula); err != nil {
			t.Fatal(err)
		}
		w.Close()
		args := []string{file, "--assume", cli.Spaced(c.Assumptions)}
		var project []dimacs.Var
		if seed%2 == 1 {
			project = []dimacs.Var{dimacs.Var(n - 1), dimacs.Var(n / 2)}
			args = append(args, "--project", fmt.Sprintf("%d %d", n, n/2+1))
		}
		want := bruteModels(c.Formula, project, c.Assumptions)
		kinds[len(want) > 0]++
		for _, engine := range []string{"auto", "cdcl", "dpll"} {
			code, out, errs := execute(t, new(cli.Env), append([]string{"enumerate", "--json", "--engine", engine}, args...)...)
			var got []string
			for _, m := range regexp.MustCompile(`(?m)^\{"model":\[(.*)\]\}$`).FindAllStringSubmatch(out, -1) {
				got = append(got, "["+strings.ReplaceAll(m[1], ",", " ")+"]")
			}
			slices.Sort(got)
			wantCode := 20
			if len(want) > 0 {
				wantCode = 10
			}
			end := fmt.Sprintf(`"models":%d,"complete":true}`, len(want))
			if !slices.Equal(got, want) || code != wantCode || errs != "" || !strings.HasSuffix(out, end+"\n") {
				t.Fatalf("seed %d, %s: exit code %d, got %v, want %v\n%s%s", seed, engine, code, got, want, out, errs)
			}
		}
		code, out, _ := execute(t, new(cli.Env), append([]string{"count", "-q"}, args...)...)
		if !strings.HasSuffix(out, fmt.Sprintf("\nc s exact arb int %d\n", len(want))) || code != 20 && len(want) == 0 || code != 10 && len(want) > 0 {
			t.Fatalf("seed %d: exit code %d, want %d models\n%s", seed, code, len(want), out)
		}
	}
	if kinds[true] < 10 || kinds[false] < 5 {
		t.Errorf("too few formulas: %v", kinds)
	}
}

// TestCountingLines counts formulas with a projection in the file, or a type alone, as given,
// shuffled and simplified. bruteModels gives the number.
func TestCountingLines(t *testing.T) {
	effort.Sequential(t)
	dir := t.TempDir()
	removed := 0
	for _, seed := range effort.Seeds(80, 400) {
		_, c := dplltest.RandomCase(seed, 0)
		n := c.Formula.Vars()
		if n < 2 || n > 10 {
			continue
		}
		var project []dimacs.Var
		lines := "t mc"
		if seed%4 > 0 {
			project, lines = []dimacs.Var{dimacs.Var(n - 1), 0, dimacs.Var(n / 2)}, fmt.Sprintf("t pmc\np show %d 0\nind 1 %d 0", n, n/2+1)
		}
		file := filepath.Join(dir, "f.cnf")
		var text strings.Builder
		if err := dimacs.Write(&text, c.Formula, lines); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("\nc s exact arb int %d\n", len(bruteModels(c.Formula, project, nil)))
		for _, args := range [][]string{nil, {"convert", "--shuffle", "--seed", fmt.Sprint(seed)}, {"convert", "--normalize"}, {"simplify", "-q"}} {
			input := text.String()
			if args != nil {
				var code int
				var errs string
				if code, input, errs = execute(t, new(cli.Env), append(args, file)...); code != 0 || errs != "" {
					t.Fatalf("seed %d, %q: exit code %d, %s", seed, args, code, errs)
				}
			}
			if args != nil && args[0] == "simplify" && strings.Contains(input, "eliminated or substituted: ") && !strings.Contains(input, "substituted: 0") {
				removed++
			}
			if _, out, errs := execute(t, &cli.Env{Stdin: strings.NewReader(input)}, "count", "-q"); !strings.HasSuffix(out, want) || errs != "" {
				t.Fatalf("seed %d, %q: want%s%s%s%s", seed, args, want, out, errs, input)
			}
		}
	}
	if removed < 4 {
		t.Errorf("simplify removed variables of %d formulas only", removed)
	}
}

// TestWrongCube checks that a wrong model set is an internal error.
func TestWrongCube(t *testing.T) {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	for _, tt := range []struct {
		witness dimacs.Model
		assume  []dimacs.Lit
		says    string
	}{
		{dimacs.Model{dimacs.True, dimacs.Unassigned}, nil, ""},
		{dimacs.Model{dimacs.True, dimacs.Unassigned}, dimacs.Lits(2), "the model does not satisfy the assumption 2"},
		{dimacs.Model{dimacs.False, dimacs.Unassigned}, nil, "the model does not satisfy clause 1, 1 2 0"},
	} {
		x := &enumerateRun{modelsRun: &modelsRun{Run: new(cli.Run)}, o: &enumerateOptions{modelsOptions: &modelsOptions{assume: tt.assume}}}
		x.in = &formula.Input{Formula: f}
		err := x.checkModelSet(&enumerate.ModelSet{Witness: tt.witness})
		if (err == nil) != (tt.says == "") || err != nil && err.Error() != tt.says {
			t.Errorf("%v under %v: %v", tt.witness, tt.assume, err)
		}
	}
}

// TestManyModels checks that counts are not limited to 64 bits, and that --limit ends the
// output within a model set.
func TestManyModels(t *testing.T) {
	effort.Sequential(t)
	file := clitest.Write(t, "f.cnf", "p cnf 5000 1\n1 2 0\n")
	_, out, _ := execute(t, new(cli.Env), "count", "--json", file)
	var d struct{ Models string }
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	want := new(big.Int).Lsh(big.NewInt(3), 4998)
	if d.Models != want.String() {
		t.Errorf("got %s, want %v", d.Models, want)
	}
	code, out, _ := execute(t, new(cli.Env), "enumerate", "-q", "--limit", "5", "--project", "1 2 4999 5000", file)
	if code != 10 || strings.Count(out, "\nv ") != 5 || !strings.HasSuffix(out, "c models: 5, there may be others\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestModelsInTime checks that the models found before a time limit are reported.
func TestModelsInTime(t *testing.T) {
	code, many, _ := execute(t, new(cli.Env), "generate", "ksat", "--vars", "400", "--ratio", "2", "--seed", "1")
	file := clitest.Write(t, "many.cnf", many)
	if code != 0 {
		t.Fatal(code)
	}
	clitest.Patiently(t, func(limit time.Duration) bool {
		code, out, _ := execute(t, new(cli.Env), "enumerate", file, "--time", limit.String())
		return code == 10 && strings.Contains(out, "\ns SATISFIABLE\nv ") &&
			regexp.MustCompile(`\nc models: [1-9]\d*, there may be others\n$`).MatchString(out)
	})
	clitest.Patiently(t, func(limit time.Duration) bool {
		code, out, _ := execute(t, new(cli.Env), "count", file, "--time", limit.String(), "--json")
		found := `"status":"UNKNOWN","reason":"time limit of ` + limit.String() + `","type":"mc","models":"[1-9]\d+"`
		return code == 0 && regexp.MustCompile(found).MatchString(out)
	})
}

// TestTraceInTime checks that trace draws the tree so far after a time limit.
func TestTraceInTime(t *testing.T) {
	_, hard, _ := execute(t, new(cli.Env), "generate", "ksat", "--k", "5", "--vars", "300", "--ratio", "25", "--seed", "1")
	file := clitest.Write(t, "hard.cnf", hard)
	clitest.Patiently(t, func(limit time.Duration) bool {
		code, out, _ := execute(t, new(cli.Env), "trace", file, "--limit", "100000000", "--time", limit.String(), "--format", "dot")
		return code == 0 && strings.Contains(out, "stopped: time limit of "+limit.String())
	})
}

func TestLogText(t *testing.T) {
	for _, tt := range []struct {
		log          float64
		text, number string
	}{
		{math.Inf(-1), "-inf", "0"},
		{0, "0", "1e+0"},
		{3.48172919696, "3.48172919696", "3.032e+3"},
		{-2000.5, "-2000.5", "3.16227766017e-2001"},
	} {
		if got := logText(tt.log); got != tt.text {
			t.Errorf("%v: %s, want %s", tt.log, got, tt.text)
		}
		if got := scientific(tt.log); got != tt.number {
			t.Errorf("%v: %s, want %s", tt.log, got, tt.number)
		}
	}
}

// TestVariables checks the parser of --project.
func TestVariables(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"1 2,3\t4", "[0 1 2 3]"},
		{"5..7 6 1", "[4 5 6 0]"},
		{"", `invalid value "" for --project: want at least one variable`},
		{"0", `invalid value "0" for --project: want variables and ranges of variables, such as "1 2 7..20"`},
		{"-1", `invalid value "-1" for --project: want variables and ranges of variables, such as "1 2 7..20"`},
		{"3..2", `invalid value "3..2" for --project: want variables and ranges of variables, such as "1 2 7..20"`},
		{"1..x", `invalid value "1..x" for --project: want variables and ranges of variables, such as "1 2 7..20"`},
		{"1..", `invalid value "1.." for --project: want variables and ranges of variables, such as "1 2 7..20"`},
		{"1..9999999999", `invalid value "1..9999999999" for --project: want variables and ranges of variables, such as "1 2 7..20"`},
	} {
		vs, err := variables([]string{tt.text}, nil)
		got := fmt.Sprint(vs)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}
