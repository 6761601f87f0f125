package main

import (
	"cmp"
	"context"
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
		Action: cli.Action(func(c *cli.Context) error {
			o, err := conquerOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.files, Outputs: []string{o.Proof}, Redirect: true, Status: true}
			return e.Run(c, frame, func(r *cli.Run) error { return conquer(r, o) })
		}),
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
format of proof.

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

// defaultBudget is how many conflicts a cube has before it is split. From 300 cubes on,
// it matters little: a van der Waerden, a Schur and a multiplier formula take 15.4, 24.4
// and 6.7 s with this one, 16.8, 22.7 and 5.6 s with five times as much, and 18.4, 34.1
// and 6.6 s with a tenth. Without cubes to begin with they take 22.7, 38.8 and 9.1 s,
// and 20.5, 35.7 and 8.6 s with a tenth (two solvers, two cores).
const defaultBudget = 20_000

// conquerOptions are the command line of conquer, as far as it has the same as
// solve in the manner of that.
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

		jobs:   c.Int("jobs"),
		budget: c.Int64("budget"),
		run:    c.String("run"),
		alone:  c.Bool("no-sharing"),
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
	}
	return o, o.parse(c)
}

// parse reads the flags whose values need reading.
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

// A conquerSetup is clause learning with what else bears on the answer.
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
	k := &conquerRun{o: o, r: r, got: &result{proof: file}}
	if err := k.decide(ctx, file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	k.got.total = time.Since(r.Begin)
	r.Progress.Close()
	if err := r.printResult(k.got); err != nil || k.got.status == dimacs.Unknown {
		return err
	}
	return cli.ExitCode(k.got.status)
}

// A conquerRun is a run of conquer.
type conquerRun struct {
	cli.Evidence
	o   *conquerOptions
	r   *report
	got *result
}

// decide reads the formula, conquers it and checks the model.
func (k *conquerRun) decide(ctx context.Context, file *cli.ProofFile) error {
	in, err := formula.NewReader(k.r.Run).Formula(ctx, k.o.files...)
	if why, is := cli.Stopped(ctx); is {
		k.got.reason = why
		return nil
	} else if err != nil {
		return err
	}
	k.got.input = in
	k.r.printInput(in)
	reason, err := engines.CheckMemory(k.r.Env, in.Occurring(nil), in.Formula, k.o.setup, k.r.Memory)
	if err != nil {
		return err
	} else if reason != "" {
		k.got.reason = reason
		return nil
	}
	begin := time.Now()
	if err := k.run(ctx, in, file); err != nil {
		return err
	}
	k.got.solve = time.Since(begin)
	if why, is := cli.Stopped(ctx); is && k.got.status == dimacs.Unknown {
		k.got.reason = why
	} else if ctx.Err() != nil && k.got.status == dimacs.Unknown {
		return context.Cause(ctx)
	}
	return k.checkResult(in)
}

// run has the cubes conquered, in a folder if there is one.
func (k *conquerRun) run(ctx context.Context, in *formula.Input, file *cli.ProofFile) (err error) {
	o := portfolio.ConquerOptions{
		Threads:  k.o.jobs,
		Budget:   k.o.budget,
		Alone:    k.o.alone,
		Solver:   k.o.options,
		Progress: k.progress,
	}
	o.Solver.Seed = k.o.seed
	k.Evidence = cli.NewEvidence(file, k.o.verify, true)
	var folder *journalProof
	if k.o.run != "" {
		j, err := k.open(in, file != nil)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, j.Close()) }()
		if folder, err = k.attachProof(j, file != nil); err != nil {
			return err
		}
		o.Known, o.Keep = j.Results(), j.Keep
	}
	o.Solver.Proof = k.Proof(in.Formula.Len())
	if folder != nil {
		o.Position = folder.Position
	}
	k.r.Progress.Doing("simplifying")
	full := catchTableLimit(func() {
		k.got.status, k.got.model, err = portfolio.Conquer(ctx, in.Formula, in.Cubes, o)
	})
	if full != nil {
		k.got.status, k.got.reason = dimacs.Unknown, full.Error()
	}
	if err == nil && folder != nil {
		err = folder.copy(file)
	}
	if err == nil && k.got.status == dimacs.Unsatisfiable {
		k.checkRefutation(ctx, in)
	}
	return err
}

