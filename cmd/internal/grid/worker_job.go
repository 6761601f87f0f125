package grid

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// A process is a call of [Work] or [Check].
type process struct {
	*member
	opts     MemberOptions
	jobs     []*job
	formulas formulaCache
}

// A job solves cubes or checks proofs, one session after the other.
type job struct {
	p    *process
	name string

	// Of the session; used by the goroutine of the job alone.
	welcome  *Welcome
	session  string
	solver   Solver
	proof    *session.Writer   // nil if no segments are sent
	pending  []*pendingSegment // segments that no stored result has
	finished int               // cubes
	tasks    jetstream.Consumer
	wait     pause // after failed requests for a task

	mu    sync.Mutex // guards the fields below
	end   context.CancelCauseFunc
	state jobState
	port  *port // of the session, nil if it shares no clauses
}

// A jobState is the part of a job that is published, and the current task.
type jobState struct {
	run, session string
	beat, wait   time.Duration      // of the run
	task         jetstream.Msg      // of the current cube, or nil
	wake         context.CancelFunc // ends the current request for a task
	hash         string             // of the current cube, or empty
	literals     int                // of the current cube
	cancel       context.CancelFunc
	since        time.Time // begin of the cube or of the idle time
	idle         string    // why the job is idle
	cubes        int64     // that the job has finished
	conflicts    int64     // in all cubes
}

// newProcess returns a process whose jobs do not run yet.
func newProcess(m *member, o MemberOptions) *process {
	jobs := max(o.Jobs, 1)
	p := &process{member: m, opts: o, formulas: formulaCache{objects: m.objects, dir: o.CacheDir, memory: o.Memory, jobs: jobs}}
	for i := range jobs {
		name := m.name
		if jobs > 1 {
			name = fmt.Sprintf("%s-%d", m.name, i+1)
		}
		p.jobs = append(p.jobs, &job{p: p, name: name})
	}
	return p
}

// run runs one session after the other. The error ends the process.
func (j *job) run(ctx context.Context) error {
	for {
		err := j.runSession(ctx)
		memory := (*dimacs.MemoryError)(nil)
		fatal := (*fatalError)(nil)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &fatal):
			return err
		case errors.As(err, &memory) && j.finished == 0:
			return &fatalError{fmt.Errorf("the memory suffices for no cube: %w", err)}
		case errors.Is(err, errAnswered) && !j.p.opts.Stay:
			return nil
		}
		j.p.notef(j.name, EventNote, "the session ends: %v", err)
		if !sleep(ctx, jitter(time.Second)) {
			return nil
		}
	}
}

// runSession says hello, and then solves tasks or checks proofs until the session ends. The
// error says why it ended.
func (j *job) runSession(parent context.Context) (err error) {
	ctx, end := context.WithCancelCause(parent)
	defer end(nil)
	defer catchPanic(&err)
	defer j.closeSession()
	j.openSession(end)
	if j.welcome, err = j.p.hello(ctx, j.name, j.session, j.p.opts.Stay); err != nil {
		return err
	}
	j.update(func(s *jobState) {
		s.run, s.beat, s.wait, s.idle = j.welcome.Run, j.welcome.Beat, j.welcome.Wait, "loading the formula"
	})
	if j.p.role == RoleChecker {
		return j.serveChecks(ctx)
	}
	if err := j.startSolver(ctx); err != nil {
		return err
	}
	return j.solveTasks(ctx)
}

// catchPanic sets err if a solver panicked with an error value: the memory is used up, or
// the clauses exceed the limits of a solver. Errors of the program itself are not caught.
func catchPanic(err *error) {
	v := recover()
	if v == nil {
		return
	}
	e, ok := v.(error)
	if _, bug := v.(runtime.Error); bug || !ok {
		panic(v)
	}
	if *err = e; !errors.As(e, new(*dimacs.MemoryError)) {
		*err = &fatalError{e}
	}
}

// openSession begins a session with a new name.
func (j *job) openSession(end context.CancelCauseFunc) {
	j.session, j.finished = nuid.Next(), 0
	j.mu.Lock()
	defer j.mu.Unlock()
	j.end = end
	j.state.session, j.state.run = j.session, ""
	j.state.since, j.state.idle = time.Now(), "waiting for a coordinator"
}

