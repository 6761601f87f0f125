package cdcl

import (
	"context"
	"iter"
	"slices"

	"sator/dimacs"
)

// Enumeration of models by blocking clauses: each model that was found is excluded
// by a clause, and the solver continues with its learned clauses.
//
// A blocking clause need not contain all variables. It suffices to block the
// literals that imply the others by unit propagation. A literal is implied if each
// other literal of its reason is blocked or implied. If all variables are projected,
// the decisions remain (Jin, Han, Somenzi, "Efficient conflict analysis for finding
// all satisfying assignments of a Boolean circuit", TACAS 2005). Otherwise the
// projected literals remain that other projected literals do not imply.
//
// The clauses must have all models of the formula, so that no variable may be
// eliminated or substituted (reconstruct.go).
//
// Each model costs a search from the root, with the phases of the last model, and a
// clause that stays. So the time and the memory for n models grow with n times the
// decisions in one, and propagation gets slower as clauses accumulate: ten thousand
// models are many. An engine that continues after a model as after a conflict, as
// package classic does, needs no clauses and finds millions of models. But it does not
// learn, and finds no model of formulas that are hard to satisfy even once.

// The blocking clauses are a group (group.go), so that they bind the calls of the
// enumeration alone, and the solver forgets them when it is closed.

// An Enumeration visits the models of a solver's clauses. Clauses that belong to it exclude
// the models visited; other calls of Solve do not see them. In the proof, if there is one,
// these clauses are clauses of the formula.
type Enumeration struct {
	solver      *Solver
	all         bool       // all variables are projected
	group       dimacs.Lit // of the blocking clauses
	closed      bool
	assumptions []dimacs.Lit
	projected   []bool       // by variable; false if all is true
	determined  []bool       // by variable: in the clause, or implied by it
	clause      []dimacs.Lit // the blocking clause of the last model
	found       bool
	exhausted   bool
}

// Enumerate starts an enumeration of the models of the clauses in which all
// assumptions are true. If project is not nil, the models are projected to these
// variables: of all models that agree on them one is visited. Without projection, variables
// that are added later count, too, as do the activation literals of groups.
//
// Enumerate adds a variable to the solver. Models are not distinguished by the variables of
// enumerations, of which several may be open, and the models of [Enumeration.Next] do not have
// those behind all other variables. [Enumeration.Close] deletes the clauses of the enumeration.
func (s *Solver) Enumerate(project []dimacs.Var, assumptions ...dimacs.Lit) *Enumeration {
	e := &Enumeration{solver: s, all: project == nil}
	for _, v := range project {
		s.admit([]dimacs.Lit{v.Lit()}, auxiliaryFlag)
	}
	s.admit(assumptions, auxiliaryFlag)
	s.KeepModels()
	e.group = s.NewGroup()
	s.removal.flags[e.group>>1] |= auxiliaryFlag
	s.groups.enumerations = append(s.groups.enumerations, e.group)
	e.assumptions = append([]dimacs.Lit{e.group}, assumptions...)
	e.projected = make([]bool, len(s.trail.vars))
	for _, v := range project {
		e.projected[v] = true
	}
	return e
}

// Models iterates over the models that were not visited yet. It ends when all were visited, which
// [Enumeration.Exhausted] reports, when a limit is reached or when ctx is done; then, and after a
// break, Models can be called again. A model is the loop's to keep, and the solver may be used for
// other purposes in the loop.
func (e *Enumeration) Models(ctx context.Context) iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) {
		for e.Next(ctx) == dimacs.Satisfiable && yield(e.solver.Model()) {
		}
	}
}

// Exhausted reports whether all models were visited.
func (e *Enumeration) Exhausted() bool { return e.exhausted }

// Next searches for the next model, for loops that [Enumeration.Models] does not fit. It returns Satisfiable if there is one, which
// [Solver.Model] returns; Unsatisfiable if all models were visited; or Unknown if a
// limit was reached or ctx was done, after which Next can be called again. The
// solver may be used for other purposes between two calls. Next panics after Close.
func (e *Enumeration) Next(ctx context.Context) dimacs.Status {
	if e.closed {
		panic("cdcl: Next called after Close")
	}
	s := e.solver
	s.requireIdle()
	if e.found {
		s.add(s.groups.clause(&s.clauses, e.group, e.clause))
	}
	answer := s.solve(ctx, e.assumptions)
	if e.found = answer == dimacs.Satisfiable; e.found {
		e.forbid()
		for n := len(s.call.model); n > 0 && s.removal.flags[n-1]&auxiliaryFlag != 0; n-- {
			s.call.model = s.call.model[:n-1]
		}
	}
	if e.exhausted = answer == dimacs.Unsatisfiable; e.exhausted {
		s.call.failed = slices.DeleteFunc(s.call.failed, func(l dimacs.Lit) bool { return l == e.group })
	}
	return answer
}

// Close ends the enumeration and releases its clauses, as [Solver.Release] does. A second
// call does nothing.
func (e *Enumeration) Close() {
	if !e.closed {
		s := e.solver
		s.Release(e.group)
		s.groups.enumerations = slices.DeleteFunc(s.groups.enumerations, func(g dimacs.Lit) bool { return g == e.group })
		e.closed = true
	}
}

// forbid sets e.clause to the blocking clause of the model on the trail. It relies on
// the order of the trail: the literals of a reason stand before the implied literal.
func (e *Enumeration) forbid() {
	s := e.solver
	e.clause = e.clause[:0]
	e.determined = lengthen(e.determined[:0], len(s.trail.vars))
	clear(e.determined)
	for _, l := range s.trail.lits {
		v := l.Var()
		switch {
		case l == e.group || e.implied(l): // AddTo adds the literal of the group
			e.determined[v] = true
		case e.all && s.removal.flags[v]&auxiliaryFlag == 0 || int(v) < len(e.projected) && e.projected[v]:
			e.determined[v] = true
			e.clause = append(e.clause, l^1)
		}
	}
}

// implied reports whether l is fixed at the root or implied by determined literals.
func (e *Enumeration) implied(l dimacs.Lit) bool {
	s := e.solver
	switch x := s.trail.vars[l>>1]; {
	case x.level == 0:
		return true
	case x.reason == 0:
		return false
	case x.reason.binary():
		return e.determined[x.reason.blocker().Var()]
	default:
		for _, k := range s.clauses.lits(x.reason.ref()) {
			if k != uint32(l) && !e.determined[k>>1] {
				return false
			}
		}
		return true
	}
}

// Decided returns the decisions of the model that the last call of Solve found, in
// the order in which they were taken. Together with the assumptions they imply the
// whole model by unit propagation, so that no other model satisfies them. If there
// are no decisions, the model is the only one under the assumptions. The time is
// linear in their number. Decided panics as Model does, and unless
// [Solver.KeepModels] was called before that call.
//
// A caller can find the other models without adding clauses: call k assumes the
// first k-1 decisions and the complement of decision k, and these calls divide the
// other models among them.
func (s *Solver) Decided() []dimacs.Lit {
	s.call.require(satisfied, "Decided")
	if !s.removal.keepModels {
		panic("cdcl: Decided needs KeepModels")
	}
	var decided []dimacs.Lit
	for i := len(s.call.assumptions) + 1; i < len(s.trail.levels); i++ {
		decided = append(decided, s.trail.levels[i].decision)
	}
	return decided
}
