package journal_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sator/cmd/internal/journal"
	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

var errFull = errors.New("the disk is full")

// A faultyDisk fails at an operation, or at that and all later operations.
type faultyDisk struct {
	mu      sync.Mutex
	op      file.Op
	name    string // of the file, without its directory
	skip    int    // number of these operations before the first that fails
	forever bool
	failed  bool
}

func (d *faultyDisk) do(op file.Op, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if op == d.op && filepath.Base(name) == d.name {
		d.skip--
	}
	if !d.failed && d.skip < 0 || d.failed && d.forever {
		d.failed = true
		return errFull
	}
	if op == file.OpSync || op == file.OpSyncDir {
		return syscall.EINVAL // of a file system that cannot synchronize, to save time
	}
	return nil
}

// TestWriteFaults lets each operation of a run fail. The run ends with the error, and the
// next one resumes. Success implies that all results are stored.
func TestWriteFaults(t *testing.T) {
	f, cubes := instance(22, 2)
	for _, format := range formats[:2] {
		failing := map[string]bool{}
		for _, name := range []string{"new", "results", "proof"} {
			for _, op := range file.Ops {
				for skip := range 100 {
					disk := &faultyDisk{op: op, name: name, skip: skip, forever: skip%2 == 1}
					r := run{disk: &file.Disk{Fail: disk.do}, dir: filepath.Join(t.TempDir(), "new"), formula: f, cubes: cubes, format: format, threads: 1 + skip%2}
					status, err := r.conquer(t)
					what := fmt.Sprintf("%v, %s %d of %s fails", format, op, skip, name)
					if (err == nil) != (status == dimacs.Unsatisfiable) || (err == nil) == disk.failed || err != nil && !errors.Is(err, errFull) {
						t.Errorf("%s: got %v, %v", what, status, err)
					}
					kept := len(r.kept)
					r.disk = unsynchronized()
					r.mustRefute(t)
					if err == nil && len(r.known) != kept {
						t.Errorf("%s: %d of %d results are lost", what, kept-len(r.known), kept)
					}
					if !disk.failed {
						break
					}
					failing[fmt.Sprint(op, " of ", name)] = true
				}
			}
		}
		want := []string{"make directory of new", "sync of the directory of new", "create of results", "write of results", "sync of results", "close of results"}
		if format != proof.FormatUnknown {
			want = append(want, "create of proof", "write of proof", "sync of proof", "close of proof")
		}
		for _, op := range want {
			if !failing[op] {
				t.Errorf("%v: %s did not fail, only %v", format, op, failing)
			}
		}
	}
}

// A powerDisk records the states of a directory after a power cut at any time. A file
// keeps its synchronized content; later bytes are kept, lost, or zero.
type powerDisk struct {
	t       *testing.T
	dir     string
	mu      sync.Mutex
	entries bool              // the names of the files are synchronized
	synced  map[string]string // content of the files
	states  map[string]powerCut
}

// A powerCut is a state after a power cut.
type powerCut struct {
	files   folder
	results int // synchronized ones
}

func newPowerDisk(t *testing.T, dir string, files folder) *powerDisk {
	d := &powerDisk{t: t, dir: dir, synced: map[string]string{}, states: map[string]powerCut{}}
	for name, content := range files {
		d.synced[name] = content
		d.entries = true
	}
	return d
}

// do records the states before an operation.
func (d *powerDisk) do(op file.Op, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := readFolder(d.t, d.dir)
	for _, line := range resultsOf(d.t, now["results"]) {
		if !d.t.Failed() && line.Proof != nil && line.Proof.Bytes > int64(len(d.synced["proof"])) {
			d.t.Errorf("a result needs %d bytes of the proof, and %d are synchronized", line.Proof.Bytes, len(d.synced["proof"]))
		}
	}
	results := len(resultsOf(d.t, d.synced["results"]))
	for _, r := range d.contents("results", now) {
		for _, p := range d.contents("proof", now) {
			files := folder{}
			if r != nil {
				files["results"] = *r
			}
			if p != nil {
				files["proof"] = *p
			}
			d.states[fmt.Sprint(files)] = powerCut{files, results}
		}
	}
	switch op {
	case file.OpSyncDir:
		d.entries = true
		return syscall.EINVAL
	case file.OpSync:
		d.synced[filepath.Base(name)] = now[filepath.Base(name)]
		return syscall.EINVAL
	}
	return nil
}

