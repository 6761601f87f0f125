package dplltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"sator/dimacs"
)

// A trial is what a law may use. Everything random in it is the same each time
// the law is tried, so that a case can be shrunk.
type trial struct {
	seed    uint64
	subject *Subject
	rivals  []*Subject
	setup   Setup // without a receiver for the proof
	proof   ProofKind
	tally   *Counts // of one goroutine
	oracle  memory  // of one goroutine; nil to ask the oracle each time
}

func (x trial) random() *rand.Rand { return source(x.seed, forLaw) }

// A tested engine has its proof audited, if it gives one, and its answers
// counted.
type tested struct {
	Engine
	audit  *audit // or nil
	tally  *Counts
	oracle memory
	large  bool // it got a clause over slowVars variables or more
}

// Add gives the engine a clause.
func (e *tested) Add(c ...dimacs.Lit) {
	for _, l := range c {
		e.large = e.large || l.Var() >= slowVars-1
	}
	e.Engine.Add(c...)
}

// engine makes a fresh engine.
func (x trial) engine() *tested {
	e := &tested{tally: x.tally, oracle: x.oracle}
	setup := x.setup
	if x.proof != NoProof {
		e.audit = newAudit(x.proof, x.subject.Proves)
		setup.Proof = e.audit
	}
	e.Engine = x.subject.New(setup)
	return e
}

// load returns a fresh engine with the clauses of f.
func (x trial) load(f *dimacs.Formula) *tested {
	e := x.engine()
	e.load(f)
	return e
}

func (e *tested) load(f *dimacs.Formula) {
	for _, c := range f.Clauses() {
		e.Add(c...)
	}
}

// A law holds for every engine and case. It is tried on the seeds that every
// divides. It is final if all clauses come before the first call and nothing is
// assumed.
type law struct {
	name  string
	every uint64
	final bool
	holds func(trial, Case) error
}

// laws lists what is tried.
var laws = []law{
	{"the answer is right, twice", 1, true, rightTwice},
	{"assumptions hold for one call", 1, false, assumptionsPass},
	{"clauses can be added between calls", 2, false, incremental},
	{"a cancelled call does no harm", 2, false, cancelled},
	{"a variant has the same answer", 4, false, metamorphic},
	{"engines give the same answer", 2, false, unanimous},
	{"engines do not disturb one another", 16, true, undisturbed},
}

func rightTwice(x trial, c Case) error {
	e := x.load(c.Formula)
	status, err := e.solve(nil)
	if err != nil {
		return err
	}
	x.tally.formula(status)
	if err := e.judge(status, c.Formula, nil); err != nil {
		return err
	}
	return again(e.ask(c.Formula))
}

func assumptionsPass(x trial, c Case) error {
	e := x.load(c.Formula)
	if err := e.ask(c.Formula, c.Assumptions...); err != nil {
		return err
	}
	if err := e.ask(c.Formula); err != nil {
		return fmt.Errorf("without the assumptions of the call before: %w", err)
	}
	negated := mapLits(c.Assumptions, dimacs.Lit.Not)
	if err := e.ask(c.Formula, negated...); err != nil {
		return fmt.Errorf("with the complements of the assumptions: %w", err)
	}
	return again(e.ask(c.Formula, c.Assumptions...))
}

// again adds to an error that it came in a further call.
func again(err error) error {
	if err != nil {
		return fmt.Errorf("solving again: %w", err)
	}
	return nil
}

// incremental solves after each of a few portions of the clauses.
func incremental(x trial, c Case) error {
	r := x.random()
	e := x.engine()
	part := dimacs.NewFormula(0)
	portion := 1 + c.Formula.Len()/(1+r.IntN(5))
	for i, d := range c.Formula.Clauses() {
		part.Add(d...)
		e.Add(d...)
		if (i+1)%portion != 0 && i+1 < c.Formula.Len() {
			continue
		}
		var as []dimacs.Lit
		if r.IntN(3) > 0 {
			as = c.Assumptions
		}
		if err := e.ask(part, as...); err != nil {
			return fmt.Errorf("with the first %d clauses and assumptions [%s]: %w", i+1, literals(as), err)
		}
	}
	return again(e.ask(c.Formula))
}

