package grid

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sator/dimacs/proof"
	"sator/dpll/portfolio/conquertest"
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
		if err := Work(workers, a.s.connect(), WorkOptions{Name: a.name, Jobs: p.Workers}); err != nil {
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

// TestCreateTasksTwice tests that a coordinator starts if the request of an earlier one
// creates TASKS while it starts.
func TestCreateTasksTwice(t *testing.T) {
	s := startServer(t)
	name := newRunName()
	for range 2 {
		c, err := newCoordinator(s.connect(), ServeOptions{Name: name, Formula: conquertest.Uniform(1, 10, 20)}.withDefaults())
		must(t, err)
		_, err = c.createTasks(t.Context())
		must(t, err)
	}
}
