package portfolio

import (
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// The clause of the failed assumptions is a copy of a unit clause, whichever of several
// equal unit clauses remains, or the lemma that was learned and deleted last. In both
// cases the clause stays in the proof.
func TestFailedClause(t *testing.T) {
	check := proof.NewChecker()
	shared := newSharedProof(check, 1)
	shared.vars = 4
	p := newWorkerProof(&solverProof{sharedProof: shared})
	unit, wide := dimacs.Lits(1), dimacs.Lits(2, 3, 4)
	for remaining := range 3 {
		ids := []int64{p.Original(unit), p.Original(unit), p.Original(unit)}
		for i, id := range ids {
			if i != remaining {
				p.Delete(id, unit)
			}
		}
		id := p.failedClause(dimacs.Lits(-1))
		p.Delete(ids[remaining], unit)
		if err := check.Err(); err != nil || id <= ids[2] {
			t.Fatalf("clause %d remains of %v: %v", remaining, ids, err)
		}
	}

	original := p.Original(wide)
	id := p.Learn(wide, []int64{original})
	p.Delete(id, wide)
	if got := p.failedClause(dimacs.Lits(-4, -2, -3)); got != id {
		t.Errorf("the clause of the failed assumptions has id %d, want %d", got, id)
	}
	p.Learn(dimacs.Lits(1, 2, 3, 4), []int64{id})
	if err := check.Err(); err != nil {
		t.Error(err)
	}
}
