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

// A trial is the context of a property. Its random numbers are the same in each
// check of the property, so that the case can be shrunk.
type trial struct {
	seed    uint64
	subject *Subject
	rivals  []*Subject // other subjects that must have the same answers
	setup   Setup      // of the engines, without Proof
	proof   ProofKind
	counts  *Counts     // used by one goroutine
	oracle  oracleCache // used by one goroutine; nil for no cache
}

// random returns the random numbers of a property.
func (x trial) random() *rand.Rand { return randomSource(x.seed, forProperty) }

// A testedEngine is an engine whose proof is checked and whose answers are counted.
type testedEngine struct {
	Engine
	audit  *audit // nil without a proof
	counts *Counts
	oracle oracleCache
	large  bool // a clause has variable slowVars or a higher one
}

// Add gives the engine a clause.
func (e *testedEngine) Add(c ...dimacs.Lit) {
	for _, l := range c {
		e.large = e.large || l.Var() >= slowVars-1
	}
	e.Engine.Add(c...)
}

// engine returns a new engine.
func (x trial) engine() *testedEngine {
	e := &testedEngine{counts: x.counts, oracle: x.oracle}
	setup := x.setup
	if x.proof != NoProof {
		e.audit = newAudit(x.proof, x.subject.Proves)
		setup.Proof = e.audit
	}
	e.Engine = x.subject.New(setup)
	return e
}

// load returns a new engine with the clauses of f.
func (x trial) load(f *dimacs.Formula) *testedEngine {
	e := x.engine()
	e.load(f)
	return e
}

// load adds the clauses of f.
func (e *testedEngine) load(f *dimacs.Formula) {
	for _, c := range f.Clauses() {
		e.Add(c...)
	}
}

// A property holds for every engine and case.
type property struct {
	name    string
	every   uint64 // it is checked on the seeds that every divides
	oneShot bool   // all clauses are added before the first call, and no call has assumptions
	holds   func(trial, Case) error
}

// properties lists the properties in the order in which a round checks them.
var properties = []property{
	{"the answer is right, twice", 1, true, checkTwice},
	{"assumptions hold for one call", 1, false, checkAssumptions},
	{"clauses can be added between calls", 2, false, checkIncremental},
	{"a canceled call does no harm", 2, false, checkCancellation},
	{"a variant has the same answer", 4, false, checkTransformation},
	{"engines give the same answer", 2, false, checkRivals},
	{"engines do not disturb one another", 16, true, checkConcurrent},
}

// checkTwice solves the formula twice.
func checkTwice(x trial, c Case) error {
	e := x.load(c.Formula)
	status, err := e.solve(nil)
	if err != nil {
		return err
	}
	x.counts.formula(status)
	if err := e.checkAnswer(status, c.Formula, nil); err != nil {
		return err
	}
	return again(e.solveAndCheck(c.Formula))
}

// checkAssumptions solves with assumptions, without them, and with their
// complements.
func checkAssumptions(x trial, c Case) error {
	e := x.load(c.Formula)
	if err := e.solveAndCheck(c.Formula, c.Assumptions...); err != nil {
		return err
	}
	if err := e.solveAndCheck(c.Formula); err != nil {
		return fmt.Errorf("without the assumptions of the call before: %w", err)
	}
	negated := mapLits(c.Assumptions, dimacs.Lit.Not)
	if err := e.solveAndCheck(c.Formula, negated...); err != nil {
		return fmt.Errorf("with the complements of the assumptions: %w", err)
	}
	return again(e.solveAndCheck(c.Formula, c.Assumptions...))
}

// again adds to an error that it is the error of a further call.
func again(err error) error {
	if err != nil {
		return fmt.Errorf("solving again: %w", err)
	}
	return nil
}

// checkIncremental adds the clauses in a few portions and solves after each.
func checkIncremental(x trial, c Case) error {
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
		if err := e.solveAndCheck(part, as...); err != nil {
			return fmt.Errorf("with the first %d clauses and assumptions [%s]: %w", i+1, literals(as), err)
		}
	}
	return again(e.solveAndCheck(c.Formula))
}

