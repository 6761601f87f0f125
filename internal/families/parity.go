package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Learning parity with noise (LPN), the minimal disagreement parity problem:
// given samples of random bits with labels, find a secret set of bits. A label
// is the parity of the sample's bits in the secret; a few labels are wrong. The
// model is a set that disagrees with at most that many samples. Without noise
// this is linear algebra; with noise no algorithm is known that is much better
// than search.
//
// The par32 instances of the DIMACS challenge have 32 bits, twice as many
// samples, and an eighth of the labels wrong. The parities are chains of gates,
// the disagreements are counted by adders, and the count is compared with the
// number of wrong labels.

var parityLearning = &Family{
	Name:   "parity",
	Help:   "minimal disagreement parity (learning parity with noise); satisfiable",
	Source: "Crawford, Kearns and Schapire, The Minimal Disagreement Parity Problem as a Hard Satisfiability Problem, 1994",
	Params: []Param{
		{"bits", Int, 16, 2, 1024, "bits of the secret and of each sample"},
		{"samples", Int, 0, 0, 1 << 16, "number of samples; 0 for twice as many as bits"},
		{"noise", Real, 0.125, 0, 0.5, "fraction of wrong labels"}},
	build: buildParity,
}

func buildParity(v Values, r *rng) (*Instance, error) {
	if v["samples"] == 0 {
		v["samples"] = 2 * v["bits"]
	}
	n, m := v.int("bits"), v.int("samples")
	if _, err := count(4*float64(n)*float64(m) + 16*float64(m)); err != nil {
		return nil, err
	}
	wrong := make([]bool, m)
	errors := int(math.Floor(v["noise"] * v["samples"]))
	for i := range errors {
		wrong[i] = true
	}
	shuffle(r, wrong)

	c := &circuit{f: new(dimacs.Formula)}
	secret := c.random(n, r)
	disagrees := make([]dimacs.Lit, m)
	for i := range disagrees {
		sum := c.parityChain(r.nonemptySubset(secret))
		// The label is the parity, unless it is wrong.
		disagrees[i] = sum
		if c.value(sum) != wrong[i] {
			disagrees[i] = sum.Not()
		}
	}
	if errors == 0 {
		c.fix(disagrees, 0)
	} else {
		c.atMost(c.popcount(disagrees), uint64(errors))
	}
	return &Instance{Formula: c.f, Answer: dimacs.Satisfiable, Model: c.model, Comments: []string{
		fmt.Sprintf("parity of %d bits from %d samples, of which %d may be wrong", n, m, errors),
		"variables from 1 on: the bits of the secret",
	}}, nil
}

// nonemptySubset returns a random nonempty subset of wires, each with the same
// probability.
func (r *rng) nonemptySubset(wires []dimacs.Lit) []dimacs.Lit {
	var set []dimacs.Lit
	for len(set) == 0 {
		for _, l := range wires {
			if r.flip() {
				set = append(set, l)
			}
		}
	}
	return set
}

// parityChain returns the XOR of wires, by a chain of gates.
func (c *circuit) parityChain(wires []dimacs.Lit) dimacs.Lit {
	sum := wires[0]
	for _, l := range wires[1:] {
		sum = c.parity(sum, l)
	}
	return sum
}
