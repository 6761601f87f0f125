package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/effort"
)

// Messages and results that are wrong, and coordinators that must not start.

// A testRunner is a coordinator in a goroutine.
type testRunner struct {
	t      *testing.T
	s      *testServer
	o      ServeOptions
	cancel context.CancelFunc
	ready  chan struct{}
	done   chan struct{}
	answer *Answer
	err    error

	mu  sync.Mutex
	log []string
}

// serve starts a coordinator and waits until it answers workers.
func serve(t *testing.T, s *testServer, o ServeOptions) *testRunner {
	t.Helper()
	r := &testRunner{t: t, s: s, o: o, ready: make(chan struct{}), done: make(chan struct{})}
	if r.o.Name == "" {
		r.o.Name = newRunName()
	}
	r.o.Heartbeat, r.o.AckWait = 50*time.Millisecond, 2*time.Second
	r.o.Ready = func(int) { close(r.ready) }
	r.o.Log = func(format string, args ...any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.log = append(r.log, fmt.Sprintf(format, args...))
	}
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	nc := s.connect()
	go func() {
		defer close(r.done)
		r.answer, r.err = Serve(ctx, nc, r.o)
	}()
	select {
	case <-r.ready:
	case <-r.done:
	case <-time.After(patience):
		t.Fatal("the coordinator does not start")
	}
	return r
}

// wait returns the answer.
func (r *testRunner) wait() *Answer {
	r.t.Helper()
	select {
	case <-r.done:
	case <-time.After(patience):
		r.t.Fatal("the run does not end")
	}
	if r.err != nil {
		r.t.Fatal(r.err)
	}
	return r.answer
}

// logged reports whether a line of the log has these words.
func (r *testRunner) logged(words string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(strings.Join(r.log, "\n"), words)
}

// await waits until a line of the log has these words.
func (r *testRunner) await(words string) {
	r.t.Helper()
	for end := time.Now().Add(patience); !r.logged(words); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("the log has no %q", words)
		}
	}
}

// work runs an honest worker until the run ends.
func (r *testRunner) work() {
	nc := r.s.connect()
	go Work(r.t.Context(), nc, MemberOptions{Name: r.o.Name})
}

// workAs runs a worker until it leaves or the run ends.
func (r *testRunner) workAs(o MemberOptions) error {
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	go func() {
		<-r.done
		cancel()
	}()
	return Work(ctx, r.s.connect(), o)
}

// proofText returns the proof of a run.
func proofText(t *testing.T, a *Answer, f *dimacs.Formula) []byte {
	t.Helper()
	var file bytes.Buffer
	w := proof.NewWriter(&file, proof.BinaryLRAT, f.Len())
	must(t, a.WriteProof(t.Context(), w))
	must(t, w.Flush())
	if _, err := proof.Check(t.Context(), f, bytes.NewReader(file.Bytes()), proof.Options{Format: proof.BinaryLRAT}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// smallOptions returns the options of a run of an unsatisfiable formula with 16 cubes. Sweeping
// alone would refute it, before there are workers.
func smallOptions() ServeOptions {
	return ServeOptions{Formula: conquertest.Uniform(3, 60, 320), Cubes: conquertest.Tree(0, 4), Checkers: 1, Solver: cdcl.Options{NoSweep: true}}
}

// TestWrongWorkers tests that a worker is excluded by its name for a wrong refutation or
// model, and that the run ends with the right answer.
func TestWrongWorkers(t *testing.T) {
	refutes := func(task portfolio.Task) portfolio.Result {
		return portfolio.Result{Formula: task.Formula, Cube: task.Cube, Status: dimacs.Unsatisfiable, Clause: 1, Failed: task.Cube}
	}
	satisfies := func(task portfolio.Task) portfolio.Result {
		return portfolio.Result{Formula: task.Formula, Cube: task.Cube, Status: dimacs.Satisfiable, Model: task.Cube}
	}
	for _, test := range []struct {
		name  string
		lie   func(portfolio.Task) portfolio.Result
		trust bool
		want  string
	}{
		{"refutation", refutes, false, "without proofs"},
		{"model", satisfies, false, "falsifies the formula"},
		{"trusted model", satisfies, true, "falsifies the formula"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := smallOptions()
			o.Trust = test.trust
			r := serve(t, startServer(t), o)
			err := r.workAs(MemberOptions{Name: r.o.Name, MemberName: "liar", Solver: func(*Welcome) Solver {
				return testSolver(func(_ context.Context, task portfolio.Task) portfolio.Result { return test.lie(task) })
			}})
			if refused := (*RefusedError)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the wrong worker ends with %v, want %q", err, test.want)
			}
			if !r.logged("worker liar is excluded") {
				t.Error("the log does not name the worker")
			}
			r.work()
			if a := r.wait(); a.Status != answerOf(o.Formula) {
				t.Errorf("%v", a.Status)
			}
		})
	}
}

