package grid

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// A testTokens has the tokens of the roles on a server.
type testTokens map[hub.Role]hub.Token

// foreignServer starts a server of NATS with users from [hub.WriteServerConfig], and returns
// its address.
func foreignServer(t *testing.T, tokens testTokens) string {
	dir := t.TempDir()
	text := new(bytes.Buffer)
	fmt.Fprintf(text, "listen: \"127.0.0.1:-1\"\njetstream: { store_dir: %q }\n", filepath.ToSlash(dir))
	must(t, hub.WriteServerConfig(text, "test", tokens[hub.Coordinator], tokens[hub.Worker]))
	file := filepath.Join(dir, "server.conf")
	must(t, os.WriteFile(file, text.Bytes(), 0o600))
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.NoLog, o.NoSigs = true, true
	s, err := server.NewServer(o)
	must(t, err)
	s.Start()
	t.Cleanup(s.WaitForShutdown)
	t.Cleanup(s.Shutdown)
	if _, err := hub.Connect(t.Context(), hub.Dial{URL: s.ClientURL(), Role: hub.Coordinator, Token: tokens[hub.Worker]}); hub.ReasonOf(err) != hub.WrongToken {
		t.Errorf("coordinator with the token of workers: %v", err)
	}
	nc, err := hub.Connect(t.Context(), hub.Dial{URL: "nats://worker:" + string(tokens[hub.Worker]) + "@" + strings.TrimPrefix(s.ClientURL(), "nats://"), Role: hub.Worker})
	must(t, err)
	nc.Close()
	return s.ClientURL()
}

// TestRunRights runs a coordinator, workers, a checker and a status command, each as its
// user of an embedded server or of another one: first a run that ends early, then one that
// continues it. No process needs a right that its role lacks.
func TestRunRights(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		tokens := testTokens{hub.Coordinator: "a-token-of-the-coordinator", hub.Worker: "a-token-of-workers", hub.Checker: "a-token-of-checkers", hub.Status: "a-token-of-workers"}
		h, err := hub.Start(hub.Config{Run: "test", Dir: t.TempDir(), Listen: "127.0.0.1:0", Secret: tokens[hub.Coordinator], Token: tokens[hub.Worker], CheckerToken: tokens[hub.Checker]})
		must(t, err)
		t.Cleanup(h.Close)
		runRights(t, h.URL(), tokens)
	})
	t.Run("foreign", func(t *testing.T) {
		tokens := testTokens{hub.Coordinator: "a-token-of-the-coordinator", hub.Worker: "a-token-of-workers", hub.Checker: "a-token-of-workers", hub.Status: "a-token-of-workers"}
		runRights(t, foreignServer(t, tokens), tokens)
	})
}

func runRights(t *testing.T, url string, tokens testTokens) {
	var mu sync.Mutex
	var complaints []string
	connect := func(role hub.Role) *nats.Conn {
		t.Helper()
		nc, err := hub.Connect(t.Context(), hub.Dial{URL: url, Role: role, Token: tokens[role], Log: func(_ slog.Level, text string) {
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
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	worker, checker := connect(hub.Worker), connect(hub.Checker)
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
		Prove: true, Share: true}
	early, end := context.WithCancel(ctx)
	defer end()
	asker := connect(hub.Status)
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
	nc := connect(hub.Coordinator)
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
	list, err := a.run.objects.js.ObjectStore(ctx, a.run.objects.bucket)
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
