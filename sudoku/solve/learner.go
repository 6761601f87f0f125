package solve

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// Clause learning on the rules. The rules of a kind of puzzle are a formula that
// is loaded once; a puzzle is a set of assumptions, its givens. What the engine
// learns from a puzzle follows from the rules alone, so that it stays and helps
// with all that follow: on lists of 9x9 puzzles with 17 givens a third of the
// conflicts is left.
//
// When a solution was found, the decisions behind it tell how to look for
// others. Together with the givens they imply the whole solution, so that any
// other has the complement of one of them. Either it has that of the first; or
// it has the first, and the complement of the second; and so on. These questions
// are put one by one, as assumptions after the givens, and if all are answered
// in the negative the solution is the only one. If there was no decision there
// is no question. Where one is answered with a solution, its own decisions
// divide what is left there in the same way, so that all solutions are found,
// each once.
//
// The common way is to forbid what was found by a clause. Such clauses, and
// what is learned from them, hold for a puzzle alone and would have to be found
// and removed before the next; the questions leave nothing behind but what holds
// for all. And since each begins with the assumptions of the one before it, the
// engine need not imply them again.

// A learner is the worker of the engine cdcl.
type learner struct {
	solver  *cdcl.Solver
	options cdcl.Options
	formula *dimacs.Formula
	code    *sudoku.Map
	spent   Effort // of solvers that were given up
	most    int    // learned clauses before the solver is given up
	alone   bool   // the givens are in the formula

	// exact says that the candidates fix all other variables, so that different
	// models are different solutions.
	exact bool

	assumptions []dimacs.Lit // scratch
}

// The search for a solution of a small grid takes few conflicts, and with what
// was learned before, hardly any. What serves on large formulas, modes in turn,
// resets of phases and simplification, never comes into play or disturbs; a clause that is not
// soon of use again is a burden; and true is the better first guess for a
// candidate than what it was in another puzzle.
func smallOptions() cdcl.Options {
	o := cdcl.DefaultOptions()
	o.Stable, o.Rephase, o.RandomBursts, o.SavePhases, o.Simplify = 0, 0, 0, 0, 0
	o.RestartInterval = 10
	o.ReduceInterval, o.ReduceFraction = 30, 100
	o.Tier1, o.Tier2 = 1, 1
	return o
}

// Clauses of two literals are never forgotten by the engine, and after some
// thousands of hard puzzles there are so many that they cost more than they save.
// Then a new engine begins with the rules alone, which takes as long as a few
// puzzles do.
const burden = 5 // learned clauses are at most this part of the rules

// newLearner loads the rules of g, or g alone.
func newLearner(o *Options, g *sudoku.Grid, alone bool) (worker, error) {
	c := o.Coding
	c.Numbering = "" // gaps in the numbering are variables too
	options := cdcl.DefaultOptions()
	if g.Rules.Size() < largeSize {
		options = smallOptions()
	}
	if c.Encoding == "" {
		c.Encoding = "triad"
		if alone {
			c.Encoding = "reduced"
		}
	}
	cnf, err := g.Encode(c)
	if err != nil {
		return nil, err
	}
	l := &learner{options: options, formula: cnf.Formula, code: cnf.Map, most: cnf.Formula.Len() / burden, alone: alone, exact: exact(cnf)}
	l.renew()
	return l, nil
}

// renew forgets all that was learned.
func (l *learner) renew() {
	l.solver = cdcl.New(l.options)
	l.solver.AddFormula(l.formula)
	l.solver.KeepModels()
}

// renewIfBurdened does so if too much was learned.
func (l *learner) renewIfBurdened() {
	if st := l.solver.Stats(); !l.alone && st.Redundant > l.most {
		l.spent = l.effort()
		l.renew()
	}
}

// exact reports whether the candidates fix all other variables of a formula. Of
// the encodings with more variables triad is known to be so.
func exact(cnf *sudoku.CNF) bool {
	m := cnf.Map
	triads := m.Coding.Encoding == "triad" && m.Coding.AtMostOne == "pairs" && len(m.Rules.Cages()) == 0
	return triads || cnf.Formula.Vars() == m.Vars()
}

func (l *learner) remembers() bool { return true }

func (l *learner) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	l.renewIfBurdened()
	l.code.Puzzle = g
	l.assumptions = l.assumptions[:0]
	if !l.alone {
		l.assumptions = append(l.assumptions, l.code.Givens(g)...)
	}
	t.complete = l.visit(ctx, l.assumptions, limit, &t)
	return t
}

// visit adds the solutions under assumptions, and reports whether it came to
// the end of them. What stands behind the assumptions in their array is lost.
func (l *learner) visit(ctx context.Context, under []dimacs.Lit, limit int, t *tally) bool {
	switch l.solver.Solve(ctx, under...) {
	case dimacs.Unsatisfiable:
		return true
	case dimacs.Unknown:
		return false
	}
	decided := l.solver.Decided()
	if !l.exact {
		decided = l.candidates()
	}
	t.add(l.solution())
	for _, d := range decided {
		if t.n == limit || !l.visit(ctx, append(under, d.Not()), limit, t) {
			return false
		}
		under = append(under, d)
	}
	return true
}

// candidates returns the true candidates of the model: literals that fix the
// solution, though not all variables.
func (l *learner) candidates() []dimacs.Lit {
	var lits []dimacs.Lit
	for candidate := range l.code.Rules.Cells() * l.code.Rules.Size() {
		if lit, ok := l.code.Lit(candidate); ok && l.solver.Value(lit) == dimacs.True {
			lits = append(lits, lit)
		}
	}
	return lits
}

// solution returns the digits that the model stands for, which are checked.
func (l *learner) solution() []int { return decode(l.code, l.solver.Model()) }

// decode returns the digits that a model stands for. It panics if they break a
// rule or are not those of the puzzle: then the engine or the encoding is wrong.
func decode(code *sudoku.Map, m dimacs.Model) []int {
	g, err := code.Decode(m)
	if err != nil {
		panic(fmt.Sprintf("solve: the model is no solution: %v", err))
	}
	return slices.Clip(g.Cells)
}

func (l *learner) effort() Effort {
	s, e := l.solver.Stats(), l.spent
	e.Add(Effort{Decisions: s.Decisions, Conflicts: s.Conflicts, Propagations: s.Propagations})
	return e
}
