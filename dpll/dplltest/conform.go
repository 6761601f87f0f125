package dplltest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
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

// Config says what [Run] and [RunTraces] do, and how much. The zero Config is
// what a test of an engine wants that has no options and proves its answers
// with hints.
type Config struct {
	Rounds int           // formulas or traces; 0 stands for 300, or 60 with -short
	Seed   uint64        // of the first formula; the others follow
	Vars   int           // of the largest formulas, as for [RandomCase]; 0 stands for 200
	Budget time.Duration // after which no further round begins; 0 for none
	Knobs  []Knob        // for which each round draws settings
	Proves ProofSupport  // what the engine's proofs are made of
}

// Run tests an engine on random formulas. In each round, newEngine makes several
// engines with the same setup but for the receiver of the proof, also in
// several goroutines at once; if they are [fmt.Stringer]s, a failure shows
// what they return. Each refutation must be proven to the receiver, unless
// that is nil. The first failure ends the test; it carries the seed of the
// round, a shrunk formula and shrunk settings, and [Check] repeats it.
func Run(t *testing.T, newEngine func(Setup) Engine, cfg Config) {
	t.Helper()
	if cfg.Vars == 0 {
		cfg.Vars = 200
	}
	rounds(t, cfg, func(seed uint64) error { return Check(newEngine, cfg, seed) })
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
// that [RandomCase] makes of the seed and of cfg.Vars, where 0 is 0. The error, if
// any, is a [*Failure].
func Check(newEngine func(Setup) Engine, cfg Config, seed uint64) error {
	s := Subject{New: newEngine, Knobs: cfg.Knobs, Proves: cfg.Proves}
	if b := s.check(seed, cfg.Vars, nil, new(Counts)); b != nil {
		return b.failure()
	}
	return nil
}

// A Subject is an engine under test.
type Subject struct {
	Name     string                     // for messages
	New      func(Setup) Engine         // makes a fresh one; an [API] can be traced
	Knobs    []Knob                     // for which settings are drawn
	Proves   ProofSupport               // what its proofs are made of
	Vars     int                        // of the largest formulas that it solves in good time; 0 for any
	Families []Family                   // of the formulas that it is given; nil for [Families]
	Takes    func(*dimacs.Formula) bool // whether it decides a formula; nil for any
	Share    int                        // of the rounds of a [Fuzzer], relative to others; 0 stands for 1
}

// takes reports whether the subject can be given a formula.
func (s *Subject) takes(f *dimacs.Formula) bool {
	return (s.Vars == 0 || f.Vars() <= s.Vars) && (s.Takes == nil || s.Takes(f))
}

// A breach is a law that was broken: how, and in which trial of which case.
type breach struct {
	trial
	law   law
	shape string
	c     Case
	err   error
}

// check holds a subject to every law. Rivals are to give the same answers.
func (s *Subject) check(seed uint64, largest int, rivals []*Subject, tally *Counts) *breach {
	x, shape, c := s.draw(seed, largest)
	x.rivals, x.tally, x.oracle = rivals, tally, memory{}
	for _, law := range laws {
		if seed%law.every != 0 {
			continue
		}
		x := x
		if s.Proves == RATProofs && !law.final {
			x.proof = NoProof
		}
		err := x.breaks(law, c)
		if errors.Is(err, errSlow) && c.Formula.Vars() >= slowVars {
			x.tally.Slow++
			return nil
		}
		if err != nil {
			x.tally, x.oracle = new(Counts), nil // from here on nothing counts
			return &breach{x, law, shape, c, err}
		}
	}
	return nil
}

// A Failure says which engine broke which law on which case. The case and the
// settings are shrunk.
type Failure struct {
	Subject  string // its name, if it has one
	Property string
	Seed     uint64 // of the round
	Family   string // of the formula as it was drawn
	Engine   string // what the engine says of itself, if anything
	Setup    Setup  // of the engine, without the receiver of its proof
	Proof    ProofKind
	Case     Case
	Err      error // what went wrong on the shrunk case
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

// breaks tries a law on a case.
func (x trial) breaks(law law, c Case) error {
	return caught(func() error { return law.holds(x, c) })
}

// failure shrinks what failed, unless the engine did not come to an end, since
// each try would then take as long.
func (b *breach) failure() *Failure {
	if !errors.Is(b.err, errSlow) {
		b.shrink()
	}
	f := b.asDrawn()
	_ = caught(func() error {
		if s, ok := b.subject.New(b.setup).(fmt.Stringer); ok {
			f.Engine = s.String()
		}
		return nil
	})
	return f
}

// asDrawn returns the failure as it stands.
func (b *breach) asDrawn() *Failure {
	return &Failure{
		Subject: b.subject.Name, Property: b.law.name, Seed: b.seed, Family: b.shape,
		Setup: b.setup, Proof: b.proof, Case: b.c, Err: b.err,
	}
}

// shrink makes the setup simpler, then the case smaller, and then the setup
// simpler again, since less may do now.
func (b *breach) shrink() {
	fails := func(x trial, c Case) bool { return alike(x.breaks(b.law, c), b.err) }
	b.trial = b.simpler(func(x trial) bool { return fails(x, b.c) })
	b.c = Shrink(b.c, func(c Case) bool { return fails(b.trial, c) })
	b.trial = b.simpler(func(x trial) bool { return fails(x, b.c) })
	if again := b.breaks(b.law, b.c); again != nil {
		b.err = again
	} else {
		b.err = fmt.Errorf("%w (but not when tried again)", b.err)
	}
}

// simpler returns a trial with a simpler setup that fails too.
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

// numbers matches what differs between faults of one kind: numbers, one or many
// in a row, and lists of literals in brackets.
var numbers = regexp.MustCompile(`\[[^]]*\]|\([^)]*\)|-?[0-9]+( -?[0-9]+)*`)

// caught turns a panic of f into an error.
func caught(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	return f()
}
