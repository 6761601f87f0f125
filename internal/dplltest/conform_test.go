package dplltest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"sator/dimacs"
)

// TestRunPlain checks that the plain engine passes Run with all kinds of proofs.
func TestRunPlain(t *testing.T) {
	for proves := FullProofs; proves <= NoProofs; proves++ {
		Run(t, newPlainEngine, Config{Seed: 1000 * uint64(proves), Rounds: 100, Vars: 14, Proves: proves})
	}
}

// Mutants of the plain engine, each with one fault. Each method below overrides one of
// the plain engine.
type (
	refuter   struct{ *plain } // returns UNSATISFIABLE for some large formulas
	satisfier struct{ *plain } // returns SATISFIABLE for some large formulas
	flipper   struct{ *plain } // flips a literal of the model
	shortener struct{ *plain } // removes a literal from the core
	inventor  struct{ *plain } // adds a literal to the core that was not assumed
	stutterer struct{ *plain } // repeats the literals of the core
	deaf      struct{ *plain } // ignores the assumptions
	selective struct{ *plain } // ignores the last of three assumptions
	sticky    struct{ *plain } // keeps an assumption as a unit
	forgetful struct{ *plain } // loses each seventh clause
	latecomer struct {         // ignores clauses that are added after the first call
		*plain
		solved bool
	}
	shaken struct { // drops a clause when it is canceled
		*plain
	}
	stubborn struct { // returns UNKNOWN after it was canceled once
		*plain
		over bool
	}
	lazy  struct{ *plain } // returns UNKNOWN after one conflict
	stale struct {         // always returns the first model
		*plain
		old dimacs.Model
	}
	meddler  struct{ *plain } // changes the caller's slice of assumptions
	crasher  struct{ *plain } // panics on the empty clause
	babbler  struct{ *plain } // returns an invalid status
	onceOnly struct {         // is wrong in the second call
		*plain
		calls int
	}
	crowded struct{ *plain } // is wrong while another engine solves
	silent  struct{ *plain } // does not log binary clauses
)

func (e refuter) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if len(e.clauses) > 10 && len(e.clauses)%3 == 0 {
		e.failed, e.status = nil, dimacs.Unsatisfiable
		return e.status
	}
	return e.plain.Solve(ctx, as...)
}

func (e satisfier) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if len(e.clauses) > 10 && len(e.clauses)%3 == 0 {
		e.model, e.status = make(dimacs.Model, e.vars), dimacs.Satisfiable
		for v := range e.model {
			e.model[v] = dimacs.True
		}
		return e.status
	}
	return e.plain.Solve(ctx, as...)
}

func (e flipper) Model() dimacs.Model {
	m := e.plain.Model()
	if len(m) > 3 {
		m[3] = -m[3]
	}
	return m
}

func (e shortener) Failed() []dimacs.Lit {
	core := e.plain.Failed()
	return core[:max(0, len(core)-1)]
}

func (e inventor) Failed() []dimacs.Lit {
	return append(e.plain.Failed(), dimacs.FromInt(7))
}

func (e stutterer) Failed() []dimacs.Lit {
	core := e.plain.Failed()
	return append(core, core...)
}

func (e deaf) Solve(ctx context.Context, _ ...dimacs.Lit) dimacs.Status { return e.plain.Solve(ctx) }

func (e selective) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if len(as) == 3 {
		as = as[:2]
	}
	return e.plain.Solve(ctx, as...)
}

func (e sticky) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	status := e.plain.Solve(ctx, as...)
	if status == dimacs.Satisfiable && len(as) > 0 {
		e.clauses = append(e.clauses, plainClause{0, as[:1]})
	}
	return status
}

func (e forgetful) Add(lits ...dimacs.Lit) {
	if e.plain.Add(lits...); len(e.clauses)%7 == 6 {
		e.clauses[len(e.clauses)-1].lits = dimacs.Lits(1, -1)
	}
}

func (e *latecomer) Add(lits ...dimacs.Lit) {
	if !e.solved {
		e.plain.Add(lits...)
	}
}

func (e *latecomer) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	e.solved = true
	return e.plain.Solve(ctx, as...)
}

func (e shaken) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	status := e.plain.Solve(ctx, as...)
	if status == dimacs.Unknown && len(e.clauses) > 0 {
		e.clauses = e.clauses[1:]
	}
	return status
}

func (e *stubborn) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if e.over {
		return dimacs.Unknown
	}
	status := e.plain.Solve(ctx, as...)
	e.over = status == dimacs.Unknown
	return status
}

func (e lazy) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	e.Limit(1, 0, 0)
	return e.plain.Solve(ctx, as...)
}

func (e *stale) Model() dimacs.Model {
	if e.old == nil {
		e.old = e.plain.Model()
	}
	return e.old
}

func (e meddler) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	status := e.plain.Solve(ctx, as...)
	if len(as) > 1 {
		as[0], as[1] = as[1], as[0]
	}
	return status
}

func (e crasher) Add(lits ...dimacs.Lit) {
	_ = lits[0]
	e.plain.Add(lits...)
}

func (e babbler) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	return e.plain.Solve(ctx, as...) / 10
}

func (e *onceOnly) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if e.calls++; e.calls == 2 {
		e.clauses = append(e.clauses, plainClause{})
	}
	return e.plain.Solve(ctx, as...)
}

// solving is the number of crowded engines in a call of Solve.
var solving atomic.Int32