// cancelled solves under contexts that are over before or in the middle, then
// without.
func cancelled(x trial, c Case) error {
	e := x.load(c.Formula)
	r := x.random()
	for _, looks := range []int{0, 1 + r.IntN(3), 1 + r.IntN(30)} {
		ctx, cancel := CancelAfter(looks)
		status := e.Solve(ctx, c.Assumptions...)
		cancel()
		if err := e.judge(status, c.Formula, c.Assumptions); err != nil {
			return fmt.Errorf("cancelled after %d looks at the context: %w", looks, err)
		}
	}
	if err := e.ask(c.Formula, c.Assumptions...); err != nil {
		return fmt.Errorf("after cancelled calls: %w", err)
	}
	return again(e.ask(c.Formula))
}

// CancelAfter returns a context that ends when it has been looked at, by Err
// or by Done, more often than looks says: a cancellation in the middle of a
// search, at the same place each time. With 0 looks it is over from the start.
// The function releases what the context holds.
func CancelAfter(looks int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	if looks == 0 {
		cancel()
	}
	return &countdown{Context: ctx, end: cancel, looks: looks}, cancel
}

type countdown struct {
	context.Context
	end   context.CancelFunc
	mu    sync.Mutex
	looks int // left
}

func (c *countdown) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.looks--; c.looks < 0 {
		c.end()
	}
}

func (c *countdown) Err() error {
	c.look()
	return c.Context.Err()
}

func (c *countdown) Done() <-chan struct{} {
	c.look()
	return c.Context.Done()
}

// metamorphic compares the status of a variant, for which no oracle is needed.
func metamorphic(x trial, c Case) error {
	want, err := x.load(c.Formula).solve(c.Assumptions)
	if err != nil {
		return err
	}
	r := x.random()
	m := Transformations[r.IntN(len(Transformations))]
	d := m.Apply(r, c)
	if x.subject.Takes != nil && !x.subject.Takes(d.Formula) {
		return nil
	}
	e := x.load(d.Formula)
	got, err := e.solve(d.Assumptions)
	if err != nil {
		return err
	}
	if err := e.judge(got, d.Formula, d.Assumptions); err != nil {
		return fmt.Errorf("with %s: %w", m.Name, err)
	}
	if got != want {
		return fmt.Errorf("got %v, but %v with %s:\n%v", want, got, m.Name, d)
	}
	return nil
}

// unanimous compares the status with those of the rivals in their default
// setup: they contradict an engine where the oracle cannot.
func unanimous(x trial, c Case) error {
	var want dimacs.Status
	for _, rival := range x.rivals {
		if !rival.takes(c.Formula) {
			continue
		}
		if want == dimacs.Unknown {
			var err error
			if want, err = x.load(c.Formula).solve(c.Assumptions); err != nil {
				return err
			}
		}
		e := tested{Engine: rival.New(Setup{}), tally: x.tally}
		e.load(c.Formula)
		got, err := e.solve(c.Assumptions)
		if err != nil {
			return fmt.Errorf("engine %s by default: %w", rival.Name, err)
		}
		if got != want {
			return fmt.Errorf("got %v, but %v by engine %s in its default setup, and the oracle says %v",
				want, got, rival.Name, opinion(c.Formula, c.Assumptions))
		}
	}
	return nil
}

// undisturbed solves variants in several goroutines at once, each with an
// engine of its own.
func undisturbed(x trial, c Case) error {
	errs := make([]error, 4)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			r := source(x.seed, forLaw+uint64(i)<<32)
			d := renamed(r, flipped(r, c))
			x := x
			x.tally, x.oracle = new(Counts), nil
			errs[i] = caught(func() error { return rightTwice(x, d) })
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("with engines in other goroutines: %w", err)
	}
	return nil
}

// patience is how long an engine may take for a case. It is only there to turn
// an endless loop into a failure that names its seed: what takes a second may
// take a minute on a machine that is slow and has other things to do.
const patience = 5 * time.Minute

