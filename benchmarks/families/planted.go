package families

import (
	"fmt"

	"sator/dimacs"
)

// Random k-SAT with a hidden model: an assignment is drawn first, and only
// clauses that it satisfies are used. So the formula is satisfiable at any
// ratio, and its size has no bound but memory.
//
// Plain planting takes all satisfied clauses with equal probability. Then a
// variable occurs more often with the sign that the hidden model gives it, and
// local search is led to it. The weight q counters this: a clause in which t
// literals are true is taken with probability proportional to q^t. With the q
// for which both signs are equally frequent (about 0.618 for k = 3) nothing
// points to the model any more, and below that the majority points away from
// it.

var planted = &Family{
	Name:   "planted",
	Help:   "random clauses of k literals that a hidden model satisfies",
	Source: "Jia, Moore and Strain, Generating Hard Satisfiable Formulas by Hiding Solutions Deceptively, JAIR 2007",
	Params: []Param{varsParam, kParam, ratioParam, clausesParam,
		{"q", Real, 1, 0.001, 1, "weight of each true literal; 1 takes all clauses that the model satisfies alike, 0.618 hides the model in 3-SAT"}},
	build: buildPlanted,
}

func buildPlanted(v Values, r *source) (*Instance, error) {
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
	return &Instance{Formula: f, Answer: dimacs.Satisfiable, Model: hidden, Comments: []string{
		fmt.Sprintf("random %d-SAT with a hidden model: %d clauses over %d variables, weight %s for each true literal", k, m, n, decimal(v["q"])),
	}}, nil
}

// sign gives the positive literals c signs with which exactly t of them are
// true in the model, each choice of the t being equally likely.
func (r *source) sign(c []dimacs.Lit, m dimacs.Model, t int) {
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

// A trueCounts is the distribution of the number of true literals in a clause
// of k: t has the weight C(k,t) q^t. Entry t is the sum of the weights up to t.
type trueCounts []float64

func newTrueCounts(k int, q float64) trueCounts {
	sums := make(trueCounts, k+1)
	weight := 1.0
	for t := 1; t <= k; t++ {
		// The conversions keep compilers from fusing a product and a sum,
		// which would round otherwise on some machines.
		weight = float64(weight*q) * float64(k-t+1) / float64(t)
		sums[t] = sums[t-1] + float64(weight)
	}
	return sums
}

// draw returns a number from 1 to k.
func (s trueCounts) draw(r *source) int {
	const unit = 1.0 / (1 << 53)
	x := float64(r.Uint64()>>11) * unit * s[len(s)-1]
	t := 1
	for t < len(s)-1 && x >= s[t] {
		t++
	}
	return t
}
