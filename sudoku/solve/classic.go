package solve

import (
	"cmp"
	"context"

	"sator/dimacs"
	"sator/dpll"
	"sator/sudoku"
)

// The classic engine on the same formulas. It learns nothing. After a solution it
// goes on as after a conflict, so that all are visited without anything that
// forbids them. New variables of an encoding are not looked at: of models that
// agree on the candidates one is visited.

// A classic is the worker of the engine dpll.
type classic struct {
	solver *dpll.Solver
	code   *sudoku.Map
	alone  bool // the givens are in the formula

	project []dimacs.Var // the candidates; nil if there are no other variables
}

// heuristic returns the options of the engine, or says that there is no such
// heuristic.
func (o *Options) heuristic() (dpll.Options, error) {
	d := dpll.DefaultOptions()
	d.Heuristic = cmp.Or(o.Heuristic, "positive")
	d.Pure = dpll.PureOff
	return d, d.Check()
}

// newClassic loads the rules of g, or g alone.
func newClassic(o *Options, g *sudoku.Grid, alone bool) (worker, error) {
	c := o.Coding
	c.Numbering = "" // gaps in the numbering are variables too
	if c.Encoding == "" && alone {
		c.Encoding = "reduced"
	}
	cnf, err := g.Encode(c)
	if err != nil {
		return nil, err
	}
	d, err := o.heuristic()
	if err != nil {
		return nil, err
	}
	w := &classic{solver: dpll.New(d), code: cnf.Map, alone: alone}
	if !exact(cnf) {
		w.project = candidates(cnf.Map)
	}
	w.solver.AddFormula(cnf.Formula)
	return w, nil
}

// candidates returns the variables of all candidates.
func candidates(m *sudoku.Map) []dimacs.Var {
	vars := []dimacs.Var{}
	for candidate := range m.Rules.Cells() * m.Rules.Size() {
		if l, ok := m.Lit(candidate); ok {
			vars = append(vars, l.Var())
		}
	}
	return vars
}

// remembers is true for two reasons: some heuristics draw, and whether a puzzle
// has a formula of its own, on which another solution may come first, can depend
// on whether its rules came before.
func (w *classic) remembers() bool { return true }

func (w *classic) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	w.code.Puzzle = g
	var givens []dimacs.Lit
	if !w.alone {
		givens = w.code.Givens(g)
	}
	for m := range w.solver.Models(ctx, w.project, givens...) {
		t.add(decode(w.code, m))
		if t.n == limit {
			return t
		}
	}
	t.complete = w.solver.Exhausted()
	return t
}

func (w *classic) effort() Effort {
	s := w.solver.Stats()
	return Effort{Decisions: s.Decisions, Conflicts: s.Conflicts, Propagations: s.Propagations}
}
