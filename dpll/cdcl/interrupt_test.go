package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/effort"
)

// An impatient context is done from its n-th poll on.
type impatient struct {
	context.Context
	n int
}

func (c *impatient) Err() error {
	if c.n--; c.n <= 0 {
		return context.Canceled
	}
	return nil
}

// A selective context is impatient in a state of the solver alone: it counts only the polls
// there.
type selective struct {
	impatient
	in func() bool // reports whether the solver is in the state
}

func (c *selective) Err() error {
	if c.n > 0 && !c.in() {
		return nil
	}
	return c.impatient.Err()
}

// TestInterruptedAnywhere stops calls while clauses are connected or collected, by both
// kinds of collection, and anywhere else. Interrupted work must be completed before clauses
// are added or the search continues, and the answer must be right.
func TestInterruptedAnywhere(t *testing.T) {
	const vars = 6000 // long loops poll at every 1024th step
	const rounds = 60 // with an impatient context
	var connecting, partial, full int
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := Options{}
		o.ReduceInterval = 1 + rng.IntN(30)
		s := New(o)
		f, add := hiding(s, vars, rng)
		add(7 * vars / 2)
		unconnected := func() bool { return s.clauses.pending.len > 0 || int(s.clauses.unwatched) < len(s.clauses.arena) }
		states := []func() bool{
			func() bool { return true },
			func() bool { return s.collecting == nil && unconnected() },
			func() bool { return s.collecting != nil && !s.collecting.full },
			func() bool { return s.collecting != nil && s.collecting.full },
		}
		answer := dimacs.Unknown
		for round := 0; answer == dimacs.Unknown; round++ {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
			if round < rounds {
				state := rng.IntN(len(states))
				most := 1 << rng.IntN([]int{12, 6, 3, 3}[state]) // polls in the state are fewer
				ctx = &selective{impatient{ctx, 1 + rng.IntN(most)}, states[state]}
			}
			answer = s.Solve(ctx)
			cancel()
			if round >= rounds && answer == dimacs.Unknown {
				t.Fatalf("seed %d: no answer within ten minutes", seed)
			}
			switch c := s.collecting; {
			case answer != dimacs.Unknown:
			case c != nil && c.full:
				full++
			case c != nil:
				partial++
			case unconnected():
				connecting++
			}
			if round < rounds && (answer != dimacs.Unknown || round%3 == 0) {
				add(20)
				answer = dimacs.Unknown
			}
		}
		if answer != dimacs.Satisfiable {
			t.Fatalf("seed %d: %v, but there is a model", seed, answer)
		}
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
	}
	t.Logf("interrupted %d times while connecting, %d in partial and %d in full collections", connecting, partial, full)
	if connecting < 5 || partial < 5 || full < 5 {
		t.Error("some kind of loop was interrupted fewer than 5 times")
	}
}

// A gauge is a context that measures the number of ticks between polls, those of search
// and those of passes.
type gauge struct {
	context.Context
	s         *Solver
	last, gap int64
	polls     int
}

func (g *gauge) Err() error {
	g.polls++
	g.read(g.s.call.pollAt - pollTicks) // the ticks at this poll, as poll sets pollAt
	return nil
}

// read ends a gap. Ticks is the counter of the solver, which a pass resets when it ends.
func (g *gauge) read(ticks int64) {
	now := ticks + g.s.stats.PassTicks
	g.last, g.gap = now, max(g.gap, now-g.last)
}

// TestPollsOften checks in ticks that a call polls its context often. Measured times
// would be reliable only on an idle machine.
func TestPollsOften(t *testing.T) {
	most := int64(5 * pollTicks)
	for _, vars := range []int{300, 5000} {
		rng := rand.New(rand.NewPCG(uint64(vars), 6))
		o := Options{}
		o.ReduceInterval = 100
		s := New(o)
		for range 9 * vars / 2 {
			s.Add(dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)))
		}
		s.SetLimits(Limits{Conflicts: 1000})
		g := &gauge{Context: context.Background(), s: s}
		s.Solve(g)
		g.read(s.Stats().Ticks)
		if g.gap > most || g.last < most {
			t.Errorf("%d variables: up to %d of %d ticks between polls, want at most %d", vars, g.gap, g.last, most)
		}
		t.Logf("%d variables: up to %d of %d ticks between polls", vars, g.gap, g.last)
	}
}

// hiding returns an empty formula and a function that adds random clauses to it and to s,
// all satisfied by a hidden model.
func hiding(s *Solver, vars int, rng *rand.Rand) (f *dimacs.Formula, add func(n int)) {
	f = dimacs.NewFormula(vars)
	hidden := make(dimacs.Model, vars)
	for v := range hidden {
		hidden[v] = dimacs.Value(1 - 2*rng.IntN(2))
	}
	return f, func(n int) {
		for n > 0 {
			c := make([]dimacs.Lit, []int{1, 2, 3, 3, 3, 3, 3, 3}[min(rng.IntN(100), 7)])
			for i := range c {
				c[i] = dimacs.Lit(rng.IntN(2 * vars))
			}
			if hidden.Clause(c) == dimacs.True {
				f.Add(c...)
				s.Add(c...)
				n--
			}
		}
	}
}