// Solve waits some time for another crowded engine.
func (e crowded) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	alone := solving.Add(1) == 1
	defer solving.Add(-1)
	for i := 0; alone && i < 1000; i++ {
		runtime.Gosched()
		alone = solving.Load() == 1
	}
	if !alone {
		e.status = dimacs.Unsatisfiable
		return e.status
	}
	return e.plain.Solve(ctx, as...)
}

func (e silent) Add(lits ...dimacs.Lit) {
	proof := e.setup.Proof
	if len(lits) == 2 {
		e.setup.Proof = nil
	}
	e.plain.Add(lits...)
	e.setup.Proof = proof
}

// TestMutantsAreFound checks that random formulas find each mutant, and that the shrunk
// formula is small.
func TestMutantsAreFound(t *testing.T) {
	tests := []struct {
		name    string
		engine  func(*plain) Engine
		want    string // in the error
		clauses int    // in the shrunk formula at most
	}{
		{"refuter", func(e *plain) Engine { return refuter{e} }, "is a model", 12},
		{"satisfier", func(e *plain) Engine { return satisfier{e} }, "does not satisfy clause", 12},
		{"flipper", func(e *plain) Engine { return flipper{e} }, "does not satisfy", 1},
		{"shortener", func(e *plain) Engine { return shortener{e} }, "core", 2},
		{"inventor", func(e *plain) Engine { return inventor{e} }, "not assumed", 2},
		{"stutterer", func(e *plain) Engine { return stutterer{e} }, "twice", 2},
		{"deaf", func(e *plain) Engine { return deaf{e} }, "assumption", 2},
		{"selective", func(e *plain) Engine { return selective{e} }, "assumption", 2},
		{"sticky", func(e *plain) Engine { return sticky{e} }, "is a model", 2},
		{"forgetful", func(e *plain) Engine { return forgetful{e} }, "does not satisfy clause", 7},
		{"latecomer", func(e *plain) Engine { return &latecomer{plain: e} }, "does not satisfy clause", 3},
		{"shaken", func(e *plain) Engine { return shaken{e} }, "canceled", 1},
		{"stubborn", func(e *plain) Engine { return &stubborn{plain: e} }, "UNKNOWN", 1},
		{"lazy", func(e *plain) Engine { return lazy{e} }, "UNKNOWN", 4},
		{"stale", func(e *plain) Engine { return &stale{plain: e} }, "does not satisfy", 2},
		{"meddler", func(e *plain) Engine { return meddler{e} }, "assumptions were changed", 0},
		{"crasher", func(e *plain) Engine { return crasher{e} }, "index out of range", 1},
		{"babbler", func(e *plain) Engine { return babbler{e} }, "no status", 0},
		{"once only", func(e *plain) Engine { return &onceOnly{plain: e} }, "is a model", 0},
		{"crowded", func(e *plain) Engine { return crowded{e} }, "in other goroutines", 3},
		{"silent", func(e *plain) Engine { return silent{e} }, "logged as given", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := firstFailure(func(s Setup) Engine { return test.engine(newPlain(s)) }, Config{}, 400)
			checkFailure(t, f, test.want, test.clauses)
		})
	}
}

// checkFailure checks that a failure was found, that its error contains the text, and
// that the shrunk formula has at most that many clauses.
func checkFailure(t *testing.T, f *Failure, want string, clauses int) {
	t.Helper()
	switch {
	case f == nil:
		t.Fatal("not found in 400 rounds")
	case !strings.Contains(f.Err.Error(), want):
		t.Errorf("found, but %q is not in the error:\n%v", want, f)
	case f.Case.Formula.Len() > clauses:
		t.Errorf("shrunk to %d clauses, want %d:\n%v", f.Case.Formula.Len(), clauses, f)
	}
	t.Logf("seed %d, %d clauses", f.Seed, f.Case.Formula.Len())
}

// firstFailure returns the first failure of n rounds, or nil.
func firstFailure(newEngine func(Setup) Engine, cfg Config, n uint64) *Failure {
	for seed := range n {
		var f *Failure
		if errors.As(Check(newEngine, cfg, seed), &f) {
			return f
		}
	}
	return nil
}

// A named engine is a [fmt.Stringer].
type named struct {
	deaf
	name string
}

func (e named) String() string { return e.name }

// TestFailureMessage checks the parts of the message of a failure.
func TestFailureMessage(t *testing.T) {
	newEngine := func(s Setup) Engine { return named{deaf{newPlain(s)}, "the deaf one"} }
	f := firstFailure(newEngine, Config{}, 100)
	if f == nil {
		t.Fatal("not found")
	}
	text := f.Error()
	for _, part := range []string{"seed ", "family ", f.Property, f.Err.Error(), "engine: the deaf one", "c assume ", "p cnf "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the message:\n%s", part, text)
		}
	}
	var again *Failure
	if !errors.As(Check(newEngine, Config{}, f.Seed), &again) || again.Error() != text {
		t.Errorf("the seed does not repeat the failure:\n%s\nbut:\n%v", text, again)
	}
}

// TestCancelAfter checks that the context is canceled after that many polls.
func TestCancelAfter(t *testing.T) {
	for polls := range 5 {
		ctx, cancel := CancelAfter(polls)
		for i := range polls {
			if i%2 == 0 && ctx.Err() != nil {
				t.Errorf("canceled at poll %d of %d", i+1, polls)
			}
			if i%2 == 1 {
				select {
				case <-ctx.Done():
					t.Errorf("done at poll %d of %d", i+1, polls)
				default:
				}
			}
		}
		if ctx.Err() == nil {
			t.Errorf("not canceled after %d polls", polls)
		}
		cancel()
	}
}
