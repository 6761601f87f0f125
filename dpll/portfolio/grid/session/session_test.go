package session_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio/grid/session"
)

// A run is a cube-and-conquer run of several sessions in one goroutine.
type run struct {
	t          testing.TB
	f          *dimacs.Formula
	numbering  *session.Numbering
	resolvents session.Resolvents
	base       session.Base
	sessions   []*worker
	accepted   []accepted // in order
	shared     []session.Clause
}

// An accepted segment.
type accepted struct {
	session string
	segment *session.Segment
}

// A worker is a solver with its session.
type worker struct {
	run     *run
	name    string
	solver  *cdcl.Solver
	writer  *session.Writer
	keeper  *keeper
	check   *session.Checker
	pending []*session.Segment // cut but not accepted
	from    int                // shared clauses that are not imported yet
	limit   int                // shared clauses that may be imported
}

// A keeper passes steps to a writer, and delays the deletion of the latest lemma, so that
// the clause of failed assumptions can be exported. It collects exports of units and
// binaries, and the ids of units.
type keeper struct {
	*session.Writer
	last, pending int64
	lits          []dimacs.Lit
	units         map[dimacs.Lit]int64
}

func (k *keeper) Original(lits []dimacs.Lit) int64 {
	id := k.Writer.Original(lits)
	if len(lits) == 1 {
		k.units[lits[0]] = id
	}
	return id
}

func (k *keeper) Learn(lits []dimacs.Lit, hints []int64) int64 {
	k.flush()
	k.last = k.Writer.Learn(lits, hints)
	if len(lits) == 1 {
		k.units[lits[0]] = k.last
	}
	return k.last
}

func (k *keeper) Delete(id int64, lits []dimacs.Lit) {
	k.flush()
	if id == k.last {
		k.pending, k.lits = id, append(k.lits[:0], lits...)
		return
	}
	if len(lits) == 1 && k.units[lits[0]] == id {
		delete(k.units, lits[0])
	}
	k.Writer.Delete(id, lits)
}

func (k *keeper) flush() {
	if k.pending != 0 {
		k.Writer.Delete(k.pending, nil)
		k.pending = 0
	}
}

// Export, Pending, Import and Used implement cdcl.Exchange.
func (w *worker) Export(c cdcl.Shared) {
	if len(c.Lits) <= 2 {
		w.writer.Export(c.ID, c.Lits)
	}
}

func (w *worker) Pending(int64) bool { return w.from < w.limit }
func (w *worker) Used(int)           {}

func (w *worker) Import() (c cdcl.Shared, ok bool) {
	if w.from >= w.limit {
		return c, false
	}
	s := w.run.shared[w.from]
	w.from++
	id := w.writer.Import(s.Final, s.Lits)
	if len(s.Lits) == 1 {
		w.keeper.units[s.Lits[0]] = id
	}
	return cdcl.Shared{Lits: append([]dimacs.Lit(nil), s.Lits...), ID: id, Glue: 1}, true
}

// newRun returns a run with n sessions.
func newRun(t testing.TB, f *dimacs.Formula, n int) *run {
	r := &run{t: t, f: f, base: session.Base{Clauses: f.Len(), Next: int64(f.Len()) + 1, Vars: f.Vars()}}
	r.numbering = session.NewNumbering(r.base)
	for i := range n {
		r.add(fmt.Sprintf("session %d", i))
	}
	return r
}

