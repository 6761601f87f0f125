package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/dpll/portfolio/journal"
)

func conquerCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "conquer",
		Usage:       "solve a formula by cube and conquer, in parallel",
		UsageText:   "sator conquer [flags] [F.icnf|-]",
		Description: conquerDescription,
		Flags:       conquerFlags(),
		Action: cli.RunAction(e, conquerOptionsOf, func(o *conquerOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files, Outputs: []string{o.Proof}, Redirect: true, Answer: true, Status: true}
		}, conquer),
	}
}

const conquerDescription = `Solves a formula by cube and conquer: several solvers solve the cubes of an iCNF
file, as written by "sator cube", in their order, and share learned clauses. A
cube that takes more conflicts than --budget is split into two by look-ahead, so
that a formula without cubes is solved in the same way. The first model ends the
run; it is checked before it is printed.

"s UNSATISFIABLE" is about the formula, not only about its cubes. If the cubes
are leaves of a binary tree, the missing leaves are added. If they do not form a
tree, the assignments outside all cubes are solved at the end. All clauses apply
to all cubes, also to cubes before them in the file. The answer is "s UNKNOWN"
if a cube has no result.

--run DIR stores each result in a directory. The same command resumes a run that
was stopped or killed: finished cubes are not solved again, unfinished cubes
start anew. The directory belongs to one formula with its cubes and to one
format of proof. Checksums detect damage to its files, as after a power cut: the
results before the damage are used, and the other cubes are solved again.

--proof FILE writes a refutation of the formula for "sator check". With --run
the steps are stored in the directory too, a resumed run includes the steps of
the runs before it, and FILE is written at the end. A run that was started
without a proof cannot be resumed with a proof.

--verify checks the refutation by an independent checker before the answer is
printed: each step when it is derived, or, in a resumed run, the whole proof of
the directory at the end. A resumed run can therefore be verified only if it was
started with --proof.

The status line, and with -v a line for each result, reports the fraction of the
work that is done, where each split halves the work, and an estimate of the
remaining time from the time so far.

Exit codes, limits and the members of the --json document are those of solve.
Runs are reproducible only with -j 1.

Examples:
  sator cube problem.cnf -o problem.icnf; sator conquer problem.icnf
  sator conquer problem.icnf -j 8 --run problem.run
  sator conquer problem.icnf --proof p.drat; sator check problem.icnf p.drat`

func conquerFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		cli.TimeFlag(),
		cli.MemoryFlag(),
		&cli.Int64Flag{Name: "budget", Category: cli.LimitFlags, Value: defaultBudget, Usage: "split a cube after `N` conflicts; 0: never"},
		&cli.StringFlag{Name: "run", Category: cli.OutputFlags, Usage: "store the results in directory `DIR`, and resume from them"},
	}, answerFlags("print options, and a line for each result"), []cli.Flag{
		formula.RelaxedFlag(),
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Category: cli.EngineFlags, DefaultText: "one for each processor", Usage: "run `N` solvers in parallel"},
		&cli.BoolFlag{Name: "no-sharing", Category: cli.EngineFlags, Usage: "do not share learned clauses"},
		&cli.Uint64Flag{Name: "seed", Category: cli.EngineFlags, Usage: "start the random generators with `N`"},
	}, engines.CDCLFlags())
}

// defaultBudget is the number of conflicts after which a cube is split. If a run starts
// with 300 cubes, the budget matters little: a van der Waerden, a Schur and a multiplier
// formula take 15.4, 24.4 and 6.7 s with this budget, 16.8, 22.7 and 5.6 s with five times
// the budget, and 18.4, 34.1 and 6.6 s with a tenth of it. Without initial cubes they take
// 22.7, 38.8 and 9.1 s, and 20.5, 35.7 and 8.6 s with a tenth (two solvers, two cores).
const defaultBudget = 20_000

// conquerOptions is the command line of conquer.
type conquerOptions struct {
	*solveOptions
	jobs    int
	budget  int64
	run     string
	alone   bool
	options cdcl.Options
}

func conquerOptionsOf(c *cli.Context) (*conquerOptions, error) {
	o := &conquerOptions{
		solveOptions: commonOptions(c),
		jobs:         c.Int("jobs"),
		budget:       c.Int64("budget"),
		run:          c.String("run"),
		alone:        c.Bool("no-sharing"),
	}
	if !c.IsSet("jobs") {
		o.jobs = min(runtime.GOMAXPROCS(0), portfolio.MaxThreads)
	}
	switch {
	case o.quiet && o.verbose:
		return nil, cli.Exclusive("quiet", "verbose")
	case o.jobs < 1 || o.jobs > portfolio.MaxThreads:
		return nil, cli.Invalid("jobs", o.jobs, "1 to %d", portfolio.MaxThreads)
	case o.budget < 0:
		return nil, cli.Invalid("budget", o.budget, "0 or more")
	case c.IsSet("run") && o.run == "":
		return nil, cli.ErrNoName
	case o.run != "" && (journal.Has(o.run, o.Proof) || journal.Has(o.run, o.output)):
		return nil, cli.Usagef("an output would replace a file in %s; use another name", cli.Named(o.run))
	}
	return o, o.parse(c)
}

