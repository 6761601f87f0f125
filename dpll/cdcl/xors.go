package cdcl

import "sator/dpll/cdcl/internal/xor"

// Package xor finds XOR constraints and eliminates their variables. The pass runs in the
// first round, before variable elimination splits constraints or merges them, and again
// when the formula has lost an eighth of its variables or gained an eighth of its clauses.

// addXORs runs the pass if it is due. The proof has extension variables, so that with a
// proof the pass requires a single call of Solve (Options.OneShot).
func (s *Solver) addXORs(budget int64) {
	if s.proof.log != nil && !s.opts.OneShot || !s.passes.xorDue() {
		return
	}
	if s.trail.roots > s.trail.rootsRemoved {
		s.collectRoot()
	}
	if !s.call.stopped && !s.inconsistent {
		st := xor.Run(host{s}.extending(), budget)
		s.stats.XORs += st.Constraints
		s.stats.XORSums += st.Additions
		s.stats.XORUnits += st.Units
		s.stats.XOREquivalences += st.Equivalences
	}
	if !s.call.stopped {
		s.passes.lastXOR = s.passes.formulaSize()
	}
}

// A formulaSize measures the formula for the schedule of the pass.
type formulaSize struct{ vars, clauses int }

func (m *passMemory) formulaSize() formulaSize {
	return formulaSize{len(m.trail.vars) - m.trail.roots - m.removal.removed, m.stats.Irredundant}
}

// xorDue reports whether the pass has not run yet, or the formula has lost an eighth of its
// variables or gained an eighth of its clauses since the last run.
func (m *passMemory) xorDue() bool {
	last, now := m.lastXOR, m.formulaSize()
	return last.vars == 0 || now.vars < last.vars-last.vars/8 || now.clauses > last.clauses+last.clauses/8
}
