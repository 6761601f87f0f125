package study

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Several workers do the runs of a plan, and their rows are written in its order.
//
// A worker takes the first run that nobody has taken and that may begin: a run of
// a lane may when the one before it in the lane is done. What is done waits until
// all before it is written. How far ahead of that workers go is bounded, so that
// a long run does not let the others pile up.

// window is how many runs may be begun ahead of the first that is not written.
const window = 4096

// flushEvery and saveEvery are how long rows and weights wait to be written: what
// is lost when the process is killed has to be done once more.
const (
	flushEvery = 200 * time.Millisecond
	saveEvery  = 3 * time.Second
)

// A Runner does the runs of a plan.
type Runner struct {
	Plan *Plan
	Dir  string // where the rows are, and will be
	Jobs int    // workers; 0 stands for one for each processor

	// Build, if not empty, says in the report what made the rows.
	Build string

	// Untimed leaves the times out of the rows, so that those of two runs can be
	// compared byte by byte.
	Untimed bool

	// Progress, if not nil, is called with the number of rows that there are, at
	// the beginning and after each one more.
	Progress func(done int)
}

// A task is a run that is to be done.
type task struct {
	run  *Run
	lane *lane // nil if it is for itself

	// old is the row that there is already: the run is repeated for what it does
	// to its lane.
	old *Row

	taken, done bool
	row         *Row
	after       *Weights // a copy of those of the lane behind the run
	crash       string
}

// A lane is a sequence of runs that add to the same weights.
type lane struct {
	name    string
	weights *Weights
	busy    bool
	saved   laneState // behind the last row written
}

// Do does the runs that have no row yet and returns all rows. Once ctx is done it
// returns its cause; what is written is gone on with by the next call with the
// same plan and folder.
func (r *Runner) Do(ctx context.Context) (rows []*Row, err error) {
	rec, err := openRecorder(r.Plan, r.Dir)
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
	if err := s.plan(r.Plan, rec); err != nil {
		return nil, err
	}
	if len(s.tasks) > 0 {
		if err := rec.sign(r.Build); err != nil {
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

// collect writes the rows as they come.
func (r *Runner) collect(ctx context.Context, s *schedule, rec *recorder) error {
	flushed, saved := time.Now(), time.Now()
	save := func() error {
		saved = time.Now()
		return rec.saveLanes(s.states())
	}
	for {
		t := s.next()
		switch {
		case t == nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case t == nil:
			if len(s.lanes) > 0 {
				return save()
			}
			return rec.flush()
		case t.crash != "":
			panic(t.crash)
		case t.old != nil && !t.row.same(t.old):
			return fmt.Errorf("row %d does not come out the same once more: it was made by another version of the program", t.run.number+1)
		}
		if t.lane != nil {
			t.lane.saved = laneState{t.lane.saved.Runs + 1, t.after}
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
		if len(s.lanes) > 0 && time.Since(saved) > saveEvery {
			if err := save(); err != nil {
				return err
			}
		}
	}
}

// A schedule is what workers share.
type schedule struct {
	untimed bool

	mu      sync.Mutex
	changed sync.Cond
	tasks   []*task // in order, those not written yet
	from    int     // tasks before it are taken
	lanes   map[string]*lane
	stopped bool
}

// plan lists the tasks: the runs without a row, and those whose effect on a lane
// was not saved.
func (s *schedule) plan(p *Plan, rec *recorder) error {
	s.lanes = map[string]*lane{}
	saved, err := rec.loadLanes()
	if err != nil {
		return err
	}
	done := map[string]int{}
	for i, run := range p.runs {
		t := &task{run: run}
		if i < len(rec.rows) {
			t.old = rec.rows[i]
		}
		if p.study.lane != nil {
			if name := p.study.lane(run); name != "" {
				t.lane = s.lane(name, saved)
				done[name]++
			}
		}
		if t.old == nil || t.lane != nil && done[t.lane.name] > t.lane.saved.Runs {
			s.tasks = append(s.tasks, t)
		}
	}
	for name, l := range s.lanes {
		if l.saved.Runs > done[name] {
			return fmt.Errorf("%s is ahead of the rows", weightsFile)
		}
	}
	return nil
}

// lane returns the lane of a name.
func (s *schedule) lane(name string, saved map[string]laneState) *lane {
	if s.lanes[name] == nil {
		l := &lane{name: name, weights: new(Weights), saved: saved[name]}
		if l.saved.Weights != nil {
			l.weights = l.saved.Weights.clone()
		}
		s.lanes[name] = l
	}
	return s.lanes[name]
}

// states returns how far the lanes have come that have begun.
func (s *schedule) states() map[string]laneState {
	states := map[string]laneState{}
	for name, l := range s.lanes {
		if l.saved.Runs > 0 {
			states[name] = l.saved
		}
	}
	return states
}

// stop makes everyone stop waiting.
func (s *schedule) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.changed.Broadcast()
}

// next waits for the first task to be done and takes it out; nil if there is none
// left, or if the schedule was stopped.
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

// take waits for a task that may begin; nil if there will be none.
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
			if t.lane != nil {
				t.lane.busy = true
			}
			return t
		}
		s.changed.Wait()
	}
	return nil
}

// ready returns the first task that may begin.
func (s *schedule) ready() *task {
	for _, t := range s.tasks[s.from:min(len(s.tasks), window)] {
		if !t.taken && (t.lane == nil || !t.lane.busy) {
			return t
		}
	}
	return nil
}

// work does tasks until there are none left.
func (s *schedule) work(ctx context.Context, study *Study) {
	b := newBench()
	for {
		t := s.take()
		if t == nil {
			return
		}
		t.do(ctx, study, b, s.untimed)
		s.mu.Lock()
		if t.lane != nil {
			t.lane.busy = false
		}
		t.done = ctx.Err() == nil // what was interrupted is no row
		s.changed.Broadcast()
		s.mu.Unlock()
	}
}

// do does the run. A panic is kept for the goroutine that collects.
func (t *task) do(ctx context.Context, study *Study, b *bench, untimed bool) {
	defer func() {
		if p := recover(); p != nil {
			t.crash = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	var weights *Weights
	if t.lane != nil {
		weights = t.lane.weights
	}
	begin := time.Now()
	o := study.measure(ctx, b, t.run, weights)
	if o.Seconds == 0 {
		o.Seconds = time.Since(begin).Seconds()
	}
	if untimed {
		o.Seconds = 0
	}
	t.row = &Row{t.run, o}
	if weights != nil {
		t.after = weights.clone()
	}
}
