package main

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

// An result is all that solve has to tell.
type result struct {
	status dimacs.Status
	reason string       // why unknown
	model  dimacs.Model // if satisfiable, over the variables that the solver has
	failed []dimacs.Lit // if unsatisfiable under assumptions, those that exclude each other
	cubes  []dimacs.Status

	proof    *cli.ProofFile     // nil if none is written
	trace    *engines.TraceFile // nil if none is written
	verified bool               // a refutation, by the checker

	input *formula.Input     // nil if reading did not end
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
	prof, err := cli.StartProfile(o.profile, o.profileDir)
	if err != nil {
		return err
	}
	var j *solveRun
	defer func() {
		prof.End()
		runtime.KeepAlive(j) // so that a profile of the heap shows the solver
	}()

	r.printHeader(prof)
	if j, err = solveInput(ctx, r, prof, file, trace); err != nil {
		return err
	}
	if err := cmp.Or(file.Close(), trace.Close()); err != nil {
		return err
	}
	got := j.got
	got.total = time.Since(r.Begin)
	r.Progress.Close()
	if err := r.printResult(got); err != nil || got.status == dimacs.Unknown {
		return err
	}
	return cli.ExitCode(got.status)
}

// solveInput reads the formula, solves it and checks the model. A run that a limit
// or a signal ends has an outcome; an error is anything else.
func solveInput(ctx context.Context, r *report, prof *cli.Profiler, file *cli.ProofFile, trace *engines.TraceFile) (*solveRun, error) {
	prof.Phase("read")
	o := r.o
	in, err := formula.NewReader(r.Run).Formula(ctx, o.files...)
	if why, is := cli.Stopped(ctx); is {
		return &solveRun{got: &result{reason: why, proof: file, trace: trace}}, nil
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
	j := newSolveRun(o, in, r, prof, file, trace)
	begin := time.Now()
	reason, err := engines.CheckMemory(r.Env, j.vars, in.Formula, o.setup, r.Memory)
	if err != nil {
		return nil, err
	} else if reason != "" {
		j.got.reason = reason
		return j, nil
	}
	j.run(ctx)
	j.got.solve = time.Since(begin)
	j.got.stats = j.solver.Statistics()
	prof.Phase("check")
	if err := j.checkResult(); err != nil {
		return nil, err
	}
	return j, nil
}

// chooseEngine fixes the engine if that depends on the formula.
func (o *solveOptions) chooseEngine(in *formula.Input) (err error) {
	if c, is := o.setup.(engines.Choice); is {
		o.chosen, err = c.Choose(in)
		o.setup = o.chosen.Setup
	}
	return err
}

// A solveRun is a formula on its way through a solver.
type solveRun struct {
	o      *solveOptions
	in     *formula.Input
	r      *report
	solver engines.Solver
	cli.Evidence
	vars    int          // that the solver needs
	added   int          // clauses given to the solver
	assumed []dimacs.Lit // the assumptions of the last call
	got     *result
}

func newSolveRun(o *solveOptions, in *formula.Input, r *report, prof *cli.Profiler, file *cli.ProofFile, trace *engines.TraceFile) *solveRun {
	v := cli.NewEvidence(file, o.verify, o.engine.Hints)
	s := o.setup.Start(engines.Hooks{
		Proof:    v.Proof(in.Formula.Len()),
		Once:     len(o.assume) == 0 && len(in.Cubes) == 0,
		Trace:    trace.Writer(),
		Progress: r.Progress.Event,
		Activity: prof.Activity(),
	})
	return &solveRun{o: o, in: in, r: r, solver: s, Evidence: v,
		vars: in.Occurring(o.assume), got: &result{input: in, proof: file, trace: trace}}
}

// run leaves the answer in got.
func (j *solveRun) run(ctx context.Context) {
	if err := catchTableLimit(func() { j.solveAll(ctx) }); err != nil {
		j.got.status, j.got.reason = dimacs.Unknown, err.Error()
	}
}

// solveAll asks the solver what there is to ask.
func (j *solveRun) solveAll(ctx context.Context) {
	j.r.Progress.Doing("adding clauses")
	j.solver.Grow(j.vars)
	j.solver.Reserve(j.in.Formula.Len(), j.in.Formula.Size())
	if len(j.in.Cubes) > 0 {
		j.solveCubes(ctx)
		return
	}
	j.solveUnder(ctx, j.in.Formula.Len(), j.o.assume)
	if j.got.status == dimacs.Unsatisfiable {
		j.checkRefutation(ctx, j.o.assume)
	}
}

// checkRefutation has a refutation checked. If that does not come to its end, there is
// no answer.
func (j *solveRun) checkRefutation(ctx context.Context, assumptions []dimacs.Lit) {
	if j.Verifying() {
		j.r.Progress.Checking()
	}
	if err := j.Refuted(ctx, j.in.Formula, j.added, assumptions); err != nil {
		j.got.status, j.got.reason = dimacs.Unknown, j.stopReason(ctx)
	}
}

// solveCubes solves the cubes in turn until one is satisfiable or left open. When
// the clauses exclude each other without the cube, the cubes that remain are
// refuted with it, since later ones come with more clauses. A refutation that is
// not confirmed ends the run too.
func (j *solveRun) solveCubes(ctx context.Context) {
	for i, cube := range j.in.Cubes {
		settled := i > 0 && len(j.got.failed) == 0
		if !settled {
			j.solveUnder(ctx, cube.Clauses, slices.Concat(j.o.assume, cube.Lits))
		}
		if j.got.status == dimacs.Unsatisfiable {
			j.checkRefutation(ctx, slices.Concat(j.o.assume, cube.Lits))
		}
		j.got.cubes = append(j.got.cubes, j.got.status)
		j.r.printCube(i, j.got.status)
		if j.got.status != dimacs.Unsatisfiable || j.Fault != nil {
			return
		}
	}
	j.got.failed = nil // each cube has its own
}

// solveUnder solves the first clauses of the formula under assumptions.
func (j *solveRun) solveUnder(ctx context.Context, clauses int, assumptions []dimacs.Lit) {
	j.assumed = assumptions
	j.got.status = dimacs.Unknown
	if !j.add(ctx, clauses) || !j.setLimit() {
		j.got.reason = j.stopReason(ctx)
		return
	}
	j.got.status = j.solver.Solve(ctx, assumptions...)
	switch j.got.status {
	case dimacs.Unknown:
		j.got.reason = j.stopReason(ctx)
	case dimacs.Satisfiable:
		m := j.solver.Model()
		j.got.model = append(dimacs.Model{}, m[:min(len(m), j.in.Formula.Vars())]...)
	case dimacs.Unsatisfiable:
		j.got.failed = inOrder(assumptions, j.solver.Failed())
	}
}

// inOrder returns the failed assumptions in the order in which they were asked.
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

// add gives the solver the first clauses of the formula, as far as it does not
// have them. It reports false if ctx is done before.
func (j *solveRun) add(ctx context.Context, clauses int) bool {
	f := j.in.Formula
	if s, is := j.solver.(engines.Loader); is && j.added < clauses {
		if !s.Load(ctx, f, j.added, clauses) {
			return false
		}
		j.added = clauses
	}
	for ; j.added < clauses; j.added++ {
		if j.added%engines.AddInterval == 0 && ctx.Err() != nil {
			return false
		}
		j.solver.Add(f.Clause(j.added)...)
	}
	return ctx.Err() == nil
}

// setLimit passes on what is left of the setLimit on conflicts, and reports whether
// there is any.
func (j *solveRun) setLimit() bool {
	if j.o.conflicts == 0 {
		return true
	}
	spent, _ := j.solver.Statistics().Work()
	left := j.o.conflicts - spent
	j.solver.Limit(left)
	return left > 0
}

// stopReason returns the reason of an unknown answer.
func (j *solveRun) stopReason(ctx context.Context) string {
	if why, is := cli.Stopped(ctx); is {
		return why
	}
	if j.o.conflicts > 0 {
		return fmt.Sprintf("limit of %d conflicts", j.o.conflicts)
	}
	return "the engine gave up"
}

// checkResult returns an internal error if the model is none of the formula as it
// was read, or not one under the assumptions, or if a step of the derivation is
// found wrong.
func (j *solveRun) checkResult() error {
	if err := j.Evidence.Verify(); err != nil {
		return err
	}
	j.got.verified = j.Verifying() && j.got.status == dimacs.Unsatisfiable
	if j.got.status != dimacs.Satisfiable {
		return nil
	}
	m, f := j.got.model, j.in.Formula
	if i := m.Falsified(f); 0 <= i && i < j.added {
		return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy clause %d, %s", i+1, formula.ClauseText(f.Clause(i)))}
	}
	for _, l := range j.assumed {
		if m.Lit(l) != dimacs.True {
			return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy the assumption %v", l)}
		}
	}
	return nil
}
