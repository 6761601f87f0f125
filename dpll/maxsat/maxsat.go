// Package maxsat finds models of least cost (weighted partial MaxSAT): models of the hard
// clauses that falsify soft clauses of the least total weight.
//
//	w := dimacs.NewWeighted(3)
//	w.Hard.AddInts(1, 2)
//	w.AddSoft(5, dimacs.Lits(-1)...) // falsified at the cost 5
//	w.AddSoft(3, dimacs.Lits(-2)...)
//	r := maxsat.Solve(ctx, w, maxsat.Options{})
//	if r.Optimal {
//		fmt.Println(r.Cost, r.Model.Lits())
//	}
//	err := r.Verify(ctx, w)
//
// The package is a thin layer above the incremental solver of package cdcl and the
// totalizers of package card, and a model of how to use both. Formulas are read by
// dimacs.Reader.ReadWeighted. [Result.Verify] checks a result: it evaluates the model,
// and refutes, step by step checked, that a better one exists. The command sator maxsat
// is a front end of this package.
//
// # Files
//
//   - maxsat.go: options, results, and the main loop
//   - core.go: what a core does to the objective
//   - stratify.go: stratification and hardening
//   - verify.go: the check of a result
package maxsat

import (
	"cmp"
	"context"
	"math"
	"slices"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dpll/cdcl"
)

// The algorithm is OLL (Andres, Kaufmann, Matheis and Schaub, "Unsatisfiability-based
// optimization in clasp", ICLP 2012) as in RC2 (Ignatiev, Morgado and Marques-Silva,
// "RC2: an efficient MaxSAT solver", JSAT 2019).
//
// The objective is a set of literals with weights, and the cost of a model is a constant
// plus the weights of the literals that it falsifies. At first these are the soft clauses:
// a soft clause of one literal is that literal, any other gets a new literal that implies
// it. The solver assumes all literals of the objective. A core is a set of assumptions that
// cannot all be true. It raises the constant by its least weight, and the weights of all its
// literals fall by as much; in exchange the objective gets the outputs of a totalizer over the
// core, one after the other: that at most one of the literals is false, at most two, and so on.
// When the assumptions are satisfiable, the constant is the optimum.
//
// The constant is a lower bound of the optimum at any time, and each model is an upper
// bound.

// Options configure Solve. The zero Options are the defaults.
type Options struct {
	// CDCL are the options of the solver. OneShot and Proof must not be set. If its Phase is
	// 0, decisions first assign false. So variables without an influence on the cost are false
	// where the clauses leave a choice: a package without a use is not installed.
	CDCL cdcl.Options

	// NoStratify turns off stratification: literals of large weight are not assumed first.
	// With stratification, early models have a low cost, and cores a large weight.
	NoStratify bool

	// NoHarden turns off hardening: literals are not fixed when all better models satisfy them.
	NoHarden bool

	// MinimizeConflicts limits the conflicts of a call that tries to remove a literal
	// from a core, or to raise the bound of a new totalizer. 0 stands for 1,000, and a
	// negative number turns both off.
	MinimizeConflicts int64

	// Conflicts, if positive, limits the conflicts of all calls together.
	Conflicts int64

	// Improved, if not nil, is called with each model that is better than all before. The
	// model must not be changed.
	Improved func(cost int64, m dimacs.Model)

	// Progress, if not nil, is called after each call of the solver.
	Progress func(Progress)
}

// Progress is the state of a search.
type Progress struct {
	Lower, Upper int64 // bounds of the optimum; Upper is math.MaxInt64 before the first model
	Calls, Cores int
}

// A Result is the best model of a search.
type Result struct {
	// Status is Satisfiable if the hard clauses have a model, Unsatisfiable if they are
	// contradictory, and Unknown if a limit was reached before.
	Status dimacs.Status

	Optimal bool         // no model has a lower cost
	Model   dimacs.Model // the best one, if Status is Satisfiable
	Cost    int64        // of Model
	Lower   int64        // no model has a lower cost than that

	Calls int // calls of the solver
	Cores int // cores that raised the lower bound
}

// Solve returns a model of w of least cost. If ctx is done or a limit is reached, it
// returns the best model so far and the lower bound. Solve panics as
// [cdcl.Solver.Solve] does if memory is refused.
func Solve(ctx context.Context, w *dimacs.Weighted, o Options) *Result {
	s := newSearch(ctx, w, o)
	s.result.Status = s.solve(nil)
	if s.result.Status == dimacs.Satisfiable {
		s.run()
		s.result.Model, s.result.Cost = s.best, s.upper
		s.result.Optimal = s.lower >= s.upper
	}
	s.result.Lower = min(s.lower, s.upper)
	return &s.result
}

// A search is the state of Solve.
type search struct {
	ctx    context.Context
	w      *dimacs.Weighted
	o      Options
	solver *cdcl.Solver
	card   *card.Encoder
	result Result

	weights map[dimacs.Lit]int64  // the objective: the cost of falsifying a literal
	bounds  map[dimacs.Lit]*bound // of the literals that are outputs of totalizers
	level   int64                 // literals of less weight are not assumed

	lower, upper int64
	best         dimacs.Model // of cost upper
}

