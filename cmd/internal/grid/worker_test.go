package grid

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
)

func TestWorkRefutes(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(5)
	c := newFakeCoordinator(t, s.connect(), f)
	c.setWelcome(func(w *Welcome) { w.Segments, w.Share = true, true })
	w := startWorker(t, s.connect(), MemberOptions{MemberName: "w"})
	check, err := session.NewChecker(f, f.Vars(), nil)
	must(t, err)
	cubes := [][]int{{1, 7}, {1, -7}, {-1, 2}, {-1, -2}}
	for _, cube := range cubes {
		c.give(cube...)
		m := c.result(cube...)
		if m.Result.Status != dimacs.Unsatisfiable || m.Worker != "w" || m.Run != testRun {
			t.Fatalf("result %+v", m)
		}
		for _, ref := range m.Segments {
			if _, err := check.Check(t.Context(), ref.Header, bytes.NewReader(ref.Data)); err != nil {
				t.Fatal(err)
			}
		}
		if err := check.Refutes(m.Result.Cube, m.Result.Failed, m.Result.Clause); err != nil {
			t.Fatal(err)
		}
		if len(m.Result.Failed) == 0 {
			break
		}
	}
	c.waitForTasks(0)
	c.cancel(Cancel{Stop: "refuted"})
	must(t, w.end())
}

func TestWorkFindsModel(t *testing.T) {
	t.Parallel() // it waits for requestTime
	s := startServer(t)
	f := dimacs.NewFormula(8_200)
	for v := 1; v < 100; v++ {
		f.Add(dimacs.FromInt(-v), dimacs.FromInt(v+1))
	}
	c := newFakeCoordinator(t, s.connect(), f)
	w := startWorker(t, s.connect(), MemberOptions{Jobs: 2, CacheDir: t.TempDir()})
	c.give(1)
	m := c.result(1)
	if m.Model == nil || len(m.Result.Model) > 0 || !strings.HasSuffix(m.Worker, "-1") && !strings.HasSuffix(m.Worker, "-2") {
		t.Fatalf("result %+v", m)
	}
	b, err := c.objects.getBytes(t.Context(), *m.Model, 1<<20)
	must(t, err)
	var lits portfolio.Literals
	if err := json.Unmarshal(b, &lits); err != nil || len(lits) != 8_200 {
		t.Fatalf("a model with %d literals, %v", len(lits), err)
	}
	answer := Encode(&AnswerRecord{Version: Version, Run: testRun, Status: dimacs.Satisfiable})
	kv, err := c.js.KeyValue(t.Context(), c.names.StateBucket())
	must(t, err)
	_, err = kv.Create(t.Context(), KeyAnswer, answer)
	must(t, err)
	s.stop() // a worker that has no connection when the run ends looks for the answer later
	s.start()
	must(t, w.end())
}

func TestWorkDrain(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	solving := make(chan bool)
	blocked := solvedBy(func(ctx context.Context, task portfolio.Task) portfolio.Result {
		solving <- true
		<-ctx.Done()
		return portfolio.Result{Formula: task.Formula, Cube: task.Cube}
	})
	w := startWorker(t, s.connect(), MemberOptions{Solver: blocked})
	c.give(1)
	<-solving
	w.cancel()
	must(t, w.end())
	w.wait(EventReturned)
	// The server would wait a minute for a worker that ends without handing back.
	next := startWorker(t, s.connect(), MemberOptions{Solver: solvedBy(func(_ context.Context, task portfolio.Task) portfolio.Result { return refutedResult(task) })})
	begin := time.Now()
	next.wait(EventRefuted)
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("the cube was handed back after %v", d)
	}
}

func TestWorkCancel(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	var seen atomic.Int64
	solver := solvedBy(func(ctx context.Context, task portfolio.Task) portfolio.Result {
		if seen.Add(1) == 1 {
			<-ctx.Done()
			return portfolio.Result{Formula: task.Formula, Cube: task.Cube}
		}
		return refutedResult(task)
	})
	w := startWorker(t, s.connect(), MemberOptions{Solver: solver})
	c.give(1)
	w.wait(EventBegin)
	must(t, c.nc.Publish(c.names.Cancel(), []byte(`{"garbage`))) // logged and dropped
	c.cancel(Cancel{Cubes: []string{CubeHash(literals(1))}})
	w.wait(EventCancelled)
	c.waitForTasks(0)
	c.give(2)
	c.result(2)
	c.cancel(Cancel{Excluded: map[string]string{"another": "x"}})
	c.give(3)
	e := w.wait(EventRefuted)
	c.cancel(Cancel{Excluded: map[string]string{e.Worker: "a wrong result"}})
	var refused *RefusedError
	if err := w.end(); !errors.As(err, &refused) || refused.Reason != "a wrong result" {
		t.Fatalf("an excluded worker ends with %v", err)
	}
}

