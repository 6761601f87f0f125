package cdcl

// Package cardinality detects pigeonhole contradictions. The pass runs in the first round,
// before variable elimination destroys at-most-one constraints, and again when the formula
// has lost a quarter of its variables.

// detectCardinality runs the pass if it is due. The proof has extension variables, so that
// with a proof the pass requires a single call of Solve (Options.OneShot).
func (s *Solver) detectCardinality(budget int64) {
	if s.proof.log != nil && !s.opts.OneShot {
		return
	}
	st := s.passes.cardinality.Run(host{s}.extending(), len(s.trail.vars)-s.trail.roots-s.removal.removed, budget)
	s.stats.Matchings += st.Matchings
	s.stats.Pigeonholes += st.Pigeonholes
}
