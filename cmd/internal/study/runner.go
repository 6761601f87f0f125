package study

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"sator/dimacs/file"
)

// Several workers execute the runs of a plan; the rows are written in the order
// of the plan.
//
// A worker takes the first run that is not taken and may start: a run of a
// chain may start when the previous run of the chain is done. Results wait
// until all earlier rows are written. A window bounds the distance between the
// first missing row and the last started run, so results do not accumulate
// behind a long run.

// window is the maximum distance of a started run from the first run that is
// not written.
const window = 4096

// flushEvery is the interval for writing rows. Work after the last write is repeated if
// the process is killed.
const flushEvery = 200 * time.Millisecond

// A Runner executes the runs of a plan.
type Runner struct {
	Plan *Plan
	Dir  string     // directory of the rows
	Disk *file.Disk // writes the files; nil for that of the system
	Jobs int        // number of workers; 0 means one per processor

	// Build, if not empty, describes the program in the report.
	Build string

	// Untimed sets the times in the rows to 0, so that the files of two
	// executions are equal.
	Untimed bool

	// Progress, if not nil, is called with the number of rows at the start and
	// after each new row.
	Progress func(done int)
}

// A task is a run to execute.
type task struct {
	run   *Run
	chain *chain // nil if the run is independent

	// old is the existing row of a run that is repeated to reconstruct the
	// weights of its chain.
	old *Row

	taken, done bool
	row         *Row
	crash       string
}

// A chain is a sequence of runs that share their weights, so they are executed
// one after the other.
type chain struct {
	weights Weights
	busy    bool
}

// Do executes the runs that have no row yet and returns all rows. If ctx is
// done, Do returns its cause; the next call with the same plan and directory
// continues after the rows written.
func (r *Runner) Do(ctx context.Context) (rows []*Row, err error) {
	rec, err := openStore(r.Disk, r.Plan, r.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := rec.close(); err == nil {
			err = closing
		}
	}()
	s := &schedule{untimed: r.Untimed}
	s.changed.L = &s.mu
	s.plan(r.Plan, rec.rows)
	if len(s.tasks) > 0 {
		if err := rec.addBuild(r.Build); err != nil {
			return nil, err
		}
	}
	r.progress(len(rec.rows))
	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer context.AfterFunc(ctx, s.stop)()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() { s.work(ctx, r.Plan.study) })
	}
	err = r.collect(ctx, s, rec)
	cancel(err)
	s.stop()
	workers.Wait()
	return rec.rows, err
}

func (r *Runner) progress(done int) {
	if r.Progress != nil {
		r.Progress(done)
	}
}

// collect writes the rows in order.
func (r *Runner) collect(ctx context.Context, s *schedule, rec *store) error {
	flushed := time.Now()
	for {
		t := s.next()
		switch {
		case t == nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case t == nil:
			return rec.flush()
		case t.crash != "":
			panic(t.crash)
		case t.old != nil && !t.row.same(t.old):
			return fmt.Errorf("row %d is not reproducible: another version of the program made it", t.run.number+1)
		}
		if t.old == nil {
			if err := rec.add(t.row); err != nil {
				return err
			}
			r.progress(len(rec.rows))
		}
		if time.Since(flushed) > flushEvery {
			flushed = time.Now()
			if err := rec.flush(); err != nil {
				return err
			}
		}
	}
}

// A schedule is the shared state of the workers.
type schedule struct {
	untimed bool

	mu      sync.Mutex
	changed sync.Cond
	tasks   []*task // tasks not yet written, in order
	from    int     // all tasks before this index are taken
	stopped bool
}

// plan lists the tasks: the runs without a row, and the earlier runs of their chains.
func (s *schedule) plan(p *Plan, rows []*Row) {
	chainOf := func(run *Run) string {
		if p.study.chain == nil {
			return ""
		}
		return p.study.chain(run)
	}
	chains := map[string]*chain{}
	for _, run := range p.runs[len(rows):] {
		if name := chainOf(run); name != "" {
			chains[name] = new(chain)
		}
	}
	for i, run := range p.runs {
		t := &task{run: run, chain: chains[chainOf(run)]}
		if i < len(rows) {
			t.old = rows[i]
		}
		if t.old == nil || t.chain != nil {
			s.tasks = append(s.tasks, t)
		}
	}
}

// stop wakes all waiting workers and makes them return.
func (s *schedule) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.changed.Broadcast()
}

// next waits until the first task is done and removes it. It returns nil if no
// task is left or the schedule is stopped.
func (s *schedule) next() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.tasks) > 0 && !s.tasks[0].done && !s.stopped {
		s.changed.Wait()
	}
	if len(s.tasks) == 0 || !s.tasks[0].done {
		return nil
	}
	t := s.tasks[0]
	s.tasks[0] = nil
	s.tasks = s.tasks[1:]
	s.from = max(0, s.from-1)
	s.changed.Broadcast()
	return t
}

// take waits for a task that may start. It returns nil if all tasks are taken
// or the schedule is stopped.
func (s *schedule) take() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped {
		for s.from < len(s.tasks) && s.tasks[s.from].taken {
			s.from++
		}
		if s.from == len(s.tasks) {
			return nil
		}
		if t := s.ready(); t != nil {
			t.taken = true
			if t.chain != nil {
				t.chain.busy = true
			}
			return t
		}
		s.changed.Wait()
	}
	return nil
}

// ready returns the first task that may start.
func (s *schedule) ready() *task {
	for _, t := range s.tasks[s.from:min(len(s.tasks), window)] {
		if !t.taken && (t.chain == nil || !t.chain.busy) {
			return t
		}
	}
	return nil
}

// work executes tasks until none is left, on a thread of its own, whose processor
// time is measured.
func (s *schedule) work(ctx context.Context, study *Study) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b := newCache()
	for {
		t := s.take()
		if t == nil {
			return
		}
		t.do(ctx, study, b, s.untimed)
		s.mu.Lock()
		if t.chain != nil {
			t.chain.busy = false
		}
		t.done = ctx.Err() == nil // an interrupted run has no row
		s.changed.Broadcast()
		s.mu.Unlock()
	}
}

// do executes the run. A panic is stored and raised again by the goroutine that
// collects the rows.
func (t *task) do(ctx context.Context, study *Study, b *cache, untimed bool) {
	defer func() {
		if p := recover(); p != nil {
			t.crash = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	var weights *Weights
	if t.chain != nil {
		weights = &t.chain.weights
	}
	begin := processorTime()
	o := study.measure(ctx, b, t.run, weights)
	if o.Seconds == 0 {
		o.Seconds = (processorTime() - begin).Seconds()
	}
	if untimed {
		o.Seconds = 0
	}
	t.row = &Row{t.run, o}
}
