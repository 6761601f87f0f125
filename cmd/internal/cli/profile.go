package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
)

// Profiles of a run. Samples of the CPU profile have the label "phase": "read",
// "add", the activities of the engine, and "check". Changing a label costs a
// little time, so labels are set only while profiling. A profile is an output file
// like a proof: a run that fails leaves none.

// profiles lists the values of --profile. The function start starts recording and
// returns a function that writes the profile. A write error is an error of the
// file.
var profiles = []struct {
	name, file string
	start      func(io.Writer) (stop func(), err error)
}{
	{"cpu", "cpu.pprof", startCPU},
	{"mem", "mem.pprof", memoryProfile("heap")},
	{"allocs", "mem.pprof", memoryProfile("allocs")},
	{"heap", "mem.pprof", memoryProfile("heap")},
	{"block", "block.pprof", rated("block", runtime.SetBlockProfileRate)},
	{"mutex", "mutex.pprof", rated("mutex", func(n int) { runtime.SetMutexProfileFraction(n) })},
	{"goroutine", "goroutine.pprof", rated("goroutine", func(int) {})},
	{"trace", "trace.out", startTrace},
}

func startCPU(w io.Writer) (stop func(), err error) {
	return pprof.StopCPUProfile, pprof.StartCPUProfile(w)
}

func startTrace(w io.Writer) (stop func(), err error) { return trace.Stop, trace.Start(w) }

// memoryRate is the average number of allocated bytes between two samples of a
// memory profile. Go's default, 512 KiB, shows
// little of a short run.
const memoryRate = 4096

// memoryProfile returns the start of a memory profile. It shows the live objects
// of the last garbage collection, so the profile is written after one.
func memoryProfile(name string) func(io.Writer) (stop func(), err error) {
	return func(w io.Writer) (stop func(), err error) {
		before := runtime.MemProfileRate
		runtime.MemProfileRate = memoryRate
		return func() {
			runtime.GC()
			pprof.Lookup(name).WriteTo(w, 0)
			runtime.MemProfileRate = before
		}, nil
	}
}

// rated returns the start of a profile of which all events are recorded while
// the rate is 1.
func rated(name string, setRate func(int)) func(io.Writer) (stop func(), err error) {
	return func(w io.Writer) (stop func(), err error) {
		setRate(1)
		return func() {
			pprof.Lookup(name).WriteTo(w, 0)
			setRate(0)
		}, nil
	}
}

// ProfileNames lists the kinds of profiles.
func ProfileNames() string { return strings.Join(profileNames(), ", ") }

func profileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// A Profiler records a profile. A nil Profiler does nothing.
type Profiler struct {
	File string
	out  output
	stop func() // nil after the end

	mu     sync.Mutex // guards labels, which the solvers of a race share
	labels map[string]context.Context
}

// StartProfile starts recording a profile into a directory, which is created if
// necessary. It returns nil for an empty name.
func (e *Env) StartProfile(ctx context.Context, name, dir string) (*Profiler, error) {
	if name == "" {
		return nil, nil
	}
	for _, p := range profiles {
		if p.name != name {
			continue
		}
		if err := e.Disk.MkdirAll(dir); err != nil {
			return nil, err
		}
		file := filepath.Join(dir, p.file)
		out, err := e.create(ctx, file)
		if err != nil {
			return nil, err
		}
		stop, err := p.start(out)
		if err != nil {
			out.Abort()
			return nil, err
		}
		return &Profiler{File: file, out: out, stop: stop, labels: map[string]context.Context{}}, nil
	}
	return nil, InvalidName("profile", name, profileNames())
}

// Phase sets the label of the samples of this goroutine.
func (p *Profiler) Phase(name string) {
	if p == nil {
		return
	}
	pprof.SetGoroutineLabels(p.label(name))
}

// label returns a context with a label.
func (p *Profiler) label(name string) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, ok := p.labels[name]
	if !ok {
		ctx = pprof.WithLabels(context.Background(), pprof.Labels("phase", name))
		p.labels[name] = ctx
	}
	return ctx
}

// Activity returns the hook for the activities of an engine, or nil if there is
// no profile.
func (p *Profiler) Activity() func(string) {
	if p == nil {
		return nil
	}
	return p.Phase
}

// Close ends the recording and completes the file.
func (p *Profiler) Close() error {
	if p == nil {
		return nil
	}
	p.end()
	if err := p.out.Close(); err != nil {
		return fmt.Errorf("cannot write the profile: %w", err)
	}
	return nil
}

// Abort ends the recording and removes the file. It has no effect after Close.
func (p *Profiler) Abort() {
	if p != nil {
		p.end()
		p.out.Abort()
	}
}

func (p *Profiler) end() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
		pprof.SetGoroutineLabels(context.Background())
	}
}