func TestWorkRenews(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(5))
	c.setWelcome(func(w *Welcome) { w.Segments = true })
	startWorker(t, s.connect(), MemberOptions{})
	c.give(1)
	first := c.result(1)
	c.cancel(Cancel{Sessions: []string{first.Session}})
	for c.helloCount() < 2 {
		time.Sleep(time.Millisecond)
	}
	c.give(2)
	if second := c.result(2); second.Session == first.Session || second.Segments[0].Number != 1 {
		t.Fatalf("session %s goes on with segment %d", second.Session, second.Segments[0].Number)
	}
}

// A coordinator whose run has an answer ends workers, unless they wait for the next run.
func TestWorkEnded(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	ended := func(is bool) {
		c.setWelcome(func(w *Welcome) {
			w.Error, w.Retry, w.Ended = "", is, is
			if is {
				w.Error = "the run has ended"
			}
		})
	}
	ended(true)
	must(t, startWorker(t, s.connect(), MemberOptions{}).end())
	w := startWorker(t, s.connect(), MemberOptions{Stay: true})
	w.wait(EventNote)
	ended(false)
	c.give(1)
	w.wait(EventRefuted)
	c.cancel(Cancel{Stop: "refuted"})
	before := c.helloCount()
	for c.helloCount() == before {
		time.Sleep(time.Millisecond)
	}
	w.cancel()
	must(t, w.end())
}

// A result of another worker that was first is kept, and the lost segment is sent with
// the next result.
func TestWorkLoses(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(5)
	c := newFakeCoordinator(t, s.connect(), f)
	c.setWelcome(func(w *Welcome) { w.Segments = true })
	foreign := &ResultMessage{Version: Version, Run: testRun, Worker: "other", Session: "other",
		Result: portfolio.Result{Formula: c.welcome.Sum, Cube: literals(1, 7), Status: dimacs.Unsatisfiable, Failed: literals(1)}}
	c.store(foreign)
	w := startWorker(t, s.connect(), MemberOptions{})
	c.give(1, 7) // without Again, so that the worker does not look first
	w.wait(EventLost)
	if m := c.result(1, 7); m.Worker != "other" {
		t.Fatalf("the result of %s was replaced", m.Worker)
	}
	c.give(1, 8)
	m := c.result(1, 8)
	if len(m.Segments) != 2 || m.Segments[0].Number != 1 || m.Segments[1].Number != 2 {
		t.Fatalf("segments %+v", m.Segments)
	}
	// A task that was given out before is not solved if there is a result.
	c.giveTask(&TaskMessage{Version: Version, Run: testRun, Again: true, Task: portfolio.Task{Formula: c.welcome.Sum, Cube: literals(1, 7)}})
	c.waitForTasks(0)
	c.give(1, 9)
	w.wait(EventRefuted)
	if e := w.wait(EventBegin); !strings.Contains(CubeHash(e.Cube), CubeHash(literals(1, 9))) {
		t.Errorf("the worker began the cube %v, which has a result", e.Cube)
	}
}

// The server ends and begins again while a cube is solved. Its queue of tasks is lost.
func TestWorkServerRestart(t *testing.T) {
	t.Parallel() // it waits for requestTime
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	solving, finish := make(chan bool), make(chan bool)
	w := startWorker(t, s.connect(), MemberOptions{Solver: solvedBy(func(_ context.Context, task portfolio.Task) portfolio.Result {
		solving <- true
		<-finish
		return refutedResult(task)
	})})
	c.give(1)
	<-solving
	s.stop()
	finish <- true
	w.wait(EventWarning) // the result is not stored yet
	s.start()
	s.reconnected(c.nc)
	c.result(1)
	w.wait(EventRefuted)
	c.createTasks()
	c.give(2) // the late acknowledgement must not remove it
	<-solving
	finish <- true
	c.result(2)
	c.waitForTasks(0)
}