// A formula of slowVars variables may need any time under options that turn off
// what makes an engine fast. It is given up after brief and counted; on smaller
// ones, to be slow is a failure.
const (
	slowVars = 100
	brief    = 20 * time.Second
)

var errSlow = errors.New("no answer in good time")

// solve is a call of Solve that must come to an answer.
func (e *tested) solve(assumptions []dimacs.Lit) (dimacs.Status, error) {
	limit := patience
	if e.large {
		limit = brief
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	given := slices.Clone(assumptions)
	status := e.Solve(ctx, given...)
	switch {
	case !slices.Equal(given, assumptions):
		return status, errors.New("the caller's assumptions were changed")
	case status != dimacs.Unknown:
		return status, nil
	case ctx.Err() != nil:
		return status, errSlow
	}
	return status, errors.New("UNKNOWN without a limit or a cancelled context")
}

// ask has the engine, which holds the clauses of f, solve, and checks all it
// says.
func (e *tested) ask(f *dimacs.Formula, assumptions ...dimacs.Lit) error {
	status, err := e.solve(assumptions)
	if err != nil {
		return err
	}
	return e.judge(status, f, assumptions)
}

// judge checks an answer against the oracle, and the evidence for it. Unknown
// is right here.
func (e *tested) judge(got dimacs.Status, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	var failed []dimacs.Lit
	var err error
	switch got {
	case dimacs.Unknown:
	case dimacs.Satisfiable:
		err = checkModel(e.Model(), f, assumptions)
	case dimacs.Unsatisfiable:
		failed = e.Failed()
		err = checkCore(e.oracle, failed, f, assumptions)
	default:
		err = fmt.Errorf("%d is no status", int(got))
	}
	if err != nil {
		return err
	}
	if err := e.audit.verify(got, failed, f); err != nil {
		return err
	}
	e.tally.answer(got, e.audit)
	return nil
}

// checkModel needs no oracle to tell a wrong answer.
func checkModel(m dimacs.Model, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if i := m.Falsified(f); i >= 0 {
		return fmt.Errorf("the model [%s] does not satisfy clause %d, (%s), and the oracle says %v",
			literals(m.Lits()), i+1, literals(f.Clause(i)), opinion(f, assumptions))
	}
	for _, l := range assumptions {
		if m.Lit(l) != dimacs.True {
			return fmt.Errorf("the model [%s] does not satisfy the assumption %v, and the oracle says %v",
				literals(m.Lits()), l, opinion(f, assumptions))
		}
	}
	return nil
}

// checkCore checks the answer and its core at once: if the core contradicts the
// formula, then so do the assumptions.
func checkCore(oracle memory, failed []dimacs.Lit, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if repeated(failed) {
		return fmt.Errorf("the core [%s] has a literal twice", literals(failed))
	}
	for _, l := range failed {
		if !slices.Contains(assumptions, l) {
			return fmt.Errorf("the core [%s] contains %v, which was not assumed", literals(failed), l)
		}
	}
	if oracle.opinion(f, failed) != dimacs.Satisfiable {
		return nil
	}
	if want, m := Oracle(f, assumptions...); want == dimacs.Satisfiable {
		return fmt.Errorf("got UNSATISFIABLE, but [%s] is a model", literals(m.Lits()))
	}
	return fmt.Errorf("the core [%s] does not contradict the formula", literals(failed))
}

// opinion is the oracle's status.
func opinion(f *dimacs.Formula, assumptions []dimacs.Lit) dimacs.Status {
	status, _ := Oracle(f, assumptions...)
	return status
}

// A memory keeps what the oracle said. The laws ask the same of it more than
// once, and it takes as long as everything else.
type memory map[question]dimacs.Status

// A question is one for the oracle. Formulas only grow.
type question struct {
	formula     *dimacs.Formula
	clauses     int
	assumptions string
}

// opinion is the oracle's status. A nil memory remembers nothing.
func (m memory) opinion(f *dimacs.Formula, assumptions []dimacs.Lit) dimacs.Status {
	if m == nil {
		return opinion(f, assumptions)
	}
	q := question{f, f.Len(), literals(assumptions)}
	status, known := m[q]
	if !known {
		status = opinion(f, assumptions)
		m[q] = status
	}
	return status
}
