package grid

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

// The tests of workers and checkers need a server and the messages of a coordinator, but
// not the coordinator.

// A testServer is a server with JetStream that listens on a port of the loopback
// interface, so that it can be stopped and started again.
type testServer struct {
	t    testing.TB
	dir  string
	port int
	s    *server.Server
}

// startServer starts a server. It ends with the test.
func startServer(t testing.TB) *testServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &testServer{t: t, dir: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	// When the last stream is deleted, a goroutine that may outlive the server removes the empty folder of
	// the account. It would do so while the next server, which exits then, creates a folder in it.
	account := filepath.Join(s.dir, "jetstream", server.DEFAULT_GLOBAL_ACCOUNT)
	must(t, os.MkdirAll(account, 0o700))
	must(t, os.WriteFile(filepath.Join(account, "not-empty"), nil, 0o600))
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *testServer) start() {
	s.t.Helper()
	log := filepath.Join(s.dir, "server.log")
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: s.port, JetStream: true, StoreDir: s.dir, NoSigs: true, LogFile: log})
	if err != nil {
		s.t.Fatal(err)
	}
	srv.ConfigureLogger()
	srv.Start()
	if !srv.ReadyForConnections(30 * time.Second) {
		why, _ := os.ReadFile(log)
		s.t.Fatalf("the server is not ready: %s", why)
	}
	s.s = srv
}

// reconnected waits until a connection is up again.
func (s *testServer) reconnected(nc *nats.Conn) {
	s.t.Helper()
	for nc.FlushTimeout(time.Minute) != nil || !nc.IsConnected() {
		time.Sleep(time.Millisecond)
	}
}

func (s *testServer) stop() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}

// connect returns a connection that ends with the test.
func (s *testServer) connect() *nats.Conn {
	s.t.Helper()
	nc, err := nats.Connect(fmt.Sprintf("nats://127.0.0.1:%d", s.port), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond),
		nats.Timeout(time.Minute), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(nc.Close)
	return nc
}

// A fakeCoordinator has the streams of a run and answers hellos.
type fakeCoordinator struct {
	t       testing.TB
	nc      *nats.Conn
	js      jetstream.JetStream
	names   Names
	welcome Welcome
	results jetstream.Stream
	objects *objectStore

	mu     sync.Mutex
	hellos []Hello
	first  uint64 // next number of TASKS
}

// testRun is the identity of the run of a fakeCoordinator.
var testRun = strings.Repeat("ab", 32)

// newFakeCoordinator creates the streams of a run, stores a formula and answers hellos.
func newFakeCoordinator(t testing.TB, nc *nats.Conn, f *dimacs.Formula) *fakeCoordinator {
	t.Helper()
	names, err := NamesOf("test")
	must(t, err)
	js, err := jetstream.New(nc)
	must(t, err)
	c := &fakeCoordinator{t: t, nc: nc, js: js, names: names, first: 1}
	ctx := t.Context()
	c.results, err = js.CreateStream(ctx, names.resultsConfig(1))
	must(t, err)
	_, err = js.CreateKeyValue(ctx, names.stateConfig(1))
	must(t, err)
	_, err = js.CreateObjectStore(ctx, names.objectConfig(1))
	must(t, err)
	c.objects, err = newObjectStore(nc, names.ObjectBucket())
	must(t, err)
	c.createTasks()
	var text bytes.Buffer
	must(t, dimacs.Write(&text, f))
	o, err := c.objects.putBytes(ctx, "formula", text.Bytes())
	must(t, err)
	c.welcome = Welcome{Version: Version, Run: testRun, Sum: portfolio.Checksum(f), Wait: time.Minute, Beat: 20 * time.Millisecond,
		Formula: FormulaInfo{Object: o, Vars: f.Vars(), Clauses: f.Len(), Literals: int64(f.Size())}}
	_, err = nc.Subscribe(names.Hello(), c.answer)
	must(t, err)
	return c
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// createTasks creates the queue of tasks, which is lost when the server ends.
func (c *fakeCoordinator) createTasks() {
	c.t.Helper()
	s, err := c.js.CreateStream(c.t.Context(), c.names.tasksConfig(1, c.first))
	must(c.t, err)
	_, err = s.CreateConsumer(c.t.Context(), c.names.tasksConsumer(c.welcome.Wait+time.Minute))
	must(c.t, err)
	c.first += 1000
}

// answer answers a hello.
func (c *fakeCoordinator) answer(m *nats.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var h Hello
	if err := Decode(m.Data, &h); err != nil {
		c.t.Error(err)
	}
	c.hellos = append(c.hellos, h)
	_ = m.Respond(Encode(&c.welcome))
}

// setWelcome changes the welcome.
func (c *fakeCoordinator) setWelcome(change func(*Welcome)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.welcome)
}

