package portfolio

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// The pool offers each clause once to each other solver, and releases its references to
// clauses that it drops.
func TestPool(t *testing.T) {
	r := dplltest.NewRecorder(false)
	proof := newSharedProof(r, 3)
	p := newPool(3, proof)
	proof.vars = 2000
	p.grow(2000)
	a, b, c := p.ports[0], p.ports[1], p.ports[2]
	exporter := &solverProof{sharedProof: proof}
	importAll := func(t *port) (n int) {
		importer := &solverProof{sharedProof: proof}
		for {
			s, ok := t.Import()
			if !ok {
				return n
			}
			n++
			if t.pool.proof != nil {
				importer.Delete(s.ID, s.Lits)
			}
		}
	}
	export := func(from *port, glue int, ns ...int) {
		lits := dimacs.Lits(ns...)
		s := cdcl.Shared{Lits: lits, Glue: glue, ID: exporter.Learn(lits, nil)}
		from.Export(s)
		exporter.Delete(s.ID, lits)
		exporter.deletePending()
	}
	export(a, firstGlue, 1, 2, 3)
	export(a, 2, 3, 2, 1)           // a duplicate
	export(a, firstGlue+1, 1, 2, 4) // too much glue
	export(b, 0, 5)
	export(c, 0, 5) // a duplicate
	export(c, 9, 6, 7)
	export(c, 0, 2001) // a fresh variable
	if n := importAll(a); n != 2 {
		t.Errorf("the first solver imports %d clauses", n)
	}
	if n := importAll(b); n != 2 {
		t.Errorf("the second solver imports %d clauses", n)
	}
	if n := importAll(c); n != 2 || c.Pending(0) {
		t.Errorf("the third solver imports %d clauses", n)
	}
	if n := r.Alive(0); n != 0 {
		t.Errorf("%d clauses of the proof are not deleted", n)
	}

	// The log is bounded although solvers do not read it, and clauses that it drops are
	// deleted from the proof.
	live := new(liveClauses)
	proof = newSharedProof(live, 3)
	proof.vars = 2000
	exporter = &solverProof{sharedProof: proof}
	q := newPool(3, proof)
	q.grow(2000)
	for i := range 2 * logLen {
		export(q.ports[0], 1, 1+i%1000, -(1001 + i/1000%1000), 2-i%2)
		if len(q.log) > logLen {
			t.Fatalf("the log has %d clauses", len(q.log))
		}
	}
	for _, other := range q.ports[1:] {
		if n := importAll(other); n > logLen || n < logLen/4 {
			t.Errorf("a solver imports %d clauses of a full log", n)
		}
	}
	if live.count != 0 {
		t.Errorf("%d clauses of the proof are not deleted", live.count)
	}

	// The limit of glue follows the usage of imported clauses.
	p.usage[firstGlue] = usage{reviseAfter, reviseAfter}
	if p.revise(); p.glue.Load() != firstGlue+1 {
		t.Error("useful clauses do not raise the limit")
	}
	p.usage[firstGlue+1] = usage{reviseAfter, 0}
	if p.revise(); p.glue.Load() != firstGlue {
		t.Error("useless clauses do not lower the limit")
	}
}

// liveClauses is a proof that counts the clauses that are not deleted.
type liveClauses struct {
	last  int64
	count int
}

func (p *liveClauses) Hints() bool { return false }

func (p *liveClauses) Original(lits []dimacs.Lit) int64 { return p.Learn(lits, nil) }

func (p *liveClauses) Learn([]dimacs.Lit, []int64) int64 {
	p.count++
	p.last++
	return p.last
}

func (p *liveClauses) Delete(int64, []dimacs.Lit) { p.count-- }
