// Package backbone finds the backbone of a formula: all literals that are true in every
// model.
//
//	r := backbone.Find(ctx, formula, backbone.Options{})
//	switch r.Status {
//	case dimacs.Satisfiable:
//		fmt.Println("in every model:", r.Backbone)
//		fmt.Println("not known:", r.Open) // empty unless a limit was reached
//	case dimacs.Unsatisfiable: // no model
//	case dimacs.Unknown: // a limit was reached before the first model
//	}
//	err := r.Verify(ctx, formula) // with Options.Witnesses
//
// [Result.Verify] checks a result: by a refutation, checked step by step, of the formula
// with the clause of all complements of the backbone, and by two models for each variable
// that is not in it. Package twosat finds the backbone of clauses of two literals in
// linear time. The command sator backbone is a front end of this package.
//
// # Files
//
//   - backbone.go: options, results, and the search
//   - flip.go: literals that can be flipped in a model
//   - verify.go: the check of a result
package backbone

import (
	"context"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// The algorithm is that of CadiBack (Biere, Froleyks and Wang, "CadiBack: Extracting
// Backbones with CaDiCaL", SAT 2023). The literals of the first model are the candidates.
// Each further model removes the candidates that it falsifies, and the candidates that can
// be flipped in it. To find another model, the solver is asked to falsify one of a chunk of
// candidates, by a clause that an activation literal switches on. If that is
// unsatisfiable, the whole chunk belongs to the backbone, and the next chunk is ten times
// as large; after a model the next chunk is a single candidate, assumed to be false. So few calls suffice if nearly all candidates belong to the backbone, and if
// hardly any does. Candidates that the solver has fixed at its root belong to the
// backbone without a call.

// chunkGrowth is the factor by which a chunk grows after a chunk of the backbone.
const chunkGrowth = 10

// Options configure Find. The zero Options are the defaults.
type Options struct {
	// CDCL are the options of the solver. OneShot and Proof must not be set.
	CDCL cdcl.Options

	// Conflicts, if positive, limits the conflicts of all calls together.
	Conflicts int64

	// Witnesses keeps the models that remove candidates, for [Result.Verify]. They take
	// a byte for each variable and model.
	Witnesses bool

	// Progress, if not nil, is called after each call of the solver.
	Progress func(Progress)
}

// Progress is the state of a search.
type Progress struct {
	Calls      int // of the solver
	Models     int
	Backbone   int // literals of the backbone found so far
	Candidates int // literals that may belong to it, too
}

// A Result is the backbone of a formula, or a part of it.
type Result struct {
	// Status is Unknown if a limit was reached before the first model or a refutation. Only a satisfiable formula has a backbone here.
	Status dimacs.Status

	// Backbone has the literals that are true in every model, ordered by variable.
	Backbone []dimacs.Lit

	// Open has the remaining candidates, ordered by variable: literals that may be true in
	// every model. Their complements are not. It is empty unless a limit
	// was reached or the context was done.
	Open []dimacs.Lit

	// Witnesses are the models found, with Options.Witnesses.
	Witnesses []Witness

	Calls int // calls of the solver
}

// A Witness shows that literals are not in the backbone.
type Witness struct {
	Model   dimacs.Model
	Flipped []dimacs.Lit // each of them can be flipped in Model, one at a time
}

// Complete reports whether the whole backbone is known.
func (r *Result) Complete() bool { return r.Status == dimacs.Satisfiable && len(r.Open) == 0 }

// Find returns the backbone of f. If ctx is done or a limit is reached, the result
// has the literals found so far. The solver is called at most twice for each variable, and usually a
// few times in all. Find panics as [cdcl.Solver.Solve] does if memory is refused.
func Find(ctx context.Context, f *dimacs.Formula, o Options) *Result {
	s := &search{f: f, o: o, solver: cdcl.New(o.CDCL), result: &Result{}}
	s.solver.AddFormula(f)
	if s.result.Status = s.solve(ctx); s.result.Status == dimacs.Satisfiable {
		s.start()
		s.run(ctx)
	}
	slices.Sort(s.result.Backbone)
	slices.Sort(s.candidates)
	s.result.Open = s.candidates
	return s.result
}

// A search is the state of Find.
type search struct {
	f          *dimacs.Formula
	o          Options
	solver     *cdcl.Solver
	result     *Result
	candidates []dimacs.Lit
	models     int
	last       dimacs.Model // the last model
	fixed      int          // variables fixed at the last call of takeFixed
}

// start makes the literals of the first model candidates, and lets the solver prefer
// their complements.
func (s *search) start() {
	s.candidates = s.last.Lits()
	s.filter()
	for _, l := range s.candidates {
		s.solver.SetPhase(l.Not())
	}
}

// run decides the candidates, chunk by chunk.
func (s *search) run(ctx context.Context) {
	size := 1
	for s.takeFixed(); len(s.candidates) > 0; s.takeFixed() {
		size = min(size, len(s.candidates))
		chunk := s.candidates[len(s.candidates)-size:]
		switch s.falsify(ctx, chunk) {
		case dimacs.Satisfiable:
			s.filter()
			size = 1
		case dimacs.Unsatisfiable:
			for _, l := range chunk {
				s.solver.Add(l)
			}
			s.result.Backbone = append(s.result.Backbone, chunk...)
			s.candidates = s.candidates[:len(s.candidates)-size]
			size *= chunkGrowth
		case dimacs.Unknown:
			return
		}
	}
}

// falsify searches for a model that falsifies one of the literals.
func (s *search) falsify(ctx context.Context, chunk []dimacs.Lit) dimacs.Status {
	if len(chunk) == 1 {
		return s.solve(ctx, chunk[0].Not())
	}
	active := s.solver.NewVar().Lit()
	clause := []dimacs.Lit{active.Not()}
	for _, l := range chunk {
		clause = append(clause, l.Not())
	}
	s.solver.Add(clause...)
	status := s.solve(ctx, active)
	s.solver.Add(active.Not())
	return status
}

// solve calls the solver within the limit of conflicts.
func (s *search) solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if limit := s.o.Conflicts; limit > 0 {
		left := limit - s.solver.Stats().Conflicts
		if left <= 0 {
			return dimacs.Unknown
		}
		s.solver.SetLimits(cdcl.Limits{Conflicts: left})
	}
	s.result.Calls++
	status := s.solver.Solve(ctx, assumptions...)
	if status == dimacs.Satisfiable {
		s.models++
		s.last = s.solver.Model()[:s.f.Vars()]
	}
	if s.o.Progress != nil {
		s.o.Progress(Progress{s.result.Calls, s.models, len(s.result.Backbone), len(s.candidates)})
	}
	return status
}

// takeFixed moves the candidates that the solver has fixed to the backbone.
func (s *search) takeFixed() {
	if s.solver.Stats().Fixed == s.fixed {
		return
	}
	s.fixed = s.solver.Stats().Fixed
	fixed := make(map[dimacs.Lit]bool, s.fixed)
	for c := range s.solver.Simplified() {
		if len(c) != 1 {
			break // the units come first
		}
		fixed[c[0]] = true
	}
	s.candidates = slices.DeleteFunc(s.candidates, func(l dimacs.Lit) bool {
		if fixed[l] {
			s.result.Backbone = append(s.result.Backbone, l)
		}
		return fixed[l]
	})
}

// filter removes the candidates that are false, or can be flipped, in the last model.
func (s *search) filter() {
	needed := neededLits(s.f, s.last)
	w := Witness{Model: s.last}
	s.candidates = slices.DeleteFunc(s.candidates, func(l dimacs.Lit) bool {
		switch {
		case s.last.Lit(l) == dimacs.False:
			return true
		case !needed[l]:
			w.Flipped = append(w.Flipped, l)
			return true
		}
		return false
	})
	if s.o.Witnesses {
		s.result.Witnesses = append(s.result.Witnesses, w)
	}
}
