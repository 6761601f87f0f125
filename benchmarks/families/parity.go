package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Learning parity with noise: somebody has a secret set of bits. Samples are
// given, each of them random bits and a label, which says whether an odd number
// of them is set in the secret; a few labels are wrong. Find a set with which
// no more samples disagree. Without noise that is linear algebra; with it no
// way is known that is much better than search.
//
// The instances called par32 of the DIMACS challenge are these, with 32 bits,
// twice as many samples, and an eighth of the labels wrong. The sums are chains
// of gates, disagreements are counted by adders and the count is compared with
// the number of labels that are wrong.

var parityLearning = &Family{
	Name:   "parity",
	Help:   "a parity function from samples, some of them wrong; satisfiable",
	Source: "Crawford, Kearns and Schapire, The Minimal Disagreement Parity Problem as a Hard Satisfiability Problem, 1994",
	Params: []Param{
		{"bits", Int, 16, 2, 1024, "bits of the secret, and of a sample"},
		{"samples", Int, 0, 0, 1 << 16, "number of samples; 0 for twice as many as bits"},
		{"noise", Real, 0.125, 0, 0.5, "share of the labels that are wrong"}},
	build: buildParity,
}

func buildParity(v Values, r *source) (*Instance, error) {
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
		sum := c.chain(r.some(secret))
		// The label is what the secret says, unless it is wrong.
		disagrees[i] = sum
		if c.value(sum) != wrong[i] {
			disagrees[i] = sum.Not()
		}
	}
	if errors == 0 {
		c.fix(disagrees, 0)
	} else {
		c.atMost(c.sumOf(disagrees), uint64(errors))
	}
	return &Instance{Formula: c.f, Answer: dimacs.Satisfiable, Model: c.model, Comments: []string{
		fmt.Sprintf("parity of %d bits from %d samples, of which %d may be wrong", n, m, errors),
		"variables from 1 on: the bits of the secret",
	}}, nil
}

// some returns a random set of wires that is not empty, each with the same
// probability.
func (r *source) some(wires []dimacs.Lit) []dimacs.Lit {
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

// chain returns the sum of wires modulo 2.
func (c *circuit) chain(wires []dimacs.Lit) dimacs.Lit {
	sum := wires[0]
	for _, l := range wires[1:] {
		sum = c.parity(sum, l)
	}
	return sum
}
