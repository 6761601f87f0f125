package portfolio

import (
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// A unit clause says that a literal failed, whichever of several that are equal is
// left, and so does the clause that was learned and deleted last; both stay.
func TestExclude(t *testing.T) {
	check := proof.NewChecker()
	l := newSharedProof(check, 1)
	l.vars = 4
	h := &workerProof{solverProof: &solverProof{sharedProof: l}, units: map[dimacs.Lit][]int64{}}
	unit, wide := dimacs.Lits(1), dimacs.Lits(2, 3, 4)
	for gone := range 3 {
		ids := []int64{h.Original(unit), h.Original(unit), h.Original(unit)}
		for i, id := range ids {
			if i != gone {
				h.Delete(id, unit)
			}
		}
		id := h.failedClause(dimacs.Lits(-1))
		h.Delete(ids[gone], unit)
		if err := check.Err(); err != nil || id <= ids[2] {
			t.Fatalf("clause %d is left of %v: %v", gone, ids, err)
		}
	}

	given := h.Original(wide)
	id := h.Learn(wide, []int64{given})
	h.Delete(id, wide)
	if got := h.failedClause(dimacs.Lits(-4, -2, -3)); got != id {
		t.Errorf("clause %d was learned, and %d is named", id, got)
	}
	h.Learn(dimacs.Lits(1, 2, 3, 4), []int64{id})
	if err := check.Err(); err != nil {
		t.Error(err)
	}
}
