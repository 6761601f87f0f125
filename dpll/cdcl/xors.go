package cdcl

import "sator/dpll/cdcl/xor"

// XOR constraints are found and eliminated by package xor. The pass runs in the first
// round, before variable elimination splits constraints or merges them, and again
// when the formula has lost an eighth of its variables.

// addXORs runs the pass if it is due. A proof has extension variables, so that with a
// proof the pass runs only if the solver is asked once.
func (s *Solver) addXORs(budget int64) {
	if s.proof != nil && !s.opts.OneShot || !s.xorDue() {
		return
	}
	if s.roots > s.rootsRemoved {
		s.collectRoot()
	}
	if !s.stopped && !s.inconsistent {
		st := xor.Run(host{s}, budget)
		s.stats.XORs += st.Constraints
		s.stats.XORSums += st.Sums
		s.stats.XORUnits += st.Units
		s.stats.XOREquivalences += st.Equivalences
	}
	if !s.stopped {
		s.lastXOR = s.formulaSize()
	}
}

// A formulaSize measures the formula for the schedule of the pass.
type formulaSize struct{ vars, clauses int }

func (s *Solver) formulaSize() formulaSize {
	return formulaSize{len(s.vars) - s.roots - s.removed, s.stats.Irredundant}
}

// xorDue reports whether the pass was not yet run, or whether the formula has lost an
// eighth of its variables since, or gained as many clauses.
func (s *Solver) xorDue() bool {
	last, now := s.lastXOR, s.formulaSize()
	return last.vars == 0 || now.vars < last.vars-last.vars/8 || now.clauses > last.clauses+last.clauses/8
}
