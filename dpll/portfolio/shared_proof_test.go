package portfolio

import (
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

// Views of one proof: clauses given are told once, deletions when nobody holds a clause
// any more, and fresh variables differ.
func TestLedger(t *testing.T) {
	r := dplltest.NewRecorder(false)
	l := newSharedProof(r, 2)
	l.vars = 3
	a, b := &solverProof{sharedProof: l, index: 0}, &solverProof{sharedProof: l, index: 1}
	c := dimacs.Lits(1, 2, 3)
	id := a.Original(c)
	if b.Original(c) != id || a.sum != b.sum {
		t.Error("a clause has two ids")
	}
	if a.Original(dimacs.Lits(-1, -2)); a.sum == b.sum {
		t.Error("sums do not tell clauses apart")
	}
	b.Original(dimacs.Lits(-1, -2))
	if a.Delete(id, c); r.Alive(3) != 1 {
		t.Error("a clause is gone that somebody holds")
	}
	if b.Delete(id, c); r.Alive(3) != 0 {
		t.Error("a clause stays that nobody holds")
	}

	x := dimacs.Lits(4)
	if got := slices.Concat(a.renumbered(x), b.renumbered(dimacs.Lits(-5, 1))); !slices.Equal(got, dimacs.Lits(4, -7, 1)) {
		t.Errorf("fresh variables are %v", got)
	}

	// What is shared stays until the last has given it back.
	lemma := dimacs.Lits(-1, -2, 3)
	id = a.Learn(lemma, nil)
	l.retain(id, 1)
	a.Delete(id, lemma)
	a.deletePending()
	if r.Alive(3) != 1 {
		t.Error("a lemma is gone that was shared")
	}
	if b.Delete(id, lemma); r.Alive(3) != 0 {
		t.Error("a lemma stays that all have given back")
	}

	// The latest lemma can be told again, although others came after it.
	id = a.Learn(lemma, nil)
	a.Delete(id, lemma)
	b.Learn(dimacs.Lits(-1, -2, -3), nil)
	if a.relearnLast(); r.Learned() != 4 || r.Alive(3) != 1 {
		t.Errorf("%d lemmas, %d alive", r.Learned(), r.Alive(3))
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}

	// Nothing comes after the empty clause.
	l.refuted = true
	if id := a.Learn(nil, nil); id < endOfIDs || r.Learned() != 4 {
		t.Error("the proof goes on")
	}
	defer func() {
		if recover() == nil {
			t.Error("a clause can be deleted too often")
		}
	}()
	l.refuted = false
	l.release(1, c, 1)
}

// The pool hands each clause to each other solver, once, and gives back what it drops.
func TestPool(t *testing.T) {
	r := dplltest.NewRecorder(false)
	l := newSharedProof(r, 3)
	p := newPool(3, l)
	l.vars = 2000
	p.grow(2000)
	a, b, c := p.ports[0], p.ports[1], p.ports[2]
	v := &solverProof{sharedProof: l}
	take := func(t *port) (n int) {
		w := &solverProof{sharedProof: l}
		for {
			s, ok := t.Import()
			if !ok {
				return n
			}
			n++
			if t.pool.proof != nil {
				w.Delete(s.ID, s.Lits)
			}
		}
	}
	offer := func(from *port, glue int, ns ...int) {
		lits := dimacs.Lits(ns...)
		s := cdcl.Shared{Lits: lits, Glue: glue, ID: v.Learn(lits, nil)}
		from.Export(s)
		v.Delete(s.ID, lits)
		v.deletePending()
	}
	offer(a, 2, 1, 2, 3)
	offer(a, 2, 3, 2, 1) // the same again
	offer(a, 3, 1, 2, 4) // glue
	offer(b, 0, 5)
	offer(c, 0, 5)
	offer(c, 9, 6, 7)
	offer(c, 0, 2001) // fresh
	if n := take(a); n != 2 {
		t.Errorf("the first is offered %d clauses", n)
	}
	if n := take(b); n != 2 {
		t.Errorf("the second is offered %d clauses", n)
	}
	if n := take(c); n != 2 || c.Pending(0) {
		t.Errorf("the third is offered %d clauses", n)
	}
	if n := r.Alive(0); n != 0 {
		t.Errorf("%d clauses stay in the proof", n)
	}

	// A log that nobody reads does not grow for ever.
	q := newPool(3, nil)
	q.grow(2000)
	for i := range 2 * logLen {
		q.ports[0].Export(cdcl.Shared{Lits: dimacs.Lits(1+i%1000, -(1001 + i/1000%1000), 2-i%2), Glue: 1})
		if len(q.log) > logLen {
			t.Fatalf("the log has %d clauses", len(q.log))
		}
	}
	if n := take(q.ports[1]); n > logLen || n < logLen/4 {
		t.Errorf("%d clauses are left", n)
	}

	// What is used often is shared more, what is not, less.
	p.usage[leastGlue] = usage{reviseAfter, reviseAfter}
	if p.revise(); p.glue.Load() != leastGlue+1 {
		t.Error("useful clauses do not raise the limit")
	}
	p.usage[leastGlue+1] = usage{reviseAfter, 0}
	if p.revise(); p.glue.Load() != leastGlue {
		t.Error("useless ones do not lower it")
	}
}
