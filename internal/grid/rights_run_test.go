package grid

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/grid/hub"
)

// TestRunRights runs a coordinator, workers, a checker and a status command, each as its
// user of an embedded server: first a run that ends early, then one that continues it. No
// process needs a right that its role lacks.
func TestRunRights(t *testing.T) {
	h, err := hub.Start(hub.Config{Run: "test", Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "a-token-of-workers", CheckerToken: "a-token-of-checkers"})
	must(t, err)
	t.Cleanup(h.Close)
	var mu sync.Mutex
	var complaints []string
	connect := func(role hub.Role, token hub.Token) *nats.Conn {
		t.Helper()
		dial := hub.Connect
		if role == hub.Coordinator {
			dial = h.Connect
		}
		nc, err := dial(t.Context(), hub.Dial{URL: h.URL(), Role: role, Token: token, Log: func(_ slog.Level, text string) {
			mu.Lock()
			defer mu.Unlock()
			complaints = append(complaints, string(role)+": "+text)
		}})
		must(t, err)
		t.Cleanup(nc.Close)
		return nc
	}
	var group sync.WaitGroup
	defer group.Wait()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	worker, checker := connect(hub.Worker, "a-token-of-workers"), connect(hub.Checker, "a-token-of-checkers")
	group.Go(func() {
		if err := Work(ctx, worker, MemberOptions{Name: "test", Jobs: 2, Stay: true, CacheDir: t.TempDir()}); err != nil {
			t.Errorf("worker: %v", err)
		}
	})
	group.Go(func() {
		if err := Check(ctx, checker, MemberOptions{Name: "test", Stay: true}); err != nil {
			t.Errorf("checker: %v", err)
		}
	})

	f := random3SAT(170, 740)
	o := ServeOptions{Name: "test", Formula: f, Budget: 2000, // for segments that are objects
		Solver: cdcl.DefaultOptions(), Prove: true, Share: true}
	early, end := context.WithCancel(ctx)
	defer end()
	asker := connect(hub.Status, "a-token-of-workers")
	var answered atomic.Bool
	o.Ready = func(int) {
		group.Go(func() {
			for early.Err() == nil && !answered.Load() {
				_, err := GetStatus(early, asker, "test")
				answered.Store(err == nil)
			}
		})
	}
	o.Progress = func(s portfolio.ConquerStats) {
		if s.Refuted > 0 && answered.Load() {
			end()
		}
	}
	nc := connect(hub.Coordinator, "")
	a, err := Serve(early, nc, o)
	must(t, err)
	end()
	if a.Status == dimacs.Unknown && !answered.Load() {
		t.Error("no status")
	}
	o.Ready, o.Progress = nil, nil
	a, err = Serve(ctx, nc, o)
	must(t, err)
	if a.Status != dimacs.Unsatisfiable {
		t.Fatalf("status %v", a.Status)
	}
	list, err := a.proof.objects.js.ObjectStore(ctx, a.proof.objects.bucket)
	must(t, err)
	objects, err := list.List(ctx)
	must(t, err)
	if !slices.ContainsFunc(objects, func(o *jetstream.ObjectInfo) bool { return strings.HasPrefix(o.Name, "segment-") }) {
		t.Error("no segment is an object")
	}
	var file bytes.Buffer
	w := proof.NewWriter(&file, proof.LRAT, f.Len())
	must(t, a.WriteProof(ctx, w))
	must(t, w.Flush())
	_, err = proof.Check(ctx, f, &file, proof.Options{})
	must(t, err)
	mu.Lock()
	defer mu.Unlock()
	if len(complaints) > 0 {
		t.Errorf("messages:\n%s", strings.Join(complaints, "\n"))
	}
}
