package grid

import (
	"math/rand/v2"
	"testing"
	"time"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// importAll returns the clauses that a port has for its solver.
func importAll(p *port) (clauses []cdcl.Shared) {
	for p.Pending(0) {
		c, ok := p.Import()
		if !ok {
			break
		}
		clauses = append(clauses, c)
	}
	return clauses
}

func TestPortDirect(t *testing.T) {
	p := newPort("a", 10, nil)
	for range 2 {
		p.Export(cdcl.Shared{Lits: literals(1)})
		p.Export(cdcl.Shared{Lits: literals(2, -3)})
		p.Export(cdcl.Shared{Lits: literals(-3, 2)}) // the same clause
	}
	p.Export(cdcl.Shared{Lits: literals(1, 2, 3)})
	p.Export(cdcl.Shared{Lits: literals(11)}) // a variable that the run lacks
	out := p.take()
	if len(out) != 2 || len(p.take()) != 0 {
		t.Fatalf("exports %v", out)
	}
	q := newPort("b", 10, nil)
	for _, from := range []string{"b", "a", "a"} { // its own, new, repeated
		q.receive(&Shared{Session: from, Clauses: append(out, Clause{Lits: literals(12)}, Clause{})})
	}
	got := importAll(q)
	if len(got) != 2 || len(got[0].Lits) != 1 || len(got[1].Lits) != 2 {
		t.Fatalf("imports %v", got)
	}
	q.Export(cdcl.Shared{Lits: literals(1)})
	if len(q.take()) > 0 {
		t.Error("an imported clause is exported")
	}
}

// With segments, exports are steps of the proof, and imports have final ids.
func TestPortProof(t *testing.T) {
	w := session.NewWriter(session.WriterOptions{Clauses: 3, Vars: 5})
	for range 3 {
		w.Original(nil)
	}
	p := newPort("a", 5, w)
	id := w.Learn(literals(1, 2), []int64{1})
	if !p.pin(cdcl.Shared{Lits: literals(1, 2), ID: id}) || p.pin(cdcl.Shared{Lits: literals(1, 2), ID: id}) || p.pin(cdcl.Shared{Lits: literals(1, 2, 3), ID: id}) {
		t.Error("a binary clause is pinned once, and no longer one")
	}
	p.Export(cdcl.Shared{Lits: literals(4), ID: id})
	if len(p.take()) > 0 {
		t.Error("a clause of a run with segments is published directly")
	}
	p.receive(&Shared{Session: "b", Clauses: []Clause{{ID: 0, Lits: literals(3)}, {ID: 1 << 62, Lits: literals(3)}, {ID: 77, Lits: literals(-4)}}})
	got := importAll(p)
	if len(got) != 1 || got[0].ID != id+1 {
		t.Fatalf("imports %v", got)
	}
	s, err := w.Cut()
	must(t, err)
	r, err := session.Scan(t.Context(), s.Header, s.Reader(), nil)
	must(t, err)
	if len(r.Exports) != 1 || len(r.Imports) != 1 || r.Imports[0].Final != 77 {
		t.Errorf("report %+v", r)
	}
}

// All buffers are bounded.
func TestPortLimits(t *testing.T) {
	w := session.NewWriter(session.WriterOptions{Vars: 1 << 20})
	p := newPort("a", 1<<20, w)
	var m Shared
	for v := range dimacs.Var(inLimit + 10) {
		m.Clauses = append(m.Clauses, Clause{ID: int64(v) + 1, Lits: []dimacs.Lit{v.Lit()}})
	}
	p.receive(&m)
	if n := p.arrived.Load(); n != inLimit {
		t.Errorf("%d clauses wait: want %d", n, inLimit)
	}
	if n := len(importAll(p)); n != segmentShare {
		t.Errorf("%d imports in a result: want %d", n, segmentShare)
	}
	p.beginResult()
	if n := len(importAll(p)); n != segmentShare {
		t.Errorf("%d imports in the next result: want %d", n, segmentShare)
	}
	d := newPort("b", 1<<20, nil)
	for v := range dimacs.Var(outLimit + 10) {
		d.Export(cdcl.Shared{Lits: []dimacs.Lit{v.Lit()}})
	}
	if n := len(d.take()); n != outLimit {
		t.Errorf("%d clauses wait: want %d", n, outLimit)
	}
}

// random3SAT returns a random formula.
func random3SAT(vars, clauses int) *dimacs.Formula {
	rng := rand.New(rand.NewPCG(1, 2))
	f := dimacs.NewFormula(vars)
	for range clauses {
		v := rng.Perm(vars)[:3]
		f.Add(dimacs.Lit(2*v[0]+rng.IntN(2)), dimacs.Lit(2*v[1]+rng.IntN(2)), dimacs.Lit(2*v[2]+rng.IntN(2)))
	}
	return f
}

// A worker sends its units to the coordinator, and the coordinator to all workers, each
// clause once.
func TestWorkShares(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), random3SAT(100, 450))
	c.setWelcome(func(w *Welcome) { w.Share = true })
	shared, err := c.nc.SubscribeSync(c.names.Shared())
	must(t, err)
	r := newRelay(c.nc, c.names, testRun)
	_, err = c.nc.Subscribe(c.names.Share(), r.onShare)
	must(t, err)
	go r.work(t.Context())
	must(t, c.nc.Publish(c.names.Share(), []byte("garbage"))) // dropped
	startWorker(t, s.connect(), MemberOptions{})
	c.give()
	c.result()
	m, err := shared.NextMsg(10 * time.Second)
	must(t, err)
	var got Shared
	must(t, Decode(m.Data, &got))
	if len(got.Clauses) == 0 || got.Run != testRun || got.Session != relaySession {
		t.Errorf("message %+v", got)
	}
}
