package solve

import (
	"cmp"
	"context"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
)

// A dpllAdapter runs the engine dpll on the same formulas as the engine cdcl. It
// learns nothing. After a solution it backtracks as after a conflict, so it finds
// all solutions without blocking clauses. The enumeration is projected to the
// candidates: of several models that differ in auxiliary variables only, it
// visits one.
type dpllAdapter struct {
	solver    *classic.Solver
	variables *sudoku.Map
	alone     bool // the givens are in the formula

	project []dimacs.Var // the candidates; nil if they determine all variables
}

// heuristic returns the options of the engine, or an error if there is no such
// heuristic.
func (o *Options) heuristic() (classic.Options, error) {
	d := classic.DefaultOptions()
	d.Heuristic = cmp.Or(o.Heuristic, "positive")
	d.Pure = classic.PureOff
	return d, d.Check()
}

// newDPLL loads the rules of g or, if alone is true, the puzzle g itself.
func newDPLL(ctx context.Context, o *Options, g *sudoku.Grid, alone bool) (adapter, error) {
	cnf, err := o.encode(ctx, g, alone, "extended")
	if err != nil {
		return nil, err
	}
	d, err := o.heuristic()
	if err != nil {
		return nil, err
	}
	a := &dpllAdapter{solver: classic.New(d), variables: cnf.Map, alone: alone}
	if !isExact(cnf) {
		a.project = candidateVars(cnf.Map)
	}
	a.solver.AddFormula(cnf.Formula)
	return a, nil
}

// stateful returns true for two reasons: some heuristics draw random numbers;
// and a puzzle gets a formula of its own depending on the rules of earlier
// puzzles, and with another formula the first solution may be another.
func (a *dpllAdapter) stateful() bool { return true }

func (a *dpllAdapter) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	a.variables.Puzzle = g
	var givens []dimacs.Lit
	if !a.alone {
		givens = a.variables.Givens(g)
	}
	for m := range a.solver.Models(ctx, a.project, givens...) {
		t.add(mustDecode(a.variables, m))
		if t.n == limit {
			return t
		}
	}
	t.complete = a.solver.Exhausted()
	return t
}

func (a *dpllAdapter) effort() Effort {
	s := a.solver.Stats()
	return Effort{Decisions: s.Decisions, Conflicts: s.Conflicts, Propagations: s.Propagations}
}
