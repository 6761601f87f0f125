// Package xor finds XOR constraints among the clauses of a formula and solves them by
// Gaussian elimination. An XOR constraint says that the sum of some variables is odd or
// even. Such constraints occur in circuits that add, multiply or encrypt, in codes, and
// in puzzles in which everything is matched in pairs. Gaussian elimination derives all
// consequences of a system of XOR constraints in polynomial time. Resolution, and so
// clause learning, takes exponential time in the worst case (Urquhart, "Hard examples for
// resolution", JACM 1987).
//
//	func xors(h inprocess.Host) {
//		st := xor.Run(h, 1e6) // a budget of ticks
//		switch {
//		case h.Refuted():
//			// the constraints have no solution
//		case st.Constraints == 0:
//			// fewer than two constraints: nothing was done
//		case st.Units+st.Equivalences > 0:
//			// assigned by AddUnits, added by AddBinary
//		}
//	}
//
// The pass finds XOR constraints in the clauses (Ostrowski, Grégoire, Mazure and Saïs,
// "Recovering and exploiting structural knowledge from CNF formulas", CP 2002),
// eliminates variables, and adds those consequences that are clauses of at most two
// literals: units, equivalences, and the empty clause. An equivalence is added as two
// binary clauses, so that substitution replaces one literal by the other. Gauss-Jordan
// elimination in CryptoMiniSat is part of the search (Soos, Nohl and Castelluccia,
// "Extending SAT solvers to cryptographic problems", SAT 2009). This pass is not: formulas
// whose XOR constraints have many solutions gain little from it.
//
// The proof uses extension variables. Its length is linear in the lengths of the
// constraints that are added, and only additions that lead to a result are logged.
//
// Tseitin formulas on random 4-regular graphs are refuted in the first round. So are perfect
// matchings of complete graphs with an odd number of vertices. Half of the formulas from
// hardware, programs and ciphers have some constraints, but most of these constraints share
// no variable with another one. The pass does not refute formulas that need counting: in a
// pigeonhole formula it finds the constraints of the pigeons, but no sum of them is 0 = 1.
//
// xor.go has the pass, find.go the detection of constraints, eliminate.go Gaussian
// elimination and the derivation of short constraints, proof.go the proof format of a
// constraint, sum.go the proof of one addition.
package xor

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// maxProofVars bounds the total length of the constraints that a proof adds. Each
// variable takes about thirty proof steps.
const maxProofVars = 1 << 20

// Stats counts the results of a pass.
type Stats struct {
	Constraints  int64 // XOR constraints among the clauses
	Additions    int64 // additions of two constraints
	Units        int64 // implied unit clauses
	Equivalences int64 // implied equivalences of two literals
}

// Run finds the XOR constraints among the clauses, eliminates variables within the budget
// of ticks, and adds the implied units and equivalences to the host. Detection takes
// linear time on top of the budget. No clause may contain an assigned literal (see
// [inprocess.Formula]). A proof must allow extension variables.
func Run(h inprocess.Host, budget int64) (st Stats) {
	sys := findSystem(h)
	if sys == nil || len(sys.constraints) < 2 {
		return st
	}
	st.Constraints = int64(len(sys.constraints))
	e := newEliminator(h, sys, budget)
	if e == nil {
		return st
	}
	e.eliminate()
	targets := []int32{e.contradiction}
	if e.contradiction == noIndex {
		targets = e.deriveShort()
	}
	if !h.Stopped() {
		e.addResults(targets, &st)
	}
	st.Additions = e.additions
	return st
}

// addResults derives the target constraints in the proof and adds their clauses to the
// host.
func (e *eliminator) addResults(targets []int32, st *Stats) {
	var p *prover
	if e.proof != nil {
		if p, targets = e.proveAll(targets); p == nil {
			return
		}
	}
	if e.host.Refuted() {
		return
	}
	var units []inprocess.Unit
	for _, r := range targets {
		x := xorClauses{odd: e.constraints[r].odd, ids: make([]int64, 2)}
		for _, v := range e.constraints[r].vars {
			x.vars = append(x.vars, e.outer[v])
		}
		if p != nil {
			x.ids = p.keepClauses(int(r))
		}
		switch len(x.vars) {
		case 0:
			e.host.Refute()
			return
		case 1:
			units = append(units, inprocess.Unit{Lit: x.unit()})
		case 2:
			st.Equivalences++
			for i, id := range x.ids {
				c := x.clause(nil, i)
				e.host.AddBinary(c[0], c[1], id)
			}
		}
	}
	st.Units += int64(len(units))
	if p != nil {
		p.learnUnits(units)
	}
	e.host.AddUnits(units)
}

// proveAll derives the target constraints in the proof. While the derivation is longer
// than maxProofVars allows, it drops the second half of the targets. It returns the
// prover and the derived constraints, or nil if all targets were dropped or the call was
// stopped.
func (e *eliminator) proveAll(targets []int32) (*prover, []int32) {
	for len(targets) > 0 {
		p := newProver(e)
		if p.markNeeded(targets) <= maxProofVars {
			if !p.deriveAll() {
				return nil, nil
			}
			return p, targets
		}
		targets = targets[:len(targets)/2]
	}
	return nil, nil
}

// keepClauses returns the ids of the final clauses of constraint r, which stay in the
// proof, and releases the rest of its prefix form. The two clauses of a split unit stay
// until learnUnits.
func (p *prover) keepClauses(r int) []int64 {
	t := &p.forms[r]
	ids := t.final.ids
	if len(t.vars) == 1 {
		p.splitUnits = append(p.splitUnits, t.final)
	}
	t.final.owned = false
	p.releaseForm(r)
	return ids
}

// learnUnits replaces the split units by unit clauses, in the same order. All clauses
// with extension variables must have been deleted.
func (p *prover) learnUnits(units []inprocess.Unit) {
	if inprocess.Checking && len(p.unique) > 0 {
		panic(fmt.Sprintf("xor: %d extension variables are left", len(p.unique)))
	}
	for i := range units {
		x := &p.splitUnits[i]
		p.chain = append(p.chain[:0], x.ids...)
		units[i].ID = p.proof.Learn([]dimacs.Lit{units[i].Lit}, p.hints())
	}
	for i := range p.splitUnits {
		p.deleteClauses(&p.splitUnits[i])
	}
}
