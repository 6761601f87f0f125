package cdcl

import (
	"context"

	"sator/dimacs"
)

// All models, one after the other, by clauses: each model that was found is
// forbidden by a clause, and the solver goes on with what it has learned.
//
// The clause that forbids a model need not have all its literals. Those are
// enough from which the others follow by propagation. The trail tells which: a
// literal follows if the other literals of its reason are in the clause or
// follow themselves. Where all variables matter, what is left is the decisions
// (Jin, Han, Somenzi, "Efficient conflict analysis for finding all satisfying
// assignments of a Boolean circuit", TACAS 2005). Where some do, it is those of
// them that do not follow from others of them.
//
// This needs that the clauses have the models of the formula, no fewer, so that
// no variable may be retired (extend.go).
//
// Each model costs a search from the root, with the phases of the last model, and
// a clause that stays. So the time and the memory for n models grow with n times
// the decisions in one, and propagation gets slower as clauses gather: ten
// thousand models are many. An engine that goes on after a model as after a
// conflict, as package dpll does, needs no clauses and finds millions; but it
// learns nothing, and on what is hard to satisfy even once it finds none.

// An Enumeration visits the models of a solver's clauses. What it has visited is
// forbidden by clauses that stay in the solver; to its proof, if there is one,
// they are clauses of the formula.
type Enumeration struct {
	solver      *Solver
	all         bool // variables matter
	assumptions []dimacs.Lit
	projected   []bool       // by variable, unless all do
	determined  []bool       // by variable: in the clause, or follows from it
	clause      []dimacs.Lit // forbids the model found last
	found       bool
}

// Enumerate begins to visit the models of the clauses in which all assumptions
// are true. If project is not nil, models are told apart by the variables in it
// alone: of those that agree on them one is visited.
func (s *Solver) Enumerate(project []dimacs.Var, assumptions ...dimacs.Lit) *Enumeration {
	e := &Enumeration{solver: s, all: project == nil, assumptions: append([]dimacs.Lit(nil), assumptions...)}
	for _, v := range project {
		s.Grow(int(v) + 1)
	}
	s.KeepModels()
	e.projected = make([]bool, len(s.vars))
	for _, v := range project {
		e.projected[v] = true
	}
	return e
}

// Next looks for the next model. Satisfiable says that there is one, which
// [Solver.Model] returns; Unsatisfiable that all were visited; Unknown that a
// limit was reached or ctx was done, after which Next goes on. The solver may
// be used for other things between two calls.
func (e *Enumeration) Next(ctx context.Context) dimacs.Status {
	if e.found {
		e.solver.Add(e.clause...)
	}
	answer := e.solver.Solve(ctx, e.assumptions...)
	if e.found = answer == dimacs.Satisfiable; e.found {
		e.forbid()
	}
	return answer
}

// forbid makes the clause that forbids the model on the trail. Literals of a
// reason stand before what they imply.
func (e *Enumeration) forbid() {
	s := e.solver
	e.clause = e.clause[:0]
	e.determined = lengthen(e.determined[:0], len(s.vars))
	clear(e.determined)
	for _, l := range s.trail {
		v := l.Var()
		switch {
		case e.implied(l):
			e.determined[v] = true
		case e.all || int(v) < len(e.projected) && e.projected[v]:
			e.determined[v] = true
			e.clause = append(e.clause, l^1)
		}
	}
}

// implied reports whether l is fixed at the root or by literals that are settled.
func (e *Enumeration) implied(l dimacs.Lit) bool {
	s := e.solver
	switch x := s.vars[l>>1]; {
	case x.level == 0:
		return true
	case x.reason == 0:
		return false
	case x.reason.binary():
		return e.determined[x.reason.blocker().Var()]
	default:
		for _, k := range s.lits(x.reason.ref()) {
			if k != uint32(l) && !e.determined[k>>1] {
				return false
			}
		}
		return true
	}
}

// Decided returns the decisions behind the model that the last call of Solve
// found: together with the assumptions they imply all of it by unit
// propagation, so that no other model has them. They come in the order in which
// they were taken. If there are none, the model is the only one under the
// assumptions. The time is linear in their number. It panics as Model
// does, and unless [Solver.KeepModels] was called before that call.
//
// A caller that is after other models can ask for them without adding clauses:
// the k-th question assumes the first k-1 decisions and the complement of the
// k-th, and the answers divide what is left among them.
func (s *Solver) Decided() []dimacs.Lit {
	s.requireState(satisfied, "Decided")
	if !s.keepModels {
		panic("cdcl: Decided needs KeepModels")
	}
	var decided []dimacs.Lit
	for i := len(s.assumptions) + 1; i < len(s.levels); i++ {
		decided = append(decided, s.levels[i].decision)
	}
	return decided
}
