package cdcl

import (
	"iter"

	"sator/dimacs"
)

// A Leader is a solver with OneShot whose simplified formula other solvers of a portfolio solve,
// with its proof and its reconstruction stack. Package portfolio is its caller; other programs
// use [Solver.Simplified] and [Solver.ReconstructionStack].
type Leader struct{ s *Solver }

// LeaderOf returns the view of a solver as a leader.
func LeaderOf(s *Solver) Leader { return Leader{s} }

// Ready reports whether fixed literals are removed from all clauses: no clause has a literal
// assigned at the root, so that the clauses are the same in the proof, and no substitution is
// left to be completed. This holds after a call of Solve that has reached [Limits.Rounds].
func (l Leader) Ready() bool {
	s := l.s
	return !s.inconsistent && s.call.state != full && s.trail.roots == s.trail.rootsRemoved && s.clauses.pending.len == 0 && !s.interrupted()
}

// Clauses is like [Solver.Simplified], but also returns the proof id of each clause, or 0
// without a proof. The clause of an id is active in the proof until the next iteration step, and
// later if it is not deleted. Its literals in the proof are those of ProofLits.
//
// It panics unless Ready returns true.
func (l Leader) Clauses() iter.Seq2[[]dimacs.Lit, int64] {
	return func(yield func([]dimacs.Lit, int64) bool) {
		if !l.Ready() {
			panic("cdcl: Leader.Clauses needs Ready")
		}
		l.s.eachSimplified(yield)
	}
}

// ProofLits replaces literals of the solver by those that stand for them in the proof, in
// place. They are others after symmetry breaking, whose proof renames variables.
func (l Leader) ProofLits(lits []dimacs.Lit) {
	if r := l.s.passes.breaking.names; r != nil {
		for i, x := range lits {
			lits[i] = r.Lit(x)
		}
	}
}

// Height returns the height of the reconstruction stack. It is the height for Clauses if Ready
// returns true; otherwise the next call may complete a substitution.
func (l Leader) Height() int { return len(l.s.removal.stack.words) }

// Reconstruct extends a model of the clauses that the solver held when its reconstruction stack
// had this height to a model of all clauses that it was given. The model must have a value for
// each variable, extension variables included; the values of variables that were removed by then
// are ignored and overwritten.
func (l Leader) Reconstruct(m dimacs.Model, height int) { l.s.removal.stack.reconstruct(m, height) }
