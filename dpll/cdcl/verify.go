package cdcl

import (
	"errors"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// Verification of answers, with Options.Verify. A checker that shares no code with the solver follows
// its derivation (proof.Batch), and confirms each refutation, also those under assumptions: the failed ones are
// a core. A model is evaluated on the clauses as they were given, and on the assumptions.

// A verifier is the proof of a solver with Options.Verify. It holds the clauses as they were given.
type verifier struct {
	dimacs.Proof // the checker, or the checker and Options.Proof
	check        *proof.Batch
	given        *dimacs.Formula
	fault        error // of an answer, or that of the memory limit
}

func newVerifier(o *Options) *verifier {
	given := new(dimacs.Formula)
	v := &verifier{check: proof.NewBatch(given, o.Memory), given: given}
	v.Proof = v.check
	if o.Proof != nil {
		v.Proof = proof.Tee(v.check, o.Proof)
	}
	return v
}

// Original implements [dimacs.Proof]. The checker takes the clause from the formula.
func (v *verifier) Original(lits []dimacs.Lit) int64 {
	v.given.Add(lits...)
	return v.Proof.Original(lits)
}

// confirm returns the answer of s, or Unknown if it is wrong.
func (v *verifier) confirm(s *Solver, answer dimacs.Status) dimacs.Status {
	switch {
	case v.fault != nil:
	case answer == dimacs.Satisfiable:
		v.fault = v.checkModel(s.call.model, s.call.assumptions)
	case answer == dimacs.Unsatisfiable:
		v.fault = v.check.Refutes(s.call.failed)
	}
	if v.fault == nil {
		return answer
	}
	if checking && !errors.As(v.fault, new(*dimacs.MemoryError)) {
		panic(fmt.Sprintf("cdcl: the answer %v is wrong: %v", answer, v.fault))
	}
	s.call.state = steady
	return dimacs.Unknown
}

// checkModel returns an error if the model falsifies a clause or an assumption.
func (v *verifier) checkModel(m dimacs.Model, assumptions []dimacs.Lit) error {
	if i := m.Falsified(v.given); i >= 0 {
		return fmt.Errorf("cdcl: the model falsifies the clause %v", v.given.Clause(i))
	}
	for _, l := range assumptions {
		if m.Lit(l) != dimacs.True {
			return fmt.Errorf("cdcl: the model falsifies the assumption %v", l)
		}
	}
	return nil
}
