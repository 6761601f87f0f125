package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"sator/dimacs"
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

// TestInterruptedAnywhere stops calls while clauses are connected or collected, by both
// kinds of collection. Interrupted work must be completed before clauses are added or the
// search continues, and the answer must be right.
func TestInterruptedAnywhere(t *testing.T) {
	const vars = 6000 // long loops poll at every 1024th step
	var paused struct{ connecting, partial, full int }
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := DefaultOptions()
		o.ReduceInterval = 1 + rng.IntN(30)
		s := New(o)
		f, add := hiding(s, vars, rng)
		add(7 * vars / 2)
		answer := dimacs.Unknown
		for round := 0; answer == dimacs.Unknown; round++ {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
			if round < 60 {
				ctx = &impatient{ctx, 1 + rng.IntN(1<<rng.IntN(12))}
			}
			answer = s.Solve(ctx)
			cancel()
			if round >= 60 && answer == dimacs.Unknown {
				t.Fatalf("seed %d: no answer within ten minutes", seed)
			}
			switch c := s.collecting; {
			case answer != dimacs.Unknown:
			case c != nil && c.full:
				paused.full++
			case c != nil:
				paused.partial++
			case len(s.pending) > 0 || int(s.unwatched) < len(s.arena):
				paused.connecting++
			}
			if round%3 == 0 && round < 60 {
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
	if paused.connecting == 0 || paused.partial == 0 || paused.full == 0 {
		t.Errorf("not every kind of loop was interrupted: %+v", paused)
	}
}

// A gauge is a context that measures the number of ticks between polls.
type gauge struct {
	context.Context
	s         *Solver
	last, gap int64
}

func (g *gauge) Err() error {
	g.read(g.s.pollAt - pollTicks) // the ticks at this poll, as poll sets pollAt
	return nil
}

func (g *gauge) read(now int64) { g.last, g.gap = now, max(g.gap, now-g.last) }

// TestPollsOften checks in ticks that a call polls its context often. Measured times
// would be reliable only on an idle machine.
func TestPollsOften(t *testing.T) {
	const most = 5 * pollTicks
	for _, vars := range []int{300, 5000} {
		rng := rand.New(rand.NewPCG(uint64(vars), 6))
		o := DefaultOptions()
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
