package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// solve runs the command. It returns the answer as an exit code.
func solve(run *cli.Run, o *solveOptions) error {
	cli.SaveMoreMemory()
	r := &answer.Report{Run: run, Options: o.Options}
	ctx, file, err := r.StartProof(r.Ctx, o.ProofOptions)
	if _, is := cli.Stopped(ctx); err != nil && !is {
		return err
	}
	defer file.Abort()
	ctx, trace, err := engines.StartTrace(r.Env, ctx, o.trace)
	if _, is := cli.Stopped(ctx); err != nil && !is {
		return err
	}
	defer trace.Abort()
	ctx, rec, err := engines.StartRecord(r.Run, ctx, o.record)
	if _, is := cli.Stopped(ctx); err != nil && !is {
		return err
	}
	defer rec.Abort()
	prof, err := r.StartProfile(ctx, o.recording)
	if err != nil {
		return err
	}
	defer prof.Abort()

	r.Header(prof, engines.Legend(o.Engine.Name))
	s, err := solveInput(ctx, r, o, solveFiles{prof, file, trace, rec})
	if err != nil {
		return err
	}
	if _, is := cli.Stopped(ctx); ctx.Err() != nil && !is {
		return context.Cause(ctx) // the answer is lost: old files stay
	}
	if err := cmp.Or(file.Close(), trace.Close(), prof.Close()); err != nil {
		return err
	}
	if err := rec.End(r.Recorded(), s.Result.Recorded(), s.Result.Stats); err != nil {
		return err
	}
	runtime.KeepAlive(s) // a heap profile must include the solver
	return r.Finish(s.Result)
}

// solveFiles are the files that a run writes while it solves, each nil if it is not
// requested.
type solveFiles struct {
	profile *cli.Profiler
	proof   *cli.ProofFile
	trace   *engines.TraceFile
	record  *engines.RecordFile
}

// phase begins a phase of the command in the profile and in the recording. It returns the
// function that ends it.
func (f *solveFiles) phase(name string) (end func()) {
	endProfile := f.profile.Phase(name)
	f.record.Phase(name)
	return func() {
		f.record.Phase("")
		endProfile()
	}
}

// result returns an unknown result for an input, which is nil if reading did not finish.
func (f *solveFiles) result(in *formula.Input, why string) *answer.Result {
	return &answer.Result{Input: in, Reason: why, Proof: f.proof, Trace: f.trace, Record: f.record}
}

// solveInput reads the formula, solves it and checks the answer. A run that a limit
// or a signal ends has a result, not an error.
func solveInput(ctx context.Context, r *answer.Report, o *solveOptions, files solveFiles) (*solveRun, error) {
	end := files.phase("read")
	in, err := formula.NewReader(r.Run).Formula(ctx, o.Files...)
	end()
	if why, is := cli.Stopped(ctx); is {
		return &solveRun{Verifier: answer.Verifier{Result: files.result(nil, why)}}, nil
	} else if err != nil {
		return nil, err
	}
	if err := in.CheckAssumptions(o.Assume); err != nil {
		return nil, err
	}
	r.PrintInput(in)
	end = files.phase("choose")
	plan, err := o.plan(ctx, in)
	end()
	if why, is := cli.Stopped(ctx); is && errors.Is(err, context.Cause(ctx)) {
		return &solveRun{Verifier: answer.Verifier{Result: files.result(in, why)}}, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cli.ShownAll(o.Files), ", "), err)
	}
	o.Chosen, o.Setup = plan.chosen, plan.chosen.Setup
	r.PrintEngine()
	files.record.Begin(r.Recorded())
	files.record.Formula(ctx, in.Formula)

	s := newSolveRun(o, in, plan.vars, r, files)
	begin := time.Now()
	if err := engines.CheckMemory(r.Run, s.vars, in.Formula, o.Setup); err != nil {
		s.Result.Reason = err.Error()
		return s, nil
	}
	cli.ReleaseProgram() // the code that read the formula
	s.run(ctx)
	s.Result.Solve = time.Since(begin)
	s.Result.Stats = s.solver.Statistics()
	defer files.phase("check")()
	return s, s.CheckAnswer(s.added, s.assumed)
}

// A solvePlan is the engine for a formula, and its number of variables.
type solvePlan struct {
	chosen engines.Chosen
	vars   int
}

// plan walks over the formula to choose the engine, if that depends on the formula, and
// to count the variables. With 10^7 clauses that takes a second, so plan returns the
// cause of ctx as soon as ctx is done.
func (o *solveOptions) plan(ctx context.Context, in *formula.Input) (solvePlan, error) {
	return cli.Await(ctx, func() (p solvePlan, err error) {
		p.chosen = o.Chosen
		p.chosen.Setup = o.Setup
		if c, is := o.Setup.(engines.Choice); is {
			p.chosen, err = c.Choose(in)
		}
		p.vars = in.Occurring(o.Assume)
		return p, err
	})
}

// A solveRun is a run of solve on a formula.
type solveRun struct {
	answer.Verifier
	o       *solveOptions
	solver  engines.Solver
	files   solveFiles
	vars    int          // number of variables of the solver
	added   int          // number of clauses added to the solver
	assumed []dimacs.Lit // assumptions of the last call
}