// open opens the folder.
func (k *conquerRun) open(in *formula.Input, proved bool) (*journal.Journal, error) {
	format := proof.FormatUnknown
	if proved {
		format = k.o.ProofFormat
	}
	j, err := journal.Open(k.o.run, journal.NewIdentity(in.Formula, in.Cubes, format))
	if err != nil {
		return nil, err
	}
	if n := len(j.Results()); n > 0 {
		k.r.comment("going on with %d results of %s", n, cli.Named(k.o.run))
	}
	return j, nil
}

// attachProof decides who listens to the solvers of a run with a folder, and returns the
// proof in it, if there is one. A checker can follow a run from its beginning alone.
//
// The results quote clauses of the proof by their ids. Those that a checker and the
// proof in the folder are told together have the ids that they have in the proof: all
// clauses are given before the first lemma, and the proof begins with this run, so that
// it numbers them in their order.
func (k *conquerRun) attachProof(j *journal.Journal, proved bool) (*journalProof, error) {
	resumed := len(j.Results()) > 0
	if resumed && k.o.verify && !proved {
		return nil, &cli.UsageError{Msg: fmt.Sprintf("the results of %s cannot be verified, since the run was begun without --proof", cli.Named(k.o.run)),
			Hint: "Go on without --verify, or begin anew with another folder."}
	}
	k.Evidence = cli.NewEvidence(nil, k.o.verify && !resumed, true)
	if !proved {
		return nil, nil
	}
	folder := &journalProof{j, k.o.ProofFormat}
	if resumed && k.o.verify {
		k.Kept = folder
	} else {
		k.File = folder
	}
	return folder, nil
}

// A journalProof is the proof in the folder of a run, whatever number of times that was
// gone on with.
type journalProof struct {
	*journal.Journal
	format proof.Format
}

func (p *journalProof) Start(clauses int) dimacs.Proof { return p.Proof(p.format, clauses) }

func (p *journalProof) Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	steps, name, err := p.Steps()
	if err != nil {
		return err
	}
	_, err = proof.Check(ctx, f, steps, proof.Options{Name: name, Format: p.format, Assumptions: assumptions})
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

// checkRefutation has the refutation checked. If that does not come to its end, there is no
// answer.
func (k *conquerRun) checkRefutation(ctx context.Context, in *formula.Input) {
	if k.Verifying() {
		k.r.Progress.Checking()
	}
	if k.Refuted(ctx, in.Formula, in.Formula.Len(), nil) != nil {
		k.got.status = dimacs.Unknown
	}
}

// checkResult returns an internal error if the model is none of the formula as it was
// read, or if the refutation is not confirmed.
func (k *conquerRun) checkResult(in *formula.Input) error {
	if err := k.Evidence.Verify(); err != nil {
		return err
	}
	k.got.verified = k.Verifying() && k.got.status == dimacs.Unsatisfiable
	if k.got.status != dimacs.Satisfiable {
		return nil
	}
	k.got.model = k.got.model[:min(len(k.got.model), in.Formula.Vars())]
	if i := in.Complete(k.got.model).Falsified(in.Formula); i >= 0 {
		return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy clause %d, %s", i+1, formula.ClauseText(in.Formula.Clause(i)))}
	}
	return nil
}

// progress takes progress of how things stand.
func (k *conquerRun) progress(c portfolio.ConquerStats) {
	s := &conquerStatistics{c}
	k.got.stats = s
	k.r.Progress.Event('.', s)
}

// Conquest statistics are how a conquest stands.
type conquerStatistics struct{ portfolio.ConquerStats }

func (s *conquerStatistics) List() engines.Properties { return engines.FieldsOf(&s.ConquerStats) }

func (s *conquerStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, 0 }

// remainingTime estimates how long the rest takes, after so long.
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