// TestExcludedLater tests that a later coordinator excludes the same worker.
func TestExcludedLater(t *testing.T) {
	s := startServer(t)
	r := serve(t, s, smallOptions())
	wrong := MemberOptions{Name: r.o.Name, MemberName: "liar", Solver: func(*Welcome) Solver {
		return testSolver(func(_ context.Context, task portfolio.Task) portfolio.Result {
			return portfolio.Result{Formula: task.Formula, Cube: task.Cube, Status: dimacs.Satisfiable}
		})
	}}
	if err := r.workAs(wrong); err == nil {
		t.Fatal("the worker is not excluded")
	}
	r.cancel()
	<-r.done
	o := r.o
	again := serve(t, s, o)
	if err := again.workAs(wrong); err == nil || !strings.Contains(err.Error(), "excluded") {
		t.Errorf("after a restart: %v", err)
	}
	again.work()
	again.wait()
}

// A forger publishes results of its own.
type forger struct {
	t     *testing.T
	nc    *nats.Conn
	js    jetstream.JetStream
	names Names
	w     *Welcome
}

// newForger says hello to the coordinator of a run.
func newForger(r *testRunner, worker, session string) *forger {
	r.t.Helper()
	names, err := NamesOf(r.o.Name)
	must(r.t, err)
	f := &forger{t: r.t, nc: r.s.connect(), names: names, w: new(Welcome)}
	f.js, err = jetstream.New(f.nc)
	must(r.t, err)
	m, err := f.nc.Request(names.Hello(), Encode(&Hello{Version, RoleWorker, worker, session, "here"}), patience)
	must(r.t, err)
	must(r.t, Decode(m.Data, f.w))
	return f
}

// store publishes a result.
func (f *forger) store(hash string, data []byte) {
	f.t.Helper()
	_, err := f.js.Publish(f.t.Context(), f.names.Result(hash), data)
	must(f.t, err)
}

// result returns a refutation of a cube with a segment of one lemma.
func (f *forger) result(worker, name string, cube []dimacs.Lit, write func(w *session.Writer) int64) *ResultMessage {
	f.t.Helper()
	w := session.NewWriter(session.WriterOptions{Clauses: f.w.Formula.Clauses, Vars: f.w.Formula.Vars})
	clause := write(w)
	s, err := w.Cut()
	must(f.t, err)
	return &ResultMessage{
		Version: Version, Run: f.w.Run, Worker: worker, Session: name,
		Result:   portfolio.Result{Formula: f.w.Sum, Cube: cube, Status: dimacs.Unsatisfiable, Failed: cube, Clause: clause},
		Segments: []SegmentRef{{Header: s.Header, Data: s.Bytes()}},
	}
}

// TestForgedResults tests results that are malformed or wrong in a way that no program of
// ours produces. They are refused, and the run ends with a right proof.
func TestForgedResults(t *testing.T) {
	effort.Sequential(t)
	cubes := conquertest.Tree(0, 4)
	negated := func(cube []dimacs.Lit) (c []dimacs.Lit) {
		for _, l := range cube {
			c = append(c, l^1)
		}
		return c
	}
	unproved := func(cube []dimacs.Lit) func(w *session.Writer) int64 {
		return func(w *session.Writer) int64 {
			id := w.Learn(negated(cube), []int64{1, 2})
			w.Export(id, negated(cube))
			return id
		}
	}
	imported := func(cube []dimacs.Lit) func(w *session.Writer) int64 {
		return func(w *session.Writer) int64 {
			i := w.Import(1<<30, negated(cube))
			id := w.Learn(negated(cube), []int64{i})
			w.Export(id, negated(cube))
			return id
		}
	}
	for _, test := range []struct {
		name     string
		data     func(f *forger, cube []dimacs.Lit) []byte
		excluded bool
		want     string
	}{
		{"garbage", func(*forger, []dimacs.Lit) []byte { return []byte("garbage\nmore") }, false, "malformed message"},
		{"empty", func(*forger, []dimacs.Lit) []byte { return nil }, false, "malformed message"},
		{"other run", func(f *forger, cube []dimacs.Lit) []byte {
			m := f.result("liar", "s1", cube, unproved(cube))
			m.Run = strings.Repeat("0", 64)
			return Encode(m)
		}, false, "another run"},
		{"other cube", func(f *forger, cube []dimacs.Lit) []byte {
			return Encode(f.result("liar", "s1", cubes[3], unproved(cubes[3])))
		}, false, "another cube"},
		{"wrong step", func(f *forger, cube []dimacs.Lit) []byte { return Encode(f.result("liar", "s1", cube, unproved(cube))) }, true, "is wrong"},
		{"unknown import", func(f *forger, cube []dimacs.Lit) []byte { return Encode(f.result("liar", "s1", cube, imported(cube))) }, true, "imports clause"},
		{"wrong bytes", func(f *forger, cube []dimacs.Lit) []byte {
			m := f.result("liar", "s1", cube, unproved(cube))
			m.Segments[0].Data[0] ^= 1
			return Encode(m)
		}, true, "is wrong"},
		{"missing segment", func(f *forger, cube []dimacs.Lit) []byte {
			m := f.result("liar", "s1", cube, unproved(cube))
			m.Segments[0].Number = 2
			return Encode(m)
		}, false, "segment 1 is next"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := serve(t, startServer(t), smallOptions())
			f := newForger(r, "liar", "s1")
			f.store(CubeHash(cubes[5]), test.data(f, cubes[5]))
			r.await(test.want)
			r.work()
			a := r.wait()
			if a.Status != dimacs.Unsatisfiable {
				t.Fatalf("%v", a.Status)
			}
			proofText(t, a, r.o.Formula)
			if got := r.logged("worker liar is excluded"); got != test.excluded {
				t.Errorf("excluded: %v", got)
			}
		})
	}
}

