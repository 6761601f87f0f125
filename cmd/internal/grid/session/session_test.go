package session_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// A run is a cube-and-conquer run of several sessions in one goroutine.
type run struct {
	t           testing.TB
	f           *dimacs.Formula // of the sessions
	base        session.Base
	coordinator *portfolio.Coordinator
	numbering   *session.Numbering
	resolvents  session.Resolvents
	sessions    []*worker
	accepted    []accepted       // in order
	shared      []session.Clause // units and binaries with final ids
}

// An accepted segment.
type accepted struct {
	session string
	segment *session.Segment
}

// A worker is a worker with its session. It is the exchange of its solver.
type worker struct {
	run     *run
	name    string
	worker  *portfolio.Worker
	writer  *session.Writer
	check   *session.Checker
	pending []*session.Segment // cut but not accepted
	next    int                // shared clause to import
	limit   int                // shared clauses that may be imported
}

func (w *worker) Export(c cdcl.Shared) bool {
	if len(c.Lits) > 2 {
		return false
	}
	w.writer.Export(c.ID, c.Lits)
	return true
}

func (w *worker) Pending(int64) bool { return w.next < w.limit }
func (w *worker) Used(int)           {}

func (w *worker) Import() (c cdcl.Shared, ok bool) {
	if w.next >= w.limit {
		return c, false
	}
	s := w.run.shared[w.next]
	w.next++
	return cdcl.Shared{Lits: slices.Clone(s.Lits), ID: w.writer.Import(s.Final, s.Lits), Glue: 1}, true
}

// newRun returns a run with n sessions for the given cubes of a simplified formula f.
func newRun(t testing.TB, f *dimacs.Formula, base session.Base, cubes [][]dimacs.Lit, n int) *run {
	r := &run{t: t, f: f, base: base, numbering: session.NewNumbering(base)}
	r.coordinator = portfolio.NewCoordinator(cubes, portfolio.CoordinatorOptions{Vars: f.Vars(), Learn: r.resolvents.Learn})
	for range n {
		r.addSession()
	}
	return r
}

// plain returns the base of a formula that is not simplified.
func plain(f *dimacs.Formula) session.Base {
	return session.Base{Clauses: f.Len(), Next: int64(f.Len()) + 1, Vars: f.Vars()}
}

// addSession adds a session.
func (r *run) addSession() {
	w := &worker{run: r, name: fmt.Sprintf("session %d", len(r.sessions))}
	w.writer = session.NewWriter(session.WriterOptions{Clauses: r.base.Clauses, Vars: r.base.Vars, Dir: r.t.TempDir(), Buffer: 1 << 12})
	o := cdcl.Options{}
	o.Proof, o.Exchange, o.Seed = w.writer, w, uint64(len(r.sessions))
	w.worker = portfolio.NewWorker(context.Background(), r.f, portfolio.WorkerOptions{Solver: o, Vars: r.base.Vars})
	var err error
	if w.check, err = session.NewChecker(r.f, r.base.Vars, nil); err != nil {
		r.t.Fatal(err)
	}
	r.sessions = append(r.sessions, w)
}

// cut cuts a segment of a session.
func (w *worker) cut() {
	s, err := w.writer.Cut()
	if err != nil {
		w.run.t.Fatal(err)
	}
	w.pending = append(w.pending, s)
}

// accept checks and accepts the pending segments of a session.
func (r *run) accept(w *worker) {
	for _, s := range w.pending {
		report, err := w.check.Check(context.Background(), s.Header, s.Reader())
		if err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		exports, err := r.numbering.Accept(w.name, *report)
		if err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		r.accepted = append(r.accepted, accepted{w.name, s})
		for _, e := range exports {
			if len(e.Lits) == 1 || len(e.Lits) == 2 {
				r.shared = append(r.shared, e)
			}
		}
	}
	w.pending = nil
}

// solve solves a cube with a session, and cuts a segment if there is a result.
func (w *worker) solve(t portfolio.Task) portfolio.Result {
	w.limit = len(w.run.shared)
	res := w.worker.Solve(context.Background(), t)
	if res.Status == dimacs.Satisfiable {
		w.run.t.Fatalf("%s: satisfiable", w.name)
	}
	if res.Status == dimacs.Unsatisfiable {
		w.writer.Export(res.Clause, complements(res.Failed))
	}
	w.cut()
	return res
}

