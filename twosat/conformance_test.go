package twosat_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/twosat"
)

// TestMain restricts the conformance test to instances of 2-SAT.
func TestMain(m *testing.M) {
	dplltest.Families = shapes
	for i, change := range dplltest.Transformations {
		if change.Name == "an implied clause added" {
			dplltest.Transformations[i] = dplltest.Transformation{Name: "a resolvent added", Apply: resolvent}
		}
	}
	os.Exit(m.Run())
}

// resolvent adds a resolvent of two binary clauses, which is no longer than they
// are.
func resolvent(r *rand.Rand, c dplltest.Case) dplltest.Case {
	f := dimacs.NewFormula(c.Formula.Vars())
	f.Append(c.Formula)
	for range 20 * min(f.Len(), 1) {
		one, two := f.Clause(r.IntN(f.Len())), f.Clause(r.IntN(f.Len()))
		if len(one) == 2 && len(two) == 2 && one[1] == two[0]^1 {
			f.Add(one[0], two[1])
			break
		}
	}
	return dplltest.Case{Formula: f, Assumptions: c.Assumptions}
}

// shapes are families of 2-SAT formulas, near the threshold of random 2-SAT or with
// a mix of answers for other reasons.
var shapes = []dplltest.Family{
	{Name: "2sat", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return uniform(r, vars, 1, 0) }},
	{Name: "sparse", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return uniform(r, vars, 0.7, 0) }},
	{Name: "dense", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return uniform(r, vars, 2, 0) }},
	{Name: "units", Make: func(r *rand.Rand, vars int) *dimacs.Formula { return uniform(r, vars, 0.8, 8) }},
	{Name: "cycles", Make: cycles},
	{Name: "planted", Make: planted},
	{Name: "wide", Make: wide},
}

// literal returns a random literal.
func literal(r *rand.Rand, vars int) dimacs.Lit { return dimacs.Lit(r.IntN(2 * vars)) }

// uniform returns random clauses of two literals, which may be equal or
// complements. One clause in units is a unit clause.
func uniform(r *rand.Rand, vars int, ratio float64, units int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range int(ratio*float64(vars)*(0.6+0.8*r.Float64()) + 0.5) {
		if units > 0 && r.IntN(units) == 0 {
			f.Add(literal(r, vars))
		} else {
			f.Add(literal(r, vars), literal(r, vars))
		}
	}
	return f
}

// cycles returns cycles of implications through random literals and few other
// clauses: literals are equivalent, and at first no literal is pure.
func cycles(r *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range 1 + r.IntN(3) {
		size := 2 + r.IntN(max(vars/2, 1))
		first := literal(r, vars)
		last := first
		for range size {
			next := literal(r, vars)
			f.Add(last^1, next)
			last = next
		}
		f.Add(last^1, first)
	}
	for range r.IntN(1 + vars/3) {
		f.Add(literal(r, vars), literal(r, vars))
	}
	return f
}

// planted returns many clauses that a hidden model satisfies, and now and then a
// clause that it falsifies.
func planted(r *rand.Rand, vars int) *dimacs.Formula {
	f, hidden := dimacs.NewFormula(vars), make(dimacs.Model, vars)
	for v := range hidden {
		hidden.Set(dimacs.Var(v).Lit() | dimacs.Lit(r.IntN(2)))
	}
	for range 1 + r.IntN(4*vars) {
		c := []dimacs.Lit{literal(r, vars), literal(r, vars)}
		if hidden.Clause(c) == dimacs.False && r.IntN(6*vars) > 0 {
			c[0] ^= 1
		}
		f.Add(c...)
	}
	return f
}

// wide returns a formula with literals that reach the maximum of the one-byte
// counts.
func wide(r *rand.Rand, vars int) *dimacs.Formula {
	f := uniform(r, vars, 0.8, 8)
	for range r.IntN(3) {
		l := literal(r, vars)
		for range 250 + r.IntN(20) {
			f.Add(l, literal(r, vars))
		}
	}
	return f
}

// TestConformance runs the tests that every engine must pass, with proofs in all
// formats.
func TestConformance(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return twosat.New(s.Proof) }
	dplltest.Run(t, newEngine, dplltest.Config{Rounds: 500, Whole: 10_000})
}
