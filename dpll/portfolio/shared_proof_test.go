package portfolio

import (
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// The proofs of two solvers are one proof: it logs original clauses once, deletes a
// clause when no solver holds it, and gives the solvers different fresh variables.
func TestSharedProof(t *testing.T) {
	r := dplltest.NewRecorder(false)
	p := newSharedProof(r, 2)
	p.vars = 3
	a, b := &solverProof{sharedProof: p, index: 0}, &solverProof{sharedProof: p, index: 1}
	c := dimacs.Lits(1, 2, 3)
	id := a.Original(c)
	if b.Original(c) != id || a.checksum != b.checksum {
		t.Error("a clause has two ids")
	}
	if a.Original(dimacs.Lits(-1, -2)); a.checksum == b.checksum {
		t.Error("different clauses have the same checksum")
	}
	b.Original(dimacs.Lits(-1, -2))
	if a.Delete(id, c); r.Alive(3) != 1 {
		t.Error("a clause that a solver holds is deleted")
	}
	if b.Delete(id, c); r.Alive(3) != 0 {
		t.Error("a clause that no solver holds is not deleted")
	}

	x := dimacs.Lits(4)
	if got := slices.Concat(a.renumbered(x), b.renumbered(dimacs.Lits(-5, 1))); !slices.Equal(got, dimacs.Lits(4, -7, 1)) {
		t.Errorf("fresh variables are %v", got)
	}

	// A shared lemma is deleted when the last solver releases it.
	lemma := dimacs.Lits(-1, -2, 3)
	id = a.Learn(lemma, nil)
	p.retain(id, 1)
	a.Delete(id, lemma)
	a.deletePending()
	if r.Alive(3) != 1 {
		t.Error("a shared lemma is deleted")
	}
	if b.Delete(id, lemma); r.Alive(3) != 0 {
		t.Error("a lemma that all solvers have released is not deleted")
	}

	// A solver can learn its latest lemma again after lemmas of other solvers.
	id = a.Learn(lemma, nil)
	a.Delete(id, lemma)
	b.Learn(dimacs.Lits(-1, -2, -3), nil)
	if a.relearnLast(); r.Learned() != 4 || r.Alive(3) != 1 {
		t.Errorf("%d lemmas, %d alive", r.Learned(), r.Alive(3))
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}

	// The empty clause ends the proof.
	p.refuted = true
	if id := a.Learn(nil, nil); id < endOfIDs || r.Learned() != 4 {
		t.Error("a lemma is logged after the empty clause")
	}
	defer func() {
		if recover() == nil {
			t.Error("a clause can be deleted too often")
		}
	}()
	p.refuted = false
	p.release(1, c, 1)
}
