package dplltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sator/dimacs"
)

// An Engine decides formulas under assumptions. Clauses may be added between
// calls. Solve grows the engine to the variables of the assumptions, and says
// Unknown only if ctx ended or a limit that was set was reached. Model is asked
// only after Satisfiable and Failed only after Unsatisfiable. An engine is used
// by one goroutine at a time.
type Engine interface {
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// A Verifier is an engine that can say more about its answers, such as one
// with a [Recorder]. After each call of Solve it is asked whether it finds
// anything wrong with the answer. Failed is nil unless that was Unsatisfiable.
type Verifier interface {
	Verify(status dimacs.Status, failed []dimacs.Lit) error
}

// Config says how much [Run] and [RunTraces] do. The zero Config is what a test of an engine
// in its default configuration wants.
type Config struct {
	Rounds int           // formulas or traces; 0 stands for 300, or 60 with -short
	Seed   uint64        // of the first formula; the others follow
	Vars   int           // of the largest formulas, as for [Draw]; 0 stands for 200
	Budget time.Duration // after which no further round begins; 0 for none
}

// Run tests an engine on random formulas. In each round, newEngine returns a
// fresh engine several times, also in several goroutines at once. It may draw
// options from r, which gives the same numbers to all engines of a round; if the engine is a [fmt.Stringer], a
// failure shows what it returns. The first failure ends the test; it carries
// the seed of the round and a shrunk formula, and [Check] repeats it.
func Run(t *testing.T, newEngine func(r *rand.Rand) Engine, cfg Config) {
	t.Helper()
	if cfg.Vars == 0 {
		cfg.Vars = 200
	}
	rounds(t, cfg, func(seed uint64) error { return Check(newEngine, seed, cfg.Vars) })
}

// rounds checks one seed after the other until one fails or time is up.
func rounds(t *testing.T, cfg Config, check func(seed uint64) error) {
	t.Helper()
	if cfg.Rounds == 0 {
		cfg.Rounds = 300
		if testing.Short() {
			cfg.Rounds = 60
		}
	}
	start := time.Now()
	for i := range cfg.Rounds {
		if cfg.Budget > 0 && time.Since(start) > cfg.Budget {
			t.Logf("stopped after %d of %d rounds and %v", i, cfg.Rounds, cfg.Budget)
			return
		}
		if err := check(cfg.Seed + uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// Check runs one round of [Run]: it holds the engine to every law on the case
// that [Draw] makes of the seed and the largest size. The error, if any, is a [*Failure].
func Check(newEngine func(r *rand.Rand) Engine, seed uint64, largest int) error {
	shape, c := Draw(seed, largest)
	for _, law := range laws {
		if seed%law.every != 0 {
			continue
		}
		x := trial{seed, func() Engine { return newEngine(source(seed, forEngine)) }}
		broken := func(c Case) error { return caught(func() error { return law.holds(x, c) }) }
		if err := broken(c); err != nil {
			return failure(x, law.name, shape, c, err, broken)
		}
	}
	return nil
}

// A Failure says which engine broke which law on which case.
type Failure struct {
	Law    string
	Seed   uint64 // of the round
	Shape  string // of the formula as it was drawn
	Engine string // what the engine says of itself, if anything
	Case   Case   // shrunk
	Err    error  // what went wrong on the shrunk case
}

func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, shape %s, law %q: %v\n", f.Seed, f.Shape, f.Law, f.Err)
	if f.Engine != "" {
		fmt.Fprintf(&b, "engine: %s\n", f.Engine)
	}
	fmt.Fprintf(&b, "shrunk to:\n%v", f.Case)
	return b.String()
}

func (f *Failure) Unwrap() error { return f.Err }

// failure shrinks the case, unless the engine did not come to an end, since
// each try would then take as long.
func failure(x trial, law, shape string, c Case, err error, broken func(Case) error) *Failure {
	if !errors.Is(err, errSlow) {
		c = Shrink(c, func(c Case) bool { return alike(broken(c), err) })
		if again := broken(c); again != nil {
			err = again
		} else {
			err = fmt.Errorf("%w (but not when tried again)", err)
		}
	}
	f := &Failure{Law: law, Seed: x.seed, Shape: shape, Case: c, Err: err}
	if s, ok := x.engine().(fmt.Stringer); ok {
		f.Engine = s.String()
	}
	return f
}

// alike reports whether two errors are of one kind: shrinking is to stay with
// the fault that was found, and not to slip to another one. The kind is the
// first line of what went wrong, whenever that was, without numbers.
func alike(err, other error) bool {
	return err != nil && kind(err) == kind(other)
}

func kind(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return numbers.ReplaceAllString(line, "")
}

// numbers matches what differs between faults of one kind: numbers, and lists
// of literals in brackets.
var numbers = regexp.MustCompile(`\[[^]]*\]|\([^)]*\)|-?[0-9]+`)

// caught turns a panic of f into an error.
func caught(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	return f()
}

// A trial is what a law may use. Everything random in it is the same each time
// the law is tried, so that a case can be shrunk.
type trial struct {
	seed   uint64
	engine func() Engine // makes a fresh one
}

func (x trial) random() *rand.Rand { return source(x.seed, forLaw) }

// load returns a fresh engine with the clauses of f.
func (x trial) load(f *dimacs.Formula) Engine {
	e := x.engine()
	for _, c := range f.Clauses() {
		e.Add(c...)
	}
	return e
}

// laws lists what holds for every engine and case. A law is tried on the seeds
// that every divides.
var laws = []struct {
	name  string
	every uint64
	holds func(trial, Case) error
}{
	{"the answer is right, twice", 1, rightTwice},
	{"assumptions hold for one call", 1, assumptionsPass},
	{"clauses can be added between calls", 2, incremental},
	{"a cancelled call does no harm", 2, cancelled},
	{"a variant has the same answer", 4, metamorphic},
	{"engines do not disturb one another", 16, undisturbed},
}

func rightTwice(x trial, c Case) error {
	e := x.load(c.Formula)
	if err := ask(e, c.Formula); err != nil {
		return err
	}
	return again(ask(e, c.Formula))
}

func assumptionsPass(x trial, c Case) error {
	e := x.load(c.Formula)
	if err := ask(e, c.Formula, c.Assumptions...); err != nil {
		return err
	}
	if err := ask(e, c.Formula); err != nil {
		return fmt.Errorf("without the assumptions of the call before: %w", err)
	}
	negated := mapLits(c.Assumptions, dimacs.Lit.Not)
	if err := ask(e, c.Formula, negated...); err != nil {
		return fmt.Errorf("with the complements of the assumptions: %w", err)
	}
	return again(ask(e, c.Formula, c.Assumptions...))
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
		if err := ask(e, part, as...); err != nil {
			return fmt.Errorf("with the first %d clauses and assumptions [%s]: %w", i+1, literals(as), err)
		}
	}
	return again(ask(e, c.Formula))
}

// cancelled solves under contexts that are over before or in the middle, then
// without.
func cancelled(x trial, c Case) error {
	e := x.load(c.Formula)
	r := x.random()
	for _, looks := range []int{0, 1 + r.IntN(3), 1 + r.IntN(30)} {
		ctx, cancel := NewCountdown(looks)
		status := e.Solve(ctx, c.Assumptions...)
		cancel()
		if err := judge(e, status, c.Formula, c.Assumptions); err != nil {
			return fmt.Errorf("cancelled after %d looks at the context: %w", looks, err)
		}
	}
	if err := ask(e, c.Formula, c.Assumptions...); err != nil {
		return fmt.Errorf("after cancelled calls: %w", err)
	}
	return again(ask(e, c.Formula))
}

// NewCountdown returns a context that ends when it has been looked at, by Err
// or by Done, more often than looks says: a cancellation in the middle of a
// search, at the same place each time. With 0 looks it is over from the start.
// The function releases what the context holds.
func NewCountdown(looks int) (context.Context, context.CancelFunc) {
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
	want, err := solve(x.load(c.Formula), c.Assumptions)
	if err != nil {
		return err
	}
	r := x.random()
	m := Metamorphoses[r.IntN(len(Metamorphoses))]
	d := m.Apply(r, c)
	e := x.load(d.Formula)
	got, err := solve(e, d.Assumptions)
	if err != nil {
		return err
	}
	if err := judge(e, got, d.Formula, d.Assumptions); err != nil {
		return fmt.Errorf("with %s: %w", m.Name, err)
	}
	if got != want {
		return fmt.Errorf("got %v, but %v with %s:\n%v", want, got, m.Name, d)
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
// an endless loop into a failure that names its seed.
const patience = 20 * time.Second

var errSlow = fmt.Errorf("no answer within %v", patience)

// solve is a call of Solve that must come to an answer.
func solve(e Engine, assumptions []dimacs.Lit) (dimacs.Status, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
func ask(e Engine, f *dimacs.Formula, assumptions ...dimacs.Lit) error {
	status, err := solve(e, assumptions)
	if err != nil {
		return err
	}
	return judge(e, status, f, assumptions)
}

// judge checks an answer against the oracle, and the evidence for it. Unknown
// is right here.
func judge(e Engine, got dimacs.Status, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	var failed []dimacs.Lit
	var err error
	switch got {
	case dimacs.Unknown:
	case dimacs.Satisfiable:
		err = checkModel(e.Model(), f, assumptions)
	case dimacs.Unsatisfiable:
		failed = e.Failed()
		err = checkCore(failed, f, assumptions)
	default:
		err = fmt.Errorf("%d is no status", int(got))
	}
	if err != nil {
		return err
	}
	if v, ok := e.(Verifier); ok {
		return v.Verify(got, failed)
	}
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
func checkCore(failed []dimacs.Lit, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if repeated(failed) {
		return fmt.Errorf("the core [%s] has a literal twice", literals(failed))
	}
	for _, l := range failed {
		if !slices.Contains(assumptions, l) {
			return fmt.Errorf("the core [%s] contains %v, which was not assumed", literals(failed), l)
		}
	}
	if opinion(f, failed) != dimacs.Satisfiable {
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