// A worker whose acknowledgement is lost publishes again and recognizes its own result.
func TestStoreTwice(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	m, err := newMember(s.connect(), RoleWorker, "test", "w", "", nil)
	must(t, err)
	j := &job{p: &process{member: m}, name: "w", welcome: &c.welcome, session: "s"}
	r := &ResultMessage{Version: Version, Run: testRun, Worker: "w", Session: "s", Result: refutedResult(portfolio.Task{Formula: c.welcome.Sum, Cube: literals(1)})}
	hash := CubeHash(literals(1))
	for range 2 {
		if own, err := j.store(t.Context(), hash, Encode(r)); err != nil || !own {
			t.Fatalf("own %v, error %v", own, err)
		}
	}
	r.Session = "other"
	if own, err := j.store(t.Context(), hash, Encode(r)); err != nil || own {
		t.Fatalf("a second result: own %v, error %v", own, err)
	}
}

func TestWorkHostileWelcome(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Welcome)
		want   string
	}{
		"version":   {func(w *Welcome) { w.Version = 3 }, "version 3"},
		"refused":   {func(w *Welcome) { w.Error = "excluded" }, "excluded"},
		"option":    {func(w *Welcome) { w.Options.Knobs = map[string]int{"no-such-knob": 1} }, "option"},
		"range":     {func(w *Welcome) { w.Options.Knobs = map[string]int{"decay": -1} }, "decay"},
		"path":      {func(w *Welcome) { w.Formula.SHA256 = strings.Repeat("../x", 16) }, "hash"},
		"numbers":   {func(w *Welcome) { w.Formula.Clauses++ }, "announces"},
		"too large": {func(w *Welcome) { w.Formula.Literals, w.Formula.Clauses = 1<<40, 1<<30 }, "needs about"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			f := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
			f.setWelcome(c.change)
			w := startWorker(t, s.connect(), MemberOptions{Memory: func(n int64) bool { return n < 1<<30 }})
			if err := w.end(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v: want one with %q", err, c.want)
			}
		})
	}
}

func TestWorkHostileTasks(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	w := startWorker(t, s.connect(), MemberOptions{})
	for _, b := range [][]byte{
		[]byte("garbage"), []byte("{}"), nil, bytes.Repeat([]byte("x"), 1<<19),
		Encode(&TaskMessage{Version: Version, Run: testRun, Task: portfolio.Task{Formula: "other"}}),
		Encode(&TaskMessage{Version: Version, Run: testRun, Task: portfolio.Task{Formula: c.welcome.Sum, Cube: literals(dimacs.MaxVars)}}),
		Encode(&TaskMessage{Version: 7, Run: testRun}),
	} {
		_, err := c.js.Publish(t.Context(), c.names.Task(), b)
		must(t, err)
		w.wait(EventWarning)
	}
	c.waitForTasks(0)
	for _, subject := range []string{c.names.Cancel(), c.names.Shared()} {
		must(t, c.nc.Publish(subject, []byte(`{"version":2,"run":"x"}`)))
		w.wait(EventWarning)
	}
	c.give(1)
	c.result(1)
}

// A formula in the cache is used without the server, and a damaged file is replaced.
func TestFormulaCache(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(3))
	dir := t.TempDir()
	name := filepath.Join(dir, c.welcome.Formula.SHA256+".cnf")
	load := func() error {
		m, err := newMember(s.connect(), RoleWorker, "test", "w", "", nil)
		must(t, err)
		cache := formulaCache{objects: m.objects, dir: dir, jobs: 1}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f, err := cache.load(ctx, m, c.welcome.Formula)
		if err == nil && f.Len() != c.welcome.Formula.Clauses {
			t.Errorf("a formula of %d clauses", f.Len())
		}
		return err
	}
	must(t, load())
	whole, err := os.ReadFile(name)
	must(t, err)
	for _, damaged := range [][]byte{whole[:len(whole)/2], bytes.Replace(whole, []byte("1"), []byte("2"), 1), {}} {
		must(t, os.WriteFile(name, damaged, 0o644))
		must(t, load())
		if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, whole) {
			t.Fatalf("the damaged file was not replaced: %v", err)
		}
	}
	must(t, c.js.DeleteObjectStore(t.Context(), c.names.ObjectBucket()))
	must(t, load())
	must(t, os.Remove(name))
	if err := load(); err == nil {
		t.Error("a formula that exists nowhere was loaded")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("files %v are left", files)
	}
}

