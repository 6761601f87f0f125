package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"sator/cmd/internal/clitest"
	"sator/dimacs"
	"sator/internal/effort"
)

// TestFullDisk fills the disk of the server during a run. The embedded server reports it, and
// goes on when there is space again. A nats-server logs it and answers no publisher, which the
// worker reports; it goes on when it is started again. The run ends with all results that
// were stored.
func TestFullDisk(t *testing.T) {
	effort.Sequential(t)
	if !effort.Whole() {
		t.Skip("it waits until servers notice that the disk is full")
	}
	for _, servers := range []int{0, 1} {
		t.Run(fmt.Sprintf("servers=%d", servers), func(t *testing.T) {
			if clitest.InNamespace(t) {
				fillDisk(t, servers)
			}
		})
	}
}

func fillDisk(t *testing.T, servers int) {
	s := newSite(t)
	disk := s.path("run")
	if servers > 0 {
		disk = s.path("server1")
	}
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=256m"); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(disk, unix.MNT_DETACH) })
	r := s.prepareRun(&instances[1], servers)
	r.startServe()
	w := r.startWorker(r.url)
	r.awaitCube(w, 50)
	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast)
	report, reporter := regexp.MustCompile(`disk`), r.serve
	if servers > 0 {
		report, reporter = regexp.MustCompile(`a result is not stored yet: the server does not answer`), w
	}
	await(t, "a report of the full disk", func() bool { return report.MatchString(reporter.log()) })
	before := len(begins(w))
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if servers > 0 {
		r.cluster.servers[0].kill()
		r.cluster.servers[0].restart()
	}
	r.end()
	r.check()
	if len(begins(w)) <= before {
		t.Error("the worker does nothing after there is space")
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 4 << 10, 1} {
		block := make([]byte, size)
		for err = nil; err == nil; {
			_, err = f.Write(block)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
}

// TestLargeFormula gives a worker less memory than the formula takes. It ends with an error
// before it downloads the formula. The run is not affected.
func TestLargeFormula(t *testing.T) {
	effort.Sequential(t)
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	s := newSite(t)
	r := s.prepareRun(&instance{"ksat --vars 50000 --ratio 3.5 --seed 1", "--depth 1", dimacs.Satisfiable}, 0)
	r.startServe()
	r.awaitURL()
	small := r.start("small", workMegabytes, "sator-grid", "work", r.url, "--memory", "40")
	small.wait()
	small.checkError("a large formula", "memory limit of 40 MB")
	if !r.serve.running() {
		t.Error("the coordinator has ended")
	}
	r.startWorker(r.url)
	r.end()
	r.check()
	// The coordinator reads the formula too.
	p := r.start("serve-small", serveMegabytes, "sator-grid", "serve", r.file, "--memory", "40", "--run", r.path("other"), "--listen", "127.0.0.1:0")
	p.wait()
	if !strings.Contains(p.log()+p.output(), "memory limit of 40 MB") || p.code > 1 {
		t.Errorf("serve ends with code %d and %q, %q", p.code, p.output(), p.log())
	}
}
