package grid

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// The coordinator owns the state of a run: the tree of cubes (portfolio.Coordinator), the
// order of accepted results and the final ids (session.Numbering), the tasks that are
// given out, the workers and the checkers. One goroutine reads and changes all of that,
// the loop (coordinator_loop.go). Callbacks of the connection, local checkers and
// goroutines for requests to the server post functions to the loop, which never waits for
// the server.
//
// A result takes this path:
//
//	worker -> RESULTS -> loop -> checker -> numbering, tree -> ACCEPTED -> shared clauses
//
// Splits skip the checker on their way to the tree, since any split is right; their
// segments take the same path as others.
//
// # Crash points
//
// The state is in memory, and a coordinator that starts reconstructs it from RESULTS and
// ACCEPTED. A result is in RESULTS before it is in ACCEPTED, and in ACCEPTED before its
// clauses are shared and before the answer is stored. The possible crashes:
//
//   - Before RESULTS exists, or before the key "run": the next coordinator simplifies the
//     formula again. Objects without the key are replaced.
//   - A task is published, and no result: TASKS is created anew at the start, and the task is
//     published again, after the coordinator has asked which cubes workers are solving.
//     Such a cube is held back as long as its worker is present.
//   - A result is stored, and its worker dies before it acknowledges the task: the task is
//     delivered again. The worker finds the result and only acknowledges.
//   - A result is stored, and the coordinator dies before it has read the result: it is
//     read at the start.
//   - A result is checked, but not in ACCEPTED: it is checked again, after the segments of
//     its session that are in ACCEPTED. Its final ids may differ; no message had them.
//   - ACCEPTED has a result, and no clause of it was shared: the clauses are not shared.
//     They are redundant.
//   - The formula is refuted, and the key "answer" does not exist: the start finds the
//     same refutation in ACCEPTED.
//   - A refused result is not yet deleted: it is refused again.
//   - A worker is excluded, and its key does not exist: its next wrong result excludes it.
//   - The server dies: TASKS is lost if the server had the only copy. The coordinator
//     finds that out after the reconnection, and does as at its own start. Messages that
//     were not acknowledged are sent again; a result that was stored nevertheless is
//     refused as the second one of its cube, and its worker compares the first one.
//   - ACCEPTED is lost, or contradicts RESULTS: it is emptied, and all results are checked
//     again in the order of RESULTS. The key "answer" is deleted, so that workers stay. Imports with the lost numbers do not fit then; such
//     results are refused, but their workers are not excluded (see lenient).
//
// # Races
//
//   - A task is delivered again while the first worker still solves it: both solve the
//     cube, and RESULTS takes the first result. The other worker keeps its segments for
//     its next result. Workers report progress four times in AckWait, so this needs a
//     worker without connection.
//   - A result arrives for a cube that a refutation has covered meanwhile: its segments
//     are accepted, because later ones of the session follow them. The tree ignores it.
//   - A worker misses the cancellation of its cube: its presence shows the cube, and the
//     coordinator repeats the cancellation.
//   - Late acknowledgements of a lost TASKS stream: see streams.go.
//   - Two coordinators: the second one finds that the first answers, and ends. If the
//     first does not answer, the second one takes the key "lease". The first finds that
//     out when it writes to ACCEPTED, which both do with the expected sequence number, or
//     when it looks at the key, and ends. So ACCEPTED has one order.
//   - Another formula has the same name: the key "run" differs, and Serve returns an
//     error.

// ServeOptions configure [Serve].
type ServeOptions struct {
	Name string // of the run; see NamesOf

	// Formula is the formula to decide, Cubes are its cubes. Without cubes the run
	// starts with the empty cube.
	Formula *dimacs.Formula
	Cubes   [][]dimacs.Lit

	// Budget is the number of conflicts after which a worker splits a cube; 0 is no
	// limit.
	Budget int64

	// Solver has the options of the workers' solvers. Its Proof is not used. Its Memory
	// limits the coordinator itself.
	Solver cdcl.Options

	// Trust accepts refutations without a check.
	Trust bool

	// Prove keeps all steps for [Answer.WriteProof], even if Trust makes checks
	// unnecessary.
	Prove bool

	// Share lets workers share unit and binary clauses.
	Share bool

	// Checkers is the number of checkers in this process. If it is 0, checkers must
	// connect, unless Trust is set.
	Checkers int

	// Replicas is the number of servers of a cluster that store each message, 1 to 5; 0
	// is 1.
	Replicas int

	// Heartbeat and AckWait are times of the protocol; 0 is DefaultHeartbeat and
	// DefaultAckWait.
	Heartbeat, AckWait time.Duration

	// Ready, if not nil, is called once when the coordinator answers workers. known is
	// the number of results of earlier runs.
	Ready func(known int)

	// Progress, if not nil, is called after results, not more often than every 100 ms.
	Progress func(portfolio.ConquerStats)

	// Log, if not nil, is called with events that a user should read: refused messages,
	// excluded workers, reconnects. Note, if not nil, is called with workers and checkers
	// that arrive and leave. Calls do not overlap.
	Log, Note func(format string, args ...any)
}