func newSolveRun(o *solveOptions, in *formula.Input, vars int, r *answer.Report, files solveFiles) *solveRun {
	v := cli.NewEvidence(files.proof, o.Verify, o.Engine.Hints, r.Memory)
	hooks := engines.Hooks{
		Proof:    v.Proof(in.Formula.Len()),
		Once:     len(o.Assume) == 0 && len(in.Cubes) == 0,
		Trace:    files.trace.Writer(),
		Progress: r.Progress.Event,
		Activity: files.profile.Solvers(),
		Memory:   r.Memory.Allows,
	}
	files.record.Hook(&hooks)
	return &solveRun{Verifier: answer.Verifier{Evidence: v, Report: r, Input: in, Result: files.result(in, "")}, o: o, solver: o.Setup.Start(hooks), files: files, vars: vars}
}

// run solves the formula.
func (s *solveRun) run(ctx context.Context) {
	if err := answer.CatchTableLimit(s.Run, func() { s.solveAll(ctx) }); err != nil {
		s.Result.Status, s.Result.Reason = dimacs.Unknown, err.Error()
	}
}

// solveAll solves the formula under the assumptions, or each cube of a script.
func (s *solveRun) solveAll(ctx context.Context) {
	s.Progress.Doing("adding clauses")
	s.reserve()
	if len(s.Input.Cubes) > 0 {
		s.solveCubes(ctx)
		return
	}
	s.solveUnder(ctx, s.Input.Formula.Len(), s.o.Assume)
	if s.Result.Status == dimacs.Unsatisfiable {
		s.confirm(ctx, s.o.Assume)
	}
}

// reserve makes room for the variables and clauses of the formula in the solver.
func (s *solveRun) reserve() {
	defer s.files.phase("add")()
	s.solver.Grow(s.vars)
	s.solver.Reserve(s.Input.Formula.Len(), s.Input.Formula.Size())
}

// confirm checks the refutation under assumptions.
func (s *solveRun) confirm(ctx context.Context, assumptions []dimacs.Lit) {
	defer s.files.phase("check")()
	if s.CheckRefutation(ctx, s.added, assumptions); s.Result.Status == dimacs.Unknown {
		s.Result.Reason = s.stopReason(ctx)
	}
}

// solveCubes solves the cubes in order until a cube is satisfiable or unknown, or a
// refutation is wrong. If the clauses alone are unsatisfiable, so are the later
// cubes, which have the same clauses or more.
func (s *solveRun) solveCubes(ctx context.Context) {
	for i, cube := range s.Input.Cubes {
		refuted := i > 0 && len(s.Result.Failed) == 0
		if !refuted {
			s.solveUnder(ctx, cube.Clauses, slices.Concat(s.o.Assume, cube.Lits))
		}
		if s.Result.Status == dimacs.Unsatisfiable {
			s.confirm(ctx, slices.Concat(s.o.Assume, cube.Lits))
		}
		s.Result.Cubes = append(s.Result.Cubes, s.Result.Status)
		s.Comment("cube %d: %v", i+1, s.Result.Status)
		if s.Result.Status != dimacs.Unsatisfiable || s.Fault != nil {
			return
		}
	}
	s.Result.Failed = nil // each cube has other failed assumptions
}

// solveUnder solves the first clauses of the formula under assumptions.
func (s *solveRun) solveUnder(ctx context.Context, clauses int, assumptions []dimacs.Lit) {
	s.assumed = assumptions
	s.Result.Status = dimacs.Unknown
	if !s.add(ctx, clauses) || !s.setLimit() {
		s.Result.Reason = s.stopReason(ctx)
		return
	}
	s.Result.Status = s.callSolver(ctx, assumptions)
	switch s.Result.Status {
	case dimacs.Unknown:
		s.Result.Reason = s.stopReason(ctx)
	case dimacs.Satisfiable:
		m := s.solver.Model()
		s.Result.Model = append(dimacs.Model{}, m[:min(len(m), s.Input.Formula.Vars())]...)
	case dimacs.Unsatisfiable:
		s.Result.Failed = inOrder(assumptions, s.solver.Failed())
	}
}

// callSolver calls the solver in a phase of its own.
func (s *solveRun) callSolver(ctx context.Context, assumptions []dimacs.Lit) dimacs.Status {
	defer s.files.phase("solve")()
	return s.solver.Solve(ctx, assumptions...)
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

// add adds the first clauses of the formula to the solver, without those that it
// has. It returns false if ctx ends first.
func (s *solveRun) add(ctx context.Context, clauses int) bool {
	defer s.files.phase("add")()
	f := s.Input.Formula
	if loader, is := s.solver.(engines.Loader); is && s.added < clauses {
		if !loader.Load(ctx, f, s.added, clauses) {
			return false
		}
		s.added = clauses
	}
	for ; s.added < clauses; s.added++ {
		if s.added%engines.AddInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.solver.Add(f.Clause(s.added)...)
	}
	if !s.o.Verify && s.added == f.Len() {
		f.Pack(ctx) // it is read again only to check a model
	}
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

// stopReason returns the reason of an unknown status.
func (s *solveRun) stopReason(ctx context.Context) string {
	if why, is := cli.Stopped(ctx); is {
		return why
	}
	if full, is := s.solver.(interface{ Err() error }); is && full.Err() != nil {
		return full.Err().Error()
	}
	if s.o.Conflicts > 0 {
		return fmt.Sprintf("limit of %s", cli.Count(s.o.Conflicts, "conflict"))
	}
	return "the engine gave up"
}
