package dplltest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/effort"
)

// An Engine decides formulas under assumptions. Clauses may be added between
// calls. Solve grows the engine to the variables of the assumptions. It returns
// Unknown only if ctx is done or a limit is reached. Model is called only after
// Satisfiable and Failed only after Unsatisfiable. An engine is used by one
// goroutine at a time.
type Engine interface {
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// Config configures [Run] and [RunTraces]. The zero Config fits engines without
// options whose proofs have hints.
type Config struct {
	Rounds uint64       // number of formulas or traces, a fifth of it with -short; 0 means 300
	Whole  uint64       // the number in a whole test, see [effort.Whole]; 0 means Rounds
	Seed   uint64       // seed of the first round; each round adds 1
	Vars   int          // size of the largest formulas, as for [RandomCase]; 0 means 200
	Knobs  []Knob       // options for which each round draws settings
	Proves ProofSupport // the proofs of the engine

	FullAPI bool // traces have the calls of [FullAPI], too
	Stops   bool // most calls of Solve in these traces end after some polls
}

// Run tests an engine on random formulas. In each round it calls newEngine several
// times, also from several goroutines, with setups that differ only in their Proof.
// If Proof is not nil, the engine must log a proof of each refutation. If engines
// are [fmt.Stringer]s, failures contain their strings. The first failure ends the
// test. It contains the seed of the round, a shrunk formula and shrunk settings;
// [Check] repeats it.
func Run(t *testing.T, newEngine func(Setup) Engine, cfg Config) {
	t.Helper()
	if cfg.Vars == 0 {
		cfg.Vars = 200
	}
	rounds(t, cfg, func(seed uint64) error { return Check(newEngine, cfg, seed) })
}

// rounds calls check for one seed after the other, until it fails.
func rounds(t *testing.T, cfg Config, check func(seed uint64) error) {
	t.Helper()
	n := cmp.Or(cfg.Rounds, 300)
	if testing.Short() {
		n = (n + 4) / 5
	}
	for _, seed := range effort.Seeds(n, cmp.Or(cfg.Whole, n)) {
		if err := check(cfg.Seed + seed); err != nil {
			t.Fatal(err)
		}
	}
}

// Check runs one round of [Run]: it checks every property on the case that
// [RandomCase] returns for the seed and cfg.Vars; 0 is not replaced. The error is
// nil or a [*Failure].
func Check(newEngine func(Setup) Engine, cfg Config, seed uint64) error {
	s := Subject{New: newEngine, Knobs: cfg.Knobs, Proves: cfg.Proves}
	if v := s.check(seed, testSizes(cfg.Vars), nil, new(Counts)); v != nil {
		return v.failure()
	}
	return nil
}

// A Subject is an engine under test.
type Subject struct {
	Name     string                     // for messages
	New      func(Setup) Engine         // returns a new engine; if it is an [API], it is tested with traces too
	Knobs    []Knob                     // its options, for which settings are drawn
	Proves   ProofSupport               // its proofs
	Vars     int                        // size of the largest formulas that it solves in a short time; 0 means any
	Families []Family                   // families of its formulas; nil means [Families]
	Takes    func(*dimacs.Formula) bool // reports whether it decides the formula; nil means any
	Share    int                        // its share of the rounds of a [Fuzzer], relative to others; 0 means 1
}

// takes reports whether the subject decides the formula in a short time.
func (s *Subject) takes(f *dimacs.Formula) bool {
	return (s.Vars == 0 || f.Vars() <= s.Vars) && (s.Takes == nil || s.Takes(f))
}

// A violation is a property that does not hold in a trial, with the case and the
// error.
type violation struct {
	trial
	property property
	family   string
	c        Case
	err      error
}

// check checks every property of a subject. The rivals must have the same answers.
// It returns nil if all properties hold.
func (s *Subject) check(seed uint64, z sizes, rivals []*Subject, counts *Counts) *violation {
	x, family, c := s.randomTrial(seed, z)
	x.rivals, x.counts, x.oracle = rivals, counts, oracleCache{}
	for _, p := range properties {
		if seed%p.every != 0 {
			continue
		}
		x := x
		if s.Proves == RATProofs && !p.oneShot {
			x.proof = NoProof
		}
		err := x.violates(p, c)
		if errors.Is(err, errSlow) && c.Formula.Vars() >= slowVars {
			x.counts.Slow++
			return nil
		}
		if err != nil {
			x.counts, x.oracle = new(Counts), nil // shrinking is not counted
			return &violation{x, p, family, c, err}
		}
	}
	return nil
}

// A Failure is a property that an engine does not have, with a case and settings
// that show it. [Run] and [Check] shrink both.
type Failure struct {
	Subject  string // the name of the subject, or empty
	Property string
	Seed     uint64 // of the round
	Family   string // the family of the original formula
	Engine   string // the string of the engine if it is a [fmt.Stringer]
	Setup    Setup  // without Proof
	Proof    ProofKind
	Case     Case
	Err      error // the error on Case
}

func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, family %s, property %q: %v\n", f.Seed, f.Family, f.Property, f.Err)
	if f.Engine != "" {
		fmt.Fprintf(&b, "engine: %s\n", f.Engine)
	}
	if text := (&Trace{Settings: f.Setup.Settings, Seed: f.Setup.Seed, Proof: f.Proof}).String(); text != "" {
		fmt.Fprintf(&b, "with:\n%s", text)
	}
	fmt.Fprintf(&b, "shrunk to:\n%v", f.Case)
	return b.String()
}

