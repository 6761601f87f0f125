package commands

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// A result is the answer of solve or conquer with its evidence and its times.
type result struct {
	status dimacs.Status
	reason string          // why the status is unknown
	model  dimacs.Model    // if satisfiable, over the variables of the solver
	failed []dimacs.Lit    // failed assumptions, if unsatisfiable under assumptions
	cubes  []dimacs.Status // answers of the cubes of a script

	proof    *cli.ProofFile     // nil without --proof
	trace    *engines.TraceFile // nil without --trace
	verified bool               // the checker confirmed the refutation

	input *formula.Input     // nil if reading did not finish
	stats engines.Statistics // nil if there was no search
	solve time.Duration
	total time.Duration
}

// solve runs the command. It returns the answer as an exit code.
func solve(run *cli.Run, o *solveOptions) error {
	cli.SetCollector()
	r := &report{run, o}
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
	prof, err := r.StartProfile(ctx, o.profile, o.profileDir)
	if err != nil {
		return err
	}
	defer prof.Abort()

	r.printHeader(prof)
	s, err := solveInput(ctx, r, prof, file, trace)
	if err != nil {
		return err
	}
	if _, is := cli.Stopped(ctx); ctx.Err() != nil && !is {
		return context.Cause(ctx) // the answer is lost: old files stay
	}
	if err := cmp.Or(file.Close(), trace.Close(), prof.Close()); err != nil {
		return err
	}
	runtime.KeepAlive(s) // a heap profile must include the solver
	return r.finish(s.got)
}

// solveInput reads the formula, solves it and checks the answer. A run that a limit
// or a signal ends has a result, not an error.
func solveInput(ctx context.Context, r *report, prof *cli.Profiler, file *cli.ProofFile, trace *engines.TraceFile) (*solveRun, error) {
	prof.Phase("read")
	o := r.o
	in, err := formula.NewReader(r.Run).Formula(ctx, o.files...)
	if why, is := cli.Stopped(ctx); is {
		return &solveRun{answer: answer{got: &result{reason: why, proof: file, trace: trace}}}, nil
	} else if err != nil {
		return nil, err
	}
	if err := in.CheckAssumptions(o.assume); err != nil {
		return nil, err
	}
	r.printInput(in)
	if err := o.chooseEngine(in); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cli.ShownAll(o.files), ", "), err)
	}
	r.printEngine()

	prof.Phase("add")
	s := newSolveRun(o, in, r, prof, file, trace)
	begin := time.Now()
	if err := engines.CheckMemory(r.Run, s.vars, in.Formula, o.setup); err != nil {
		s.got.reason = err.Error()
		return s, nil
	}
	s.run(ctx)
	s.got.solve = time.Since(begin)
	s.got.stats = s.solver.Statistics()
	prof.Phase("check")
	return s, s.checkAnswer(s.added, s.assumed)
}

// chooseEngine sets the engine if it depends on the formula.
func (o *solveOptions) chooseEngine(in *formula.Input) (err error) {
	if c, is := o.setup.(engines.Choice); is {
		o.chosen, err = c.Choose(in)
		o.setup = o.chosen.Setup
	}
	return err
}

// An answer is the result of a run on a formula. Its methods check the result.
type answer struct {
	cli.Evidence
	r   *report
	in  *formula.Input
	got *result
}

// checkRefutation checks the refutation of the first clauses of the formula. The
// status becomes unknown if ctx ends first.
func (a *answer) checkRefutation(ctx context.Context, clauses int, assumptions []dimacs.Lit) {
	if a.Verifying() {
		a.r.Progress.Checking()
	}
	if err := a.Refuted(ctx, a.in.Formula, clauses, assumptions); err != nil {
		a.got.status = dimacs.Unknown
	}
}

// checkAnswer returns an internal error if the model falsifies one of the first
// clauses of the formula as read or an assumption, or if the checker rejected the
// derivation.
func (a *answer) checkAnswer(clauses int, assumptions []dimacs.Lit) error {
	if err := a.Verify(); err != nil {
		return err
	}
	a.got.verified = a.Verifying() && a.got.status == dimacs.Unsatisfiable
	if a.got.status != dimacs.Satisfiable {
		return nil
	}
	for _, l := range assumptions {
		if a.got.model.Lit(l) != dimacs.True {
			return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy the assumption %v", l)}
		}
	}
	return checkClauses(a.got.model, a.in.Formula, clauses)
}

// checkClauses returns an internal error if a model falsifies one of the first clauses of
// a formula.
func checkClauses(m dimacs.Model, f *dimacs.Formula, clauses int) error {
	if i := m.Falsified(f); 0 <= i && i < clauses {
		return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy clause %d, %s", i+1, formula.ClauseText(f.Clause(i)))}
	}
	return nil
}