// helloCount returns the number of hellos so far.
func (c *fakeCoordinator) helloCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.hellos)
}

// give publishes the task of a cube.
func (c *fakeCoordinator) give(cube ...int) {
	c.t.Helper()
	c.giveTask(&TaskMessage{Version: Version, Run: testRun, Task: portfolio.Task{Formula: c.welcome.Sum, Cube: literals(cube...)}})
}

func (c *fakeCoordinator) giveTask(t *TaskMessage) {
	c.t.Helper()
	_, err := c.js.Publish(c.t.Context(), c.names.Task(), Encode(t))
	must(c.t, err)
}

// literals returns literals of DIMACS integers.
func literals(ns ...int) portfolio.Literals {
	ls := portfolio.Literals{}
	for _, n := range ns {
		ls = append(ls, dimacs.FromInt(n))
	}
	return ls
}

// result waits for the result of a cube.
func (c *fakeCoordinator) result(cube ...int) *ResultMessage {
	c.t.Helper()
	for {
		raw, err := c.results.GetLastMsgForSubject(c.t.Context(), c.names.Result(CubeHash(literals(cube...))))
		if err == nil {
			m := new(ResultMessage)
			must(c.t, Decode(raw.Data, m))
			return m
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// store stores a result of another worker.
func (c *fakeCoordinator) store(m *ResultMessage) {
	c.t.Helper()
	_, err := c.js.Publish(c.t.Context(), c.names.Result(CubeHash(m.Result.Cube)), Encode(m))
	must(c.t, err)
}

// cancel publishes a Cancel.
func (c *fakeCoordinator) cancel(m Cancel) {
	c.t.Helper()
	m.Version, m.Run = Version, testRun
	must(c.t, c.nc.Publish(c.names.Cancel(), Encode(&m)))
	must(c.t, c.nc.Flush())
}

// waitForTasks waits until the queue has this number of tasks, given out or not.
func (c *fakeCoordinator) waitForTasks(n uint64) {
	c.t.Helper()
	for {
		s, err := c.js.Stream(c.t.Context(), c.names.TasksStream())
		must(c.t, err)
		if s.CachedInfo().State.Msgs == n {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// A runningWorker is a call of Work in a goroutine.
type runningWorker struct {
	t      testing.TB
	cancel context.CancelFunc
	done   chan error
	events chan Event
}

// startWorker calls Work. The worker ends with the test.
func startWorker(t testing.TB, nc *nats.Conn, o MemberOptions) *runningWorker {
	ctx, cancel := context.WithCancel(context.Background())
	w := &runningWorker{t: t, cancel: cancel, done: make(chan error, 1), events: make(chan Event, 10_000)}
	o.Name = "test"
	o.Log = func(e Event) { w.events <- e }
	go func() { w.done <- Work(ctx, nc, o) }()
	t.Cleanup(cancel)
	return w
}

// wait waits for an event of a kind and returns it.
func (w *runningWorker) wait(kind EventKind) Event {
	w.t.Helper()
	for {
		select {
		case e := <-w.events:
			if e.Kind == kind {
				return e
			}
		case <-time.After(time.Minute):
			w.t.Fatalf("no event %q", kind)
		}
	}
}

// end waits until Work returns.
func (w *runningWorker) end() error {
	w.t.Helper()
	select {
	case err := <-w.done:
		return err
	case <-time.After(time.Minute):
		w.t.Fatal("Work does not return")
		return nil
	}
}

// A testSolver is a solver that a test controls.
type testSolver func(ctx context.Context, t portfolio.Task) portfolio.Result

func (s testSolver) Solve(ctx context.Context, t portfolio.Task) portfolio.Result { return s(ctx, t) }

// solvedBy returns the option Solver for a function.
func solvedBy(f testSolver) func(*Welcome) Solver { return func(*Welcome) Solver { return f } }

// refutedResult returns the result of a cube that is refuted by its first literal.
func refutedResult(t portfolio.Task) portfolio.Result {
	return portfolio.Result{Formula: t.Formula, Cube: t.Cube, Status: dimacs.Unsatisfiable, Failed: t.Cube[:1], Conflicts: 1}
}
