package cdcl

import "sator/dimacs"

// Extension variables in proofs. Bounded variable addition (BVA) adds variables to the solver,
// which have the same numbers in the proof. The passes for XOR and cardinality constraints
// define variables in the proof alone, and delete their clauses before they end; each run
// numbers them from the solver's number of variables on. In the proof a number is defined only
// once, since lrat-check refuses a definition without hints if the complement of its pivot has
// ever occurred. So the variables of these passes are renumbered: the first run begins behind a
// gap, which is left to BVA, and each run continues where the last one ended.

// extensionGap is the maximum number of variables that BVA can add after the first run of a
// pass with extension variables of its own. Checkers have tables over all variables, and a
// race multiplies the numbers by that of its solvers, so that the gap is not larger.
const extensionGap = 1 << 20

// extensionSpare and the number of clauses are the size of the gap in small formulas: each
// variable of BVA saves a clause when it is added, but others may come with new clauses.
const extensionSpare = 1000

// bvaVars returns the number of variables, at most, that the solver may have for BVA.
func (p *proofLog) bvaVars() int {
	if p.extended == 0 {
		return dimacs.MaxVars
	}
	return p.gapEnd
}

// extending returns a host for a pass that numbers extension variables of its proof from the
// solver's number of variables on.
func (h host) extending() extendingHost {
	s, e := h.s, extendingHost{host: h}
	if s.proof.log != nil {
		e.proof = &extensionProof{Proof: s.proof.log, p: &s.proof, vars: len(s.trail.vars)}
		e.proof.first = s.proof.extended
		if e.proof.first == 0 {
			e.proof.first = len(s.trail.vars) + min(extensionGap, extensionSpare+s.stats.Irredundant)
		}
	}
	return e
}

// An extendingHost is a host whose proof renumbers extension variables.
type extendingHost struct {
	host
	proof *extensionProof // nil without a proof
}

func (h extendingHost) Proof() dimacs.Proof {
	if h.proof == nil {
		return nil
	}
	return h.proof
}

// An extensionProof is the proof of a run of a pass. It implements [dimacs.Proof].
type extensionProof struct {
	dimacs.Proof
	p     *proofLog
	vars  int          // number of variables of the solver
	first int          // number in the proof of the first extension variable of the pass
	lits  []dimacs.Lit // scratch
}

// Learn implements [dimacs.Proof].
func (e *extensionProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	return e.Proof.Learn(e.renumbered(lits), hints)
}

// Delete implements [dimacs.Proof].
func (e *extensionProof) Delete(id int64, lits []dimacs.Lit) {
	e.Proof.Delete(id, e.renumbered(lits))
}

// renumbered returns literals with the numbers of the proof, in scratch memory.
func (e *extensionProof) renumbered(lits []dimacs.Lit) []dimacs.Lit {
	e.lits = e.lits[:0]
	for _, l := range lits {
		if v := int(l >> 1); v >= e.vars {
			v += e.first - e.vars
			if e.p.extended == 0 {
				e.p.gapEnd = e.first
			}
			e.p.extended = max(e.p.extended, v+1)
			l = dimacs.Lit(2*v) | l&1
		}
		e.lits = append(e.lits, l)
	}
	return e.lits
}
