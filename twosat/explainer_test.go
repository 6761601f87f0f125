package twosat_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/twosat"
)

// mixedFormula has duplicate literals, a clause with three literals and a
// tautology.
func mixedFormula() *dimacs.Formula {
	f := dimacs.NewFormula(6)
	for _, c := range [][]int{{-1, 2, 2}, {2, -1}, {-2, -2}, {1, 2, 3}, {3, 4, -3}} {
		f.AddInts(c...)
	}
	return f
}

// TestExplain expects the first clause of the formula that each step follows
// from, and an error for a step without a clause.
func TestExplain(t *testing.T) {
	x := &twosat.Explainer{Formula: mixedFormula(), Assumptions: dimacs.Lits(5)}
	e, err := x.Explain(dimacs.Lits(1, 2, -2), dimacs.Lits(-2, -1))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, s := range e.Steps {
		lines = append(lines, s.String())
	}
	want := []string{"1 -> 2: clause 1, -1 2 2 0", "2 -> -2: clause 3, -2 -2 0", "-2 -> -1: clause 1, -1 2 2 0"}
	if e.Chain.String() != "1 -> 2 -> -2 -> -1" || !slices.Equal(lines, want) || e.Empty != -1 {
		t.Errorf("chain %v by clauses %q, empty clause %d", e.Chain, lines, e.Empty)
	}
	if e, err := x.Explain(dimacs.Lits(-5, 5)); err != nil || e.Steps[0].Index != -1 || e.Steps[0].String() != "-5 -> 5: assumed" {
		t.Errorf("an assumption: %+v, error %v", e, err)
	}
	for _, wrong := range []twosat.Chain{dimacs.Lits(1, 3), dimacs.Lits(1, -2), dimacs.Lits(5, -5), dimacs.Lits(-1, 3), nil} {
		if e, err := x.Explain(wrong); err == nil {
			t.Errorf("chain %v: %+v without an error", wrong, e)
		}
	}
	x.Formula.Add()
	if e, err := x.Explain(nil); err != nil || e.Empty != 5 || e.Steps != nil {
		t.Errorf("an empty clause: %+v, error %v", e, err)
	}
}

// TestExplainer explains answers about random formulas: the steps of a conflict
// have no model, and a reason forces its literal.
func TestExplainer(t *testing.T) {
	statuses := map[dimacs.Status]int{}
	reasons := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 31))
		f := uniform(r, 3+r.IntN(12), 0.9, 6)
		s, longer := twosat.BinaryPart(background, f)
		x := &twosat.Explainer{Solver: s, Formula: f}
		for range r.IntN(3) {
			x.Assumptions = append(x.Assumptions, literal(r, f.Vars()))
		}
		status := s.Solve(background, x.Assumptions...)
		statuses[status]++
		if status == dimacs.Unsatisfiable {
			e, err := x.Conflict()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			confirmConflict(t, x, e)
			continue
		}
		if ok, err := x.CheckModel(s.Model()); err != nil || !ok || longer != 0 {
			t.Fatalf("seed %d: model satisfies %v, %d longer clauses, error %v", seed, ok, longer, err)
		}
		forced, _ := x.Forced(background)
		for v := range dimacs.Var(f.Vars()) {
			reason, err := x.Reason(forced, v.Lit())
			if err != nil || reason.Value != forced.Value(v.Lit()) || (reason.Why == nil) != (reason.Value == dimacs.Unassigned) {
				t.Fatalf("seed %d: reason %+v, error %v", seed, reason, err)
			}
			if reason.Why == nil {
				continue
			}
			reasons++
			holds := v.Lit()
			if reason.Value == dimacs.False {
				holds ^= 1
			}
			if c := reason.Why.Chain; c[0] != holds.Not() || c[len(c)-1] != holds {
				t.Fatalf("seed %d: chain %v for %v", seed, c, holds)
			}
			confirmSteps(t, x, reason.Why)
		}
	}
	if statuses[dimacs.Satisfiable] < 50 || statuses[dimacs.Unsatisfiable] < 50 || reasons < 100 {
		t.Errorf("%v, %d reasons", statuses, reasons)
	}
}

// confirmConflict checks that the clauses of a conflict and the failed
// assumptions have no model.
func confirmConflict(t *testing.T, x *twosat.Explainer, e *twosat.Explanation) {
	t.Helper()
	core := new(dimacs.Formula)
	for _, l := range x.Solver.Failed() {
		core.Add(l)
	}
	if e != nil {
		confirmSteps(t, x, e)
		for _, s := range e.Steps {
			core.Add(s.Clause...)
		}
		if e.Empty >= 0 {
			core.Add(x.Formula.Clause(e.Empty)...)
		}
	}
	s, err := twosat.From(core, nil)
	if err != nil {
		t.Fatal(err)
	}
	if status := s.Solve(background); status != dimacs.Unsatisfiable {
		t.Fatalf("the clauses of %+v are %v", e, status)
	}
}

// confirmSteps checks that each step is an implication of its clause or of an
// assumption, and that the clause is in the formula.
func confirmSteps(t *testing.T, x *twosat.Explainer, e *twosat.Explanation) {
	t.Helper()
	for i, s := range e.Steps {
		if s.From != e.Chain[i] || s.To != e.Chain[i+1] {
			t.Fatalf("step %v of %v", s, e.Chain)
		}
		if s.Index >= 0 && !slices.Equal(s.Clause, x.Formula.Clause(s.Index)) || s.Index < 0 && !slices.Contains(x.Assumptions, s.Clause[0]) {
			t.Fatalf("step %v has a wrong clause", s)
		}
		for _, l := range s.Clause {
			if l != s.From.Not() && l != s.To {
				t.Fatalf("step %v does not follow from its clause", s)
			}
		}
	}
}

// TestCheckModel expects an error for a wrong short clause or assumption, and
// false for a wrong longer clause.
func TestCheckModel(t *testing.T) {
	f := mixedFormula()
	model := func(ls ...int) dimacs.Model {
		m := make(dimacs.Model, 4)
		for _, l := range dimacs.Lits(ls...) {
			m.Set(l)
		}
		return m
	}
	for _, tt := range []struct {
		model     []int
		assumed   int
		satisfied bool
		err       string
	}{
		{[]int{-1, -2, 3, 4}, 3, true, ""},
		{[]int{-1, -2, -3, 4}, -1, false, ""},
		{[]int{1, -2, 3, 4}, 3, false, "the model does not satisfy clause 1, -1 2 2 0"},
		{[]int{-1, -2, 3, 4}, -4, false, "the model does not satisfy the assumption -4"},
	} {
		x := &twosat.Explainer{Formula: f, Assumptions: dimacs.Lits(tt.assumed)}
		satisfied, err := x.CheckModel(model(tt.model...))
		text := ""
		if err != nil {
			text = err.Error()
		}
		if satisfied != tt.satisfied || text != tt.err {
			t.Errorf("%v: %v, error %q", tt.model, satisfied, text)
		}
	}
}

// TestBinaryPartVars expects the variables of all clauses that occur, and nil
// after the context has ended.
func TestBinaryPartVars(t *testing.T) {
	f := mixedFormula()
	if s, longer := twosat.BinaryPart(background, f); s.Vars() != 4 || longer != 1 {
		t.Errorf("%d variables, %d longer clauses", s.Vars(), longer)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if s, _ := twosat.BinaryPart(ctx, f); s != nil {
		t.Error("a solver after the context has ended")
	}
}
