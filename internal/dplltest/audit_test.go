package dplltest

import (
	"testing"

	"sator/dimacs"
)

// audited logs the steps to an audit of kind k. With naive false there is no naive
// checker.
func audited(k ProofKind, naive bool, steps []step) *audit {
	a := newAudit(k, FullProofs)
	if !naive {
		a.naive = nil
	}
	hinted := a.Hints()
	for _, s := range steps {
		lits, hints := dimacs.Lits(s.lits...), s.hints
		switch {
		case s.do == "given":
			a.Original(lits)
		case s.do == "delete":
			a.Delete(hints[0], lits)
		case hinted:
			a.Learn(lits, hints)
		default:
			a.Learn(lits, nil)
		}
	}
	return a
}

// squareFormula has the clauses of square.
var squareFormula = formula([]int{1, 2}, []int{1, -2}, []int{-1, 2}, []int{-1, -2})

// house has the clauses of square, ids 1 to 4, and two others that imply the literal 4,
// ids 5 and 6. houseFormula has the same clauses.
var (
	house        = append(square[:4:4], step{"given", []int{3, 4}, nil}, step{"given", []int{-3, 4}, nil})
	houseFormula = formula([]int{1, 2}, []int{1, -2}, []int{-1, 2}, []int{-1, -2}, []int{3, 4}, []int{-3, 4})
)

// TestAudit checks which kinds of audits reject wrong proofs.
func TestAudit(t *testing.T) {
	// The kinds for which the other checkers reject a proof.
	always := func(ProofKind) bool { return true }
	never := func(ProofKind) bool { return false }
	hinted := func(k ProofKind) bool { return proofKinds[k].hints }
	forward := func(k ProofKind) bool { return proofKinds[k].check.Forward || k.Format().Hints() }
	forwardOrOnline := func(k ProofKind) bool { return forward(k) || k == HintedProof }
	unit, empty := step{"learn", []int{1}, []int64{1, 2}}, step{"learn", nil, []int64{7, 3, 4}}
	tests := []struct {
		name    string
		steps   []step
		failed  []int
		rejects func(ProofKind) bool
		naive   bool // the naive checker rejects the proof
	}{
		{"refutation", []step{unit, empty}, nil, never, false},
		{"deletions", []step{unit, {"delete", []int{2, 1}, []int64{1}}, {"delete", []int{1, -2}, []int64{2}}, empty}, nil, never, false},
		{"an assumption that is not needed", []step{unit, empty}, []int{1}, never, false},
		{"a failed assumption", []step{unit}, []int{-1}, never, false},
		{"contradictory assumptions", nil, []int{2, -2}, never, false},

		{"another assumption failed", []step{{"delete", []int{-1, 2}, []int64{3}}, {"delete", []int{-1, -2}, []int64{4}}, unit}, []int{1}, always, true},
		{"no refutation", []step{{"delete", []int{-1, 2}, []int64{3}}, unit}, nil, always, true},
		{"a lemma is missing", []step{{"learn", nil, []int64{1, 3, 4}}}, nil, always, true},
		{"a clause was deleted before", []step{{"delete", []int{1, 2}, []int64{1}}, unit, empty}, nil, always, true},
		{"a hint is missing", []step{{"learn", []int{1}, []int64{2}}, empty}, nil, hinted, false},
		{"hints in the wrong order", []step{unit, {"learn", nil, []int64{3, 7, 4}}}, nil, hinted, false},
		{"a hint that does not exist", []step{{"learn", []int{1}, []int64{1, 99}}, empty}, nil, hinted, false},
		{"a lemma that does not follow", []step{{"learn", []int{-4, 6}, []int64{5, 6}}, unit, {"learn", nil, []int64{8, 3, 4}}}, nil, forwardOrOnline, true},
		{"a RAT step", []step{{"learn", []int{5, -4}, []int64{}}, unit, {"learn", nil, []int64{8, 3, 4}}}, nil, forward, true},
	}
	for _, test := range tests {
		for k := PlainProof; int(k) < len(proofKinds); k++ {
			for _, naive := range []bool{false, true} {
				a := audited(k, naive, append(house[:6:6], test.steps...))
				err := a.verify(dimacs.Unsatisfiable, dimacs.Lits(test.failed...), houseFormula)
				if want := test.rejects(k) || naive && test.naive; (err != nil) != want {
					t.Errorf("%s, %v, naive %v: %v", test.name, k, naive, err)
				}
			}
		}
	}
}

// TestAuditFaultBeforeModel checks that a wrong step is found at the next answer, also
// Satisfiable.
func TestAuditFaultBeforeModel(t *testing.T) {
	for _, k := range []ProofKind{PlainProof, HintedProof} {
		a := audited(k, k == PlainProof, append(square[:3:3], step{"learn", []int{-1}, []int64{1, 2}}))
		if a.verify(dimacs.Satisfiable, nil, formula([]int{1, 2}, []int{1, -2}, []int{-1, 2})) == nil {
			t.Errorf("%v: a wrong lemma was not found", k)
		}
	}
}

// TestAuditOriginals checks that the original clauses must be the clauses of the formula.
func TestAuditOriginals(t *testing.T) {
	for _, steps := range [][]step{square[:3], append(square[:4:4], square[0]), append(square[1:4:4], square[0])} {
		if audited(PlainProof, true, steps).verify(dimacs.Unknown, nil, squareFormula) == nil {
			t.Errorf("%v is accepted for the clauses of square", steps)
		}
	}
}
