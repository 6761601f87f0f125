package grid

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A worker process has one connection and some jobs. Each job has a solver and solves one
// cube at a time. The life of a job:
//
//   - It says hello with the name of a new session, until a coordinator answers. The
//     answer refers to the simplified formula. The jobs of a process load it once
//     (worker_formula.go), and each job gives it to a new solver.
//   - It pulls a task, solves it, publishes the result, and acknowledges the task
//     (worker_task.go, worker_result.go). It does that until the run ends.
//   - The session ends if the coordinator asks for a new one, if a task belongs to
//     another run, or if the solver has used up the memory. The job then says hello
//     again. Only the learned clauses are lost.
//
// The guarantees, for any failure:
//
//   - A result that the server has acknowledged is never solved again, and a result
//     without acknowledgement is published again until the server accepts or refuses it.
//     The stored result is the truth. The acknowledgement of the task only saves work: if
//     it is lost, the task is delivered again, and the next worker finds the result.
//   - A worker that is killed before its result is stored loses the cube. The server
//     delivers the task again when it has received no sign of progress for the time
//     Welcome.Wait. The same happens if a worker stalls for longer; then two workers may
//     solve the cube, and the server stores the first result.
//   - No failure of the connection ends a worker. The solver continues meanwhile. All
//     requests are repeated, with growing pauses.
//   - All times are durations on the worker's own clock. Clocks of different machines are
//     never compared.
//   - Messages of the coordinator are decoded strictly. A malformed welcome ends Work with
//     an error; other malformed messages are logged and dropped.

// A Solver solves the tasks of one job one after the other.
type Solver interface {
	// Solve decides whether the formula has a model in the cube of the task, or splits
	// the cube. It returns soon after ctx has ended.
	Solve(ctx context.Context, t portfolio.Task) portfolio.Result
}

// MemberOptions configure [Work] and [Check].
type MemberOptions struct {
	Name       string // of the run; see NamesOf
	Jobs       int    // solvers or checkers; 0 is 1
	MemberName string // unique in the run; "" is a new random name. The jobs of several append "-1", "-2" and so on.
	Host       string // for people; "" is the name of this machine
	CacheDir   string // folder in which formulas are kept; "" keeps them in memory alone
	TempDir    string // folder of large proof segments; "" is that of the system

	// Memory limits all jobs together; nil is no limit.
	Memory dimacs.MemoryLimit

	// Stay waits for the next run when the run has ended.
	Stay bool

	// Solver, if not nil, returns the solver of a new session. Then no formula is
	// loaded, and no segments are sent.
	Solver func(w *Welcome) Solver

	// Log, if not nil, is called with each event. Calls do not overlap.
	Log func(Event)
}

// An EventKind is a kind of [Event].
type EventKind string

// The kinds of events. A cube begins after the look for an earlier result, and ends with
// one of the events from EventRefuted to EventLost.
const (
	EventBegin     EventKind = "begin"
	EventRefuted   EventKind = "refuted"
	EventSatisfied EventKind = "satisfied"
	EventSplit     EventKind = "split"
	EventCancelled EventKind = "cancelled"   // the coordinator does not need the result
	EventReturned  EventKind = "handed back" // the task waits for another worker
	EventLost      EventKind = "lost"        // another worker was first
	EventNote      EventKind = "note"
	EventWarning   EventKind = "warning"
)

// An Event is something that happened in a worker or a checker.
type Event struct {
	Worker string
	Kind   EventKind
	Cube   portfolio.Literals // of a cube that begins or ends
	Text   string             // of a note or a warning
}

// A RefusedError reports that the coordinator refuses a worker or a checker.
type RefusedError struct {
	Worker string
	Reason string
}

// Error implements [error].
func (e *RefusedError) Error() string {
	return fmt.Sprintf("the coordinator refuses %s: %s", e.Worker, e.Reason)
}

// Work solves cubes of a run until the run has an answer or ctx ends, and then returns
// nil. When ctx ends, it hands back the cubes that it is solving. It waits while there is
// no coordinator or no connection; nc must reconnect for ever, and the caller closes it.
//
// The error is a [*RefusedError], a [*dimacs.MemoryError] if not even one cube can be
// solved within the memory, or reports a malformed welcome or a formula that cannot be
// read. Work panics if Jobs is negative.
func Work(ctx context.Context, nc *nats.Conn, o MemberOptions) error {
	return runProcess(ctx, nc, RoleWorker, o)
}

