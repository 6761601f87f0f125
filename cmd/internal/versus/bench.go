package versus

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sator/dimacs/file"
)

// A Bench is a set of runs: each solver on each instance, Rounds times.
type Bench struct {
	Solvers   []*Solver // located by Find, with distinct names
	Instances []Instance
	Rounds    int // at least 1
	Limits    Limits
	Core      int           // processes are pinned to this core; negative: no pinning
	Proofs    bool          // request proofs and check them
	CheckTime time.Duration // limit for checking one answer; 0 means no limit

	// Decompress passes plain files to all solvers, also to those that read
	// compressed files, so reading costs all solvers the same.
	Decompress bool

	// Log, if not nil, holds the runs done so far, which are not repeated. New runs are appended to
	// it.
	Log *Log

	// Progress, if not nil, is called before each run, with a nil Run, and after it.
	Progress func(Progress)

	dir string // the work directory
}

// A Progress has the number of runs done by a Bench, and the current run.
type Progress struct {
	Done, Total int
	Solver      string
	File        string
	Run         *Run // the run that has just ended, or nil
}

// Run executes all runs that are not in the log and returns all runs, logged and new. It returns an
// error of the operating system or of the log, or the cause of ctx; the runs that ended before the
// error are in the log.
func (b *Bench) Run(ctx context.Context) ([]Run, error) {
	known, err := b.loggedRuns()
	if err != nil {
		return nil, err
	}
	dir, remove, err := makeWorkDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	b.dir = dir
	var runs []Run
	p := Progress{Total: b.Rounds * len(b.Instances) * len(b.Solvers)}
	for round := 1; round <= b.Rounds; round++ {
		for i := range b.Instances {
			order := b.order(round, i)
			for _, s := range order {
				if r, ok := known[key{s.Name, b.Instances[i].Name, round}]; ok {
					runs = append(runs, r)
					p.Done++
				}
			}
			todo := b.missing(known, order, &b.Instances[i], round)
			if err := b.runInstance(ctx, &b.Instances[i], round, todo, &p, &runs); err != nil {
				return nil, err
			}
		}
	}
	return runs, nil
}

// order returns the solvers in the order in which they run on an instance.
func (b *Bench) order(round, instance int) []*Solver {
	n := len(b.Solvers)
	order := make([]*Solver, n)
	for i := range order {
		order[i] = b.Solvers[(i+instance+round-1)%n]
	}
	return order
}

// missing returns the solvers whose runs are not in known.
func (b *Bench) missing(known map[key]Run, among []*Solver, in *Instance, round int) []*Solver {
	var todo []*Solver
	for _, s := range among {
		if _, ok := known[key{s.Name, in.Name, round}]; !ok {
			todo = append(todo, s)
		}
	}
	return todo
}

// loggedRuns returns the runs of the log that belong to this bench. If a solver of the same name
// ran with other settings, it returns an error, because these runs are not comparable.
func (b *Bench) loggedRuns() (map[key]Run, error) {
	known := map[key]Run{}
	if b.Log == nil {
		return known, nil
	}
	solvers := map[string]*Solver{}
	for _, s := range b.Solvers {
		solvers[s.Name] = s
	}
	instances := map[string]*Instance{}
	for i, in := range b.Instances {
		instances[in.Name] = &b.Instances[i]
	}
	for _, r := range b.Log.Runs() {
		s, in := solvers[r.Solver], instances[r.File]
		if s == nil || in == nil || r.Round > b.Rounds {
			continue
		}
		if err := b.checkSettings(&r, s); err != nil {
			return nil, err
		}
		r.Known, r.Family = in.Answer, in.Family
		known[r.key()] = r
	}
	return known, nil
}

// checkSettings returns an error if a run was made with another command or other limits.
func (b *Bench) checkSettings(r *Run, s *Solver) error {
	for _, x := range []struct{ setting, logged, now string }{
		{"command", r.Command, oneLine(s.line(b.Proofs))},
		{"CPU time limit", inSeconds(r.Limits.CPU), inSeconds(b.Limits.CPU)},
		{"wall-clock limit", inSeconds(r.Limits.Wall), inSeconds(b.Limits.Wall)},
		{"memory limit (KB)", kilobytes(r.Limits.Memory), kilobytes(b.Limits.Memory)},
	} {
		if x.logged != x.now {
			return fmt.Errorf("logged runs of %s have a different %s: %s, want %s; use another log file or another solver name", r.Solver, x.setting, x.logged, x.now)
		}
	}
	return nil
}

// runInstance runs the solvers in todo on an instance.
func (b *Bench) runInstance(ctx context.Context, in *Instance, round int, todo []*Solver, p *Progress, runs *[]Run) error {
	if len(todo) == 0 {
		return context.Cause(ctx)
	}
	plain := ""
	for _, s := range todo {
		path, err := b.formulaPath(in, s, &plain)
		if err != nil {
			return err
		}
		p.Solver, p.File, p.Run = s.Name, in.Name, nil
		b.notify(*p)
		r, err := b.runOnce(ctx, &execution{bench: b, solver: s, in: in, path: path}, round)
		if err != nil {
			return err
		}
		*runs = append(*runs, r)
		p.Done++
		p.Run = &r
		b.notify(*p)
	}
	if plain == "" {
		return nil
	}
	return os.Remove(plain)
}

// notify calls Progress, if set.
func (b *Bench) notify(p Progress) {
	if b.Progress != nil {
		b.Progress(p)
	}
}

// runOnce does a run in a directory of its own and appends it to the log. The solver created
// everything in this directory, so all of it is removed.
func (b *Bench) runOnce(ctx context.Context, r *execution, round int) (Run, error) {
	r.dir = filepath.Join(b.dir, runDir)
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		return Run{}, err
	}
	defer os.RemoveAll(r.dir)
	rec, err := r.run(ctx, round)
	if err == nil && b.Log != nil {
		err = b.Log.Append(rec)
	}
	return rec, err
}

// formulaPath returns the name of a file with the formula that solver s can
// read: the file of the instance, or a decompressed copy. The copy is made when
// it is first needed, and its name is stored in plain.
func (b *Bench) formulaPath(in *Instance, s *Solver, plain *string) (string, error) {
	src, err := file.Open(in.Path)
	if err != nil {
		return "", err
	}
	defer src.Close()
	compression := src.Compression()
	if s.reads(in.Path, compression) && (compression == "" || !b.Decompress) {
		return filepath.Abs(in.Path)
	}
	if *plain != "" {
		return *plain, nil
	}
	dst, err := os.Create(filepath.Join(b.dir, formulaFile))
	if err != nil {
		return "", err
	}
	defer dst.Close()
	if _, err := io.Copy(dst, src); err != nil {
		return "", err
	}
	*plain = dst.Name()
	return *plain, dst.Close()
}