// TestForgedClause tests that a refutation by a clause that its session lacks is refused and
// its cube is given out again, although the run trusts its workers.
func TestForgedClause(t *testing.T) {
	effort.Sequential(t)
	o := smallOptions()
	o.Trust, o.Prove = true, true
	r := serve(t, startServer(t), o)
	f := newForger(r, "liar", "s1")
	cube := o.Cubes[5]
	f.store(CubeHash(cube), Encode(f.result("liar", "s1", cube, func(w *session.Writer) int64 {
		return w.Learn(complements(cube), []int64{1, 2}) + 1000
	})))
	r.await("worker liar is excluded")
	r.work()
	a := r.wait()
	if a.Status != dimacs.Unsatisfiable {
		t.Fatalf("%v", a.Status)
	}
	proofText(t, a, o.Formula)
}

// TestGarbage tests that garbage on any subject neither ends a run nor changes its answer.
func TestGarbage(t *testing.T) {
	r := serve(t, startServer(t), smallOptions())
	nc := r.s.connect()
	for _, subject := range []string{"hello", "presence", "ping", "status", "coordinator", "share", "shared", "cancel", "tasks", "accepted.x", "check.x", "results.zz"} {
		for _, text := range []string{"", "{", "null", "[]", `{"version":2}`, `{"version":3}`, strings.Repeat("x", 1<<16)} {
			must(t, nc.Publish(r.names().subject(subject), []byte(text)))
		}
	}
	must(t, nc.Flush())
	r.work()
	a := r.wait()
	if a.Status != dimacs.Unsatisfiable {
		t.Fatalf("%v", a.Status)
	}
	proofText(t, a, r.o.Formula)
}

func (r *testRunner) names() Names {
	n, err := NamesOf(r.o.Name)
	must(r.t, err)
	return n
}

// TestWrongHello tests the answers to hellos that are refused.
func TestWrongHello(t *testing.T) {
	o := smallOptions()
	o.Trust = true
	r := serve(t, startServer(t), o)
	defer func() { r.cancel(); <-r.done }()
	nc := r.s.connect()
	for _, test := range []struct{ text, want string }{
		{"x", "malformed"},
		{`{"version":3,"role":"worker","worker":"w","session":"s","host":"h"}`, "protocol version 3: want 2"},
		{`{"version":2,"role":"king","worker":"w","session":"s","host":"h"}`, "role"},
		{`{"version":2,"role":"worker","worker":"../w","session":"s","host":"h"}`, "worker"},
		{`{"version":2,"role":"checker","worker":"w","session":"s","host":"h"}`, "trusts its workers"},
	} {
		m, err := nc.Request(r.names().Hello(), []byte(test.text), patience)
		must(t, err)
		w := new(Welcome)
		must(t, Decode(m.Data, w))
		if !strings.Contains(w.Error, test.want) || w.Retry {
			t.Errorf("%s: %q, retry %v, want %q", test.text, w.Error, w.Retry, test.want)
		}
	}
}

