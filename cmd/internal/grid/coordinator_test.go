package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/conquertest"
)

// The tests of the coordinator run it with real workers on a server in this process.

// patience is longer than any wait in a test that does not fail, on any machine.
const patience = 5 * time.Minute

// runs numbers the runs of all tests on shared servers.
var runs atomic.Int64

// newRunName returns the name of a run that no other test uses.
func newRunName() string { return fmt.Sprintf("r%d", runs.Add(1)) }

// gridAttempts are attempts at one problem, with a coordinator and workers that connect
// to the same server.
type gridAttempts struct {
	t      *testing.T
	s      *testServer
	name   string
	answer *Answer // of the last attempt that was ready
	p      conquertest.Problem
	known  int // refuted cubes in all attempts
}

func (a *gridAttempts) Solve(ctx context.Context, p conquertest.Problem) (conquertest.Answer, error) {
	o := ServeOptions{
		Name: a.name, Formula: p.Formula, Cubes: p.Cubes, Budget: p.Budget, Solver: p.Solver, Share: p.Share,
		Trust: p.Proof == proof.FormatUnknown, Prove: p.Proof != proof.FormatUnknown, Checkers: 1,
		Heartbeat: 100 * time.Millisecond, Progress: p.Progress,
	}
	ready := false
	o.Ready = func(int) { ready = true }
	if testing.Verbose() {
		o.Log = a.t.Logf
	}
	workers, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := Work(workers, a.s.connect(), MemberOptions{Name: a.name, Jobs: p.Workers}); err != nil {
			a.t.Errorf("worker: %v", err)
		}
	})
	defer wg.Wait()
	defer stop()
	answer, err := Serve(ctx, a.s.connect(), o)
	if err != nil {
		return conquertest.Answer{}, err
	}
	if ready {
		a.answer, a.p, a.known = answer, p, answer.Stats.Known+answer.Stats.Refuted
	} else { // ctx ended before the results were counted
		answer.Stats.Known = a.known
	}
	return conquertest.Answer{Status: answer.Status, Model: answer.Model, Stats: answer.Stats}, nil
}

func (a *gridAttempts) Proof() ([]byte, error) {
	var file bytes.Buffer
	w := proof.NewWriter(&file, a.p.Proof, a.p.Formula.Len())
	if err := a.answer.WriteProof(context.Background(), w); err != nil {
		return nil, err
	}
	err := w.Flush()
	return file.Bytes(), err
}

// TestConquer runs the conformance tests of transports over a server.
func TestConquer(t *testing.T) {
	s := startServer(t)
	conquertest.Run(t, conquertest.Transport{
		Start:  func(t *testing.T) conquertest.Attempts { return &gridAttempts{t: t, s: s, name: newRunName()} },
		Rounds: 20,
	})
}

// newTestCoordinator returns a coordinator of a small formula that has not sent a message.
func newTestCoordinator(s *testServer, run string) *coordinator {
	s.t.Helper()
	c, err := newCoordinator(s.connect(), ServeOptions{Name: run, Formula: conquertest.Uniform(1, 10, 20)}.withDefaults())
	must(s.t, err)
	return c
}

// TestSubscribeReconnects tests that a coordinator subscribes though its connection is lost
// again and again meanwhile.
func TestSubscribeReconnects(t *testing.T) {
	c := newTestCoordinator(startServer(t), newRunName())
	c.ctx = t.Context()
	for round := range 5 {
		lost := time.AfterFunc(time.Duration(round)*10*time.Microsecond, func() { c.nc.ForceReconnect() })
		if err := c.subscribe(c.names.Coordinator(), func(*nats.Msg) {}); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		lost.Stop()
	}
}