func (f *Failure) Unwrap() error { return f.Err }

// violates returns the error of a property on a case, or nil if it holds. Panics
// are errors.
func (x trial) violates(p property, c Case) error {
	return catchPanic(func() error { return p.holds(x, c) })
}

// failure returns the shrunk failure. An engine that was too slow is not shrunk,
// since each try would take as long.
func (v *violation) failure() *Failure {
	if !errors.Is(v.err, errSlow) {
		v.shrink()
	}
	f := v.unshrunk()
	_ = catchPanic(func() error {
		if s, ok := v.subject.New(v.setup).(fmt.Stringer); ok {
			f.Engine = s.String()
		}
		return nil
	})
	return f
}

// unshrunk returns the failure without shrinking it.
func (v *violation) unshrunk() *Failure {
	return &Failure{
		Subject: v.subject.Name, Property: v.property.name, Seed: v.seed, Family: v.family,
		Setup: v.setup, Proof: v.proof, Case: v.c, Err: v.err,
	}
}

// shrink simplifies the setup, then shrinks the case, and then simplifies the setup
// again, since the smaller case may need less of it.
func (v *violation) shrink() {
	fails := func(x trial, c Case) bool { return alike(x.violates(v.property, c), v.err) }
	v.trial = v.simpler(func(x trial) bool { return fails(x, v.c) })
	v.c = Shrink(v.c, func(c Case) bool { return fails(v.trial, c) })
	v.trial = v.simpler(func(x trial) bool { return fails(x, v.c) })
	if again := v.violates(v.property, v.c); again != nil {
		v.err = again
	} else {
		v.err = fmt.Errorf("%w (but not when tried again)", v.err)
	}
}

// simpler returns a trial with a simpler setup for which fails still returns true.
func (x trial) simpler(fails func(trial) bool) trial {
	try := func(change func(*trial)) bool {
		y := x
		change(&y)
		if !fails(y) {
			return false
		}
		x = y
		return true
	}
	for k := range x.proof {
		if (k == NoProof || x.subject.Proves.allows(k)) && try(func(y *trial) { y.proof = k }) {
			break
		}
	}
	if x.setup.Seed != 0 {
		try(func(y *trial) { y.setup.Seed = 0 })
	}
	shrinkSettings(x.setup.Settings, x.subject.Knobs, func(settings []Setting) bool {
		return try(func(y *trial) { y.setup.Settings = settings })
	})
	return x
}

// alike reports whether two errors are of the same kind, so that shrinking does not
// slip from one fault to another. The kind is the first line of the innermost
// error, without numbers.
func alike(err, other error) bool {
	return err != nil && kind(err) == kind(other)
}

// kind returns the kind of an error, see alike.
func kind(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return numbers.ReplaceAllString(line, "")
}

// numbers matches the parts in which errors of the same kind differ: sequences of
// numbers, and lists in brackets or parentheses.
var numbers = regexp.MustCompile(`\[[^]]*\]|\([^)]*\)|-?[0-9]+( -?[0-9]+)*`)

// catchPanic returns the error of f, or its panic as an error.
func catchPanic(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	return f()
}
