package grid

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/effort"
)

// Results of a worker that has the token and disturbs the run on purpose. The run ends
// nevertheless, also with a coordinator that starts later.

// end stops a coordinator.
func (r *testRunner) end() {
	r.cancel()
	<-r.done
}

// copies returns a segment with n copies of a clause of the formula, which are exported.
func (f *forger) copies(g *dimacs.Formula, n int) *session.Segment {
	f.t.Helper()
	w := session.NewWriter(session.WriterOptions{Clauses: f.w.Formula.Clauses, Vars: f.w.Formula.Vars})
	for lits := g.Clause(0); n > 0; n-- {
		w.Export(w.Learn(lits, []int64{1}), lits)
	}
	s, err := w.Cut()
	must(f.t, err)
	return s
}

// simplifiedFormula returns the formula of the workers of a run.
func (f *forger) simplifiedFormula() *dimacs.Formula {
	f.t.Helper()
	objects, err := newObjectStore(f.nc, f.names.ObjectBucket())
	must(f.t, err)
	r, err := objects.get(f.t.Context(), f.w.Formula.Object)
	must(f.t, err)
	defer r.Close()
	g, err := (&dimacs.Reader{}).Read(r)
	must(f.t, err)
	return g
}

// TestTooManyExports tests that a result is refused if its reports fit into no message.
func TestTooManyExports(t *testing.T) {
	effort.Sequential(t)
	r := serve(t, startServer(t), smallOptions())
	f := newForger(r, "liar", "s1")
	s := f.copies(f.simplifiedFormula(), 60_000)
	objects, err := newObjectStore(f.nc, f.names.ObjectBucket())
	must(t, err)
	o, err := objects.put(t.Context(), "segment-s1-1", s.Reader())
	must(t, err)
	cube := r.o.Cubes[5]
	m := &ResultMessage{Version: Version, Run: f.w.Run, Worker: "liar", Session: "s1",
		Result:   portfolio.Result{Formula: f.w.Sum, Cube: cube, Split: portfolio.Literals{dimacs.FromInt(20)}},
		Segments: []SegmentRef{{Header: s.Header, Object: o.Name}}}
	f.store(CubeHash(cube), Encode(m))
	r.await("too many literals")
	r.work()
	if a := r.wait(); a.Status != dimacs.Unsatisfiable {
		t.Errorf("%v", a.Status)
	}
}

// TestForeignSession tests that a model under the name of another worker's session does
// not stop that session.
func TestForeignSession(t *testing.T) {
	o := smallOptions()
	r := serve(t, startServer(t), o)
	f := newForger(r, "liar", "s1")
	split := func(cube []dimacs.Lit, s *session.Segment) *ResultMessage {
		return &ResultMessage{Version: Version, Run: f.w.Run, Worker: "honest", Session: "s0",
			Result:   portfolio.Result{Formula: f.w.Sum, Cube: cube, Split: portfolio.Literals{dimacs.FromInt(20)}},
			Segments: []SegmentRef{{Header: s.Header, Data: s.Bytes()}}}
	}
	s := f.copies(f.simplifiedFormula(), 1)
	f.store(CubeHash(o.Cubes[5]), Encode(split(o.Cubes[5], s)))
	f.store(CubeHash(o.Cubes[6]), Encode(&ResultMessage{Version: Version, Run: f.w.Run, Worker: "liar", Session: "s0",
		Result: portfolio.Result{Formula: f.w.Sum, Cube: o.Cubes[6], Status: dimacs.Satisfiable}}))
	r.await("one of another worker")
	r.work()
	if a := r.wait(); a.Status != dimacs.Unsatisfiable {
		t.Errorf("%v", a.Status)
	}
}