// A solveRun is a run of solve on a formula.
type solveRun struct {
	answer
	o       *solveOptions
	solver  engines.Solver
	vars    int          // number of variables of the solver
	added   int          // number of clauses added to the solver
	assumed []dimacs.Lit // assumptions of the last call
}

func newSolveRun(o *solveOptions, in *formula.Input, r *report, prof *cli.Profiler, file *cli.ProofFile, trace *engines.TraceFile) *solveRun {
	v := cli.NewEvidence(file, o.verify, o.engine.Hints, r.Memory)
	solver := o.setup.Start(engines.Hooks{
		Proof:    v.Proof(in.Formula.Len()),
		Once:     len(o.assume) == 0 && len(in.Cubes) == 0,
		Trace:    trace.Writer(),
		Progress: r.Progress.Event,
		Activity: prof.Activity(),
		Memory:   r.Memory.Allows,
	})
	return &solveRun{answer: answer{v, r, in, &result{input: in, proof: file, trace: trace}}, o: o, solver: solver, vars: in.Occurring(o.assume)}
}

// run solves the formula.
func (s *solveRun) run(ctx context.Context) {
	if err := catchTableLimit(s.r.Run, func() { s.solveAll(ctx) }); err != nil {
		s.got.status, s.got.reason = dimacs.Unknown, err.Error()
	}
}

// solveAll solves the formula under the assumptions, or each cube of a script.
func (s *solveRun) solveAll(ctx context.Context) {
	s.r.Progress.Doing("adding clauses")
	s.solver.Grow(s.vars)
	s.solver.Reserve(s.in.Formula.Len(), s.in.Formula.Size())
	if len(s.in.Cubes) > 0 {
		s.solveCubes(ctx)
		return
	}
	s.solveUnder(ctx, s.in.Formula.Len(), s.o.assume)
	if s.got.status == dimacs.Unsatisfiable {
		s.confirm(ctx, s.o.assume)
	}
}

// confirm checks the refutation under assumptions.
func (s *solveRun) confirm(ctx context.Context, assumptions []dimacs.Lit) {
	if s.checkRefutation(ctx, s.added, assumptions); s.got.status == dimacs.Unknown {
		s.got.reason = s.stopReason(ctx)
	}
}

// solveCubes solves the cubes in order until a cube is satisfiable or unknown, or a
// refutation is wrong. If the clauses alone are unsatisfiable, so are the later
// cubes, which have the same clauses or more.
func (s *solveRun) solveCubes(ctx context.Context) {
	for i, cube := range s.in.Cubes {
		refuted := i > 0 && len(s.got.failed) == 0
		if !refuted {
			s.solveUnder(ctx, cube.Clauses, slices.Concat(s.o.assume, cube.Lits))
		}
		if s.got.status == dimacs.Unsatisfiable {
			s.confirm(ctx, slices.Concat(s.o.assume, cube.Lits))
		}
		s.got.cubes = append(s.got.cubes, s.got.status)
		s.r.comment("cube %d: %v", i+1, s.got.status)
		if s.got.status != dimacs.Unsatisfiable || s.Fault != nil {
			return
		}
	}
	s.got.failed = nil // each cube has other failed assumptions
}

// solveUnder solves the first clauses of the formula under assumptions.
func (s *solveRun) solveUnder(ctx context.Context, clauses int, assumptions []dimacs.Lit) {
	s.assumed = assumptions
	s.got.status = dimacs.Unknown
	if !s.add(ctx, clauses) || !s.setLimit() {
		s.got.reason = s.stopReason(ctx)
		return
	}
	s.got.status = s.solver.Solve(ctx, assumptions...)
	switch s.got.status {
	case dimacs.Unknown:
		s.got.reason = s.stopReason(ctx)
	case dimacs.Satisfiable:
		m := s.solver.Model()
		s.got.model = append(dimacs.Model{}, m[:min(len(m), s.in.Formula.Vars())]...)
	case dimacs.Unsatisfiable:
		s.got.failed = inOrder(assumptions, s.solver.Failed())
	}
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
	f := s.in.Formula
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
	return ctx.Err() == nil
}

// setLimit limits the next call to the conflicts that are left of --conflicts. It
// returns false if no conflicts are left.
func (s *solveRun) setLimit() bool {
	if s.o.conflicts == 0 {
		return true
	}
	spent, _ := s.solver.Statistics().Work()
	left := s.o.conflicts - spent
	s.solver.Limit(left)
	return left > 0
}

// stopReason returns the reason of an unknown status.
func (s *solveRun) stopReason(ctx context.Context) string {
	if why, is := cli.Stopped(ctx); is {
		return why
	}
	if s.o.conflicts > 0 {
		return fmt.Sprintf("limit of %d conflicts", s.o.conflicts)
	}
	return "the engine gave up"
}
