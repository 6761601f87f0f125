package families

import (
	"sator/dimacs"
)

// Planted random k-SAT: a hidden assignment is drawn first, and only clauses
// that it satisfies are used. The formula is satisfiable at any ratio and its
// size is bounded only by memory.
//
// Plain planting takes all satisfied clauses with equal probability. Then a
// literal that is true in the hidden model occurs more often than its negation,
// which guides local search to the model. The weight q counters this: a clause
// with t true literals is taken with probability proportional to q^t. With the
// q at which both signs are equally frequent (about 0.618 for k = 3) this bias
// vanishes, and with smaller q the majority sign is the wrong one.

var planted = &Family{
	Name:   "planted",
	Help:   "planted random k-SAT: clauses that a hidden model satisfies; satisfiable",
	Source: "Jia, Moore and Strain, Generating Hard Satisfiable Formulas by Hiding Solutions Deceptively, JAIR 2007",
	Params: []Param{varsParam, kParam, ratioParam, clausesParam,
		{"q", Real, 1, 0.001, 1, "weight of each literal true in the hidden model; 1 is plain planting, 0.618 hides the model in 3-SAT"}},
	build: buildPlanted,
}

func buildPlanted(v Values, r *rng) (*Instance, error) {
	n, k := v.int("vars"), v.int("k")
	m, err := clauseCount(v, k)
	if err != nil {
		return nil, err
	}
	hidden := make(dimacs.Model, n)
	for x := range hidden {
		hidden[x] = dimacs.False
		if r.flip() {
			hidden[x] = dimacs.True
		}
	}
	f := dimacs.NewFormula(n)
	c := make([]dimacs.Lit, k)
	trues := newTrueCounts(k, v["q"])
	for range m {
		r.variables(c, n)
		r.sign(c, hidden, trues.draw(r))
		f.Add(c...)
	}
	return newInstance(f, dimacs.Unknown, "random %d-SAT with a hidden model: %d clauses over %d variables, weight %s for each true literal", k, m, n, decimal(v["q"])).with(hidden), nil
}

// sign negates literals of c, which are positive, so that exactly t of them are
// true in the model; all choices of t literals are equally likely.
func (r *rng) sign(c []dimacs.Lit, m dimacs.Model, t int) {
	for i, l := range c {
		hit := r.below(uint64(len(c)-i)) < uint64(t)
		if hit {
			t--
		}
		if hit != (m.Lit(l) == dimacs.True) {
			c[i] = l.Not()
		}
	}
}

// trueCounts is the cumulative distribution of the number t of true literals in
// a clause of k literals, where t has the weight C(k,t) q^t.
type trueCounts []float64

func newTrueCounts(k int, q float64) trueCounts {
	sums := make(trueCounts, k+1)
	weight := 1.0
	for t := 1; t <= k; t++ {
		// The conversions prevent fused multiply-add, whose rounding depends on
		// the machine.
		weight = float64(weight*q) * float64(k-t+1) / float64(t)
		sums[t] = sums[t-1] + float64(weight)
	}
	return sums
}

// draw returns a random number from 1 to k.
func (s trueCounts) draw(r *rng) int {
	const unit = 1.0 / (1 << 53)
	x := float64(r.Uint64()>>11) * unit * s[len(s)-1]
	t := 1
	for t < len(s)-1 && x >= s[t] {
		t++
	}
	return t
}
