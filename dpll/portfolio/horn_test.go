package portfolio_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// hornFamilies lists families of Horn formulas and dual Horn formulas.
var hornFamilies = []dplltest.Family{
	{Name: "horn", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return hornFormula(r, vars, 0) }},
	{Name: "dual-horn", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return hornFormula(r, vars, 1) }},
}

// hornFormula returns a random formula without clauses with two literals of a sign.
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

// Answers for Horn formulas are right, with models, failed assumptions and proofs.
func TestHorn(t *testing.T) {
	effort.Sequential(t)
	var horn, other atomic.Int64
	make := func(f *dimacs.Formula, p dimacs.Proof) dplltest.FormulaSolver {
		if h := portfolio.NewHorn(f, p); h != nil {
			horn.Add(1)
			return h
		}
		other.Add(1) // for example after fuzzing has flipped the signs of a variable
		return learner(f, p)
	}
	fuzz(t, &dplltest.Subject{New: dplltest.Incremental(make), Families: hornFamilies})
	if horn.Load() < 3*other.Load() {
		t.Errorf("%d Horn formulas and %d others", horn.Load(), other.Load())
	}
}

// learner returns a CDCL solver with the clauses of f.
func learner(f *dimacs.Formula, p dimacs.Proof) portfolio.Solver {
	o := cdcl.Options{}
	o.Proof = p
	s := cdcl.New(o)
	s.AddFormula(f)
	return s
}

// fuzz checks the answers of a subject in some hundred rounds.
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

// NewHorn returns nil for formulas that are not Horn formulas with either sign.
func TestNewHorn(t *testing.T) {
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

// A chain of 300000 rules is decided with a proof of all its clauses, and Solve returns
// Unknown when its context ends.
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
		t.Errorf("canceled: %v", got)
	}
	if got := h.Solve(context.Background()); got != dimacs.Unsatisfiable || h.Failed() != nil {
		t.Errorf("got %v", got)
	}
	if err := check.Refutes(nil); err != nil {
		t.Error(err)
	}
	if st := h.Stats(); st.Chain != n+1 {
		t.Errorf("the chain has %d clauses, want %d", st.Chain, n+1)
	}
}

// The model of a Horn formula is the least one; with signs exchanged it is the greatest.
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
					t.Errorf("sign %d: %v is not true in all models", sign, l)
				}
			}
		}
	}
}