// newSearch returns a search with the clauses and the objective of w.
func newSearch(ctx context.Context, w *dimacs.Weighted, o Options) *search {
	o.CDCL.Phase = cmp.Or(o.CDCL.Phase, cdcl.PhaseFalse)
	o.MinimizeConflicts = cmp.Or(o.MinimizeConflicts, 1000)
	s := &search{
		ctx: ctx, w: w, o: o, solver: cdcl.New(o.CDCL),
		weights: map[dimacs.Lit]int64{}, bounds: map[dimacs.Lit]*bound{}, upper: math.MaxInt64, level: 1,
	}
	s.card = card.NewEncoder(s.solver)
	s.solver.Grow(w.Vars())
	s.solver.AddFormula(w.Hard)
	for i, c := range w.Soft.Clauses() {
		s.addSoft(c, w.Weights[i])
	}
	for _, l := range s.assumptions() {
		s.solver.Freeze(l)
		s.solver.SetPhase(l)
	}
	return s
}

// addSoft adds a soft clause to the objective.
func (s *search) addSoft(c []dimacs.Lit, weight int64) {
	switch len(c) {
	case 0:
		s.lower += weight
	case 1:
		s.addWeight(c[0], weight)
	default:
		l := s.solver.NewVar().Lit()
		s.solver.Add(append([]dimacs.Lit{l.Not()}, c...)...)
		s.addWeight(l, weight)
	}
}

// addWeight adds a weight to a literal of the objective. One of a literal and its
// complement is false in any case.
func (s *search) addWeight(l dimacs.Lit, weight int64) {
	both := min(weight, s.weights[l.Not()])
	if both > 0 {
		s.lower += both
		s.takeWeight(l.Not(), both)
	}
	if weight > both {
		s.weights[l] += weight - both
	}
}

// raise raises the lower bound. After hardening the sum may exceed the upper bound; then the upper
// bound is the optimum.
func (s *search) raise(weight int64) { s.lower += min(weight, s.upper-s.lower) }

// takeWeight takes a weight from a literal of the objective.
func (s *search) takeWeight(l dimacs.Lit, weight int64) {
	if s.weights[l] -= weight; s.weights[l] == 0 {
		delete(s.weights, l)
	}
}

// run improves both bounds until they meet or a limit is reached.
func (s *search) run() {
	if !s.o.NoStratify {
		s.level = s.nextLevel(math.MaxInt64)
	}
	for s.lower < s.upper {
		s.harden()
		switch s.solve(s.assumptions()) {
		case dimacs.Unknown:
			return
		case dimacs.Unsatisfiable:
			core := s.solver.Failed()
			if len(core) == 0 { // by hardening: no model is better than the best one
				s.lower = s.upper
				return
			}
			if !s.relax(s.minimize(core)) {
				return
			}
		case dimacs.Satisfiable:
			if s.level == 1 { // the constant is the cost of this model
				return
			}
			s.level = s.nextLevel(s.level)
		}
	}
}

// assumptions returns the literals of the objective with at least the weight of the level, the
// largest weights first.
func (s *search) assumptions() []dimacs.Lit {
	var lits []dimacs.Lit
	for l, weight := range s.weights {
		if weight >= s.level {
			lits = append(lits, l)
		}
	}
	slices.SortFunc(lits, func(a, b dimacs.Lit) int {
		if wa, wb := s.weights[a], s.weights[b]; wa > wb || wa == wb && a < b {
			return -1
		}
		return 1
	})
	return lits
}

// solve calls the solver within the limit of conflicts. A model improves the upper bound.
func (s *search) solve(assumptions []dimacs.Lit) dimacs.Status {
	return s.solveWithin(math.MaxInt64, assumptions)
}

// solveWithin calls the solver within two limits of conflicts, for this call and for all.
func (s *search) solveWithin(conflicts int64, assumptions []dimacs.Lit) dimacs.Status {
	if limit := s.o.Conflicts; limit > 0 {
		conflicts = min(conflicts, limit-s.solver.Stats().Conflicts)
	}
	if conflicts <= 0 {
		return dimacs.Unknown
	}
	s.solver.SetLimits(cdcl.Limits{Conflicts: conflicts})
	s.result.Calls++
	status := s.solver.Solve(s.ctx, assumptions...)
	if status == dimacs.Satisfiable {
		s.improve(s.solver.Model()[:s.w.Vars()])
	}
	if s.o.Progress != nil {
		s.o.Progress(Progress{s.lower, s.upper, s.result.Calls, s.result.Cores})
	}
	return status
}

// improve stores a model if it is better than the best one.
func (s *search) improve(m dimacs.Model) {
	cost, _ := s.w.Cost(m)
	if found := s.best != nil || s.upper < math.MaxInt64; found && cost >= s.upper {
		return
	}
	s.best, s.upper = m, cost
	if s.o.Improved != nil {
		s.o.Improved(cost, m)
	}
}
