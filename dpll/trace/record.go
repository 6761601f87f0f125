package trace

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Options configure a recording.
type Options struct {
	Seed        uint64
	Phase       int          // of first decisions: cdcl.PhaseTrue, the default, or PhaseFalse
	Assumptions []dimacs.Lit // decided first, one a level
	Decisions   []dimacs.Lit // the first decisions after the assumptions; the engine takes the later ones
	Limit       int          // most steps, without those of the kinds Add and Watch; positive
}

// A Trace is a recorded search.
type Trace struct {
	Steps  []Step
	Status dimacs.Status // Unknown if the search was stopped
	Full   bool          // it was stopped since there were Limit steps
	Model  dimacs.Model  // if Status is Satisfiable
	Failed []dimacs.Lit  // the failed assumptions if Status is Unsatisfiable

	// Untaken is the rest of Options.Decisions when the search ended.
	Untaken []dimacs.Lit
}

// Record solves a formula and returns the steps, also after a search that ctx or the limit ended. It returns an error if one of Decisions is assigned when its turn comes. Each step is
// verified by a [State] as it is recorded: Record panics if one is wrong, or if the model does not
// satisfy the formula.
func Record(ctx context.Context, f *dimacs.Formula, o Options) (*Trace, error) {
	if o.Limit < 1 {
		panic(fmt.Sprintf("trace: Limit is %d", o.Limit))
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &recorder{limit: o.Limit, decisions: o.Decisions, stop: stop}
	options := cdcl.Options{Seed: o.Seed, Phase: o.Phase, Proof: NewProof(r.add), Trace: r.record}
	plain, _ := cdcl.FindPreset("plain")
	plain.Apply(&options)
	s := cdcl.New(options)
	s.AddFormula(f)
	for _, l := range o.Assumptions {
		s.Grow(int(l.Var()) + 1)
	}
	s.Connect(r)
	for v := range dimacs.Var(s.Vars()) {
		s.Observe(dimacs.Lit(2 * v))
	}
	t := &Trace{Status: s.Solve(ctx, o.Assumptions...)}
	t.Steps, t.Full, t.Untaken = r.steps, r.full, r.decisions
	switch t.Status {
	case dimacs.Satisfiable:
		if t.Model = s.Model(); !t.Model.Satisfies(f) {
			panic("trace: the model does not satisfy the formula")
		}
	case dimacs.Unsatisfiable:
		t.Failed = s.Failed()
	}
	return t, r.err
}

// A recorder receives the steps of a solver from its proof and from its tracer. As a propagator it
// takes the first decisions.
type recorder struct {
	cdcl.PassivePropagator
	state     State
	steps     []Step
	limit     int // further steps
	full      bool
	decisions []dimacs.Lit // not yet taken
	stop      func(error)
	err       error
}

// add applies and appends a step, and stops the search if there are enough.
func (r *recorder) add(step Step) {
	if r.full || r.err != nil {
		return
	}
	if err := r.state.Apply(step); err != nil {
		panic(err)
	}
	r.steps = append(r.steps, step)
	if step.Kind != Add && step.Kind != Watch {
		r.limit--
	}
	if r.limit == 0 {
		r.full = true
		r.stop(nil)
	}
}

// record is Options.Trace of the solver.
func (r *recorder) record(s cdcl.Step) {
	step := Step{Kind: Kind(s.Kind), Lit: s.Lit, Level: s.Level, Clause: int(s.Clause)}
	if step.Kind == Watch {
		step.Lits = []dimacs.Lit{s.Watches[0], s.Watches[1]}
	}
	r.add(step)
}

// Decide implements [cdcl.Propagator].
func (r *recorder) Decide() (l dimacs.Lit, ok bool) {
	if len(r.decisions) == 0 || r.full || r.err != nil {
		return 0, false
	}
	l, r.decisions = r.decisions[0], r.decisions[1:]
	if v := r.state.Value(l); v != dimacs.Unassigned {
		r.err = fmt.Errorf("the decision %v is %t already, after %d conflicts", l, v == dimacs.True, r.state.Conflicts)
		r.stop(r.err)
		return 0, false
	}
	return l, true
}

// A Proof is a [dimacs.Proof] with hints that passes its steps on.
type Proof struct {
	step    func(Step)
	clauses int
}

// NewProof returns a proof that calls step for each of its steps.
func NewProof(step func(Step)) *Proof { return &Proof{step: step} }

// Hints implements [dimacs.Proof]: it returns true.
func (p *Proof) Hints() bool { return true }

// Original implements [dimacs.Proof].
func (p *Proof) Original(lits []dimacs.Lit) int64 { return p.add(Step{Kind: Add}, lits) }

// Learn implements [dimacs.Proof].
func (p *Proof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	step := Step{Kind: Learn}
	for _, h := range hints {
		step.Hints = append(step.Hints, int(h))
	}
	return p.add(step, lits)
}

// add passes on a step with a new clause, and returns its number.
func (p *Proof) add(step Step, lits []dimacs.Lit) int64 {
	p.clauses++
	step.Clause, step.Lits = p.clauses, append([]dimacs.Lit{}, lits...)
	p.step(step)
	return int64(step.Clause)
}

// Delete implements [dimacs.Proof].
func (p *Proof) Delete(id int64, _ []dimacs.Lit) { p.step(Step{Kind: Delete, Clause: int(id)}) }
