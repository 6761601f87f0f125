package dplltest

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A replay keeps beside the engine a model of it, which is the list of clauses
// so far and the last answer, and checks what each call returns against that.
// What may be asked when is checked too: a question about an answer that was
// not given must panic, and do no harm.

// An API is an engine with all that a trace can call. Model and Value panic
// with a message unless the last call of Solve said Satisfiable and no clause
// was added since, and Failed likewise unless it said Unsatisfiable. A model
// covers all variables that occurred in a clause or an assumption or were
// announced by Grow before the call.
type API interface {
	Engine
	Grow(vars int)
	SetPhase(l dimacs.Lit)
	Limit(conflicts, decisions, propagations int64) // of each call that follows; 0 is no limit
	Value(l dimacs.Lit) dimacs.Value
}

// A Setup is what a replay asks of the engine it makes.
type Setup struct {
	Settings []Setting
	Seed     uint64
	Proof    dimacs.Proof              // receives the proof, if not nil
	Learned  func(clause []dimacs.Lit) // is called with each learned clause
}

// Replay makes an engine and runs the trace on it. It returns the first thing
// that went wrong, with the number of the call, counted from 1.
func Replay(t *Trace, newEngine func(Setup) API) error {
	return replayed(t, newEngine, new(Counts))
}

func replayed(t *Trace, newEngine func(Setup) API, tally *Counts) error {
	p := &replay{formula: dimacs.NewFormula(0), tally: tally}
	setup := Setup{Settings: t.Settings, Seed: t.Seed, Learned: p.learned}
	if t.Proof != NoProof {
		p.audit = newAudit(t.Proof, FullProofs)
		setup.Proof = p.audit
	}
	err := caught(func() error {
		p.api = newEngine(setup)
		return nil
	})
	if err != nil {
		return fmt.Errorf("making the engine: %w", err)
	}
	for i, op := range t.Ops {
		if err := caught(func() error { return p.run(op) }); err != nil {
			return fmt.Errorf("call %d, %v: %w", i+1, op, err)
		}
	}
	return nil
}

// A replay is a run of a trace.
type replay struct {
	api   API
	audit *audit // nil without a proof
	tally *Counts

	formula *dimacs.Formula
	vars    int  // announced, or seen in clauses and assumptions
	limited bool // a limit is set

	// The last answer: Unknown once a clause was added.
	status      dimacs.Status
	assumptions []dimacs.Lit
	covered     int // variables that its model covers

	// For the callback.
	countdown int // learned clauses until the context ends; 0 for never
	cancel    context.CancelFunc
	fault     error // what it found
}

// run makes one call.
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

func (p *replay) know(ls []dimacs.Lit) {
	for _, l := range ls {
		p.vars = max(p.vars, int(l.Var())+1)
	}
}

func (p *replay) grow(numbers []int, _ []dimacs.Lit) error {
	p.vars = max(p.vars, numbers[0])
	p.api.Grow(numbers[0])
	return nil
}

// add spoils the slice that it handed over: the engine is to copy it.
func (p *replay) add(_ []int, ls []dimacs.Lit) error {
	p.know(ls)
	p.formula.Add(ls...)
	p.status = dimacs.Unknown
	p.api.Add(ls...)
	clear(ls)
	if p.audit == nil {
		return nil
	}
	return p.audit.agrees(p.formula)
}

func (p *replay) phase(_ []int, ls []dimacs.Lit) error {
	p.api.SetPhase(ls[0])
	return nil
}

func (p *replay) limit(numbers []int, _ []dimacs.Lit) error {
	p.limited = slices.Max(numbers) > 0
	p.api.Limit(int64(numbers[0]), int64(numbers[1]), int64(numbers[2]))
	return nil
}

func (p *replay) solve(_ []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := p.ask(ctx, assumptions, p.limited); err != nil {
		return err
	}
	if p.status == dimacs.Unknown && ctx.Err() != nil {
		return errSlow
	}
	return nil
}

func (p *replay) solveCancelled(_ []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return p.ask(ctx, assumptions, true)
}

func (p *replay) solveCancel(numbers []int, assumptions []dimacs.Lit) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p.countdown, p.cancel = numbers[0], cancel
	err := p.ask(ctx, assumptions, true)
	p.countdown = 0
	return err
}

// ask solves and compares the status with the oracle's. Models and cores are
// checked when the trace reads them.
func (p *replay) ask(ctx context.Context, assumptions []dimacs.Lit, mayStop bool) error {
	p.know(assumptions)
	p.assumptions, p.covered = slices.Clone(assumptions), p.vars
	p.status = p.api.Solve(ctx, assumptions...)
	want, _ := Oracle(p.formula, p.assumptions...)
	switch {
	case p.status == dimacs.Unknown && !mayStop && ctx.Err() == nil:
		return fmt.Errorf("UNKNOWN without a limit or a cancelled context, the oracle says %v", want)
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
	p.tally.answer(p.status, p.audit)
	return nil
}

// learned is the engine's callback. What is learned must follow from the
// clauses alone, whatever is assumed.
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

// question calls read, which is to panic unless the last answer was status.
func (p *replay) question(status dimacs.Status, read func() error) error {
	if p.status == status {
		return read()
	}
	if !refused(read) {
		return fmt.Errorf("not refused by a panic with a message, though there is no answer %v", status)
	}
	return nil
}

// refused reports whether read panics with a message of its own; the runtime's
// panics are not strings.
func refused(read func() error) (message bool) {
	defer func() { _, message = recover().(string) }()
	_ = read()
	return false
}

// readModel spoils the model, which is to be a copy.
func (p *replay) readModel([]int, []dimacs.Lit) error {
	return p.question(dimacs.Satisfiable, func() error {
		m := p.api.Model()
		defer clear(m)
		if len(m) < p.covered {
			return fmt.Errorf("the model covers %d variables of %d", len(m), p.covered)
		}
		return checkModel(m, p.formula, p.assumptions)
	})
}

func (p *replay) readValue(_ []int, ls []dimacs.Lit) error {
	return p.question(dimacs.Satisfiable, func() error {
		got, want := p.api.Value(ls[0]), p.api.Model().Lit(ls[0])
		if got != want {
			return fmt.Errorf("the value of %v is %d, but %d in the model", ls[0], got, want)
		}
		return nil
	})
}

// readFailed spoils the core, which is to be a copy.
func (p *replay) readFailed([]int, []dimacs.Lit) error {
	return p.question(dimacs.Unsatisfiable, func() error {
		core := p.api.Failed()
		defer clear(core)
		return checkCore(nil, core, p.formula, p.assumptions)
	})
}
