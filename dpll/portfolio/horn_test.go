package portfolio_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
	"sator/dpll/portfolio"
)

// hornShapes are formulas of clauses with at most one literal of a sign.
var hornShapes = []dplltest.Family{
	{Name: "horn", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return hornFormula(r, vars, 0) }},
	{Name: "dual-horn", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return hornFormula(r, vars, 1) }},
}

// hornFormula returns a random formula of which no clause has two literals of a sign.
func hornFormula(r *rand.Rand, vars int, sign dimacs.Lit) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range vars * (1 + r.IntN(4)) {
		var c []dimacs.Lit
		for range r.IntN(4) {
			c = append(c, dimacs.Lit(2*r.IntN(vars))|(sign^1))
		}
		if r.IntN(4) > 0 || len(c) == 0 && r.IntN(50) > 0 {
			c = append(c, dimacs.Lit(2*r.IntN(vars))|sign)
		}
		r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		f.Add(c...)
	}
	return f
}

// Unit propagation decides Horn formulas, with evidence.
func TestHorn(t *testing.T) {
	var horn, other atomic.Int64
	make := func(f *dimacs.Formula, p dimacs.Proof) dplltest.FormulaSolver {
		if h := portfolio.NewHorn(f, p); h != nil {
			horn.Add(1)
			return h
		}
		other.Add(1) // where a variant has other signs, say
		return learner(f, p)
	}
	fuzz(t, &dplltest.Subject{New: dplltest.Incremental(make), Families: hornShapes})
	if horn.Load() < 3*other.Load() {
		t.Errorf("%d Horn formulas and %d others", horn.Load(), other.Load())
	}
}

// learner returns a solver of clause learning with the clauses of f.
func learner(f *dimacs.Formula, p dimacs.Proof) portfolio.Solver {
	o := cdcl.DefaultOptions()
	o.Proof = p
	s := cdcl.New(o)
	s.AddFormula(f)
	return s
}

// fuzz holds a subject to the laws of engines.
func fuzz(t *testing.T, s *dplltest.Subject) {
	t.Helper()
	f := dplltest.Fuzzer{Subjects: []*dplltest.Subject{s}, Vars: 100}
	var tally dplltest.Counts
	for seed := range uint64(300) {
		r := f.Round(seed)
		if tally.Add(&r.Counts); r.Err != nil {
			r.Shrink()
			t.Fatal(r.Err)
		}
	}
	if tally.Satisfiable < 20 || tally.Unsatisfiable < 20 {
		t.Errorf("one sided: %+v", tally)
	}
}

// A formula with a clause that has two literals of each sign is none.
func TestHornTakes(t *testing.T) {
	for _, tt := range []struct {
		clauses [][]int
		want    bool
	}{
		{nil, true},
		{[][]int{{}}, true},
		{[][]int{{-1, -2, 3}, {4}, {-3, -4}}, true},
		{[][]int{{1, 2, -3}, {-4}, {3, 4}}, true},
		{[][]int{{1, 1, -2}, {-1, -1, 2, 2}}, true},
		{[][]int{{1, 2}, {-1, -2}}, false},
		{[][]int{{1, 2, -3, -4}}, false},
	} {
		f := dimacs.NewFormula(0)
		for _, c := range tt.clauses {
			f.AddInts(c...)
		}
		if got := portfolio.NewHorn(f, nil) != nil; got != tt.want {
			t.Errorf("%v: %v", tt.clauses, got)
		}
	}
}

// A chain of a million rules is decided at once, with a proof along it; and when the
// context ends, it is given up.
func TestHornChain(t *testing.T) {
	const n = 300_000
	f := dimacs.NewFormula(n)
	f.AddInts(-n)
	for i := n - 1; i > 0; i-- {
		f.AddInts(-i, i+1)
	}
	f.AddInts(1)
	check := proof.NewChecker()
	h := portfolio.NewHorn(f, check)
	ctx, cancel := dplltest.CancelAfter(1)
	defer cancel()
	if got := h.Solve(ctx); got != dimacs.Unknown {
		t.Errorf("cancelled: %v", got)
	}
	if got := h.Solve(context.Background()); got != dimacs.Unsatisfiable || h.Failed() != nil {
		t.Errorf("got %v", got)
	}
	if err := check.Refutes(nil); err != nil {
		t.Error(err)
	}
	if st := h.Stats(); st.Chain != n+1 {
		t.Errorf("a chain of %d clauses", st.Chain)
	}
}

// The model is the least one, or the greatest with signs exchanged.
func TestHornLeast(t *testing.T) {
	for sign := range dimacs.Lit(2) {
		f := hornFormula(rand.New(rand.NewPCG(7, 7)), 12, sign)
		h := portfolio.NewHorn(f, nil)
		if h.Solve(context.Background()) != dimacs.Satisfiable {
			continue
		}
		for _, l := range h.Model().Lits() {
			if l&1 == sign {
				if got, _ := dplltest.Oracle(f, l.Not()); got != dimacs.Unsatisfiable {
					t.Errorf("sign %d: %v need not hold", sign, l)
				}
			}
		}
	}
}
