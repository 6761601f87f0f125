package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"

	"github.com/pkg/profile"
)

// Profiles of a run. Samples of the CPU profile have the label "phase": "read",
// "add", the activities of the engine, and "check". Changing a label costs a
// little time, so labels are set only while profiling.

// profiles lists the values of --profile. The options for allocations and heap
// follow MemProfile, which sets the sampling rate.
var profiles = []struct {
	name, file string
	options    []func(*profile.Profile)
}{
	{"cpu", "cpu.pprof", []func(*profile.Profile){profile.CPUProfile}},
	{"mem", "mem.pprof", []func(*profile.Profile){profile.MemProfile}},
	{"allocs", "mem.pprof", []func(*profile.Profile){profile.MemProfile, profile.MemProfileAllocs}},
	{"heap", "mem.pprof", []func(*profile.Profile){profile.MemProfile, profile.MemProfileHeap}},
	{"block", "block.pprof", []func(*profile.Profile){profile.BlockProfile}},
	{"mutex", "mutex.pprof", []func(*profile.Profile){profile.MutexProfile}},
	{"goroutine", "goroutine.pprof", []func(*profile.Profile){profile.GoroutineProfile}},
	{"trace", "trace.out", []func(*profile.Profile){profile.TraceProfile}},
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
	stop interface{ Stop() }

	mu     sync.Mutex // guards labels, which the solvers of a race share
	labels map[string]context.Context
}

// StartProfile starts recording a profile into a directory, which is created if
// necessary. It returns nil for an empty name.
func StartProfile(name, dir string) (*Profiler, error) {
	if name == "" {
		return nil, nil
	}
	for _, p := range profiles {
		if p.name != name {
			continue
		}
		file := filepath.Join(dir, p.file)
		if err := writable(dir, file); err != nil {
			return nil, err
		}
		options := append(p.options[:len(p.options):len(p.options)], profile.ProfilePath(dir), profile.NoShutdownHook, profile.Quiet)
		return &Profiler{File: file, stop: profile.Start(options...), labels: map[string]context.Context{}}, nil
	}
	return nil, InvalidName("profile", name, profileNames())
}

// writable returns an error if the file cannot be created. The library would log
// the error and end the process.
func writable(dir, file string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
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

// End writes the profile. Memory profiles show the live objects of the last
// garbage collection, so End runs a collection first.
func (p *Profiler) End() {
	if p == nil {
		return
	}
	if strings.HasSuffix(p.File, "mem.pprof") {
		runtime.GC()
	}
	p.stop.Stop()
	pprof.SetGoroutineLabels(context.Background())
}
