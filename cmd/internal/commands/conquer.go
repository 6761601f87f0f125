package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/journal"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

func conquerCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "conquer",
		Category:    "Solve",
		Usage:       "solve a formula by cube and conquer, in parallel",
		UsageText:   "sator conquer [flags] [F.icnf|-]",
		Description: conquerDescription,
		Flags:       append(answer.CubeFlags("store the results in directory `DIR`; and resume from them", ""), slices.Concat(cli.VerifyFlags(), engines.CDCLFlags())...),
		Action: cli.RunAction(e, conquerOptionsOf, func(o *answer.CubeOptions) cli.RunOptions {
			return cli.AnswerOptions(o.Files, o.Proof)
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

The refutation is checked as by solve, each step when it is derived. A resumed
run is checked only with --verify, by the whole proof of the directory at the
end; so it must have been started with --proof.

The status line, and with -v a line for each result, reports the fraction of the
work that is done, where each split halves the work, and an estimate of the
remaining time from the time so far.

Exit codes, limits and the members of the --json document are those of solve.
Runs are reproducible only with -j 1.

Examples:
  sator cube problem.cnf -o problem.icnf; sator conquer problem.icnf
  sator conquer problem.icnf -j 8 --run problem.run
  sator conquer problem.icnf --proof p.drat; sator check problem.icnf p.drat`

func conquerOptionsOf(c *cli.Context) (*answer.CubeOptions, error) {
	o, err := answer.CubeOptionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	if o.Dir != "" && (journal.Has(o.Dir, o.Proof) || journal.Has(o.Dir, o.Output)) {
		return nil, cli.Usagef("an output would replace a file in %s; use another name", cli.Named(o.Dir))
	}
	return o, nil
}

// A conquerRun is a run of conquer.
type conquerRun struct {
	*answer.Job
	o *answer.CubeOptions
}

// conquer runs the command. It returns the answer as an exit code.
func conquer(r *cli.Run, o *answer.CubeOptions) error {
	cli.SaveMemory()
	k := &conquerRun{answer.NewJob(r, o.Options), o}
	k.Start(answer.CubeLegend(), k.CreateProof)
	k.Do("read", k.Read)
	k.Do("solve", k.Timed(k.solve))
	k.DoAlways("check", k.Check)
	return k.End()
}

// solve solves the cubes. With --run it stores the results in a directory.
func (k *conquerRun) solve(ctx context.Context) (err error) {
	in := k.Input
	o := portfolio.ConquerOptions{
		Threads:  k.o.Jobs,
		Budget:   k.o.Budget,
		Alone:    k.o.Alone,
		Solver:   k.o.Solver,
		Progress: k.CubeProgress,
	}
	o.Solver.Seed, o.Solver.Memory = k.o.Seed, k.Memory.Allows
	if err := engines.CheckMemory(k.Run, in.Occurring(nil), in.Formula, k.o.Choice.Setup); err != nil {
		return err
	}
	k.Evidence = cli.NewEvidence(k.Proof, in.Formula, k.o.Verify, true, k.Memory)
	var stored *journalProof // nil without a proof in the directory
	if k.o.Dir != "" {
		var j *journal.Journal
		if j, err = k.openJournal(ctx); err != nil {
			return err
		}
		defer func() { err = cmp.Or(j.Close(), err) }()
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		j.Failed = cancel
		if stored, err = k.attachProof(j); err != nil {
			return err
		}
		o.Known, o.Keep = j.Results(), j.Keep
	}
	o.Solver.Proof = k.Evidence.Proof(in.Formula.Len())
	if stored != nil {
		o.Position = stored.Position
	}
	k.Progress.Doing("simplifying")
	k.Status, k.Model, err = portfolio.Conquer(ctx, in.Formula, in.Cubes, o)
	if err == nil && stored != nil {
		err = stored.copy(k.Proof)
	}
	if err == nil && k.Status == dimacs.Unsatisfiable {
		err = k.Confirm(ctx, nil)
	}
	return err
}

// openJournal opens the journal in the directory of --run.
func (k *conquerRun) openJournal(ctx context.Context) (*journal.Journal, error) {
	k.Progress.Doing("reading the results")
	format := proof.FormatUnknown
	if k.Proof != nil {
		format = k.o.ProofFormat
	}
	j, err := journal.Open(ctx, k.Disk, k.o.Dir, journal.NewIdentity(k.Input.Formula, k.Input.Cubes, format))
	if err != nil {
		return nil, err
	}
	if err := j.Damage(); err != nil {
		k.Warn(fmt.Errorf("%w; all results from there on are dropped, and their cubes are solved again", err))
	}
	if n := len(j.Results()); n > 0 {
		k.Comment("resuming with %s of %s", cli.Count(n, "result"), cli.Named(k.o.Dir))
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
func (k *conquerRun) attachProof(j *journal.Journal) (*journalProof, error) {
	resumed := len(j.Results()) > 0
	always := k.o.Verify == cli.VerifyAlways
	if resumed && always && k.Proof == nil {
		return nil, &cli.UsageError{Msg: fmt.Sprintf("the results of %s cannot be verified, since the run was started without --proof", cli.Named(k.o.Dir)),
			Hint: "Resume without --verify, or start with another directory."}
	}
	verify := k.o.Verify
	if resumed {
		verify = cli.VerifyNever
	}
	k.Evidence = cli.NewEvidence(nil, k.Input.Formula, verify, true, k.Memory)
	if resumed && k.o.Verify == cli.VerifyCheaply {
		k.Evidence.Unchecked = "some results are those of an earlier run"
	}
	if k.Proof == nil {
		return nil, nil
	}
	stored := &journalProof{j, k.o.ProofFormat, k.Memory}
	if resumed && always {
		k.Evidence.Kept = stored
	} else {
		k.Evidence.File = stored
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
