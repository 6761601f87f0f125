package dplltest

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// Replaying traces. A replay stores the clauses so far and the last answer, and compares
// the result of each call of the engine with them. It also calls Model, Value and Failed
// after the wrong answer; they must panic with a message and leave the engine intact.

// An API is an engine with all methods that a trace calls. Model and Value panic with a
// message unless the last call of Solve returned Satisfiable and no clause was added
// since, and Failed likewise unless it returned Unsatisfiable. A model covers all
// variables that occurred in clauses, assumptions or calls of Grow before the call of
// Solve.
type API interface {
	Engine
	Grow(vars int)
	SetPhase(l dimacs.Lit)
	Limit(conflicts, decisions, propagations int64) // limits of later calls; 0 means no limit
	Value(l dimacs.Lit) dimacs.Value
}

// A Setup configures a new engine.
type Setup struct {
	Settings []Setting
	Seed     uint64
	Proof    dimacs.Proof              // receives the proof; nil for none
	Learned  func(clause []dimacs.Lit) // called with each learned clause; may be nil
}

// Replay makes an engine and runs the trace on it. It returns the first error, with the
// number of the call, counted from 1.
func Replay(t *Trace, newEngine func(Setup) API) error {
	return replayed(t, newEngine, new(Counts))
}

// replayed is Replay with counts.
func replayed(t *Trace, newEngine func(Setup) API, counts *Counts) error {
	p := &replay{formula: dimacs.NewFormula(0), counts: counts}
	for _, op := range t.Ops {
		if op.Name == "grow" {
			p.highest = max(p.highest, op.Numbers[0])
		}
		for _, l := range op.Lits {
			p.highest = max(p.highest, l.Var().Int())
		}
	}
	setup := Setup{Settings: t.Settings, Seed: t.Seed, Learned: p.learned}
	if t.Proof != NoProof {
		p.audit = newAudit(t.Proof, FullProofs)
		setup.Proof = p.audit
	}
	err := catchPanic(func() error {
		p.api = newEngine(setup)
		return nil
	})
	if err != nil {
		return fmt.Errorf("making the engine: %w", err)
	}
	for i, op := range t.Ops {
		if err := catchPanic(func() error { return p.run(op) }); err != nil {
			return fmt.Errorf("call %d, %v: %w", i+1, op, err)
		}
	}
	return nil
}

// A replay is the state of a replay of a trace.
type replay struct {
	api    API
	audit  *audit // nil without a proof
	counts *Counts

	formula  *dimacs.Formula
	vars     int  // number of variables in clauses, assumptions and calls of Grow
	highest  int  // number of variables in the trace
	numbers  bool // the engine numbers new variables
	limited  bool // a limit is set
	groups   []group
	searched bool // Solve was called

	// The last answer. Its status is Unknown once a clause was added.
	status      dimacs.Status
	assumptions []dimacs.Lit
	covered     int // number of variables that its model covers

	// For the callback Setup.Learned.
	countdown int // learned clauses until it calls cancel; 0 for never
	cancel    context.CancelFunc
	fault     error // the first wrong learned clause
}

// run makes one call and checks its results.
func (p *replay) run(op Op) error {
	o, err := find(op.Name)
	if err != nil {
		return err
	}
	if err := o.run(p, op.Numbers, slices.Clone(op.Lits)); err != nil {
		return err
	}
	return p.fault
}

// growTo adds the variables of the literals.
func (p *replay) growTo(ls []dimacs.Lit) {
	for _, l := range ls {
		p.vars = max(p.vars, int(l.Var())+1)
	}
}

// numberAll adds all variables of the trace but a few to the engine, before its first call that
// numbers variables: from then on no other call may add some.
func (p *replay) numberAll(but int) {
	if !p.numbers {
		p.numbers = true
		p.grow([]int{p.highest - but}, nil)
	}
}

// grow calls Grow.
func (p *replay) grow(numbers []int, _ []dimacs.Lit) error {
	p.vars = max(p.vars, numbers[0])
	p.api.Grow(numbers[0])
	return nil
}

// add calls Add. It then overwrites the slice of the clause, which the engine must have
// copied.
func (p *replay) add(_ []int, ls []dimacs.Lit) error {
	p.growTo(ls)
	p.formula.Add(ls...)
	p.status = dimacs.Unknown
	p.api.Add(ls...)
	clear(ls)
	if p.audit == nil {
		return nil
	}
	return p.audit.checkOriginals(p.formula)
}

// phase calls SetPhase.
func (p *replay) phase(_ []int, ls []dimacs.Lit) error {
	p.api.SetPhase(ls[0])
	return nil
}