// closeSession says that the session ends, and frees its solver and segments.
func (j *job) closeSession() {
	j.publishPresence(true)
	for _, s := range j.pending {
		s.close()
	}
	if j.proof != nil {
		_ = j.proof.Close()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.solver, j.proof, j.pending, j.port, j.state.run = nil, nil, nil, nil, ""
}

// update changes the published state.
func (j *job) update(change func(*jobState)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.state)
}

// startSolver makes the solver of a session. A solver that comes from the options of Work
// needs no formula.
func (j *job) startSolver(ctx context.Context) error {
	w := j.welcome
	if j.p.opts.Solver != nil {
		j.solver = j.p.opts.Solver(w)
		return nil
	}
	f, err := j.p.formulas.load(ctx, j.p.member, w.Formula)
	if err != nil {
		return err
	}
	o, err := w.Options.Solver()
	if err != nil {
		return &fatalError{err}
	}
	o.Memory = j.p.opts.Memory
	wo := portfolio.WorkerOptions{Vars: w.Formula.Vars}
	if w.Segments {
		j.proof = session.NewWriter(session.WriterOptions{Clauses: f.Len(), Vars: w.Formula.Vars, Dir: j.p.opts.TempDir})
		o.Proof = j.proof
	}
	if w.Share {
		port := newPort(j.session, w.Formula.Vars, j.proof)
		o.Exchange = port
		if j.proof != nil {
			wo.Pin = port.pin
		}
		j.mu.Lock()
		j.port = port
		j.mu.Unlock()
	}
	return j.newWorker(ctx, f, o, wo)
}

// newWorker gives the formula to a new solver.
func (j *job) newWorker(ctx context.Context, f *dimacs.Formula, o cdcl.Options, wo portfolio.WorkerOptions) error {
	wo.Solver = o
	w := portfolio.NewWorker(ctx, f, wo)
	if w == nil {
		return context.Cause(ctx)
	}
	j.solver = w
	return nil
}