// finish checks a result, accepts its segments and applies it.
func (r *run) finish(w *worker, res *portfolio.Result) {
	r.accept(w)
	if res.Status == dimacs.Unsatisfiable {
		if err := w.check.Refutes(res.Cube, res.Failed, res.Clause); err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		final, err := r.numbering.Final(w.name, res.Clause)
		if err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		res.Clause = final
	}
	if err := r.coordinator.Finish(res); err != nil {
		r.t.Fatal(err)
	}
}

// conquer solves all cubes with random sessions and budgets. Some results are lost: then
// another session solves the cube again, and the segments wait for a later result of
// their session.
func (r *run) conquer(rng *rand.Rand) {
	for !r.coordinator.Done() {
		t, _ := r.coordinator.Next()
		t.Budget = int64(10 + rng.IntN(300))
		w := r.sessions[rng.IntN(len(r.sessions))]
		res := w.solve(t)
		if rng.IntN(4) == 0 {
			r.coordinator.Requeue(t)
			continue
		}
		r.finish(w, &res)
		if rng.IntN(16) == 0 && len(r.sessions) < 8 {
			r.addSession()
		}
	}
}

// merge writes the proof of a run.
func (r *run) merge(to dimacs.Proof, literals bool) *session.Merger {
	m, err := session.NewMerger(to, r.f, r.base, session.MergeOptions{Literals: literals})
	if err != nil {
		r.t.Fatal(err)
	}
	r.mergeSegments(m)
	return m
}

// mergeSegments writes the segments and resolvents of a run.
func (r *run) mergeSegments(m *session.Merger) {
	last := map[string]int{}
	for _, a := range r.accepted {
		last[a.session] = a.segment.Number
	}
	for _, a := range r.accepted {
		if err := m.Segment(context.Background(), a.session, a.segment.Header, a.segment.Reader()); err != nil {
			r.t.Fatal(err)
		}
		if a.segment.Number == last[a.session] {
			m.EndSession(a.session)
		}
	}
	if err := m.Resolvents(&r.resolvents); err != nil {
		r.t.Fatal(err)
	}
}

// complements returns the complements of literals.
func complements(lits []dimacs.Lit) (c []dimacs.Lit) {
	for _, l := range lits {
		c = append(c, l^1)
	}
	return c
}

// random3SAT returns a formula with n variables and m random clauses of three literals.
func random3SAT(rng *rand.Rand, n, m int) *dimacs.Formula {
	f := dimacs.NewFormula(n)
	for range m {
		p := rng.Perm(n)[:3]
		c := make([]dimacs.Lit, 3)
		for i, v := range p {
			c[i] = dimacs.Var(v).Lit() | dimacs.Lit(rng.IntN(2))
		}
		f.Add(c...)
	}
	return f
}

// allCubes returns the cubes of all assignments of the first variables.
func allCubes(vars int) (cubes [][]dimacs.Lit) {
	for i := range 1 << vars {
		var c []dimacs.Lit
		for v := range vars {
			c = append(c, dimacs.Var(v).Lit()|dimacs.Lit(i>>v&1))
		}
		cubes = append(cubes, c)
	}
	return cubes
}

// TestRuns solves random formulas with several sessions that share clauses. Segments are
// accepted in a random order. The merged proof is checked in all formats.
func TestRuns(t *testing.T) {
	var segments, shared, resolvents int
	for seed := range uint64(12) {
		rng := newRand(seed)
		n := 100 + rng.IntN(60)
		f := random3SAT(rng, n, 9*n/2+30)
		r := newRun(t, f, plain(f), allCubes(rng.IntN(6)), 1+rng.IntN(4))
		r.conquer(rng)
		segments, shared, resolvents = segments+len(r.accepted), shared+len(r.shared), resolvents+r.resolvents.Len()
		for format := proof.DRAT; format <= proof.BinaryLRAT; format++ {
			var out bytes.Buffer
			w := proof.NewWriter(&out, format, f.Len())
			m := r.merge(w, !format.Hints())
			if err := w.Flush(); err != nil || !m.Refuted() {
				t.Fatalf("seed %d, %v: refuted: %v, %v", seed, format, m.Refuted(), err)
			}
			if _, err := proof.Check(context.Background(), f, &out, proof.Options{Format: format}); err != nil {
				t.Fatalf("seed %d, %v: %v", seed, format, err)
			}
		}
		check := proof.NewChecker()
		r.merge(check, true)
		if err := check.Refutes(nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if segments < 100 || shared < 100 || resolvents < 20 {
		t.Errorf("only %d segments, %d shared clauses and %d resolvents", segments, shared, resolvents)
	}
}

// newRand returns a source of random numbers.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
