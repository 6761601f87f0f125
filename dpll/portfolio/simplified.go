package portfolio

import (
	"context"
	"sync/atomic"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A simplified formula is the formula after the simplification of one solver, the
// leader: its clauses that are neither learned nor redundant, over the variables that
// are neither fixed nor eliminated nor substituted, renumbered without gaps. The other
// solvers of a race with OneShot start from it.
//
// So the first simplification is done once for all solvers. The other solvers also
// have no tables for eliminated variables and hold no clause that is resolved away or
// satisfied. These tables and clauses are most of the memory of a solver, apart from its
// learned clauses. Storing the clauses once for all solvers would not save memory. Propagation
// moves the watched literals to the front of a clause. Shared clauses could not be
// changed, so each solver would have to store the positions of its two watches in each
// clause, and in a ternary clause these take as much memory as the literals.
//
// Correctness: the simplified formula is the projection of the formula F onto the
// variables that are neither eliminated nor substituted (cdcl/exchange.go). A clause
// that a solver learns from it is implied by F, so the leader and all others may import
// the clause. A clause that the leader learns, before or after, is implied by F; if it
// has no eliminated or substituted variable, the projection implies it too. Clauses
// with variables that the simplified formula does not have are not imported. To extend
// a model of the simplified formula to F, the fixed variables get the values that they
// had when it was made, and the leader reconstructs the rest from its reconstruction
// stack at the height of that time; later entries of the stack are about clauses of the
// simplified formula.
//
// In the proof, a clause of the simplified formula has the id that it has for the
// leader, and one more reference for each solver that is given the clause. A variable
// that the leader introduced is a variable of the simplified formula like all others,
// but fresh for the original formula, so clauses with it are not shared.
type simplifiedFormula struct {
	leader cdcl.Leader
	height int          // of the leader's reconstruction stack
	fixed  dimacs.Model // of the leader; variables that are not fixed have any value

	leaderLits []dimacs.Lit // by variable of the simplified formula: literal of the leader
	ownVars    []uint32     // by variable of the leader: own variable plus 1, or 0

	formula *dimacs.Formula // nil when all solvers have loaded it
	ids     []int64         // of the clauses of formula, nil without a proof
	waiting atomic.Int32    // solvers that have not loaded the formula
}

// newSimplifiedFormula returns the simplified formula of the leader for a number of
// other solvers. It takes two passes over the clauses.
func newSimplifiedFormula(leader *cdcl.Solver, others int, proof *sharedProof) *simplifiedFormula {
	vars, l := leader.Stats().Vars, cdcl.LeaderOf(leader)
	s := &simplifiedFormula{leader: l, height: l.Height(), fixed: make(dimacs.Model, vars), ownVars: make([]uint32, vars)}
	s.waiting.Store(int32(others))
	for v := range s.fixed {
		s.fixed[v] = dimacs.False
	}
	clauses := 0
	for c := range l.Clauses() {
		if len(c) == 1 {
			s.fixed.Set(c[0])
			continue
		}
		clauses++
		for _, l := range c {
			s.ownVars[l>>1] = 1
		}
	}
	for v, occurs := range s.ownVars {
		if occurs != 0 {
			s.leaderLits = append(s.leaderLits, dimacs.Lit(2*v))
			s.ownVars[v] = uint32(len(s.leaderLits))
		}
	}
	s.copyClauses(clauses, others, proof)
	return s
}

// copyClauses copies the clauses of the leader. It retains them in the proof for the
// other solvers, because the leader may delete a clause before all others have loaded
// it.
func (s *simplifiedFormula) copyClauses(clauses, others int, proof *sharedProof) {
	s.formula = dimacs.NewFormula(len(s.leaderLits))
	if proof != nil {
		s.ids = make([]int64, 0, clauses)
	}
	var renumbered []dimacs.Lit
	for c, id := range s.leader.Clauses() {
		if len(c) == 1 {
			continue
		}
		renumbered, _ = s.fromLeader(renumbered[:0], c)
		s.formula.Add(renumbered...)
		if proof != nil {
			proof.retain(id, others)
			s.ids = append(s.ids, id)
		}
	}
}

// fromLeader renumbers literals of the leader and appends them to a slice. It reports
// false if the simplified formula lacks one of the variables.
func (s *simplifiedFormula) fromLeader(to, lits []dimacs.Lit) ([]dimacs.Lit, bool) {
	for _, l := range lits {
		v := int(l >> 1)
		if v >= len(s.ownVars) || s.ownVars[v] == 0 {
			return to, false
		}
		to = append(to, dimacs.Lit(2*(s.ownVars[v]-1))|l&1)
	}
	return to, true
}

// toLeader replaces literals of the simplified formula by literals of the leader.
func (s *simplifiedFormula) toLeader(lits []dimacs.Lit) {
	for i, l := range lits {
		lits[i] = s.leaderLits[l>>1] | l&1
	}
}

// load adds the clauses to a solver with a proof, which may be nil. It reports false if
// ctx ended before all were added; then the solver must not be used any more.
func (s *simplifiedFormula) load(ctx context.Context, solver *cdcl.Solver, proof *solverProof) bool {
	defer func() {
		if s.waiting.Add(-1) == 0 {
			s.formula, s.ids = nil, nil
		}
	}()
	if proof != nil {
		proof.logged = s.ids
	}
	solver.Grow(len(s.leaderLits))
	return addFormula(ctx, solver, s.formula)
}

// addFormula adds the clauses of f to a solver. It reports false if ctx ended before
// all were added.
func addFormula(ctx context.Context, solver *cdcl.Solver, f *dimacs.Formula) bool {
	solver.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%addInterval == 0 && ctx.Err() != nil {
			return false
		}
		solver.Add(c...)
	}
	return true
}

// model extends a model of the simplified formula to all variables of the leader.
func (s *simplifiedFormula) model(m dimacs.Model) dimacs.Model {
	full := append(dimacs.Model(nil), s.fixed...)
	for i, l := range s.leaderLits {
		full[l>>1] = m[i]
	}
	s.leader.Reconstruct(full, s.height)
	return full
}