// solveTasks pulls and solves tasks until the session ends, and returns why.
func (j *job) solveTasks(ctx context.Context) error {
	j.becomeIdle("waiting for a task")
	for {
		m, why, err := j.nextTask(ctx)
		switch {
		case err != nil:
			return err
		case m != nil:
			err = j.doTask(ctx, m)
		default:
			j.stayIdle(why)
			err = j.lookForAnswer(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// doTask solves the cube of a task and publishes the result. The error ends the session.
func (j *job) doTask(ctx context.Context, m jetstream.Msg) error {
	t, err := j.decodeTask(m)
	if t == nil {
		return err
	}
	cubeCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	j.beginTask(m, t.Task.Cube, cancel)
	defer j.becomeIdle("waiting for a task")
	if t.Again || deliveredBefore(m) {
		switch ended, err := j.hasResult(ctx, t.Task.Cube); {
		case err != nil:
			_ = m.Nak()
			return err
		case ended:
			j.acknowledge(m)
			return nil
		}
	}
	j.cubeEvent(EventBegin, t.Task.Cube)
	kind, err := j.solveAndPublish(ctx, cubeCtx, t)
	switch kind {
	case EventReturned:
		_ = m.Nak()
	default:
		j.acknowledge(m)
		j.finished++
		j.update(func(s *jobState) { s.cubes++ })
	}
	j.cubeEvent(kind, t.Task.Cube)
	return err
}

// hasResult reports whether a cube has a result. It asks until the server answers: without
// the server, the own result could not be published either.
func (j *job) hasResult(ctx context.Context, cube []dimacs.Lit) (bool, error) {
	var wait pause
	for {
		_, found, err := j.storedResult(ctx, CubeHash(cube))
		switch {
		case err == nil:
			return found, nil
		case errors.Is(err, nats.ErrConnectionClosed):
			return false, &fatalError{err}
		case !wait.sleep(ctx):
			return false, context.Cause(ctx)
		}
	}
}

// deliveredBefore reports whether the server has delivered a task before.
func deliveredBefore(m jetstream.Msg) bool {
	meta, err := m.Metadata()
	return err != nil || meta.NumDelivered > 1
}

func (j *job) cubeEvent(kind EventKind, cube portfolio.Literals) {
	j.p.event(Event{Worker: j.name, Kind: kind, Cube: cube})
}

// decodeTask returns the task of a message, or nil if it is malformed or belongs to
// another run. In the first case the message is logged and dropped.
func (j *job) decodeTask(m jetstream.Msg) (*TaskMessage, error) {
	var t TaskMessage
	err := Decode(m.Data(), &t)
	if err == nil && t.Run != j.welcome.Run {
		_ = m.Nak()
		return nil, errOtherRun
	}
	if err == nil {
		err = j.checkTask(&t.Task)
	}
	if err != nil {
		j.p.notef(j.name, EventWarning, "a task is dropped: %v", err)
		_ = m.Term()
		return nil, nil
	}
	return &t, nil
}

// checkTask returns an error if a task has another formula or a variable that the run
// lacks.
func (j *job) checkTask(t *portfolio.Task) error {
	if t.Formula != j.welcome.Sum {
		return errors.New("the checksum of its formula differs")
	}
	for _, l := range t.Cube {
		if v := l.Var().Int(); v > j.welcome.Formula.Vars {
			return fmt.Errorf("its cube has variable %d: the formula has %d", v, j.welcome.Formula.Vars)
		}
	}
	return nil
}

// solveAndPublish solves a cube and returns the kind of its end. If the result is not
// published because the session ends, the kind is EventReturned, and the error says why
// it ends.
func (j *job) solveAndPublish(ctx, cubeCtx context.Context, t *TaskMessage) (EventKind, error) {
	res, err := j.solve(cubeCtx, t.Task)
	decided := res.Status != dimacs.Unknown || len(res.Split) > 0
	j.update(func(s *jobState) { s.conflicts += max(res.Conflicts, 0) })
	switch {
	case err != nil:
		return EventReturned, err
	case decided:
		return j.publish(ctx, res)
	case ctx.Err() != nil:
		return EventReturned, context.Cause(ctx)
	case cubeCtx.Err() != nil:
		return EventCancelled, nil
	}
	return EventReturned, &fatalError{fmt.Errorf("the solver has no result for the cube %v", t.Task.Cube)}
}

// solve solves a cube. The error is a [*dimacs.MemoryError] or a [*fatalError].
func (j *job) solve(ctx context.Context, t portfolio.Task) (res portfolio.Result, err error) {
	defer catchPanic(&err)
	return j.solver.Solve(ctx, t), nil
}

// beginTask makes a task the current one.
func (j *job) beginTask(m jetstream.Msg, cube []dimacs.Lit, cancel context.CancelFunc) {
	j.mu.Lock()
	wasIdle := time.Since(j.state.since) > j.welcome.Beat/2
	s := &j.state
	s.task, s.hash, s.literals, s.cancel, s.since, s.idle = m, CubeHash(cube), len(cube), cancel, time.Now(), ""
	j.mu.Unlock()
	if wasIdle {
		j.publishPresence(false)
	}
}

// becomeIdle ends the current task.
func (j *job) becomeIdle(why string) {
	j.update(func(s *jobState) {
		s.task, s.hash, s.literals, s.cancel, s.since, s.idle = nil, "", 0, nil, time.Now(), why
	})
}

// stayIdle sets the reason of the idle time.
func (j *job) stayIdle(why string) { j.update(func(s *jobState) { s.idle = why }) }

// acknowledge removes a task from the queue. The result is stored, so a lost
// acknowledgement costs only a look for the result.
func (j *job) acknowledge(m jetstream.Msg) {
	ctx, cancel := context.WithTimeout(context.Background(), ackTime)
	defer cancel()
	if err := m.DoubleAck(ctx); err != nil {
		_ = m.Ack()
	}
}

// ackTime bounds the wait for the server's answer to an acknowledgement.
const ackTime = 2 * time.Second

// reportProgress sends a sign of progress for the current task to the server.
func (j *job) reportProgress() {
	j.mu.Lock()
	m := j.state.task
	j.mu.Unlock()
	if m != nil {
		_ = m.InProgress()
	}
}

// obey applies a message of the coordinator.
func (j *job) obey(c *Cancel) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.end == nil || c.Run != j.state.run {
		return
	}
	reason, excluded := c.Excluded[j.name]
	switch {
	case excluded:
		j.end(&fatalError{&RefusedError{j.name, reason}})
	case c.Stop != "":
		j.end(fmt.Errorf("%w: %s", errAnswered, c.Stop))
	case slices.Contains(c.Sessions, j.state.session):
		j.end(errRenewed)
	case j.state.hash != "" && slices.Contains(c.Cubes, j.state.hash):
		j.state.cancel()
	}
}

// sleep waits for a duration. It reports false if ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// jitter returns a random duration from half of d to d.
func jitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }
