package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// gates returns a circuit in which each variable from inputs on is the conjunction of
// two literals of smaller variables.
func gates(rng *rand.Rand, inputs, vars int) (clauses [][]dimacs.Lit) {
	for v := inputs; v < vars; v++ {
		g := dimacs.Lit(2 * v)
		a, b := dimacs.Lit(rng.IntN(2*v)), dimacs.Lit(rng.IntN(2*v))
		clauses = append(clauses, []dimacs.Lit{g ^ 1, a}, []dimacs.Lit{g ^ 1, b}, []dimacs.Lit{g, a ^ 1, b ^ 1})
	}
	return clauses
}

// luckyFormula returns clauses that the named kind of attempts satisfies.
func luckyFormula(name string, rng *rand.Rand) (clauses [][]dimacs.Lit) {
	const vars = 60
	switch name {
	case "signed": // a literal of the sign in each clause
		for _, c := range randomClauses(rng, vars, 6*vars, nil) {
			c[0] &^= 1
			clauses = append(clauses, c)
		}
	case "forward":
		return gates(rng, 10, vars)
	case "backward":
		for _, c := range gates(rng, 10, vars) {
			for i, l := range c {
				c[i] = 2*vars - 2 - l&^1 | l&1
			}
			clauses = append(clauses, c)
		}
	case "clausewise":
		// The middle variable of a chain must differ from both ends; no other
		// clause has the ends.
		for v := dimacs.Lit(0); v < 3*vars; v += 3 {
			x, y, z := 2*v, 2*v+2, 2*v+4
			clauses = append(clauses, []dimacs.Lit{x ^ 1, y ^ 1}, []dimacs.Lit{y ^ 1, z ^ 1}, []dimacs.Lit{y, x ^ 1, z})
		}
	}
	return clauses
}

// TestLuckyAttempts checks that each attempt finds a model of formulas made for
// it.
func TestLuckyAttempts(t *testing.T) {
	const forward, backward, clausewise = 0, 1, 2
	for _, tt := range []struct {
		formula string
		attempt int
		sign    dimacs.Lit
	}{
		{"signed", forward, 0},
		{"signed", backward, 0},
		{"signed", clausewise, 0},
		{"forward", forward, 0},
		{"forward", forward, 1},
		{"backward", backward, 0},
		{"backward", backward, 1},
		{"clausewise", clausewise, 1},
	} {
		for seed := range uint64(20) {
			clauses := luckyFormula(tt.formula, rand.New(rand.NewPCG(seed, 3)))
			s := New(Options{})
			for _, c := range clauses {
				s.Add(c...)
			}
			s.connect()
			if !s.propagate() {
				t.Fatal("refuted at the root")
			}
			s.decisions.quiet = true
			a := luckyAttempt{s, tt.sign, 1e6}
			if !luckyAttempts[tt.attempt](&a) {
				t.Errorf("%s, seed %d: attempt %d with sign %d failed", tt.formula, seed, tt.attempt, tt.sign)
				continue
			}
			for _, c := range clauses {
				if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return s.trail.vals[l] > 0 }) {
					t.Fatalf("%s, seed %d: clause %v is false", tt.formula, seed, c)
				}
			}
		}
	}
}

// TestLuckyConflicts checks that the complement of a failed first decision is learned,
// and that a failed later decision is replaced by its complement.
func TestLuckyConflicts(t *testing.T) {
	const vars = 40
	s := New(Options{})
	for v := dimacs.Lit(0); v < vars; v += 2 { // if false, it implies two complementary literals
		s.Add(2*v, 2*v+2)
		s.Add(2*v, 2*v+3)
	}
	s.connect()
	s.propagate()
	s.decisions.quiet = true
	a := luckyAttempt{s, 1, 1e6}
	if !a.forward() || len(s.trail.lits) != vars || s.trail.roots != 1 {
		t.Errorf("%d of %d variables are assigned, %d of them at the root", len(s.trail.lits), vars, s.trail.roots)
	}
}

// TestLuckyDue checks when attempts are made.
func TestLuckyDue(t *testing.T) {
	signed := func(s *Solver, rng *rand.Rand, clauses int) {
		for _, c := range randomClauses(rng, 300, clauses, nil) {
			c[0] |= 1
			s.Add(c...)
		}
	}
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(4, 4))
	o := Options{}
	o.Lucky = LuckyLarge
	s := New(o)
	check := func(what string, want int64) {
		t.Helper()
		if got := s.stats.Lucky; got != want {
			t.Errorf("%s: %d attempts succeeded, want %d", what, got, want)
		}
	}
	signed(s, rng, 50)
	s.Solve(ctx)
	check("a small formula", 0)
	signed(s, rng, 950)
	s.Solve(ctx, 1)
	check("with an assumption", 0)
	s.Solve(ctx)
	check("the first time", 1)
	s.Solve(ctx)
	check("again", 1)
	signed(s, rng, 200)
	s.Solve(ctx)
	check("a little more", 1)
	signed(s, rng, 1200)
	s.Solve(ctx)
	check("twice the formula", 2)
	s.SetPhase(2)
	signed(s, rng, 4000)
	s.Solve(ctx)
	check("after SetPhase", 2)
}
