package dplltest

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// formula returns the formula with these clauses.
func formula(clauses ...[]int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for _, c := range clauses {
		f.AddInts(c...)
	}
	return f
}

var bruteTests = []struct {
	name        string
	formula     *dimacs.Formula
	assumptions []dimacs.Lit
	want        dimacs.Status
}{
	{"nothing", formula(), nil, dimacs.Satisfiable},
	{"variables without clauses", dimacs.NewFormula(100), nil, dimacs.Satisfiable},
	{"empty clause", formula([]int{}), nil, dimacs.Unsatisfiable},
	{"unit", formula([]int{-1}), nil, dimacs.Satisfiable},
	{"contradictory units", formula([]int{1}, []int{-1}), nil, dimacs.Unsatisfiable},
	{"tautology", formula([]int{1, -1}), nil, dimacs.Satisfiable},
	{"literal twice", formula([]int{1, 1}, []int{-1, -1}), nil, dimacs.Unsatisfiable},
	{"all of two", formula([]int{1, 2}, []int{1, -2}, []int{-1, 2}, []int{-1, -2}), nil, dimacs.Unsatisfiable},
	{"all of two but one", formula([]int{1, 2}, []int{1, -2}, []int{-1, 2}), nil, dimacs.Satisfiable},
	{"assumption", formula([]int{1, 2}), dimacs.Lits(-1), dimacs.Satisfiable},
	{"assumptions", formula([]int{1, 2}), dimacs.Lits(-1, -2), dimacs.Unsatisfiable},
	{"assumption of a new variable", formula([]int{1}), dimacs.Lits(-9), dimacs.Satisfiable},
	{"contradictory assumptions", formula(), dimacs.Lits(3, -3), dimacs.Unsatisfiable},
	{"variables far apart", formula([]int{500}, []int{-500, 1000}, []int{-1000}), nil, dimacs.Unsatisfiable},
}

// TestOracles checks Brute and Search on the cases of the table.
func TestOracles(t *testing.T) {
	for _, test := range bruteTests {
		got, m := Brute(test.formula, test.assumptions...)
		checkOracle(t, "Brute: "+test.name, got, test.want, m, test.formula, test.assumptions)
		got, m = Search(test.formula, 100, test.assumptions...)
		checkOracle(t, "Search: "+test.name, got, test.want, m, test.formula, test.assumptions)
	}
}

// checkOracle checks a status and a model of an oracle.
func checkOracle(t *testing.T, name string, got, want dimacs.Status, m dimacs.Model, f *dimacs.Formula, as []dimacs.Lit) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
	if got != dimacs.Satisfiable {
		if m != nil {
			t.Errorf("%s: %v with a model", name, got)
		}
		return
	}
	if i := m.Falsified(f); i >= 0 {
		t.Errorf("%s: the model does not satisfy clause %d", name, i)
	}
	for _, l := range as {
		if m.Lit(l) != dimacs.True {
			t.Errorf("%s: the model does not satisfy assumption %v", name, l)
		}
	}
}

// TestBruteAgainstOneByOne compares Brute and Search with trying all assignments one by
// one, with fewer and more variables than the six low ones.
func TestBruteAgainstOneByOne(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 99))
		f := ksat(r, 1+r.IntN(10), 1+r.IntN(3), []float64{1, 1, 4.3}[r.IntN(3)])
		want := dimacs.Unsatisfiable
		m := make(dimacs.Model, f.Vars())
		for bits := range 1 << f.Vars() {
			for v := range m {
				m.Set(negateIf(dimacs.Var(v).Lit(), bits>>v&1 == 0))
			}
			if m.Satisfies(f) {
				want = dimacs.Satisfiable
				break
			}
		}
		got, model := Brute(f)
		checkOracle(t, "Brute", got, want, model, f, nil)
		got, model = Search(f, 10000)
		checkOracle(t, "Search", got, want, model, f, nil)
	}
}

// TestBruteLastAssignment checks that Brute tries the last assignment, with 22 variables.
func TestBruteLastAssignment(t *testing.T) {
	f := dimacs.NewFormula(0)
	const n = 22
	for v := 1; v <= n; v++ {
		f.AddInts(v)
	}
	if got, _ := Brute(f); got != dimacs.Satisfiable {
		t.Errorf("all true: %v", got)
	}
	f.AddInts(-n)
	if got, _ := Brute(f); got != dimacs.Unsatisfiable {
		t.Errorf("with the last one false: %v", got)
	}
}