// withDefaults returns the options with defaults in place of zero values. It panics if an
// option is out of its range.
func (o ServeOptions) withDefaults() ServeOptions {
	if o.Formula == nil || o.Budget < 0 || o.Checkers < 0 || o.Replicas < 0 || o.Replicas > 5 || o.Heartbeat < 0 || o.AckWait < 0 {
		panic(fmt.Sprintf("grid: a coordinator with budget %d, %d checkers, %d replicas, heartbeat %v and AckWait %v", o.Budget, o.Checkers, o.Replicas, o.Heartbeat, o.AckWait))
	}
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.AckWait == 0 {
		o.AckWait = DefaultAckWait
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	return o
}

// segments reports whether results carry segments of the proof.
func (o *ServeOptions) segments() bool { return o.Prove || !o.Trust }

// An Answer is the end of a run.
type Answer struct {
	Status dimacs.Status
	Model  dimacs.Model // of the formula, if Status is Satisfiable
	Stats  portfolio.ConquerStats

	run *coordinator // for the proof; nil if the run kept no segments or has a model
}

// Serve runs the coordinator of a run until there is an answer or ctx ends. It creates
// the streams of the run, or continues a run with the same name, formula and cubes, and
// the same choice of Prove or not Trust. If ctx ends, the status is Unknown and the error
// nil: all results are stored, and a later call continues. Serve waits while nc
// reconnects.
//
// It returns an error if another coordinator serves the run, if the run with this name is
// one of another formula, if the server has lost results, or if nc is closed. It panics
// if an option is out of its range.
func Serve(ctx context.Context, nc *nats.Conn, o ServeOptions) (a *Answer, err error) {
	c, err := newCoordinator(nc, o.withDefaults())
	if err != nil {
		return nil, err
	}
	defer catchLimit(&err)
	ctx, c.stop = context.WithCancelCause(ctx)
	c.ctx = ctx
	c.late, c.endLate = context.WithCancel(context.WithoutCancel(ctx))
	defer c.close()
	if err := c.start(ctx); err != nil {
		if ctx.Err() != nil && c.failure == nil {
			return &Answer{}, nil
		}
		return nil, err
	}
	return c.run(ctx)
}

// catchLimit turns the panic of a memory limit, or of clauses that exceed the limits of a solver,
// into an error.
func catchLimit(err *error) {
	p := recover()
	if p == nil {
		return
	}
	e, ok := p.(error)
	if !ok || !errors.Is(e, cdcl.ErrFull) && !errors.As(e, new(*dimacs.MemoryError)) {
		panic(p)
	}
	*err = e
}

// A coordinator is a call of [Serve]. Its fields belong to the goroutine of that call.
type coordinator struct {
	o       ServeOptions
	names   Names
	nc      *nats.Conn
	id      string          // of this coordinator
	ctx     context.Context // of the call; most goroutines end with it
	stop    context.CancelCauseFunc
	late    context.Context // ends with close: for writing results when ctx has ended
	endLate context.CancelFunc
	begin   time.Time

	js      jetstream.JetStream
	state   jetstream.KeyValue
	objects *objectStore
	subs    []*nats.Subscription
	phase   atomic.Value // name of the present part, for workers and monitors: "simplifying", "solving", "closing" or "done"

	inbox      mailbox            // functions for the loop
	background mailbox            // requests to the server, in order
	incoming   chan jetstream.Msg // messages of RESULTS
	consumer   jetstream.ConsumeContext
	goroutines sync.WaitGroup

	identity string // of the run
	resumed  bool   // an earlier coordinator has begun the run
	sum      string // checksum of the formula
	base     *simplified
	tree     *portfolio.Coordinator
	failure  error // ends the run

	results  resultLog
	tasks    taskTable
	workers  workerTable
	checking checkTable
	accepted acceptedLog
	ending   ending
	progress progress
}

// newCoordinator returns a coordinator that has not sent a message.
func newCoordinator(nc *nats.Conn, o ServeOptions) (*coordinator, error) {
	names, err := NamesOf(o.Name)
	if err != nil {
		return nil, err
	}
	c := &coordinator{o: o, names: names, nc: nc, id: nuid.Next(), begin: time.Now()}
	c.inbox.ready, c.background.ready = make(chan struct{}, 1), make(chan struct{}, 1)
	c.incoming = make(chan jetstream.Msg, 256)
	c.js, err = jetstream.New(nc,
		jetstream.WithPublishAsyncMaxPending(2*maxPublishing),
		jetstream.WithPublishAsyncTimeout(publishPatience),
		jetstream.WithPublishAsyncAckHandler(c.onPublished),
		jetstream.WithPublishAsyncErrHandler(c.onPublishError))
	if err != nil {
		return nil, err
	}
	if c.objects, err = newObjectStore(nc, names.ObjectBucket()); err != nil {
		return nil, err
	}
	c.results.init()
	c.tasks.init()
	c.workers.init()
	c.checking.init()
	return c, nil
}

// close ends all goroutines and subscriptions of the coordinator.
func (c *coordinator) close() {
	c.stop(errClosed)
	c.endLate()
	for _, s := range c.subs {
		s.Unsubscribe()
	}
	if c.nc.IsConnected() { // so that later requests find no coordinator, and do not wait for one
		c.nc.FlushTimeout(time.Second)
	}
	if c.consumer != nil {
		c.consumer.Stop()
	}
	c.goroutines.Wait()
	c.js.CleanupPublisher()
}

// errClosed is the cause of the end of a coordinator's goroutines.
var errClosed = errors.New("the coordinator ends")

// fail ends the run with an error.
func (c *coordinator) fail(err error) {
	if c.failure == nil {
		c.failure = err
		c.stop(err)
	}
}