// checkCancellation solves with contexts that end before the call or during it, with and
// without assumptions, and then without such a context.
func checkCancellation(x trial, c Case) error {
	e := x.load(c.Formula)
	r := x.random()
	for _, polls := range []int{0, 1 + r.IntN(3), 1 + r.IntN(30), 1 + r.IntN(1<<r.IntN(10))} {
		ctx, cancel := CancelAfter(polls)
		as := c.Assumptions
		if r.IntN(2) == 0 {
			as = nil
		}
		status := e.Solve(ctx, as...)
		cancel()
		e.counts.call(e.Engine)
		if err := e.checkAnswer(status, c.Formula, as); err != nil {
			return fmt.Errorf("canceled after %d polls of the context, with assumptions [%s]: %w", polls, literals(as), err)
		}
	}
	if err := e.solveAndCheck(c.Formula, c.Assumptions...); err != nil {
		return fmt.Errorf("after canceled calls: %w", err)
	}
	return again(e.solveAndCheck(c.Formula))
}

// CancelAfter returns a context that is canceled once its methods Err and Done have been
// called more than polls times in total. It cancels a search at the same point in each
// run. With 0 polls the context is canceled from the start. The returned function
// cancels the context and releases its resources.
func CancelAfter(polls int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	if polls == 0 {
		cancel()
	}
	return &pollContext{Context: ctx, end: cancel, polls: polls}, cancel
}

// A pollContext is a context of CancelAfter.
type pollContext struct {
	context.Context
	end   context.CancelFunc
	mu    sync.Mutex
	polls int // polls left until it is canceled
}

func (c *pollContext) poll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.polls--; c.polls < 0 {
		c.end()
	}
}

func (c *pollContext) Err() error {
	c.poll()
	return c.Context.Err()
}

func (c *pollContext) Done() <-chan struct{} {
	c.poll()
	return c.Context.Done()
}

// checkTransformation compares the status of the case with the status of a variant,
// which needs no oracle.
func checkTransformation(x trial, c Case) error {
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
	if err := e.checkAnswer(got, d.Formula, d.Assumptions); err != nil {
		return fmt.Errorf("with %s: %w", m.Name, err)
	}
	if got != want {
		return fmt.Errorf("got %v, but %v with %s:\n%v", want, got, m.Name, d)
	}
	return nil
}

// checkRivals compares the status with the status of the rivals in their default
// setup. They find wrong answers on formulas that are too hard for the oracle.
func checkRivals(x trial, c Case) error {
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
		e := testedEngine{Engine: rival.New(Setup{}), counts: x.counts}
		e.load(c.Formula)
		got, err := e.solve(c.Assumptions)
		if err != nil {
			return fmt.Errorf("engine %s by default: %w", rival.Name, err)
		}
		if got != want {
			return fmt.Errorf("got %v, but %v by engine %s in its default setup, and the oracle says %v",
				want, got, rival.Name, oracleStatus(c.Formula, c.Assumptions))
		}
	}
	return nil
}

// checkConcurrent solves variants in several goroutines, each with its own engine.
func checkConcurrent(x trial, c Case) error {
	errs := make([]error, 4)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			r := randomSource(x.seed, forProperty+uint64(i)<<32)
			d := renamed(r, flipped(r, c))
			x := x
			x.counts, x.oracle = new(Counts), nil
			errs[i] = catchPanic(func() error { return checkTwice(x, d) })
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("with engines in other goroutines: %w", err)
	}
	return nil
}

// solveTimeout is the time limit of a call of Solve. It turns an endless loop into a
// failure with a seed. It is long, since a call of a second may take a minute on a
// slow and busy machine.
const solveTimeout = 5 * time.Minute

// Under options that turn off its techniques, an engine may be slow on formulas with
// slowVars variables. These are given up after slowTimeout and counted. On smaller
// formulas, being slow is a failure.
const (
	slowVars    = 100
	slowTimeout = 20 * time.Second
)