// runProcess runs the jobs of a worker or a checker process.
func runProcess(ctx context.Context, nc *nats.Conn, role string, o MemberOptions) error {
	if o.Jobs < 0 {
		panic(fmt.Sprintf("grid: %d jobs", o.Jobs))
	}
	m, err := newMember(nc, role, o.Name, o.MemberName, o.Host, o.Log)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := newProcess(m, o)
	stop, err := p.listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	var group sync.WaitGroup
	for _, j := range p.jobs {
		group.Go(func() {
			if err := j.run(ctx); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	return ended(context.Cause(ctx))
}

// ended returns the error of a role that ended for a reason: nil if its context was
// canceled or timed out, or all jobs ended.
func ended(cause error) error {
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		return nil
	}
	if fatal := (*fatalError)(nil); errors.As(cause, &fatal) {
		return fatal.err
	}
	return nil
}

// A fatalError ends a worker or a checker.
type fatalError struct{ err error }

// Error implements [error].
func (e *fatalError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *fatalError) Unwrap() error { return e.err }

// Reasons for the end of a session.
var (
	errAnswered = errors.New("the run has ended")
	errRenewed  = errors.New("the coordinator asks for a new session")
	errOtherRun = errors.New("the tasks belong to another run")
)

// A member is a worker process or a checker process in a run.
type member struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	names   Names
	objects *objectStore
	role    string
	name    string
	host    string

	logMu sync.Mutex // guards calls of log
	log   func(Event)
}

// newMember returns a member with the defaults of its options.
func newMember(nc *nats.Conn, role, run, name, host string, log func(Event)) (*member, error) {
	names, err := NamesOf(run)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = nuid.Next()
	}
	if !ValidName(name) || len(name) > MaxName-8 { // the jobs append their number
		return nil, fmt.Errorf("invalid name %.80q of a worker: want 1 to %d letters, digits, '-', '_' and '='", name, MaxName-8)
	}
	if host == "" {
		host, _ = os.Hostname()
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	objects, err := newObjectStore(nc, names.ObjectBucket())
	if err != nil {
		return nil, err
	}
	return &member{nc: nc, js: js, names: names, objects: objects, role: role, name: name, host: host[:min(len(host), MaxText)], log: log}, nil
}

// event logs an event.
func (m *member) event(e Event) {
	if m.log == nil {
		return
	}
	m.logMu.Lock()
	defer m.logMu.Unlock()
	m.log(e)
}

// notef logs a note or a warning.
func (m *member) notef(worker string, kind EventKind, format string, args ...any) {
	m.event(Event{Worker: worker, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// flushTime bounds the time in which the last messages of a member are sent.
const flushTime = time.Second

// requestTime bounds a request to the coordinator or the server, until it is repeated.
const requestTime = 5 * time.Second

// hello says hello until a coordinator accepts the member. The error is errAnswered, the
// cause of ctx, or a [*fatalError]. With stay, hello waits for the run after one that has
// ended.
func (m *member) hello(ctx context.Context, name, session string, stay bool) (*Welcome, error) {
	request := Encode(&Hello{Version: Version, Role: m.role, Worker: name, Session: session, Host: m.host})
	var wait pause
	for {
		w, err := m.sayHello(ctx, request)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, &fatalError{fmt.Errorf("welcome of the coordinator: %w", err)}
		case w == nil:
			if wait.tries == 1 {
				m.notef(name, EventNote, "no coordinator of run %q answers: waiting", m.names.Run())
			}
		case w.Error == "":
			return w, nil
		case w.Ended && !stay:
			return nil, errAnswered
		case !w.Retry:
			return nil, &fatalError{&RefusedError{name, w.Error}}
		case wait.tries == 0:
			m.notef(name, EventNote, "the coordinator asks to wait: %s", w.Error)
		}
		if !wait.sleep(ctx) {
			return nil, context.Cause(ctx)
		}
	}
}

// sayHello returns the answer to a hello, or nil if there is none.
func (m *member) sayHello(ctx context.Context, request []byte) (*Welcome, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	reply, err := m.nc.RequestWithContext(ctx, m.names.Hello(), request)
	if errors.Is(err, nats.ErrConnectionClosed) {
		return nil, err
	}
	if err != nil {
		return nil, nil // no coordinator, or no connection
	}
	w := new(Welcome)
	if err := Decode(reply.Data, w); err != nil {
		return nil, err
	}
	return w, nil
}

// A pause is a sequence of pauses between attempts, from 20 ms to 2 s. Half of each is
// random, so that the workers of a run do not repeat their requests at the same moment.
type pause struct{ tries int }

// sleep waits for the next pause. It reports false if ctx has ended.
func (p *pause) sleep(ctx context.Context) bool {
	const shortest, longest = 20 * time.Millisecond, 2 * time.Second
	d := longest
	if p.tries < 7 {
		d = min(shortest<<p.tries, longest)
	}
	p.tries++
	return sleep(ctx, jitter(d))
}