// parse parses and checks the other flags.
func (o *conquerOptions) parse(c *cli.Context) (err error) {
	if o.engine, err = engines.Find("cdcl"); err != nil {
		return err
	}
	o.chosen.Name = o.engine.Name
	learning, err := engines.ReadCDCL(c)
	if err != nil {
		return err
	}
	o.options, o.setup = learning.Options, &conquerSetup{learning, o}
	o.ProofFormat, err = o.Format(c, o.output, o.engine.Name, o.engine.Hints)
	return err
}

// A conquerSetup is the setup of the solvers with the options of conquer.
type conquerSetup struct {
	*engines.CDCLSetup
	o *conquerOptions
}

func (u *conquerSetup) List() engines.Properties {
	return append(engines.Properties{
		{Name: "jobs", Value: u.o.jobs},
		{Name: "budget", Value: u.o.budget},
		{Name: "sharing", Value: !u.o.alone},
		{Name: "run", Value: u.o.run},
	}, u.CDCLSetup.List()...)
}

func (u *conquerSetup) Footprint(vars, clauses, literals int) int64 {
	return portfolio.Footprint(u.o.jobs, vars, clauses, literals)
}

// conquer runs the command. It returns the answer as an exit code.
func conquer(run *cli.Run, o *conquerOptions) error {
	cli.SetCollector()
	r := &report{run, o.solveOptions}
	ctx, file, err := r.StartProof(r.Ctx, o.ProofOptions)
	if _, is := cli.Stopped(ctx); err != nil && !is {
		return err
	}
	defer file.Abort()

	r.printHeader(nil)
	k := &conquerRun{answer{r: r, got: &result{proof: file}}, o}
	if err := k.solveInput(ctx, file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return r.finish(k.got)
}

// A conquerRun is a run of conquer.
type conquerRun struct {
	answer
	o *conquerOptions
}

// solveInput reads the formula, solves it and checks the answer.
func (k *conquerRun) solveInput(ctx context.Context, file *cli.ProofFile) error {
	in, err := formula.NewReader(k.r.Run).Formula(ctx, k.o.files...)
	if why, is := cli.Stopped(ctx); is {
		k.got.reason = why
		return nil
	} else if err != nil {
		return err
	}
	k.in, k.got.input = in, in
	k.r.printInput(in)
	if err := engines.CheckMemory(k.r.Run, in.Occurring(nil), in.Formula, k.o.setup); err != nil {
		k.got.reason = err.Error()
		return nil
	}
	begin := time.Now()
	err = k.run(ctx, file)
	if _, is := cli.Stopped(ctx); err != nil && !(is && errors.Is(err, context.Cause(ctx))) {
		return err
	}
	k.got.solve = time.Since(begin)
	if why, is := cli.Stopped(ctx); is && k.got.status == dimacs.Unknown {
		k.got.reason = why
	} else if ctx.Err() != nil && k.got.status == dimacs.Unknown {
		return context.Cause(ctx)
	}
	if k.got.status == dimacs.Satisfiable {
		k.got.model = in.Complete(k.got.model[:min(len(k.got.model), in.Formula.Vars())])
	}
	return k.checkAnswer(in.Formula.Len(), nil)
}

// run solves the cubes. With --run it stores the results in a directory.
func (k *conquerRun) run(ctx context.Context, file *cli.ProofFile) (err error) {
	in := k.in
	o := portfolio.ConquerOptions{
		Threads:  k.o.jobs,
		Budget:   k.o.budget,
		Alone:    k.o.alone,
		Solver:   k.o.options,
		Progress: k.progress,
	}
	o.Solver.Seed, o.Solver.Memory = k.o.seed, k.r.Memory.Allows
	k.Evidence = cli.NewEvidence(file, k.o.verify, true, k.r.Memory)
	var stored *journalProof // nil without a proof in the directory
	if k.o.run != "" {
		var j *journal.Journal
		if j, err = k.openJournal(ctx, file != nil); err != nil {
			return err
		}
		defer func() { err = cmp.Or(j.Close(), err) }()
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		j.Failed = cancel
		if stored, err = k.attachProof(j, file != nil); err != nil {
			return err
		}
		o.Known, o.Keep = j.Results(), j.Keep
	}
	o.Solver.Proof = k.Proof(in.Formula.Len())
	if stored != nil {
		o.Position = stored.Position
	}
	k.r.Progress.Doing("simplifying")
	tableLimit := catchTableLimit(k.r.Run, func() {
		k.got.status, k.got.model, err = portfolio.Conquer(ctx, in.Formula, in.Cubes, o)
	})
	if tableLimit != nil {
		k.got.status, k.got.reason = dimacs.Unknown, tableLimit.Error()
	}
	if err == nil && stored != nil {
		err = stored.copy(file)
	}
	if err == nil && k.got.status == dimacs.Unsatisfiable {
		k.checkRefutation(ctx, in.Formula.Len(), nil)
	}
	return err
}

// openJournal opens the journal in the directory of --run.
func (k *conquerRun) openJournal(ctx context.Context, proved bool) (*journal.Journal, error) {
	k.r.Progress.Doing("reading the results")
	format := proof.FormatUnknown
	if proved {
		format = k.o.ProofFormat
	}
	j, err := journal.Open(ctx, k.r.Disk, k.o.run, journal.NewIdentity(k.in.Formula, k.in.Cubes, format))
	if err != nil {
		return nil, err
	}
	if err := j.Damage(); err != nil {
		k.r.Warn(fmt.Errorf("%w; all results from there on are dropped, and their cubes are solved again", err))
	}
	if n := len(j.Results()); n > 0 {
		k.r.comment("resuming with %d results of %s", n, cli.Named(k.o.run))
	}
	return j, nil
}

// attachProof sets the evidence of a run with --run, and returns the proof in its
// directory or nil. A resumed run cannot be checked step by step, since the checker does
// not have the steps of the runs before.
//
// The results refer to clauses of the proof by id. If a checker and the proof both log a
// new run, they give the same ids: all clauses of the formula are added before the first
// lemma, and both number clauses in the order in which they are added.
func (k *conquerRun) attachProof(j *journal.Journal, proved bool) (*journalProof, error) {
	resumed := len(j.Results()) > 0
	if resumed && k.o.verify && !proved {
		return nil, &cli.UsageError{Msg: fmt.Sprintf("the results of %s cannot be verified, since the run was started without --proof", cli.Named(k.o.run)),
			Hint: "Resume without --verify, or start with another directory."}
	}
	k.Evidence = cli.NewEvidence(nil, k.o.verify && !resumed, true, k.r.Memory)
	if !proved {
		return nil, nil
	}
	stored := &journalProof{j, k.o.ProofFormat, k.r.Memory}
	if resumed && k.o.verify {
		k.Kept = stored
	} else {
		k.File = stored
	}
	return stored, nil
}

// A journalProof is the proof in the directory of --run, with the steps of all runs so
// far.
type journalProof struct {
	*journal.Journal
	format proof.Format
	memory *cli.Budget
}

func (p *journalProof) Start(clauses int) dimacs.Proof { return p.Proof(p.format, clauses) }

func (p *journalProof) Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	steps, name, err := p.Steps()
	if err != nil {
		return err
	}
	_, err = proof.Check(ctx, f, steps, proof.Options{Name: name, Format: p.format, Assumptions: assumptions, Memory: p.memory.Allows})
	return err
}

