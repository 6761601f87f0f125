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

// A Bench is a set of runs: each solver on each instance in each round.
type Bench struct {
	Solvers   []*Solver // found, with different names
	Instances []Instance
	Rounds    int // how often all is run, at least 1
	Limits    Limits
	Core      int           // that solvers are pinned to; any if negative
	Proofs    bool          // asked for and checked
	CheckTime time.Duration // for the check of one answer; 0 is no limit

	// Decompress gives solvers plain files even if they could read compressed ones, so that reading
	// is the same work for all.
	Decompress bool

	// Log, if not nil, has the runs of earlier times, which are not repeated, and takes those of
	// this time.
	Log *Log

	// Progress, if not nil, is called before each run, with a nil record, and after it.
	Progress func(Progress)

	dir string // for files of the bench
}

// A Progress says how far a bench is.
type Progress struct {
	Done, Total int
	Solver      string
	File        string
	Run         *Run // of the run that is over, or nil
}

// Run does all runs that the log does not have yet, and returns the records of all. An error is one
// of the system, of the log, or the cause of ctx; the runs before it are in the log.
func (b *Bench) Run(ctx context.Context) ([]Run, error) {
	known, err := b.earlier()
	if err != nil {
		return nil, err
	}
	dir, leave, err := makeRoom()
	if err != nil {
		return nil, err
	}
	defer leave()
	b.dir = dir
	var records []Run
	p := Progress{Total: b.Rounds * len(b.Instances) * len(b.Solvers)}
	for round := 1; round <= b.Rounds; round++ {
		for i := range b.Instances {
			turn := b.turn(round, i)
			for _, s := range turn {
				if r, ok := known[key{s.Name, b.Instances[i].Name, round}]; ok {
					records = append(records, r)
					p.Done++
				}
			}
			todo := b.missing(known, turn, &b.Instances[i], round)
			if err := b.instance(ctx, &b.Instances[i], round, todo, &p, &records); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}

// turn returns the solvers in the order in which they run on an instance.
func (b *Bench) turn(round, instance int) []*Solver {
	n := len(b.Solvers)
	turn := make([]*Solver, n)
	for i := range turn {
		turn[i] = b.Solvers[(i+instance+round-1)%n]
	}
	return turn
}

// missing returns those of the solvers whose runs are not known.
func (b *Bench) missing(known map[key]Run, among []*Solver, in *Instance, round int) []*Solver {
	var todo []*Solver
	for _, s := range among {
		if _, ok := known[key{s.Name, in.Name, round}]; !ok {
			todo = append(todo, s)
		}
	}
	return todo
}

// earlier returns the runs in the log that belong to this bench. Those of a solver under the same
// name that were made in another way are an error: they are not to be compared.
func (b *Bench) earlier() (map[key]Run, error) {
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
		if err := b.alike(&r, s); err != nil {
			return nil, err
		}
		r.Known = in.Answer
		known[r.key()] = r
	}
	return known, nil
}

// alike returns an error if a run was made by another command or with other limits.
func (b *Bench) alike(r *Run, s *Solver) error {
	for _, x := range []struct{ what, then, now string }{
		{"command", r.Command, oneLine(s.line(b.Proofs))},
		{"limit of CPU time", inSeconds(r.Limits.CPU), inSeconds(b.Limits.CPU)},
		{"limit by the clock", inSeconds(r.Limits.Wall), inSeconds(b.Limits.Wall)},
		{"limit of memory (KB)", kilobytes(r.Limits.Memory), kilobytes(b.Limits.Memory)},
	} {
		if x.then != x.now {
			return fmt.Errorf("the runs of %s so far had another %s: %s then, %s now; use another file or another name", r.Solver, x.what, x.then, x.now)
		}
	}
	return nil
}

// instance runs solvers on an instance.
func (b *Bench) instance(ctx context.Context, in *Instance, round int, todo []*Solver, p *Progress, records *[]Run) error {
	if len(todo) == 0 {
		return context.Cause(ctx)
	}
	plain := ""
	for _, s := range todo {
		path, err := b.path(in, s, &plain)
		if err != nil {
			return err
		}
		p.Solver, p.File, p.Run = s.Name, in.Name, nil
		b.report(*p)
		r, err := b.one(ctx, &execution{bench: b, solver: s, in: in, path: path}, round)
		if err != nil {
			return err
		}
		*records = append(*records, r)
		p.Done++
		p.Run = &r
		b.report(*p)
	}
	if plain == "" {
		return nil
	}
	return os.Remove(plain)
}

func (b *Bench) report(p Progress) {
	if b.Progress != nil {
		b.Progress(p)
	}
}

// one does a run in a folder of its own, and logs it.
func (b *Bench) one(ctx context.Context, r *execution, round int) (Run, error) {
	r.dir = filepath.Join(b.dir, "run")
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		return Run{}, err
	}
	defer os.RemoveAll(r.dir)
	rec, err := r.do(ctx, round)
	if err == nil && b.Log != nil {
		err = b.Log.Append(rec)
	}
	return rec, err
}

// path returns the name of a file that has the formula and that the solver can read: that of the
// instance, or plain, a copy without compression that is made when it is first needed.
func (b *Bench) path(in *Instance, s *Solver, plain *string) (string, error) {
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
	dst, err := os.Create(filepath.Join(b.dir, "formula.cnf"))
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
