package conquertest

import (
	"context"
	"math/rand/v2"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
)

// Cubes and formulas of the tests.

// Cubes returns random cubes for a formula of ten variables and more: the leaves of a tree,
// a tree with a missing leaf, a list that may form no tree, or none. The kind is "tree",
// "missing", "list" or "none".
func Cubes(rng *rand.Rand, f *dimacs.Formula) (cubes [][]dimacs.Lit, kind string) {
	switch rng.IntN(5) {
	case 0:
		return cube.Split(context.Background(), f, cube.Limits{Depth: 1 + rng.IntN(4)}).Cubes, "tree"
	case 1:
		return Tree(rng.IntN(4), 3), "tree"
	case 2:
		cubes = Tree(rng.IntN(4), 1+rng.IntN(4))
		i := rng.IntN(len(cubes))
		return slices.Delete(cubes, i, i+1), "missing"
	case 3:
		for range 1 + rng.IntN(6) {
			c := make([]dimacs.Lit, rng.IntN(4))
			for i := range c {
				c[i] = dimacs.Lit(rng.IntN(2 * f.Vars()))
			}
			cubes = append(cubes, c)
		}
		return cubes, "list"
	}
	return nil, "none"
}

// Tree returns all cubes over variables v to v+depth-1.
func Tree(v, depth int) (cubes [][]dimacs.Lit) {
	for bits := range 1 << depth {
		var c []dimacs.Lit
		for i := range depth {
			c = append(c, dimacs.Lit(2*(v+i)+bits>>(depth-1-i)&1))
		}
		cubes = append(cubes, c)
	}
	return cubes
}

// Uniform returns a uniform random 3-SAT formula.
func Uniform(seed uint64, vars, clauses int) *dimacs.Formula {
	rng := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for range clauses {
		var c []dimacs.Lit
		for _, v := range rng.Perm(vars)[:3] {
			c = append(c, dimacs.Lit(2*v+rng.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// Pigeons returns the pigeonhole formula of n+1 pigeons and n holes.
func Pigeons(n int) *dimacs.Formula {
	f := dimacs.NewFormula((n + 1) * n)
	in := func(p, h int) dimacs.Lit { return dimacs.Lit(2 * (p*n + h)) }
	for p := range n + 1 {
		var c []dimacs.Lit
		for h := range n {
			c = append(c, in(p, h))
		}
		f.Add(c...)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				f.Add(in(p, h).Not(), in(q, h).Not())
			}
		}
	}
	return f
}

// under adds clauses that apply only if a literal is true, over variables from v on.
func under(f *dimacs.Formula, l dimacs.Lit, v int, clauses *dimacs.Formula) {
	for _, c := range clauses.Clauses() {
		d := []dimacs.Lit{l ^ 1}
		for _, k := range c {
			d = append(d, k+dimacs.Lit(2*v))
		}
		f.Add(d...)
	}
}

// hasty returns a problem whose cubes are split often, with solvers that exchange clauses
// often and simplify even small formulas.
func hasty(f *dimacs.Formula, cubes [][]dimacs.Lit, workers int) Problem {
	p := Problem{Formula: f, Cubes: cubes, Workers: workers, Budget: 1}
	p.Solver.ExchangeInterval, p.Solver.Lucky, p.Solver.InprocessInterval = 20, cdcl.LuckyOff, 3
	return p
}