// TestStreamsWithoutChecksum tests that the streams of a run are there after each start of
// the server, with their messages, although an earlier server was killed while it created
// them, before it wrote the checksums of their configurations.
func TestStreamsWithoutChecksum(t *testing.T) {
	s := startServer(t)
	run := newRunName()
	for round := range uint64(3) {
		c := newTestCoordinator(s, run)
		var err error
		c.state, err = c.openState(t.Context())
		must(t, err)
		must(t, c.openStreams(t.Context()))
		_, err = c.js.Publish(t.Context(), c.names.Result(fmt.Sprint(round)), nil)
		must(t, err)
		s.stop()
		s.start()
		s.reconnected(c.nc)
		for _, name := range []string{"KV_" + c.names.StateBucket(), c.names.ResultsStream(), c.names.AcceptedStream(), "OBJ_" + c.names.ObjectBucket()} {
			if _, err := c.js.Stream(t.Context(), name); err != nil {
				t.Errorf("round %d: stream %s: %v", round, name, err)
			}
		}
		if info, err := c.results.stream.Info(t.Context()); err == nil && info.State.Msgs != round+1 {
			t.Errorf("round %d: %d results", round, info.State.Msgs)
		}
		c.nc.Close()
		s.stop()
		s.removeChecksums(4)
		s.start()
	}
}

// removeChecksums removes the checksums of the configurations of all n streams on disk.
func (s *testServer) removeChecksums(n int) {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "jetstream", "*", "streams", "*", "meta.sum"))
	must(s.t, err)
	if len(files) != n {
		s.t.Fatalf("the server has checksums of %d streams, want %d", len(files), n)
	}
	for _, f := range files {
		must(s.t, os.Remove(f))
	}
}

// TestTasksLostAtStart tests that a coordinator starts if the server starts again, without
// the stream TASKS, after the coordinator has created or found TASKS and before it uses the
// stream.
func TestTasksLostAtStart(t *testing.T) {
	s := startServer(t)
	run := newRunName()
	for _, when := range []string{"created", "found"} {
		c := newTestCoordinator(s, run)
		restarted := &restartingStreams{JetStream: c.js, s: s, nc: c.nc}
		c.js = restarted
		if err := c.startTasks(t.Context()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := c.js.Consumer(t.Context(), c.names.TasksStream(), c.names.TasksConsumer()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if !restarted.done {
			t.Errorf("%s: the server has not started again", when)
		}
	}
}

// TestResumedWithoutResults tests that workers are told to look for the result of a task if
// an earlier coordinator may have given the task out, although it was killed together with
// the server before there was a result.
func TestResumedWithoutResults(t *testing.T) {
	s := startServer(t)
	run := newRunName()
	for _, resumed := range []bool{false, true} {
		c := newTestCoordinator(s, run)
		var err error
		c.state, err = c.openState(t.Context())
		must(t, err)
		for _, step := range []func(context.Context) error{c.openStreams, c.open, c.startTasks} {
			must(t, step(t.Context()))
		}
		if careful := time.Now().Before(c.tasks.careful); careful != resumed || c.tasks.paused != resumed {
			t.Errorf("resumed %v: careful %v, paused %v", resumed, careful, c.tasks.paused)
		}
		c.nc.Close()
		s.stop()
		s.start()
	}
}

// A restartingStreams starts the server again after the first stream that it has found or
// created.
type restartingStreams struct {
	jetstream.JetStream
	s    *testServer
	nc   *nats.Conn
	done bool
}

func (r *restartingStreams) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	s, err := r.JetStream.Stream(ctx, name)
	return s, r.restart(err)
}

func (r *restartingStreams) CreateStream(ctx context.Context, config jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := r.JetStream.CreateStream(ctx, config)
	return s, r.restart(err)
}

// restart starts the server again unless there is an error, which it returns.
func (r *restartingStreams) restart(err error) error {
	if err == nil && !r.done {
		r.done = true
		r.s.stop()
		r.s.start()
		r.s.reconnected(r.nc) // a request to the old server would only end by its time limit
	}
	return err
}

// TestCatchLimit checks that limits of solvers become errors and other panics go on.
func TestCatchLimit(t *testing.T) {
	caught := func(v any) (err error) {
		defer catchLimit(&err)
		if v != nil {
			panic(v)
		}
		return nil
	}
	memory := &dimacs.MemoryError{Bytes: 1}
	for _, want := range []error{nil, cdcl.ErrFull, memory} {
		if got := caught(any(want)); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	for _, v := range []any{"text", errors.New("another error")} {
		func() {
			defer func() {
				if p := recover(); p != v {
					t.Errorf("panic with %v, want %v", p, v)
				}
			}()
			t.Errorf("%v became the error %v", v, caught(v))
		}()
	}
}