// copy writes the proof to a file.
func (p *journalProof) copy(w io.Writer) error {
	steps, _, err := p.Steps()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, steps)
	return err
}

// progress stores and shows the statistics of the run.
func (k *conquerRun) progress(c portfolio.ConquerStats) {
	s := &conquerStatistics{c}
	k.got.stats = s
	k.r.Progress.Event('.', s)
}

// conquerStatistics are the statistics of a run as the command line shows them.
type conquerStatistics struct{ portfolio.ConquerStats }

func (s *conquerStatistics) List() engines.Properties { return engines.FieldsOf(&s.ConquerStats) }

func (s *conquerStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, 0 }

// remainingTime estimates the remaining time of a run.
func (s *conquerStatistics) remainingTime(after time.Duration) string {
	if s.Closing {
		return "closing"
	}
	seconds := after.Seconds() * (1 - s.Done) / (s.Done - s.Start)
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0) || seconds < 0:
		return "?"
	case seconds < 100*3600:
		return time.Duration(seconds * 1e9).Round(time.Second).String()
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

func (s *conquerStatistics) Fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%.2f%% done", 100*s.Done),
		s.remainingTime(after) + " left",
		fmt.Sprintf("%d cubes refuted", s.Known+s.Refuted),
		fmt.Sprintf("%d open", s.Open+s.Running),
		fmt.Sprintf("%d split", s.Splits),
		fmt.Sprintf("%d conflicts (%.0f/s)", s.Conflicts, cli.PerSecond(s.Conflicts, after)),
	}
}

func (s *conquerStatistics) Header() string {
	return strings.TrimRight(`
     time   memory    done   refuted    spared     split      open  conflicts         left
        s       MB       %`, " ")
}

func (s *conquerStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %7.3f %9d %9d %9d %9d %10d %12s", after.Seconds(), cli.Megabytes(cli.Memory()),
		100*s.Done, s.Known+s.Refuted, s.Spared, s.Splits, s.Open+s.Running, s.Conflicts, s.remainingTime(after))
}