// TestPassesPollOften checks the number of polls of each pass in a round over a formula
// of gates, where each linear loop polls at every 1024th step. The bounds are a tenth
// below the polls that were counted when no pass ran for longer than 100 milliseconds
// without one on formulas of 10^7 clauses (measured by sator-lab pauses). Ticks do not
// show a loop without polls, since passes add the ticks of such a loop at once.
func TestPassesPollOften(t *testing.T) {
	const vars = 20_000 // long loops poll at every 1024th step
	s := New(Options{})
	addGates(s, vars, rand.New(rand.NewPCG(1, 7)))
	g := &gauge{Context: context.Background(), s: s}
	polls := map[string]int{} // by activity
	activity, before := "connect", 0
	s.opts.Activity = func(name string) {
		polls[activity] += g.polls - before
		activity, before = name, g.polls
	}
	s.call.ctx = g
	s.connect()
	s.round(1e8)
	s.call.ctx = nil
	s.opts.Activity("")
	for name, least := range map[string]int{
		"connect": 5500, "xor": 195, "cardinality": 385, "congruence": 415, "substitute": 4200,
		"probe": 50, "transitive": 86, "subsume": 280, "eliminate": 100, "collect": 66,
	} {
		if polls[name] < least {
			t.Errorf("%s polled %d times, want at least %d", name, polls[name], least)
		}
	}
	if s.stats.Eliminated < vars/4 || s.inconsistent {
		t.Errorf("%d variables eliminated, refuted: %v", s.stats.Eliminated, s.inconsistent)
	}
}

// addGates adds gates without cycles and with random inputs: XOR gates, AND gates,
// if-then-else gates, and equivalences.
func addGates(s *Solver, vars int, rng *rand.Rand) {
	for out := vars / 4; out < vars; out++ {
		o := dimacs.Lit(2 * out)
		a, b, c := dimacs.Lit(rng.IntN(2*out)), dimacs.Lit(rng.IntN(2*out)), dimacs.Lit(rng.IntN(2*out))
		switch rng.IntN(4) {
		case 0: // o = a xor b
			s.Add(o, a, b^1)
			s.Add(o, a^1, b)
			s.Add(o^1, a, b)
			s.Add(o^1, a^1, b^1)
		case 1: // o = a and b
			s.Add(o, a^1, b^1)
			s.Add(o^1, a)
			s.Add(o^1, b)
		case 2: // o = a if c, else b
			s.Add(c^1, a^1, o)
			s.Add(c^1, a, o^1)
			s.Add(c, b^1, o)
			s.Add(c, b, o^1)
		case 3:
			s.Add(o, a^1)
			s.Add(o^1, a)
		}
	}
}

// TestEnterDenseInterrupted stops the change to dense mode at its polls, one after the other.
// The next call must find the model.
func TestEnterDenseInterrupted(t *testing.T) {
	const vars = 6000 // long loops poll at every 1024th step
	rng := rand.New(rand.NewPCG(1, 8))
	f, add := hiding(New(plain()), vars, rng)
	add(7 * vars / 2)
	stopped, step, least := 0, 15, 6
	if effort.Whole() {
		step, least = 5, 20
	}
	for n := 1 + rng.IntN(3); ; n += 1 + rng.IntN(step) {
		s := New(plain())
		s.AddFormula(f)
		s.connect()
		s.call.ctx = &impatient{t.Context(), n}
		s.call.pollAt = 0
		d := s.enterDense(1e8)
		s.call.ctx, s.call.stopped, s.call.pollAt = nil, false, noPoll
		if d != nil {
			break
		}
		stopped++
		if answer := s.Solve(t.Context()); answer != dimacs.Satisfiable {
			t.Fatalf("stopped at poll %d: %v, but there is a model", n, answer)
		}
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("stopped at poll %d: the model does not satisfy clause %v", n, f.Clause(i))
		}
	}
	if stopped < least {
		t.Errorf("the change was stopped at %d polls", stopped)
	}
}

// TestAndGatesPollOften checks in ticks that congruence closure polls its context often if
// rows of the implication graph are long and each literal of a long clause is the output of
// an AND gate.
func TestAndGatesPollOften(t *testing.T) {
	const n = 600
	s := New(plain())
	row := make([]dimacs.Lit, n)
	for v := range row {
		row[v] = dimacs.Lit(2 * v)
		for w := range v {
			s.Add(row[v]^1, row[w]^1)
		}
	}
	s.Add(row...)
	s.connect()
	g := &gauge{Context: t.Context(), s: s, last: s.stats.Ticks + n*n/2} // all ticks of the implication graph at once
	s.call.ctx, s.call.pollAt = g, 0
	s.closeCongruence(1e9)
	g.read(s.stats.Ticks)
	most := int64(5 * pollTicks)
	if g.gap > most || g.last < n*n {
		t.Errorf("up to %d of %d ticks between polls, want at most %d", g.gap, g.last, most)
	}
}

// TestReduceInterrupted stops a reduction before its collection begins. Watches of deleted
// clauses must be gone before the search goes on.
func TestReduceInterrupted(t *testing.T) {
	const vars = 3000 // long loops poll at every 1024th step
	for _, stable := range []int{FocusedMode, StableMode} {
		o := plain()
		o.Stable, o.Seed = stable, 1
		s := New(o)
		_, add := hiding(s, vars, rand.New(rand.NewPCG(3, 9)))
		add(17 * vars / 4)
		s.SetLimits(Limits{Conflicts: 500})
		s.Solve(t.Context())
		before := s.stats.ReducedClauses
		s.call.ctx, s.call.pollAt = &impatient{t.Context(), 1}, noPoll-1
		s.schedule.due.lastFull = s.stats.Ticks // the collection is a partial one
		s.reduce()
		if s.call.ctx = nil; !s.call.stopped || s.stats.ReducedClauses == before {
			t.Fatalf("stopped: %v, %d clauses deleted", s.call.stopped, s.stats.ReducedClauses-before)
		}
		s.resetAndComplete()
		for l := range s.clauses.watches {
			for _, w := range s.clauses.list(dimacs.Lit(l)) {
				if !w.binary() && s.clauses.arena[w.ref()]&garbageBit != 0 {
					t.Fatalf("%v watches a deleted clause", dimacs.Lit(l))
				}
			}
		}
	}
}