// Workers come and go, and the server ends and begins again, while cubes are solved. In
// the end each cube has one result, and the segments of each session are whole.
func TestWorkChaos(t *testing.T) {
	t.Parallel() // it waits for requestTime
	const cubes, workers = 48, 3
	s := startServer(t)
	f := random3SAT(110, 480)
	c := newFakeCoordinator(t, s.connect(), f)
	c.setWelcome(func(w *Welcome) { w.Segments, w.Wait = true, 200*time.Millisecond })
	rng := rand.New(rand.NewPCG(1, 3))
	var running []*runningWorker
	giveAll := func() {
		for i := range cubes {
			cube := numberedCube(i)[:6]
			c.giveTask(&TaskMessage{Version: Version, Run: testRun, Again: true, Task: portfolio.Task{Formula: c.welcome.Sum, Cube: literals(cube...)}})
		}
	}
	giveAll()
	for round := range 6 {
		for len(running) < workers {
			running = append(running, startWorker(t, s.connect(), MemberOptions{}))
		}
		time.Sleep(time.Duration(rng.IntN(40)) * time.Millisecond)
		if round%2 == 0 {
			s.stop()
			s.start()
			s.reconnected(c.nc)
			c.createTasks()
			giveAll()
			continue
		}
		k := rng.IntN(len(running))
		running[k].cancel()
		must(t, running[k].end())
		running = append(running[:k], running[k+1:]...)
	}
	c.waitForTasks(0)
	for _, w := range running {
		w.cancel()
		must(t, w.end())
	}
	checkResults(t, c, f, cubes)
}

// checkResults checks the segments of all results in the order of RESULTS.
func checkResults(t *testing.T, c *fakeCoordinator, f *dimacs.Formula, want uint64) {
	t.Helper()
	info, err := c.results.Info(t.Context())
	must(t, err)
	if info.State.Msgs != want {
		t.Errorf("%d results of %d cubes", info.State.Msgs, want)
	}
	checkers := map[string]*session.Checker{}
	for seq := info.State.FirstSeq; seq <= info.State.LastSeq; seq++ {
		raw, err := c.results.GetMsg(t.Context(), seq)
		must(t, err)
		var m ResultMessage
		must(t, Decode(raw.Data, &m))
		check := checkers[m.Session]
		if check == nil {
			check, err = session.NewChecker(f, f.Vars(), nil)
			must(t, err)
			checkers[m.Session] = check
		}
		for _, ref := range m.Segments {
			r, err := ref.open(t.Context(), c.objects)
			must(t, err)
			if _, err := check.Check(t.Context(), ref.Header, r); err != nil {
				t.Fatalf("session %s: %v", m.Session, err)
			}
			r.Close()
		}
		if m.Result.Status == dimacs.Unsatisfiable {
			must(t, check.Refutes(m.Result.Cube, m.Result.Failed, m.Result.Clause))
		}
	}
}

// A solver that has used up the memory in a later cube is replaced, and the cube is solved
// again. If it does so in its first cube, Work returns an error.
func TestWorkMemory(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), conquertest.Pigeons(2))
	var calls atomic.Int64
	solver := func(failing int64) func(*Welcome) Solver {
		return solvedBy(func(_ context.Context, task portfolio.Task) portfolio.Result {
			if calls.Add(1) == failing {
				panic(&dimacs.MemoryError{Bytes: 1 << 30})
			}
			return refutedResult(task)
		})
	}
	w := startWorker(t, s.connect(), MemberOptions{Solver: solver(2)})
	c.give(1)
	c.result(1)
	c.give(2)
	w.wait(EventReturned)
	c.result(2)
	c.waitForTasks(0)
	w.cancel()
	must(t, w.end())
	if n := c.helloCount(); n != 2 {
		t.Errorf("%d sessions: want 2", n)
	}
	calls.Store(0)
	w = startWorker(t, s.connect(), MemberOptions{Solver: solver(1)})
	c.give(3)
	if err := w.end(); !errors.As(err, new(*dimacs.MemoryError)) {
		t.Errorf("error %v", err)
	}
}

// numberedCube returns the cube of 32 literals whose signs are the bits of i.
func numberedCube(i int) (cube []int) {
	for v := 1; v <= 32; v++ {
		sign := 1 - 2*(i&1)
		i >>= 1
		cube = append(cube, sign*v)
	}
	return cube
}
