package count

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// randomFormula draws a formula whose number of models is neither mostly 0 nor mostly huge.
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

// brute counts by trying all assignments.
func brute(f *dimacs.Formula, o *Options) *big.Rat {
	seen := map[uint32]bool{}
	sum := new(big.Rat)
	counted := uint32(1)<<f.Vars() - 1
	if o.Project != nil {
		counted = 0
		for _, v := range o.Project {
			counted |= 1 << v
		}
	}
	m := make(dimacs.Model, f.Vars())
	for bits := range uint32(1) << f.Vars() {
		if seen[bits&counted] {
			continue
		}
		for v := range m {
			m.Set(dimacs.Var(v).Lit() ^ dimacs.Lit(bits>>v&1))
		}
		right := m.Satisfies(f)
		for _, l := range o.Assume {
			right = right && m.Lit(l) == dimacs.True
		}
		if !right {
			continue
		}
		seen[bits&counted] = true
		w := big.NewRat(1, 1)
		for _, l := range m.Lits() {
			if x := o.Weights[l]; x != nil && counted>>l.Var()&1 != 0 {
				w.Mul(w, x)
			}
		}
		sum.Add(sum, w)
	}
	return sum
}

// randomOptions draws what is counted, and how.
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

func TestBrute(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		vars := 1 + r.IntN(12)
		f, o := randomFormula(r, vars), randomOptions(r, vars)
		want := brute(f, &o)
		got := Count(context.Background(), f, o)
		if o.Float {
			x, _ := want.Float64()
			if math.Abs(math.Pow(10, got.Log10)-x) > 1e-9*x {
				t.Fatalf("seed %d: 10^%v, want %v", seed, got.Log10, x)
			}
		} else if got.Models.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v, want %v", seed, got.Models, want)
		}
	}
}
