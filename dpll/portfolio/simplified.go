package portfolio

import (
	"context"
	"sync/atomic"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A simplifiedFormula is what the simplification of one solver, the leader, has left of a
// formula: the clauses that are neither learned nor redundant, over the variables
// that are neither fixed nor retired, which are numbered anew, without gaps. It is
// what the other solvers of a race are given.
//
// So one simplifies for all at first. And the others hold no table of variables that
// do not matter any more, and no clause that was resolved away or satisfied; for what
// a solver takes beyond what it learns are these two. To have the clauses once for all
// would not be less: propagation puts the watched literals of a clause in front, so
// that solvers could share but clauses that do not move, and each had to keep the
// places of its two watches, which for three literals is as much as the literals.
//
// Why it is right. The simplifiedFormula is the projection of the formula F onto the variables
// that are not retired (cdcl/exchange.go). A solver of the simplifiedFormula learns what the
// simplifiedFormula implies, and that is implied by F: the leader and all others may take it
// in. What the leader learned, before or after, follows from F, so that what has no
// retired variable follows from the projection. A clause with a variable that the
// simplifiedFormula does not have is left out. A model of the simplifiedFormula, with the values that
// were fixed when it was made, is extended along the stack of the leader as that was
// then; what came onto the stack later is about clauses of the simplifiedFormula.
//
// In the proof a clause of the simplifiedFormula has the id that it has for the leader, and is
// held by one more for each solver that is given it. Variables that the leader made
// are variables of the simplifiedFormula like all others, but fresh for the formula, so that
// clauses with them are not shared.
type simplifiedFormula struct {
	leader *cdcl.Solver
	height int          // of its stack
	fixed  dimacs.Model // its variables, those that are not fixed with any value

	names []dimacs.Lit // by variable of the remainder: what literal it is for the leader
	index []uint32     // by variable of the leader: one more than that of the remainder, or 0

	// Until all have it.
	formula *dimacs.Formula
	ids     []int64 // of its clauses, nil without a proof
	waiting atomic.Int32
}

// newSimplifiedFormula returns what is left in the leader, for so many others. It takes the
// time of two passes over the clauses.
func newSimplifiedFormula(leader *cdcl.Solver, others int, l *sharedProof) *simplifiedFormula {
	vars := leader.Stats().Vars
	r := &simplifiedFormula{leader: leader, height: leader.Height(), fixed: make(dimacs.Model, vars), index: make([]uint32, vars)}
	r.waiting.Store(int32(others))
	for v := range r.fixed {
		r.fixed[v] = dimacs.False
	}
	clauses := 0
	for c := range leader.SimplifiedWithIDs() {
		if len(c) == 1 {
			r.fixed.Set(c[0])
			continue
		}
		clauses++
		for _, l := range c {
			r.index[l>>1] = 1
		}
	}
	for v, occurs := range r.index {
		if occurs != 0 {
			r.names = append(r.names, dimacs.Lit(2*v))
			r.index[v] = uint32(len(r.names))
		}
	}
	r.copy(clauses, others, l)
	return r
}

// copy takes the clauses over. The others hold them from now on, since the leader may
// delete them before others have them.
func (r *simplifiedFormula) copy(clauses, others int, l *sharedProof) {
	r.formula = dimacs.NewFormula(len(r.names))
	if l != nil {
		r.ids = make([]int64, 0, clauses)
	}
	var renamed []dimacs.Lit
	for c, id := range r.leader.SimplifiedWithIDs() {
		if len(c) == 1 {
			continue
		}
		renamed, _ = r.fromLeader(renamed[:0], c)
		r.formula.Add(renamed...)
		if l != nil {
			l.retain(id, others)
			r.ids = append(r.ids, id)
		}
	}
}

// fromLeader appends the literals of the leader as the remainder has them, and reports
// whether it has all of them.
func (r *simplifiedFormula) fromLeader(to, lits []dimacs.Lit) ([]dimacs.Lit, bool) {
	for _, l := range lits {
		v := int(l >> 1)
		if v >= len(r.index) || r.index[v] == 0 {
			return to, false
		}
		to = append(to, dimacs.Lit(2*(r.index[v]-1))|l&1)
	}
	return to, true
}

// toLeader changes literals of the remainder to those of the leader.
func (r *simplifiedFormula) toLeader(lits []dimacs.Lit) {
	for i, l := range lits {
		lits[i] = r.names[l>>1] | l&1
	}
}

// load gives the clauses to a solver, whose proof is v. It reports false if ctx ended
// before that was done; the solver is of no use then.
func (r *simplifiedFormula) load(ctx context.Context, s *cdcl.Solver, v *solverProof) bool {
	defer func() {
		if r.waiting.Add(-1) == 0 {
			r.formula, r.ids = nil, nil
		}
	}()
	if v != nil {
		v.given = r.ids
	}
	f := r.formula
	s.Grow(len(r.names))
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%addInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}

// model returns the model of the formula that one of the remainder is extended to,
// over all variables of the leader.
func (r *simplifiedFormula) model(m dimacs.Model) dimacs.Model {
	full := append(dimacs.Model(nil), r.fixed...)
	for i, l := range r.names {
		full[l>>1] = m[i]
	}
	r.leader.ExtendFrom(full, r.height)
	return full
}