// TestStrangeCube tests that a right refutation of a cube that the run does not have is
// refused, also when no coordinator runs while it arrives, and that a later coordinator
// starts.
func TestStrangeCube(t *testing.T) {
	for _, trust := range []bool{false, true} {
		for _, later := range []bool{false, true} {
			o := smallOptions()
			o.Trust = trust
			s := startServer(t)
			r := serve(t, s, o)
			f := newForger(r, "liar", "s1")
			strange := []dimacs.Lit{dimacs.FromInt(40)}
			m := &ResultMessage{Version: Version, Run: f.w.Run, Worker: "liar", Session: "s1",
				Result: portfolio.Result{Formula: f.w.Sum, Cube: strange, Status: dimacs.Unsatisfiable, Failed: strange}}
			if !trust {
				lits := f.simplifiedFormula().Clause(0)
				var cube portfolio.Literals
				for _, l := range lits {
					cube = append(cube, l^1)
				}
				m = f.result("liar", "s1", cube, func(w *session.Writer) int64 {
					id := w.Learn(lits, []int64{1})
					w.Export(id, lits)
					return id
				})
			}
			if later {
				r.end()
				f.store(CubeHash(m.Result.Cube), Encode(m))
				split := portfolio.Result{Formula: f.w.Sum, Cube: append(slices.Clone(m.Result.Cube), dimacs.FromInt(41)), Split: portfolio.Literals{dimacs.FromInt(50)}}
				f.store(CubeHash(split.Cube), Encode(&ResultMessage{Version: Version, Run: f.w.Run, Worker: "liar", Session: "s1", Result: split}))
			} else {
				f.store(CubeHash(m.Result.Cube), Encode(m))
				r.await("not a cube of this run")
				r.end()
			}
			again := serve(t, s, r.o)
			if again.err != nil {
				t.Fatalf("trust %v, later %v: %v", trust, later, again.err)
			}
			again.work()
			if a := again.wait(); a.Status != dimacs.Unsatisfiable {
				t.Errorf("%v", a.Status)
			}
		}
	}
}

// TestExcludedResultsStay tests that the accepted results of a worker that is excluded
// later are kept by a coordinator that starts again.
func TestExcludedResultsStay(t *testing.T) {
	o := hardOptions(2)
	s := startServer(t)
	r := serve(t, s, o)
	go Work(t.Context(), s.connect(), MemberOptions{Name: r.o.Name, MemberName: "liar"})
	names, err := NamesOf(r.o.Name)
	must(t, err)
	f := newForger(r, "observer", "s2")
	accepted, err := f.js.Stream(t.Context(), names.AcceptedStream())
	must(t, err)
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if info, err := accepted.Info(t.Context()); err == nil && info.State.Msgs >= 3 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no results")
		}
	}
	state, err := f.js.KeyValue(t.Context(), names.StateBucket())
	must(t, err)
	r.end()
	_, err = state.PutString(t.Context(), KeyExcluded+"liar", "for this test")
	must(t, err)
	again := serve(t, s, r.o)
	if again.logged("checked again") {
		t.Error("the results of an excluded worker are lost")
	}
	again.work()
	a := again.wait()
	if want := answerOf(o.Formula); a.Status != want {
		t.Errorf("%v, want %v", a.Status, want)
	}
	if a.Status == dimacs.Unsatisfiable {
		proofText(t, a, o.Formula)
	}
}

// TestBrokenSessionIsRepeated tests that a worker which misses the end of its session is
// asked to end it again.
func TestBrokenSessionIsRepeated(t *testing.T) {
	o := smallOptions()
	r := serve(t, startServer(t), o)
	f := newForger(r, "late", "s1")
	ended := make(chan bool, 100)
	_, err := f.nc.Subscribe(f.names.Cancel(), func(m *nats.Msg) {
		var c Cancel
		if json.Unmarshal(m.Data, &c) == nil && slices.Contains(c.Sessions, "s1") {
			ended <- true
		}
	})
	must(t, err)
	must(t, f.nc.Flush())
	cube := conquertest.Tree(0, 4)[5]
	m := f.result("late", "s1", cube, func(w *session.Writer) int64 { return w.Learn([]dimacs.Lit{0}, nil) })
	m.Segments[0].Number = 2
	f.store(CubeHash(cube), Encode(m))
	for i := range 2 {
		select {
		case <-ended:
		case <-time.After(patience):
			t.Fatalf("the worker is asked %d times", i)
		}
		must(t, f.nc.Publish(f.names.Presence(), Encode(&Presence{Version: Version, Role: RoleWorker, Run: f.w.Run, Worker: "late", Session: "s1", Host: "here"})))
	}
	r.work()
	r.wait()
}
