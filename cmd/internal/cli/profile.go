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

// Profiles show what the process spends while it solves. Samples of the CPU
// profile carry the label "phase", what the solver was doing: "read", "add",
// the names that the engine gives its activities, and "check". Labels cost a
// little at each change and are set only while profiling.

// profiles lists what --profile can record. The options for allocations and
// heap follow MemProfile, which sets the sampling rate that they lack.
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

// A Profiler records a profile, or nothing if it is nil.
type Profiler struct {
	File string
	stop interface{ Stop() }

	mu     sync.Mutex // guards what follows, which all solvers of a race use
	labels map[string]context.Context
}

// StartProfile begins to record the named profile into a directory, which is
// made if there is none; no name, no profile.
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

// writable returns an error if the file cannot be made in that directory,
// which the library would log and exit for.
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

// Phase labels the samples of this goroutine from now on.
func (p *Profiler) Phase(name string) {
	if p == nil {
		return
	}
	pprof.SetGoroutineLabels(p.label(name))
}

// label returns a context with the label of that name.
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

// Activity returns what engines call, or nil if there is no profile.
func (p *Profiler) Activity() func(string) {
	if p == nil {
		return nil
	}
	return p.Phase
}

// End writes the profile. Memory profiles show what the last collection found
// alive, hence one more.
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