// contents returns the possible contents of a file after a power cut; nil is no file.
func (d *powerDisk) contents(name string, now folder) (all []*string) {
	content, exists := now[name]
	if !exists || !d.entries {
		all = append(all, nil)
	}
	if exists {
		synced := d.synced[name]
		zeros := synced + strings.Repeat("\x00", max(0, len(content)-len(synced)))
		all = append(all, &synced, &content, &zeros)
	}
	return all
}

// TestPowerCut cuts the power before each operation of a run, and of runs that resume.
// No synchronized result is lost, and the next run has the right answer and proof.
func TestPowerCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, format := range formats {
		f, cubes := instance(22, 2)
		r := run{dir: t.TempDir(), formula: f, cubes: cubes, format: format}
		slowly := func() { time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond) } // for some commits
		start, states := folder{}, 0
		for range 3 {
			start.write(t, r.dir)
			power := newPowerDisk(t, r.dir, start)
			r.disk, r.wait = &file.Disk{Fail: power.do}, slowly
			if status, err := r.conquer(t); status != dimacs.Unsatisfiable {
				t.Fatal(status, err)
			}
			r.disk, r.wait = unsynchronized(), nil
			states += len(power.states)
			tried := map[int]bool{}
			start = folder{}
			for _, cut := range power.states {
				cut.files.write(t, r.dir)
				j, err := journal.Open(context.Background(), r.disk, r.dir, r.identity())
				if err != nil {
					t.Errorf("%v: %v", format, err)
					continue
				}
				known := len(j.Results())
				j.Close()
				if known < cut.results {
					t.Fatalf("%v: %d results are known, and %d were synchronized", format, known, cut.results)
				}
				if !tried[known] {
					tried[known] = true
					r.mustRefute(t)
				}
				if rng.IntN(10) == 0 {
					start = cut.files
				}
			}
		}
		if states < 20 {
			t.Errorf("%v: only %d states", format, states)
		}
		t.Logf("%v: %d states", format, states)
	}
}

// An unsynchronized result is reported to Failed even if no result follows it.
func TestFailed(t *testing.T) {
	f, cubes := instance(22, 2)
	disk := &file.Disk{Fail: func(op file.Op, name string) error {
		if op == file.OpSync && filepath.Base(name) == "proof" {
			return errFull
		}
		return nil
	}}
	r := run{disk: disk, dir: t.TempDir(), formula: f, cubes: cubes, format: proof.LRAT}
	j, err := journal.Open(context.Background(), disk, r.dir, r.identity())
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	j.Failed = func(err error) { failed <- err }
	steps := j.Proof(r.format, f.Len())
	steps.Learn(dimacs.Lits(1), []int64{1})
	result := portfolio.Result{Formula: r.identity().Formula, Cube: cubes[0].Lits, Status: dimacs.Unsatisfiable, Failed: cubes[0].Lits}
	at, err := j.Position()
	if err != nil {
		t.Fatal(err)
	}
	result.Proof = &at
	if err := j.Keep(result); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-failed:
		if !errors.Is(err, errFull) {
			t.Error(err)
		}
	case <-time.After(5 * time.Minute):
		t.Error("Failed is not called")
	}
	if err := j.Keep(result); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if err := j.Close(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(r.dir, "results")); err != nil || strings.Count(string(b), "\n") != 1 {
		t.Errorf("the file of results is %q, %v; want the first line only", b, err)
	}
}
