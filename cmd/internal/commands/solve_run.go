package commands

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
)

// A solveRun is a run of solve.
type solveRun struct {
	*answer.Job
	o      *solveOptions
	record *engines.RecordFile // nil without --record
	solver engines.Solver
	vars   int        // number of variables of the solver
	added  bool       // the solver has the clauses
	cubes  *cubeProof // the proof of the solver, if there are cubes; nil without a proof
}

// solve runs the command. It returns the answer as an exit code.
func solve(r *cli.Run, o *solveOptions) error {
	cli.SaveMoreMemory()
	s := &solveRun{Job: answer.NewJob(r, o.Options), o: o}
	s.Start(engines.Legend(o.Engine.Name), s.create)
	s.Do("read", s.Read)
	s.Do("choose", s.choose)
	s.Do(cli.NoPhase, s.Timed(s.search)) // with the phases add, solve and check
	s.DoAlways("check", s.Check)
	defer runtime.KeepAlive(s) // a heap profile must include the solver
	return s.End()
}

// create creates the files that the run writes while it solves.
func (s *solveRun) create() error {
	err := s.CreateProof()
	if err == nil {
		err = s.StartProfile(s.o.recording)
	}
	if err == nil && s.o.record != "" {
		s.record, err = s.CreateRecord(s.o.record)
	}
	return err
}

// choose walks over the formula to choose the engine, if that depends on the formula, and
// to count the variables. With 10^7 clauses that takes a second, so choose returns the
// cause of ctx as soon as ctx is done.
func (s *solveRun) choose(ctx context.Context) error {
	choice, err := cli.Await(ctx, func() (engines.Choice, error) { return s.o.Choice.Setup.Choose(s.Input) })
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cli.ShownAll(s.o.Files), ", "), err)
	}
	s.vars, err = cli.Await(ctx, func() (int, error) { return s.Input.Occurring(s.o.Assume), nil })
	if err != nil {
		return err
	}
	s.o.Choice = choice
	s.PrintEngine()
	if s.record != nil {
		s.record.Start(s.RecordedRun())
		s.record.Describe(ctx, s.Input.Formula)
	}
	return nil
}

// search solves the formula.
func (s *solveRun) search(ctx context.Context) error {
	if err := engines.CheckMemory(s.Run, s.vars, s.Input.Formula, s.o.Choice.Setup); err != nil {
		return err
	}
	s.startSolver()
	defer func() { s.Stats = s.solver.Statistics() }()
	s.Progress.Doing("adding clauses")
	if len(s.Input.Cubes) > 0 {
		return s.solveCubes(ctx)
	}
	return s.solveUnder(ctx, s.o.Assume)
}

// startSolver creates the solver, without clauses, and connects it to the outputs of the run.
func (s *solveRun) startSolver() {
	s.Evidence = cli.NewEvidence(s.Proof, s.Input.Formula, s.o.Verify, s.o.Engine.Hints, s.Memory)
	hooks := engines.Hooks{
		Proof:    s.Evidence.Proof(s.Input.Formula.Len()),
		Once:     len(s.o.Assume) == 0 && len(s.Input.Cubes) == 0,
		Progress: s.Progress.Event,
		Memory:   s.Memory.Allows,
	}
	if len(s.Input.Cubes) > 0 && hooks.Proof != nil {
		s.cubes = &cubeProof{Proof: hooks.Proof, claimed: map[int64]bool{}}
		hooks.Proof = s.cubes
	}
	if s.Flags.Int("threads") == 1 {
		hooks.Memory = s.Evidence.Allows
	}
	if s.Profile != nil {
		hooks.Activity = s.Profile.Solver
	}
	if s.record != nil {
		hooks.Record = s.record.Recorder
	}
	s.solver = s.o.Choice.Setup.Start(hooks)
}

// solveUnder solves the formula under assumptions, and checks a refutation.
func (s *solveRun) solveUnder(ctx context.Context, assumptions []dimacs.Lit) error {
	s.Status = dimacs.Unknown
	if s.add(ctx) && s.setLimit() {
		s.Status = s.callSolver(ctx, assumptions)
	}
	s.Assumed = assumptions
	switch s.Status {
	case dimacs.Satisfiable:
		s.Model = s.solver.Model()
	case dimacs.Unsatisfiable:
		s.Failed = inOrder(assumptions, s.solver.Failed())
		return s.confirm(ctx, assumptions)
	default:
		return s.whyUnknown(ctx)
	}
	return nil
}

// callSolver calls the solver in a phase of its own.
func (s *solveRun) callSolver(ctx context.Context, assumptions []dimacs.Lit) dimacs.Status {
	defer s.Phase("solve")()
	return s.solver.Solve(ctx, assumptions...)
}

// confirm checks the refutation under assumptions.
func (s *solveRun) confirm(ctx context.Context, assumptions []dimacs.Lit) error {
	defer s.Phase("check")()
	return s.Confirm(ctx, assumptions)
}

// inOrder returns the failed assumptions in the order of the assumptions.
func inOrder(assumptions, failed []dimacs.Lit) []dimacs.Lit {
	left := make(map[dimacs.Lit]bool, len(failed))
	for _, l := range failed {
		left[l] = true
	}
	var ordered []dimacs.Lit
	for _, l := range assumptions {
		if left[l] {
			ordered = append(ordered, l)
			delete(left, l)
		}
	}
	return ordered
}

// add adds the clauses of the formula to the solver, unless it has them. It returns false if
// ctx ends first.
func (s *solveRun) add(ctx context.Context) bool {
	defer s.Phase("add")()
	f := s.Input.Formula
	if !s.added && !s.solver.Load(ctx, f, s.vars, 0, f.Len()) {
		return false
	}
	if !s.added {
		f.Pack(ctx) // it is read again only for checks
		s.Evidence.Concurrently()
	}
	s.added = true
	return ctx.Err() == nil
}

// setLimit limits the next call to the conflicts that are left of --conflicts. It
// returns false if no conflicts are left.
func (s *solveRun) setLimit() bool {
	if s.o.Conflicts == 0 {
		return true
	}
	spent, _ := s.solver.Statistics().Work()
	left := s.o.Conflicts - spent
	s.solver.Limit(left)
	return left > 0
}

// whyUnknown returns why the status is unknown.
func (s *solveRun) whyUnknown(ctx context.Context) error {
	limited, ok := s.solver.(interface{ Err() error }) // see cdcl.Solver.Err
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ok && limited.Err() != nil:
		return &cli.StoppedError{Why: limited.Err().Error()}
	case s.o.Conflicts > 0:
		return &cli.StoppedError{Why: fmt.Sprintf("limit of %s", cli.Count(s.o.Conflicts, "conflict"))}
	}
	return &cli.StoppedError{Why: "the engine gave up"}
}
