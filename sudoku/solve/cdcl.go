package solve

import (
	"context"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// Incremental solving: the rules are a formula that is loaded once, and the
// givens of a puzzle are assumptions. Learned clauses follow from the rules
// alone, so they stay valid and speed up all later puzzles: on lists of 9x9
// puzzles with 17 givens they reduce the conflicts to a third.
//
// Enumeration without blocking clauses: the decisions behind a solution,
// together with the givens, imply the whole solution. So any other solution has
// the complement of at least one decision. The search for it is split by the
// first such decision: assume the givens and the complement of decision 1; then
// the givens, decision 1 and the complement of decision 2; and so on. If all of
// these calls are unsatisfiable, the solution is unique. A solution without
// decisions needs no further call. If a call finds another solution, the
// decisions of that solution split its part of the search space in the same
// way. So each solution is found exactly once.
//
// The usual method adds a blocking clause for each solution. Blocking clauses,
// and the clauses learned from them, hold for one puzzle only and would have to
// be deleted before the next puzzle. The calls described here leave only
// clauses that hold for all puzzles. Each call extends the assumptions of the
// previous call, so the engine does not propagate those again.

// A cdclAdapter runs the engine cdcl.
type cdclAdapter struct {
	solver     *cdcl.Solver
	options    cdcl.Options
	formula    *dimacs.Formula
	variables  *sudoku.Map // the map between candidates and variables
	spent      Effort      // effort of solvers that were replaced
	maxLearned int         // number of learned clauses above which the solver is replaced
	alone      bool        // the givens are in the formula

	// exact reports that the candidates determine all other variables, so that
	// different models are different solutions.
	exact bool

	assumptions []dimacs.Lit // scratch
}

// smallOptions returns the options for small grids. There a puzzle takes few
// conflicts, and hardly any with the clauses learned from earlier puzzles. With so few
// conflicts, techniques for large formulas (mode switching, rephasing, inprocessing)
// never start or slow the search down. A learned clause that is not reused soon costs
// more than it saves. The phase true is better for a candidate than its value in an
// earlier puzzle.
func smallOptions() cdcl.Options {
	o := cdcl.Options{}
	o.Stable, o.NoRephase, o.NoRandomBursts, o.NoSavePhases, o.NoSimplify = cdcl.FocusedMode, true, true, true, true
	o.RestartInterval = 10
	o.ReduceInterval, o.ReduceFraction = 30, 100
	o.Tier1, o.Tier2 = 1, 1
	return o
}

// learnedFraction limits the learned clauses to the number of clauses of the
// rules divided by this. The engine never deletes binary clauses, and after
// some thousands of hard puzzles there are so many that they cost more than
// they save. Then the rules are loaded into a new solver, which takes as long
// as a few puzzles.
const learnedFraction = 5

// newCDCL loads the rules of g or, if alone is true, the puzzle g itself.
//
// Tried: for large grids, target phases in both modes and longer restarts (no gain).
func newCDCL(ctx context.Context, o *Options, g *sudoku.Grid, alone bool) (adapter, error) {
	options := cdcl.Options{}
	if g.Rules.Size() < largeSize {
		options = smallOptions()
	}
	cnf, err := o.encode(ctx, g, alone, "triad")
	if err != nil {
		return nil, err
	}
	a := &cdclAdapter{options: options, formula: cnf.Formula, variables: cnf.Map, maxLearned: cnf.Formula.Len() / learnedFraction, alone: alone, exact: isExact(cnf)}
	a.reload()
	return a, nil
}

// reload replaces the solver by one without learned clauses.
func (a *cdclAdapter) reload() {
	a.solver = cdcl.New(a.options)
	a.solver.AddFormula(a.formula)
	a.solver.KeepModels()
}

// reloadIfLarge replaces the solver if it has too many learned clauses.
func (a *cdclAdapter) reloadIfLarge() {
	if st := a.solver.Stats(); !a.alone && st.Redundant > a.maxLearned {
		a.spent = a.effort()
		a.reload()
	}
}

func (a *cdclAdapter) stateful() bool { return true }

func (a *cdclAdapter) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	a.reloadIfLarge()
	a.variables.Puzzle = g
	a.assumptions = a.assumptions[:0]
	if !a.alone {
		a.assumptions = append(a.assumptions, a.variables.Givens(g)...)
	}
	t.complete = a.enumerate(ctx, a.assumptions, limit, &t)
	return t
}

// enumerate adds the solutions under the assumptions to t, and reports whether it
// found all of them. It appends to assumptions, also in the calls for the parts of the
// search space: these share one array.
func (a *cdclAdapter) enumerate(ctx context.Context, assumptions []dimacs.Lit, limit int, t *tally) bool {
	switch a.solver.Solve(ctx, assumptions...) {
	case dimacs.Unsatisfiable:
		return true
	case dimacs.Unknown:
		return false
	}
	decisions := a.solver.Decided()
	if !a.exact {
		decisions = a.trueCandidates()
	}
	t.add(mustDecode(a.variables, a.solver.Model()))
	for _, d := range decisions {
		if t.n == limit || !a.enumerate(ctx, append(assumptions, d.Not()), limit, t) {
			return false
		}
		assumptions = append(assumptions, d)
	}
	return true
}

// trueCandidates returns the true candidates of the model. They take the place of
// the decisions where auxiliary variables are free: they determine the solution,
// though not the model.
func (a *cdclAdapter) trueCandidates() []dimacs.Lit {
	var lits []dimacs.Lit
	for candidate := range a.variables.Rules.Cells() * a.variables.Rules.Size() {
		if lit, ok := a.variables.Lit(candidate); ok && a.solver.Value(lit) == dimacs.True {
			lits = append(lits, lit)
		}
	}
	return lits
}

func (a *cdclAdapter) effort() Effort {
	s, e := a.solver.Stats(), a.spent
	e.add(Effort{Decisions: s.Decisions, Conflicts: s.Conflicts, Propagations: s.Propagations})
	return e
}
