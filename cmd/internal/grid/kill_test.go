package grid

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/conquertest"
	"sator/internal/effort"
)

// Runs whose workers, coordinators and servers are killed. A killed process has no time
// to say anything, so its connection is closed before its context ends.

// A victim is a coordinator or a worker that can be killed.
type victim struct {
	nc     *nats.Conn
	cancel context.CancelFunc
	done   chan struct{}
	killed atomic.Bool
}

// start runs f with a connection and a context until it returns or is killed.
func start(s *testServer, f func(context.Context, *nats.Conn)) *victim {
	v := &victim{nc: s.connect(), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	v.cancel = cancel
	go func() {
		defer close(v.done)
		f(ctx, v.nc)
	}()
	return v
}

// kill closes the connection, and then waits until the process has ended.
func (v *victim) kill() {
	v.killed.Store(true)
	v.nc.Close()
	v.end()
}

// end lets the process end in order.
func (v *victim) end() {
	v.cancel()
	<-v.done
}

// A killedRun is a run with processes that are killed.
type killedRun struct {
	t        *testing.T
	s        *testServer
	o        ServeOptions
	rng      *rand.Rand
	workers  []*victim
	checkers []*victim
	coord    *victim
	answer   chan *Answer
	kills    map[string]int

	mu       sync.Mutex
	finished map[string]bool // cubes with a result
	begun    int
	again    []string // cubes that were begun though they had a result
}

// newKilledRun starts a coordinator and workers.
func newKilledRun(t *testing.T, s *testServer, seed uint64, workers int, o ServeOptions) *killedRun {
	r := &killedRun{t: t, s: s, o: o, rng: rand.New(rand.NewPCG(seed, 3)), answer: make(chan *Answer, 1), kills: map[string]int{}, finished: map[string]bool{}}
	r.o.Name = newRunName()
	if r.o.Heartbeat = 50 * time.Millisecond; o.AckWait == 0 {
		r.o.AckWait = 2 * time.Second
	}
	if testing.Verbose() {
		r.o.Log = t.Logf
	}
	r.startCoordinator()
	for range workers {
		r.workers = append(r.workers, r.startWorker())
	}
	for o.Checkers == 0 && len(r.checkers) < 2 {
		r.checkers = append(r.checkers, r.startChecker())
	}
	return r
}

func (r *killedRun) startCoordinator() {
	started := make(chan *victim, 1)
	r.coord = start(r.s, func(ctx context.Context, nc *nats.Conn) {
		a, err := Serve(ctx, nc, r.o)
		switch {
		case ctx.Err() != nil || nc.IsClosed():
		case err != nil && (<-started).killed.Load(): // while it reconnects, a closed connection can look open
		case err != nil:
			r.t.Errorf("coordinator: %v", err)
			r.answer <- &Answer{}
		default:
			r.answer <- a
			<-ctx.Done() // the connection stays for the proof
		}
	})
	started <- r.coord
}

func (r *killedRun) startWorker() *victim {
	return start(r.s, func(ctx context.Context, nc *nats.Conn) {
		err := Work(ctx, nc, MemberOptions{Name: r.o.Name, Log: r.event})
		if err != nil && !nc.IsClosed() {
			r.t.Errorf("worker: %v", err)
		}
	})
}

func (r *killedRun) startChecker() *victim {
	return start(r.s, func(ctx context.Context, nc *nats.Conn) {
		err := Check(ctx, nc, MemberOptions{Name: r.o.Name})
		if err != nil && !nc.IsClosed() {
			r.t.Errorf("checker: %v", err)
		}
	})
}

// event notes which cubes begin and end.
func (r *killedRun) event(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	cube := fmt.Sprint(e.Cube)
	switch e.Kind {
	case EventBegin:
		r.begun++
		if r.finished[cube] {
			r.again = append(r.again, cube)
		}
	case EventRefuted, EventSplit, EventSatisfied:
		r.finished[cube] = true
	case EventWarning:
		if testing.Verbose() {
			r.t.Logf("worker %s: %s", e.Worker, e.Text)
		}
	}
}

// killUntilAnswer kills processes at random, and not more than most since a slow machine would
// never end, until there is an answer. It checks the answer.
func (r *killedRun) killUntilAnswer(want dimacs.Status, server bool, most int) {
	r.t.Helper()
	timeout := time.After(patience)
	for killed := 0; ; {
		pause := time.After(time.Duration(r.rng.IntN(60)) * time.Millisecond)
		select {
		case a := <-r.answer:
			r.check(a, want)
			return
		case <-timeout:
			r.t.Fatal("the run does not end")
		case <-pause:
			if killed++; killed <= most {
				r.killOne(server)
			}
		}
	}
}

func (r *killedRun) killOne(server bool) {
	switch n := r.rng.IntN(10); {
	case n < 3 && len(r.checkers) > 0:
		i := r.rng.IntN(len(r.checkers))
		r.checkers[i].kill()
		r.checkers[i] = r.startChecker()
		r.kills["checker"]++
	case n < 6:
		i := r.rng.IntN(len(r.workers))
		r.workers[i].kill()
		r.workers[i] = r.startWorker()
		r.kills["worker"]++
	case n < 9 || !server:
		r.coord.kill()
		select {
		case <-r.answer: // its connection is closed, so it cannot write the proof
		default:
		}
		r.startCoordinator()
		r.kills["coordinator"]++
	default:
		r.s.stop()
		r.s.start()
		r.kills["server"]++
	}
}

// check checks an answer, and ends the processes.
func (r *killedRun) check(a *Answer, want dimacs.Status) {
	r.t.Helper()
	defer r.coord.end()
	for _, w := range append(r.workers, r.checkers...) {
		w.end()
	}
	if a.Status != want {
		r.t.Fatalf("%v, want %v", a.Status, want)
	}
	if want == dimacs.Satisfiable && a.Model.Falsified(r.o.Formula) >= 0 {
		r.t.Error("the model is wrong")
	}
	if want == dimacs.Unsatisfiable && r.o.segments() {
		r.checkProof(a)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.t.Logf("%d cubes, %d begun, kills %v", len(r.finished), r.begun, r.kills)
	if len(r.again) > 0 {
		r.t.Errorf("cubes that had a result were solved again: %v", r.again)
	}
}

func (r *killedRun) checkProof(a *Answer) {
	r.t.Helper()
	var file bytes.Buffer
	w := proof.NewWriter(&file, proof.BinaryLRAT, r.o.Formula.Len())
	if err := a.WriteProof(context.Background(), w); err != nil {
		r.t.Fatal(err)
	}
	must(r.t, w.Flush())
	if _, err := proof.Check(context.Background(), r.o.Formula, &file, proof.Options{Format: proof.BinaryLRAT}); err != nil {
		r.t.Error(err)
	}
}

// hardOptions returns the options of a run with some hundred cubes.
func hardOptions(seed uint64) ServeOptions {
	f := conquertest.Uniform(seed, 150, 690)
	o := ServeOptions{Formula: f, Cubes: conquertest.Tree(3, 5), Budget: 20, Share: true, Checkers: 1}
	o.Solver.Seed, o.Solver.ExchangeInterval = seed, 1000
	return o
}

// TestKills kills workers, checkers and coordinators at random moments, and the server too if
// whole: a coordinator may need ten seconds to publish the tasks that the server has lost. The
// answer and the proof are right, and no cube with a result is solved again.
func TestKills(t *testing.T) {
	seeds, kills, server := 4, 15, false
	switch {
	case testing.Short():
		seeds = 1
	case effort.Whole():
		kills, server = 40, true
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel() // most of the time passes until tasks of killed workers are sent again
			s := startServer(t)
			o := hardOptions(seed)
			switch seed % 4 {
			case 2:
				o.Checkers = 0 // other processes check
			case 3:
				o.Trust = true
			}
			r := newKilledRun(t, s, seed, 3, o)
			r.killUntilAnswer(answerOf(o.Formula), server, kills)
		})
	}
}

func answerOf(f *dimacs.Formula) dimacs.Status {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	return s.Solve(context.Background())
}