var errSlow = errors.New("no answer in good time")

// solve calls Solve, which must return an answer.
func (e *testedEngine) solve(assumptions []dimacs.Lit) (dimacs.Status, error) {
	limit := solveTimeout
	if e.large {
		limit = slowTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	given := slices.Clone(assumptions)
	status := e.Solve(ctx, given...)
	e.counts.call(e.Engine)
	switch {
	case !slices.Equal(given, assumptions):
		return status, errors.New("the caller's assumptions were changed")
	case status != dimacs.Unknown:
		return status, nil
	case ctx.Err() != nil:
		return status, errSlow
	}
	return status, errors.New("UNKNOWN without a limit or a canceled context")
}

// solveAndCheck calls Solve and checks the answer. The engine has the clauses of f.
func (e *testedEngine) solveAndCheck(f *dimacs.Formula, assumptions ...dimacs.Lit) error {
	status, err := e.solve(assumptions)
	if err != nil {
		return err
	}
	return e.checkAnswer(status, f, assumptions)
}

// checkAnswer checks an answer with its model or failed assumptions, and the proof.
// It accepts Unknown.
func (e *testedEngine) checkAnswer(got dimacs.Status, f *dimacs.Formula, assumptions []dimacs.Lit) error {
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
	e.counts.answer(got, e.audit)
	return nil
}

// checkModel returns an error unless m is a model of f and the assumptions.
func checkModel(m dimacs.Model, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if i := m.Falsified(f); i >= 0 {
		return fmt.Errorf("the model [%s] does not satisfy clause %d, (%s), and the oracle says %v",
			literals(m.Lits()), i+1, literals(f.Clause(i)), oracleStatus(f, assumptions))
	}
	for _, l := range assumptions {
		if m.Lit(l) != dimacs.True {
			return fmt.Errorf("the model [%s] does not satisfy the assumption %v, and the oracle says %v",
				literals(m.Lits()), l, oracleStatus(f, assumptions))
		}
	}
	return nil
}

// checkCore returns an error unless the failed assumptions, the core, are assumptions
// and contradict the formula. Then the answer Unsatisfiable is right too.
func checkCore(oracle oracleCache, failed []dimacs.Lit, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if repeated(failed) {
		return fmt.Errorf("the core [%s] has a literal twice", literals(failed))
	}
	for _, l := range failed {
		if !slices.Contains(assumptions, l) {
			return fmt.Errorf("the core [%s] contains %v, which was not assumed", literals(failed), l)
		}
	}
	if oracle.status(f, failed) != dimacs.Satisfiable {
		return nil
	}
	if want, m := Oracle(f, assumptions...); want == dimacs.Satisfiable {
		return fmt.Errorf("got UNSATISFIABLE, but [%s] is a model", literals(m.Lits()))
	}
	return fmt.Errorf("the core [%s] does not contradict the formula", literals(failed))
}

// oracleStatus returns the status of the oracle.
func oracleStatus(f *dimacs.Formula, assumptions []dimacs.Lit) dimacs.Status {
	status, _ := Oracle(f, assumptions...)
	return status
}

// An oracleCache contains answers of the oracle. The properties need the same answers
// several times, and the oracle takes about half of the time of a round.
type oracleCache map[oracleQuery]dimacs.Status

// An oracleQuery identifies the clauses of a formula, which only grows, and the
// assumptions.
type oracleQuery struct {
	formula     *dimacs.Formula
	clauses     int
	assumptions string
}

// status returns the status of the oracle. A nil cache calls the oracle each time.
func (m oracleCache) status(f *dimacs.Formula, assumptions []dimacs.Lit) dimacs.Status {
	if m == nil {
		return oracleStatus(f, assumptions)
	}
	q := oracleQuery{f, f.Len(), literals(assumptions)}
	status, known := m[q]
	if !known {
		status = oracleStatus(f, assumptions)
		m[q] = status
	}
	return status
}
