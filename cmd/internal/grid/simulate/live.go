package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A live run confirms the model: a real coordinator, a real embedded server, and a
// connection over TCP for each worker, with a solver that sleeps for the time of its cube.
// Everything runs in this process, so that workers, server and coordinator share its
// processors. They share no processor with the work itself, because a sleeping worker
// uses no processor. So a machine with two processors can run a thousand workers, as long as the
// cubes take long enough that messages are a small part of its time: at most some hundred
// cubes a second in all. Faster workloads measure how long the two processors take for
// both ends of the messages. The model contains only the server's end.
//
// Other programs delay a live run, because a worker that should wake up waits for a
// processor. So a machine with other work should run the process with real-time priority,
// as "chrt -f 1" gives it. On a machine with two processors and a load of 16, a run with
// 1000 workers and 5000 cubes took 35.0 s without this priority, 23.3 s with it, and 23.3 s
// in the model. It takes 22 % of the processors. To use the mean time of a synchronized
// write, measured by other writes beside the run, did not help: it was between 0.2 and
// 7 ms, depending on how often it was measured, while the server stored 2,000 results a
// second.
//
// The cubes of the run are made up: the leaves of a balanced tree in the order of the
// queue, with variables of their own for splits. The formula is a random one that no
// simplification decides. Refutations are not checked, because a sleeping solver derives
// no clauses. So checkers and large segments are not part of a live run.

// LiveOptions describe a live run.
type LiveOptions struct {
	Workers int    // connections, at least 1
	Dir     string // directory of the server's store, which must not exist
}

// Predict returns the outcome of a live run in the model. There is no network but the
// loopback interface, and no formula is sent.
func (m *Measurement) Predict(w *Workload, c Costs) Outcome {
	c.Latency, c.LineMegabyte, c.Formula, c.Prepare = 0, 0, 0, 0
	return Run(w, Options{Workers: m.Workers, Costs: c})
}

// A Measurement is the result of a live run.
type Measurement struct {
	Workers    int     `json:"workers"`
	Cubes      int     `json:"cubes"`      // solved
	Makespan   float64 `json:"makespan"`   // from the start of the first cube to the answer, in seconds
	Slept      float64 `json:"slept"`      // sum of the times of all cubes, in seconds
	Efficiency float64 `json:"efficiency"` // work of the workload / (workers * makespan)
}

// Live runs a workload with sleeping workers. The workload must be closed ([Workload.Closed]). The clock starts when all workers are connected. The error is that of
// the server or of a worker, or the cause of ctx.
func Live(ctx context.Context, w *Workload, o LiveOptions) (Measurement, error) {
	if o.Workers < 1 {
		panic(fmt.Sprintf("simulate: a live run with %d workers", o.Workers))
	}
	h, err := hub.Start(hub.Config{Run: liveName, Dir: o.Dir, Listen: "127.0.0.1:0"})
	if err != nil {
		return Measurement{}, err
	}
	defer h.Close()
	nc, err := h.Connect(ctx, hub.Dial{Role: hub.Coordinator})
	if err != nil {
		return Measurement{}, err
	}
	defer nc.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := &liveRun{workload: w, index: map[string]int32{}, start: make(chan struct{}), missing: o.Workers}
	l.name()
	var group sync.WaitGroup
	defer group.Wait()
	answer, err := grid.Serve(ctx, nc, grid.ServeOptions{
		Name: liveName, Formula: l.formula(), Cubes: l.roots, Trust: true,
		Ready: func(int) {
			for range o.Workers {
				group.Go(func() {
					if err := l.work(ctx, h.URL()); err != nil {
						cancel(err)
					}
				})
			}
		},
	})
	end := time.Now()
	switch {
	case ctx.Err() != nil:
		return Measurement{}, context.Cause(ctx)
	case err != nil:
		return Measurement{}, err
	case answer.Status != dimacs.Unsatisfiable:
		return Measurement{}, fmt.Errorf("the answer is %v", answer.Status)
	}
	return l.measurement(o.Workers, end), nil
}

// liveName is the name of live runs.
const liveName = "simulate"

// A liveRun is a run with sleeping workers.
type liveRun struct {
	workload *Workload
	roots    [][]dimacs.Lit
	cubes    [][]dimacs.Lit   // by index in the workload
	index    map[string]int32 // of a cube
	vars     int              // of roots and splits

	mu      sync.Mutex // guards the fields below
	missing int        // workers that are not connected
	start   chan struct{}
	begin   time.Time
	slept   time.Duration
	solved  int // cubes
}

