package count

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/effort"
)

// randomFormula draws a formula with a number of models that is neither mostly 0 nor mostly huge.
func randomFormula(r *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range int(float64(vars) * (0.5 + 3*r.Float64())) {
		var c []dimacs.Lit
		for range 1 + min(r.IntN(5), r.IntN(5)+1) {
			c = append(c, dimacs.Lit(r.IntN(2*vars)))
		}
		f.Add(c...)
	}
	return f
}

// brute counts by a truth table.
func brute(f *dimacs.Formula, o *Options) *big.Rat {
	right := make([]bool, 1<<f.Vars())
	for bits := range right {
		right[bits] = true
	}
	exclude := func(c []dimacs.Lit) {
		pos, neg := 0, 0 // the assignments that falsify a clause have these bits clear and set
		for _, l := range c {
			if l&1 == 0 {
				pos |= 1 << (l >> 1)
			} else {
				neg |= 1 << (l >> 1)
			}
		}
		rest := len(right) - 1 ^ (pos | neg)
		for free := rest; pos&neg == 0; free = (free - 1) & rest {
			right[neg|free] = false
			if free == 0 {
				break
			}
		}
	}
	for _, c := range f.Clauses() {
		exclude(c)
	}
	for _, l := range o.Assume {
		exclude([]dimacs.Lit{l})
	}
	return sum(right, o, f.Vars())
}

// sum adds up the weights of the projected models of a truth table.
func sum(right []bool, o *Options, vars int) *big.Rat {
	counted := len(right) - 1
	if o.Project != nil {
		counted = 0
		for _, v := range o.Project {
			counted |= 1 << v
		}
	}
	for v := range vars {
		for bits := range right {
			if counted>>v&1 == 0 && bits>>v&1 != 0 && right[bits] {
				right[bits^1<<v] = true
			}
		}
	}
	all, n := new(big.Rat), int64(0)
	for bits, is := range right {
		if !is || bits&^counted != 0 {
			continue
		}
		if n++; len(o.Weights) == 0 {
			continue
		}
		w := big.NewRat(1, 1)
		for v := range vars {
			if x := o.Weights[dimacs.Lit(2*v+1-bits>>v&1)]; x != nil && counted>>v&1 != 0 {
				w.Mul(w, x)
			}
		}
		all.Add(all, w)
	}
	if len(o.Weights) == 0 {
		all.SetInt64(n)
	}
	return all
}

// randomOptions draws a question and ways to answer it.
func randomOptions(r *rand.Rand, vars int) Options {
	o := Options{Seed: r.Uint64(), Exact: r.IntN(2) == 0, Float: r.IntN(4) == 0}
	if r.IntN(4) == 0 {
		o.Memory = 200 // forgets all the time
	}
	if r.IntN(2) == 0 {
		o.Project = []dimacs.Var{}
		for range r.IntN(vars) {
			o.Project = append(o.Project, dimacs.Var(r.IntN(vars)))
		}
	}
	if r.IntN(2) == 0 {
		o.Weights = map[dimacs.Lit]*big.Rat{}
		for range r.IntN(2 * vars) {
			o.Weights[dimacs.Lit(r.IntN(2*vars))] = big.NewRat(r.Int64N(20), 1+r.Int64N(20))
		}
	}
	if r.IntN(4) == 0 {
		o.Assume = []dimacs.Lit{dimacs.Lit(r.IntN(2 * vars)), dimacs.Lit(r.IntN(2 * vars))}
	}
	return o
}

// TestBrute counts random formulas of up to 13 variables, or 20 where the whole tests run, of all four
// types, and under a cache that forgets.
func TestBrute(t *testing.T) {
	most := 13
	if effort.Whole() {
		most = 20
	}
	for _, seed := range effort.Seeds(2000, 20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		vars := 1 + r.IntN(most)
		if seed%4 > 0 {
			vars = 1 + r.IntN(10)
		}
		f, o := randomFormula(r, vars), randomOptions(r, vars)
		if vars > 10 {
			o.Weights = nil
		}
		want := brute(f, &o)
		got := count(context.Background(), f, o, []int64{0, 1, quickTicks}[seed%3]) // 0: it is simplified, 1: few models are counted one by one
		if (got.Status == dimacs.Unsatisfiable) != (want.Sign() == 0) && len(o.Weights) == 0 || got.Status == dimacs.Unknown {
			t.Fatalf("seed %d: %v, want %v models", seed, got.Status, want)
		}
		if x, _ := want.Float64(); math.Abs(math.Pow(10, got.Log10)-x) > 1e-9*x {
			t.Fatalf("seed %d: 10^%v, want %v", seed, got.Log10, x)
		}
		if !o.Float && got.Models.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v, want %v", seed, got.Models, want)
		}
	}
}

// TestReduce counts formulas with many conflicts while the learned clauses are few.
func TestReduce(t *testing.T) {
	reduced := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := dimacs.NewFormula(16)
		for range 50 {
			f.Add(dimacs.Lit(r.IntN(32)), dimacs.Lit(r.IntN(32)), dimacs.Lit(r.IntN(32)))
		}
		o := Options{}
		p := prepare(f, &o, false)
		s := p.search(context.Background(), &o, 1, math.MaxInt64)
		s.limit = 3
		got := p.result(s, s.count())
		if want := brute(f, &o); got.Models.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v, want %v", seed, got.Models, want)
		}
		if s.limit > 3 {
			reduced++
		}
	}
	if reduced < 50 {
		t.Errorf("the clauses of only %d of 300 formulas were reduced", reduced)
	}
}

// TestStopped checks that a search that is stopped returns a lower bound, and notices the end of its context.
func TestStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	f := dimacs.NewFormula(120)
	for range 240 {
		f.Add(dimacs.Lit(r.IntN(240)), dimacs.Lit(r.IntN(240)), dimacs.Lit(r.IntN(240)))
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls, last := 0, 0.0
	got := Count(ctx, f, Options{Progress: func(s Stats) {
		if calls++; calls == 30 {
			cancel()
		}
		last = s.Done
	}})
	if got.Status != dimacs.Unknown || got.Models.Sign() < 0 || last > 1.001 || calls > 40 {
		t.Errorf("%v, %v models, %v done, %d calls", got.Status, got.Models, last, calls)
	}
}

// blocks draws groups of variables with clauses of their own near the threshold of satisfiability, and clauses
// with variables that all groups share, so that decisions of these leave components with and without
// models.
func blocks(r *rand.Rand) *dimacs.Formula {
	const shared, groups, size = 3, 3, 5
	f := dimacs.NewFormula(shared + groups*size)
	pick := func(from, n int) dimacs.Lit { return dimacs.Lit(2*(from+r.IntN(n)) + r.IntN(2)) }
	for g := range groups {
		own := func() dimacs.Lit { return pick(shared+g*size, size) }
		for range 12 + r.IntN(8) {
			c := []dimacs.Lit{own(), own(), own()}
			if r.IntN(3) == 0 {
				c = append(c, pick(0, shared))
			}
			f.Add(c...)
		}
	}
	return f
}

// TestSiblings counts formulas that split into components without models.
func TestSiblings(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 7))
		f, o := blocks(r), Options{Exact: seed%2 == 0}
		if got, want := Count(context.Background(), f, o), brute(f, &o); got.Models.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v, want %v", seed, got.Models, want)
		}
	}
}