// limit calls Limit.
func (p *replay) limit(numbers []int, _ []dimacs.Lit) error {
	p.limited = slices.Max(numbers) > 0
	p.api.Limit(int64(numbers[0]), int64(numbers[1]), int64(numbers[2]))
	return nil
}

// solve calls Solve.
func (p *replay) solve(_ []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithTimeout(context.Background(), solveTimeout)
	defer cancel()
	if err := p.solveAndCompare(ctx, assumptions, p.limited); err != nil {
		return err
	}
	if p.status == dimacs.Unknown && ctx.Err() != nil {
		return errSlow
	}
	return nil
}

// solveCanceled calls Solve with a canceled context.
func (p *replay) solveCanceled(_ []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return p.solveAndCompare(ctx, assumptions, true)
}

// solveCancel calls Solve. The callback cancels the context at a learned clause.
func (p *replay) solveCancel(numbers []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithTimeout(context.Background(), solveTimeout)
	defer cancel()
	p.countdown, p.cancel = numbers[0], cancel
	err := p.solveAndCompare(ctx, assumptions, true)
	p.countdown = 0
	return err
}

// solveAndCompare calls Solve and compares the status with the oracle. Models and failed
// assumptions are checked when the trace reads them.
func (p *replay) solveAndCompare(ctx context.Context, assumptions []dimacs.Lit, mayStop bool) error {
	p.growTo(assumptions)
	p.assumptions, p.covered = slices.Clone(assumptions), p.vars
	p.status, p.searched = p.api.Solve(ctx, assumptions...), true
	p.counts.call(p.api)
	want, _ := Oracle(p.formula, p.assumptions...)
	switch {
	case p.status == dimacs.Unknown && !mayStop && ctx.Err() == nil:
		return fmt.Errorf("UNKNOWN without a limit or a canceled context, the oracle says %v", want)
	case p.status != dimacs.Unknown && want != dimacs.Unknown && p.status != want:
		return fmt.Errorf("got %v, want %v", p.status, want)
	}
	var failed []dimacs.Lit
	if p.status == dimacs.Unsatisfiable && p.audit != nil {
		failed = p.api.Failed()
	}
	if err := p.audit.verify(p.status, failed, p.formula); err != nil {
		return err
	}
	p.counts.answer(p.status, p.audit)
	return nil
}

// learned is the callback Setup.Learned. A learned clause must follow from the clauses
// without assumptions.
func (p *replay) learned(c []dimacs.Lit) {
	status, _ := Oracle(p.formula, mapLits(c, dimacs.Lit.Not)...)
	if status == dimacs.Satisfiable && p.fault == nil {
		p.fault = fmt.Errorf("the learned clause (%s) does not follow", literals(c))
	}
	if p.countdown > 0 {
		if p.countdown--; p.countdown == 0 {
			p.cancel()
		}
	}
}

// read calls get, which must panic unless the last answer was status.
func (p *replay) read(status dimacs.Status, get func() error) error {
	if p.status == status {
		return get()
	}
	if !panicsWithMessage(get) {
		return fmt.Errorf("no panic with a message, though the answer is not %v", status)
	}
	return nil
}

// panicsWithMessage reports whether get panics with a string. Panics of the runtime are
// no strings.
func panicsWithMessage(get func() error) (message bool) {
	defer func() { _, message = recover().(string) }()
	_ = get()
	return false
}

// readModel calls Model. It then overwrites the model, which must be a copy.
func (p *replay) readModel([]int, []dimacs.Lit) error {
	return p.read(dimacs.Satisfiable, func() error {
		m := p.api.Model()
		defer clear(m)
		if len(m) < p.covered {
			return fmt.Errorf("the model covers %d variables of %d", len(m), p.covered)
		}
		return checkModel(m, p.formula, p.assumptions)
	})
}

// readValue calls Value.
func (p *replay) readValue(_ []int, ls []dimacs.Lit) error {
	return p.read(dimacs.Satisfiable, func() error {
		got, want := p.api.Value(ls[0]), p.api.Model().Lit(ls[0])
		if got != want {
			return fmt.Errorf("the value of %v is %d, but %d in the model", ls[0], got, want)
		}
		return nil
	})
}

// readFailed calls Failed. It then overwrites the core, which must be a copy.
func (p *replay) readFailed([]int, []dimacs.Lit) error {
	return p.read(dimacs.Unsatisfiable, func() error {
		core := p.api.Failed()
		defer clear(core)
		return checkCore(nil, core, p.formula, p.assumptions)
	})
}
