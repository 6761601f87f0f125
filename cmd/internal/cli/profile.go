package cli

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
//
// A profile is an output file like a proof: a run that fails leaves none, and a
// profile that cannot be written is an error. The library ignores write errors, and
// a file that it cannot create ends the process. It therefore records into a
// temporary folder, and the profile is copied when it is complete.

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

// RecordingFlags returns the flags of commands that record profiles.
func RecordingFlags() []Flag {
	return []Flag{
		&StringFlag{Name: "profile", Category: ProfileFlags, Usage: "record a profile of `KIND`: " + strings.Join(profileNames(), ", ")},
		&StringFlag{Name: "profile-dir", Category: ProfileFlags, Value: ".", Usage: "write the profile to directory `DIR`"},
	}
}

// A Recording is the profile of a command line.
type Recording struct {
	Kind string // empty for no profile
	Dir  string
}

// RecordingOf reads the flags of [RecordingFlags].
func RecordingOf(c *Context) (Recording, error) {
	r := Recording{c.String("profile"), c.String("profile-dir")}
	if c.IsSet("profile-dir") && r.Kind == "" {
		return r, Useless("profile-dir", "profile")
	}
	return r, nil
}

func profileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// A Profiler records a profile. A nil Profiler does nothing.
type Profiler struct {
	File      string
	out       output
	temporary string              // folder into which the library records
	stop      interface{ Stop() } // nil after the end

	mu     sync.Mutex // guards labels, which the solvers of a race share
	labels map[string]context.Context
}

// StartProfile starts recording a profile into a directory, which is created if
// necessary. It returns nil for a command line without a profile.
func (e *Env) StartProfile(ctx context.Context, r Recording) (*Profiler, error) {
	if r.Kind == "" {
		return nil, nil
	}
	for _, p := range profiles {
		if p.name != r.Kind {
			continue
		}
		if err := e.Disk.MkdirAll(r.Dir); err != nil {
			return nil, err
		}
		file := filepath.Join(r.Dir, p.file)
		out, err := e.create(ctx, file)
		if err != nil {
			return nil, err
		}
		temporary, err := recordingFolder(p.file)
		if err != nil {
			out.Abort()
			return nil, err
		}
		options := append(p.options[:len(p.options):len(p.options)], profile.ProfilePath(temporary), profile.NoShutdownHook, profile.Quiet)
		return &Profiler{File: file, out: out, temporary: temporary, stop: profile.Start(options...), labels: map[string]context.Context{}}, nil
	}
	return nil, InvalidName("profile", r.Kind, profileNames())
}

// recordingFolder returns a new temporary folder with an empty file of this name, which
// the library can open.
func recordingFolder(name string) (string, error) {
	folder, err := os.MkdirTemp("", "sator-profile-")
	if err != nil {
		return "", fmt.Errorf("cannot record a profile: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
		os.RemoveAll(folder)
		return "", fmt.Errorf("cannot record a profile: %w", err)
	}
	return folder, nil
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

// Close ends the recording and completes the file. Memory profiles show the live
// objects of the last garbage collection, so Close runs a collection first.
func (p *Profiler) Close() error {
	if p == nil {
		return nil
	}
	if strings.HasSuffix(p.File, "mem.pprof") {
		runtime.GC()
	}
	p.end()
	defer p.Abort()
	err := p.copy()
	if err == nil {
		err = p.out.Close()
	}
	if err != nil {
		return fmt.Errorf("cannot write the profile: %w", err)
	}
	return nil
}

// copy copies the recorded file to the output.
func (p *Profiler) copy() error {
	f, err := os.OpenFile(filepath.Join(p.temporary, filepath.Base(p.File)), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := recorded(f); err != nil {
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			err = path.Err // the temporary folder is gone when the user reads the message
		}
		return fmt.Errorf("%s is incomplete: %w", Named(p.File), err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(p.out, f)
	return err
}

// recorded returns an error if the library has probably lost a write error. All
// profiles but traces are gzip files, whose checksum shows that they are whole. A full
// disk shows when a trace is extended.
func recorded(f *os.File) error {
	if strings.HasSuffix(f.Name(), ".pprof") {
		z, err := gzip.NewReader(f)
		if err == nil {
			_, err = io.Copy(io.Discard, z)
		}
		return err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := f.Write(make([]byte, 1<<16)); err != nil {
		return err
	}
	return f.Truncate(end)
}

// Abort ends the recording and removes its files. It has no effect after Close.
func (p *Profiler) Abort() {
	if p != nil {
		p.end()
		p.out.Abort()
		os.RemoveAll(p.temporary)
	}
}

func (p *Profiler) end() {
	if p.stop != nil {
		p.stop.Stop()
		p.stop = nil
		pprof.SetGoroutineLabels(context.Background())
	}
}