// add adds a session.
func (r *run) add(name string) *worker {
	w := &worker{run: r, name: name}
	w.writer = session.NewWriter(session.WriterOptions{Clauses: r.f.Len(), Vars: r.f.Vars(), Dir: r.t.TempDir(), Buffer: 1 << 10})
	w.keeper = &keeper{Writer: w.writer, units: map[dimacs.Lit]int64{}}
	o := cdcl.DefaultOptions()
	o.Proof, o.Exchange, o.ExchangeInterval = w.keeper, w, 1000
	w.solver = cdcl.New(o)
	w.solver.AddFormula(r.f)
	check, err := session.NewChecker(r.f, r.f.Vars(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	w.check = check
	r.sessions = append(r.sessions, w)
	return w
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
		scanned, err := session.Scan(context.Background(), s.Header, s.Reader(), nil)
		if err != nil || fmt.Sprint(scanned) != fmt.Sprint(report) {
			r.t.Fatalf("%s: %v, scanned: %v, checked: %v", w.name, err, scanned, report)
		}
		exports, err := r.numbering.Accept(w.name, report)
		if err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		r.accepted = append(r.accepted, accepted{w.name, s})
		r.shared = append(r.shared, exports...)
	}
	w.pending = nil
}

// refute solves a cube with a session. It returns the clause of the failed literals and
// its local id, or false if the budget was used up.
func (w *worker) refute(cube []dimacs.Lit, budget int64) (clause []dimacs.Lit, id int64, ok bool) {
	w.limit = len(w.run.shared)
	w.solver.SetLimits(cdcl.Limits{Conflicts: budget})
	switch status := w.solver.Solve(context.Background(), cube...); status {
	case dimacs.Unknown:
		return nil, 0, false
	case dimacs.Satisfiable:
		w.run.t.Fatalf("%s: satisfiable", w.name)
	}
	for _, l := range w.solver.Failed() {
		clause = append(clause, l^1)
	}
	k := w.keeper
	switch {
	case len(clause) == 0:
		return nil, k.last, true
	case k.pending != 0:
		id, k.pending = k.pending, 0
	default:
		id = k.Learn(clause, []int64{k.units[clause[0]]})
	}
	w.writer.Export(id, clause)
	return clause, id, true
}

// solve refutes the tree of cubes below a cube with random sessions, and returns the
// clause that refutes the cube and its id in the run.
func (r *run) solve(rng *rand.Rand, cube []dimacs.Lit, depth int) (clause []dimacs.Lit, id int64) {
	if depth > 0 {
		l := dimacs.Var(len(cube)).Lit() | dimacs.Lit(rng.IntN(2))
		a, aID := r.solve(rng, append(cube[:len(cube):len(cube)], l), depth-1)
		if !contains(a, l^1) {
			return a, aID
		}
		b, bID := r.solve(rng, append(cube[:len(cube):len(cube)], l^1), depth-1)
		if !contains(b, l) {
			return b, bID
		}
		for _, k := range a {
			if k != l^1 {
				clause = append(clause, k)
			}
		}
		for _, k := range b {
			if k != l && !contains(clause, k) {
				clause = append(clause, k)
			}
		}
		return clause, r.resolvents.Learn(clause, aID, bID)
	}
	for {
		w := r.sessions[rng.IntN(len(r.sessions))]
		clause, local, ok := w.refute(cube, int64(1+rng.IntN(200)))
		if !ok || rng.IntN(4) == 0 {
			w.cut()
		}
		if !ok {
			if rng.IntN(2) == 0 {
				r.accept(w)
			}
			continue
		}
		w.cut()
		r.accept(w)
		if err := w.check.Refutes(cube, complements(clause), local); err != nil {
			r.t.Fatalf("%s: %v", w.name, err)
		}
		if rng.IntN(8) == 0 && len(r.sessions) < 12 {
			r.add(fmt.Sprintf("session %d", len(r.sessions)))
		}
		id, err := r.numbering.Final(w.name, local)
		if err != nil {
			r.t.Fatal(err)
		}
		return clause, id
	}
}

func contains(ls []dimacs.Lit, l dimacs.Lit) bool {
	for _, k := range ls {
		if k == l {
			return true
		}
	}
	return false
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

// randomLit returns a literal that occurs in a formula.
func randomLit(rng *rand.Rand, f *dimacs.Formula) dimacs.Lit {
	c := f.Clause(rng.IntN(f.Len()))
	return c[rng.IntN(len(c))]
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

// TestRuns solves random formulas with several sessions that share clauses, are cut at
// random places and accepted in a random order, and checks the merged proof.
func TestRuns(t *testing.T) {
	for seed := range uint64(20) {
		rng := newRand(seed)
		n := 100 + rng.IntN(60)
		f := random3SAT(rng, n, 9*n/2+20)
		r := newRun(t, f, 1+rng.IntN(4))
		clause, _ := r.solve(rng, nil, rng.IntN(6))
		if len(clause) > 0 {
			t.Fatalf("seed %d: the tree of cubes leaves %v", seed, clause)
		}
		for format := proof.DRAT; format <= proof.BinaryLRAT; format++ {
			var out bytes.Buffer
			w := proof.NewWriter(&out, format, f.Len())
			m := r.merge(w, !format.Hints())
			if err := w.Flush(); err != nil || !m.Refuted() {
				t.Fatalf("seed %d, %v: refuted: %v, %v", seed, format, m.Refuted(), err)
			}
			result, err := proof.Check(context.Background(), f, &out, proof.Options{Format: format})
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, format, err)
			}
			if format == proof.LRAT {
				t.Logf("seed %d: %d segments, %d shared, %d resolvents: %+v", seed, len(r.accepted), len(r.shared), r.resolvents.Len(), *result)
			}
		}
		check := proof.NewChecker()
		r.merge(check, true)
		if err := check.Refutes(nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// newRand returns a source of random numbers.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