// TestSecondCoordinator tests that a second coordinator does not start beside the first.
func TestSecondCoordinator(t *testing.T) {
	r := serve(t, startServer(t), smallOptions())
	if _, err := Serve(t.Context(), r.s.connect(), r.o); err == nil || !strings.Contains(err.Error(), "another coordinator serves the run") {
		t.Errorf("%v", err)
	}
	r.work()
	r.wait()
}

// TestSecondCoordinatorWithoutConnection tests that a coordinator whose connection is lost while
// it asks for another one asks again. The other one is connected again later.
func TestSecondCoordinatorWithoutConnection(t *testing.T) {
	t.Parallel() // it waits for leasePatience
	s := startServer(t)
	r := serve(t, s, smallOptions())
	c, err := newCoordinator(s.connect(), r.o.withDefaults())
	must(t, err)
	s.stop()
	asked := make(chan error)
	go func() { asked <- c.askCoordinator(t.Context()) }()
	time.Sleep(10 * time.Millisecond) // so that the question is sent without a connection
	s.start()
	if err := <-asked; err == nil || !strings.Contains(err.Error(), "another coordinator serves the run") {
		t.Errorf("%v", err)
	}
	r.cancel()
	<-r.done
}

// TestForgetAnswer tests that the answer of a run is deleted if ACCEPTED and a result are lost,
// and that the run then ends again.
func TestForgetAnswer(t *testing.T) {
	s := startServer(t)
	r := serve(t, s, smallOptions())
	r.work()
	r.wait()
	names := r.names()
	js, err := jetstream.New(s.connect())
	must(t, err)
	must(t, js.DeleteStream(t.Context(), names.AcceptedStream()))
	results, err := js.Stream(t.Context(), names.ResultsStream())
	must(t, err)
	must(t, results.DeleteMsg(t.Context(), results.CachedInfo().State.LastSeq))
	state, err := js.KeyValue(t.Context(), names.StateBucket())
	must(t, err)
	again := serve(t, s, r.o)
	if e, err := state.Get(t.Context(), KeyAnswer); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Errorf("the run that continues has an answer: %v, %v", e, err)
	}
	again.work()
	if a := again.wait(); a.Status != dimacs.Unsatisfiable {
		t.Errorf("%v", a.Status)
	}
	if _, err := state.Get(t.Context(), KeyAnswer); err != nil {
		t.Error(err)
	}
}

// TestOtherRun tests that a run is not continued with other cubes, with another formula,
// or without segments.
func TestOtherRun(t *testing.T) {
	s := startServer(t)
	r := serve(t, s, smallOptions())
	r.work()
	r.wait()
	for _, test := range []struct {
		change func(*ServeOptions)
		want   string
	}{
		{func(o *ServeOptions) { o.Formula = conquertest.Uniform(4, 60, 320) }, "another formula"},
		{func(o *ServeOptions) { o.Cubes = conquertest.Tree(0, 3) }, "other cubes"},
		{func(o *ServeOptions) { o.Trust = true }, "results have proofs"},
	} {
		o := r.o
		o.Ready = nil
		test.change(&o)
		if _, err := Serve(t.Context(), s.connect(), o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// TestSameProof tests that a coordinator that starts again gives the same final ids: the
// proof of the finished run is the same.
func TestSameProof(t *testing.T) {
	s := startServer(t)
	o := hardOptions(1)
	o.Formula, o.Budget = conquertest.Uniform(3, 100, 470), 20
	r := serve(t, s, o)
	for range 3 {
		r.work()
	}
	a := r.wait()
	if a.Status != dimacs.Unsatisfiable {
		t.Fatalf("%v", a.Status)
	}
	want := proofText(t, a, o.Formula)
	for range 2 {
		again := serve(t, s, r.o)
		if got := proofText(t, again.wait(), o.Formula); !bytes.Equal(got, want) {
			t.Fatalf("the proof of %d bytes is another one, of %d bytes, after a restart", len(want), len(got))
		}
	}
}

// TestStatus tests the state of a run.
func TestStatus(t *testing.T) {
	r := serve(t, startServer(t), smallOptions())
	nc := r.s.connect()
	s, err := GetStatus(t.Context(), nc, r.o.Name)
	must(t, err)
	if s.Phase != "solving" || s.Stats.Open+s.Stats.Running != 16 || s.Answer != "UNKNOWN" || len(s.Checkers) != 1 {
		t.Errorf("%+v", s)
	}
	r.work()
	r.wait()
	if _, err := GetStatus(t.Context(), nc, r.o.Name); err == nil || !strings.Contains(err.Error(), "no coordinator serves the run") {
		t.Errorf("%v", err)
	}
}
