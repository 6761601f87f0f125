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
	"runtime/trace"
	"slices"
	"strings"
	"sync"

	"github.com/pkg/profile"
)

// Profiles of a run by phase. The phases of a command, such as "read" and "solve",
// follow one another. While a solver runs, its own phases, such as "search-stable" and
// the names of the simplifications, lie within "solve".
//
//   - Samples of the CPU profile, and the stacks of the goroutine profile, have the label
//     "phase". It is the innermost phase.
//   - An execution trace has a task for the command and a task for each solver, and a
//     region for each phase. A region begins and ends on the same goroutine, and the
//     regions of a goroutine nest, as package runtime/trace demands.
//
// The other profiles of package runtime/pprof store no labels. Changing a label costs a
// little time, so labels are set only while profiling.
//
// A profile is an output file like a proof: a run that fails leaves none, and a
// profile that cannot be written is an error. The library ignores write errors, and
// a file that it cannot create ends the process. It therefore records into a
// temporary folder, and the profile is copied when it is complete.

// A profileKind is a value of --profile.
type profileKind struct {
	name     string
	file     string // name of the output
	recorded string // name of the file that the library writes
	help     string
	options  []func(*profile.Profile)
}

// profiles lists the values of --profile. The options for allocations and heap
// follow MemProfile, which sets the sampling rate.
var profiles = []profileKind{
	{"cpu", "cpu.pprof", "cpu.pprof", "processor time by function and phase", []func(*profile.Profile){profile.CPUProfile}},
	{"mem", "mem.pprof", "mem.pprof", "the same as heap", []func(*profile.Profile){profile.MemProfile}},
	{"allocs", "allocs.pprof", "mem.pprof", "allocations of the whole run by function", []func(*profile.Profile){profile.MemProfile, profile.MemProfileAllocs}},
	{"heap", "heap.pprof", "mem.pprof", "memory in use at the end, by the function that allocated it", []func(*profile.Profile){profile.MemProfile, profile.MemProfileHeap}},
	{"block", "block.pprof", "block.pprof", "time that goroutines waited", []func(*profile.Profile){profile.BlockProfile}},
	{"mutex", "mutex.pprof", "mutex.pprof", "time that others waited for a lock", []func(*profile.Profile){profile.MutexProfile}},
	{"goroutine", "goroutine.pprof", "goroutine.pprof", "stacks of the goroutines at the end", []func(*profile.Profile){profile.GoroutineProfile}},
	{"trace", "trace.out", "trace.out", "events of the run with a task for each solver and a region for each phase, for \"go tool trace\"", []func(*profile.Profile){profile.TraceProfile}},
}

// ofMemory reports whether the profile shows memory in use.
func (k *profileKind) ofMemory() bool { return k.recorded == "mem.pprof" }

// RecordingFlags returns the flags of commands that record profiles with these phases.
func RecordingFlags(phases []string) []Flag {
	kinds := Of(profiles, func(p profileKind) Choice { return Choice{p.name, p.help} })
	usage := fmt.Sprintf("record a profile of `KIND`: %s. The phases are %s", ChoiceHelp(kinds), strings.Join(phases, ", "))
	return []Flag{
		Choices(&StringFlag{Name: "profile", Category: ProfileFlags, Usage: usage}, func() []Choice { return kinds }),
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

// A Profiler records a profile. A nil Profiler does nothing.
type Profiler struct {
	File      string
	kind      *profileKind
	out       output
	temporary string              // folder into which the library records
	stop      interface{ Stop() } // nil after the end
	command   context.Context     // with the task of the command

	mu     sync.Mutex // guards the rest, which the solvers of a race share
	labels map[string]context.Context
	tasks  []*trace.Task // not yet ended
}

// StartProfile starts recording a profile of the run into a directory, which is
// created if necessary. A command line without a profile has none.
func (r *Run) StartProfile(o Recording) error {
	if o.Kind == "" {
		return nil
	}
	i := slices.IndexFunc(profiles, func(p profileKind) bool { return p.name == o.Kind })
	if i < 0 {
		return InvalidName("profile", o.Kind, Of(profiles, func(p profileKind) string { return p.name }))
	}
	if err := r.Disk.MkdirAll(o.Dir); err != nil {
		return err
	}
	kind := &profiles[i]
	p := &Profiler{File: filepath.Join(o.Dir, kind.file), kind: kind, labels: map[string]context.Context{}}
	var err error
	if p.out, err = r.create(r.Ctx, p.File); err != nil {
		return err
	}
	r.Keep(p)
	if p.temporary, err = recordingFolder(kind.recorded); err != nil {
		return err
	}
	options := append(kind.options[:len(kind.options):len(kind.options)], profile.ProfilePath(p.temporary), profile.NoShutdownHook, profile.Quiet)
	p.stop = profile.Start(options...)
	p.command = p.task(context.Background(), r.ProgramName()+" "+r.Command)
	r.Profile = p
	r.OnPhase(p.Phase)
	return nil
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

// task begins a task of the execution trace.
func (p *Profiler) task(parent context.Context, name string) context.Context {
	ctx, task := trace.NewTask(parent, name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tasks = append(p.tasks, task)
	return ctx
}

// solvePhase is the phase in which solvers run.
const solvePhase = "solve"

// Phase begins a phase of the command on this goroutine, and returns the function that
// ends it, which the same goroutine must call. Goroutines that start in the phase have its
// label.
func (p *Profiler) Phase(name string) (end func()) {
	pprof.SetGoroutineLabels(p.label(name))
	region := trace.StartRegion(p.command, name)
	return func() {
		region.End()
		pprof.SetGoroutineLabels(context.Background())
	}
}

// Solver begins the task of a solver of this name, and returns the callback for its
// phases: each call ends one phase and begins the next; an empty name only ends one. The
// solver must report the end on the goroutine on which the phase began.
func (p *Profiler) Solver(name string) func(phase string) {
	task := p.task(p.command, name)
	var region *trace.Region
	return func(phase string) {
		if region != nil {
			region.End()
			region = nil
		}
		if phase == "" {
			pprof.SetGoroutineLabels(p.label(solvePhase))
			return
		}
		pprof.SetGoroutineLabels(p.label(phase))
		region = trace.StartRegion(task, phase)
	}
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

// Close ends the recording and completes the file. Memory profiles show the live
// objects of the last garbage collection, so Close runs a collection first.
func (p *Profiler) Close() error {
	if p.kind.ofMemory() {
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
	f, err := os.OpenFile(filepath.Join(p.temporary, p.kind.recorded), os.O_RDWR, 0)
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

// recorded returns an error if the library has probably lost a write error. All profiles but traces are gzip files; the checksum shows that a file is complete. A full
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
	p.end()
	p.out.Abort()
	if p.temporary != "" {
		os.RemoveAll(p.temporary)
	}
}

func (p *Profiler) end() {
	if p.stop != nil {
		p.endTasks()
		p.stop.Stop()
		p.stop = nil
		pprof.SetGoroutineLabels(context.Background())
	}
}

// endTasks ends the tasks of the solvers, and then the task of the command.
func (p *Profiler) endTasks() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range slices.Backward(p.tasks) {
		t.End()
	}
	p.tasks = nil
}
