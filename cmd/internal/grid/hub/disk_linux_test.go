package hub_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sys/unix"

	"sator/cmd/internal/grid/hub"
)

// Tests on a small file system that fills.

// childVariable marks the process that inNamespace starts.
const childVariable = "SATOR_HUB_CHILD"

// inNamespace runs the test again in a process that may mount file systems, and returns
// true there.
func inNamespace(t *testing.T) bool {
	t.Helper()
	if os.Getenv(childVariable) != "" {
		return true
	}
	child := exec.Command(os.Args[0], "-test.v", "-test.run", "^"+t.Name()+"$")
	child.Env = append(os.Environ(), childVariable+"=1")
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := child.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &failed):
		t.Skipf("cannot start a process of this kind: %v", err)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skip(string(out))
	}
	return false
}

// mountSmall returns a directory on a file system of some bytes.
func mountSmall(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill writes a file until the disk has the given number of free bytes.
func fill(t *testing.T, dir string, free int64) (name string) {
	t.Helper()
	name = filepath.Join(dir, "ballast")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, int64(s.Bavail)*int64(s.Bsize)-free)); err != nil {
		t.Fatal(err)
	}
	return name
}

// A publisher publishes results with consecutive numbers, and repeats a result until it
// is stored.
type publisher struct {
	js     jetstream.JetStream
	stored int // results that were acknowledged
}

// publish publishes the next result once, and waits briefly for the acknowledgement.
func (p *publisher) publish(wait time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	_, err := p.js.Publish(ctx, fmt.Sprintf("sator.t.results.%d", p.stored), make([]byte, 64<<10))
	if err == nil || strings.Contains(err.Error(), "maximum messages per subject") {
		p.stored++
		return nil
	}
	return err
}

// check compares the results with those that were acknowledged.
func (p *publisher) check(t *testing.T) {
	t.Helper()
	s, err := p.js.Stream(t.Context(), "SATOR_t_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.stored {
		if _, err := s.GetLastMsgForSubject(t.Context(), fmt.Sprintf("sator.t.results.%d", i)); err != nil {
			t.Errorf("result %d of %d: %v", i, p.stored, err)
		}
	}
	if n := s.CachedInfo().State.Msgs; n < uint64(p.stored) {
		t.Errorf("%d results, want %d", n, p.stored)
	}
}

// TestDiskFills leaves less than the reserve of a disk free. Publishers get an error at
// once, tasks in memory continue, and all continues when there is space.
func TestDiskFills(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	disk := mountSmall(t, 64<<20) // with a reserve of 8 MiB
	var d diary
	h := start(t, hub.Config{Dir: filepath.Join(disk, "store"), Log: d.log})
	js := open(t, h, hub.Coordinator)
	createAll(t, js)
	p := &publisher{js: js}
	if err := p.publish(time.Minute); err != nil {
		t.Fatal(err)
	}
	ballast := fill(t, disk, 6<<20)
	await(t, "the limit", func() bool { return d.has("ERROR " + disk) })
	if !d.has("MiB of the disk are free") {
		t.Errorf("messages: %s", d.lines)
	}
	err := p.publish(time.Minute)
	if hub.ReasonOf(err) != hub.Full || !strings.Contains(hub.Explain(err).Error(), "no space") {
		t.Errorf("full disk: %v", err)
	}
	if _, err := js.Publish(t.Context(), "sator.t.tasks", nil); err != nil {
		t.Errorf("task: %v", err)
	}
	p.check(t)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	await(t, "space", func() bool { return p.publish(time.Minute) == nil })
	if !d.has("the disk has space again") || d.has("started again") {
		t.Errorf("messages: %s", d.lines)
	}
	p.check(t)
}

// TestDiskFull fills a disk to the last byte, so that the server cannot write. It starts
// again when there is space, and has lost no acknowledged result.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	disk := mountSmall(t, 16<<20)
	var d diary
	h := start(t, hub.Config{Dir: filepath.Join(disk, "store"), Reserve: -1, Log: d.log})
	p := &publisher{js: open(t, h, hub.Coordinator)}
	results(t, p.js)
	outside, err := jetstream.New(dial(t, h, hub.Dial{URL: h.URL(), Role: hub.Worker}))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := p.publish(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	ballast := fill(t, disk, 300<<10)
	await(t, "a write error", func() bool {
		if err := p.publish(100 * time.Millisecond); err != nil && hub.ReasonOf(err) != hub.Gone {
			t.Errorf("full disk: %v", err)
		}
		return d.has("the store has failed")
	})
	if !d.has("no space left on device") {
		t.Errorf("messages: %s", d.lines)
	}
	for range 10 {
		p.publish(50 * time.Millisecond)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	before := p.stored
	await(t, "space", func() bool { return p.publish(200*time.Millisecond) == nil && p.stored > before+20 })
	if !d.has("the server has started again") {
		t.Errorf("messages: %s", d.lines)
	}
	p.check(t)
	p.js = outside
	await(t, "the worker", func() bool { return p.publish(time.Second) == nil })
	p.check(t)
}
