package grid

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/grid/hub"
)

// Workers and checkers need no other rights than those of their roles.
func TestRights(t *testing.T) {
	h, err := hub.Start(hub.Config{Run: "test", Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "a-token-of-workers-and-checkers"})
	must(t, err)
	t.Cleanup(h.Close)
	var mu sync.Mutex
	var complaints []string
	connect := func(role hub.Role) *nats.Conn {
		t.Helper()
		d := hub.Dial{URL: h.URL(), Role: role, Token: "a-token-of-workers-and-checkers", Log: func(_ slog.Level, text string) {
			mu.Lock()
			defer mu.Unlock()
			complaints = append(complaints, string(role)+": "+text)
		}}
		dial := hub.Connect
		if role == hub.Coordinator {
			dial = h.Connect
		}
		nc, err := dial(t.Context(), d)
		must(t, err)
		t.Cleanup(nc.Close)
		return nc
	}
	f := random3SAT(150, 680) // its segment is an object
	c := newFakeCoordinator(t, connect(hub.Coordinator), f)
	c.setWelcome(func(w *Welcome) { w.Segments, w.Share = true, true })
	w := startWorker(t, connect(hub.Worker), WorkOptions{CacheDir: t.TempDir()})
	c.give()
	m := c.result()
	if m.Result.Status != dimacs.Unsatisfiable || m.Segments[0].Object == "" {
		t.Fatalf("result %+v", m)
	}
	c.waitForTasks(0)
	c.giveTask(&TaskMessage{Version: Version, Run: testRun, Again: true, Task: portfolio.Task{Formula: c.welcome.Sum}}) // looks for the result
	c.waitForTasks(0)

	before := c.helloCount()
	done := make(chan error, 1)
	nc := connect(hub.Checker)
	go func() { done <- Check(t.Context(), nc, CheckOptions{Name: "test"}) }()
	for c.helloCount() == before {
		time.Sleep(time.Millisecond)
	}
	c.mu.Lock()
	checker := c.hellos[before].Session
	c.mu.Unlock()
	r := request(m.Session, []CheckItem{{Seq: 1, Claim: &Claim{m.Result.Cube, m.Result.Failed, m.Result.Clause}}})
	var reply CheckReply
	for {
		answer, err := c.nc.Request(c.names.Check(checker), Encode(r), time.Minute)
		if err == nil {
			must(t, Decode(answer.Data, &reply))
			break
		}
		time.Sleep(time.Millisecond)
	}
	if reply.Checked != 1 {
		t.Fatalf("reply %+v", reply)
	}
	c.cancel(Cancel{Stop: "refuted"})
	must(t, w.end())
	must(t, <-done)
	mu.Lock()
	defer mu.Unlock()
	if len(complaints) > 0 {
		t.Errorf("violated rights:\n%s", strings.Join(complaints, "\n"))
	}
}