// name gives literals to all cubes.
func (l *liveRun) name() {
	w := l.workload
	l.cubes = make([][]dimacs.Lit, len(w.Cubes))
	l.nameRoots(w.Roots, nil)
	for i := range w.Cubes { // a half has a greater index than its parent
		l.index[keyOf(l.cubes[i])] = int32(i)
		if w.Cubes[i].Halves == [2]int32{} {
			continue
		}
		v := l.variable()
		for n, k := range w.Cubes[i].Halves {
			l.cubes[k] = append(slices.Clone(l.cubes[i]), v|dimacs.Lit(n))
		}
	}
}

// variable returns the positive literal of a new variable.
func (l *liveRun) variable() dimacs.Lit {
	l.vars++
	return dimacs.Lit(2 * (l.vars - 1))
}

// nameRoots makes roots the leaves of a balanced tree below a cube.
func (l *liveRun) nameRoots(roots []int32, cube []dimacs.Lit) {
	if len(roots) == 1 {
		l.cubes[roots[0]] = cube
		l.roots = append(l.roots, cube)
		return
	}
	v := l.variable()
	half := (len(roots) + 1) / 2
	l.nameRoots(roots[:half], append(slices.Clone(cube), v))
	l.nameRoots(roots[half:], append(slices.Clone(cube), v^1))
}

// formula returns a random unsatisfiable formula. Its variables are not in the cubes. Its clauses are so many that it has no model, and too few for a
// simplification to find that out.
func (l *liveRun) formula() *dimacs.Formula {
	const vars, clauses = 250, 1250
	random := rand.New(rand.NewPCG(1, 0))
	f := dimacs.NewFormula(l.vars + vars)
	for range clauses {
		var c []dimacs.Lit
		for _, v := range random.Perm(vars)[:3] {
			c = append(c, dimacs.Lit(2*(l.vars+v)+random.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// work runs one worker until the end of the run.
func (l *liveRun) work(ctx context.Context, url string) error {
	nc, err := hub.Connect(ctx, hub.Dial{URL: url, Role: hub.Worker, Wait: true})
	if err != nil {
		return err
	}
	defer nc.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	nc.SetClosedHandler(func(*nats.Conn) { cancel() })
	return grid.Work(ctx, nc, grid.MemberOptions{Name: liveName, Solver: func(*grid.Welcome) grid.Solver { return l.connected() }})
}

// connected is called when a worker has a session. The last one starts the clock.
func (l *liveRun) connected() *sleeper {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.missing--; l.missing == 0 {
		l.begin = time.Now()
		close(l.start)
	}
	return &sleeper{run: l}
}

// measurement returns the result of a run that ended at a time.
func (l *liveRun) measurement(workers int, end time.Time) Measurement {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := Measurement{Workers: workers, Cubes: l.solved, Makespan: end.Sub(l.begin).Seconds(), Slept: l.slept.Seconds()}
	m.Efficiency = l.workload.Work() / (m.Makespan * float64(workers))
	return m
}

// A sleeper is a solver that sleeps.
type sleeper struct{ run *liveRun }

// Solve implements [grid.Solver].
func (s *sleeper) Solve(ctx context.Context, t portfolio.Task) portfolio.Result {
	l := s.run
	r := portfolio.Result{Formula: t.Formula, Cube: t.Cube, Status: dimacs.Unknown}
	i, ok := l.index[keyOf(t.Cube)]
	if !ok {
		panic(fmt.Sprintf("simulate: the cube %v is not one of the workload", t.Cube))
	}
	select {
	case <-l.start:
	case <-ctx.Done():
		return r
	}
	begin := time.Now()
	select {
	case <-time.After(time.Duration(l.workload.Cubes[i].Seconds * float64(time.Second))):
	case <-ctx.Done():
		return r
	}
	took := time.Since(begin)
	r.Seconds = took.Seconds()
	l.mu.Lock()
	l.slept += took
	l.solved++
	l.mu.Unlock()
	if k := l.workload.Cubes[i].Halves[0]; k != 0 {
		r.Split = l.cubes[k][len(t.Cube):]
		return r
	}
	r.Status, r.Failed = dimacs.Unsatisfiable, t.Cube
	return r
}
