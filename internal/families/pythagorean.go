package families

import (
	"cmp"
	"slices"
)

// Boolean Pythagorean triples: the numbers from 1 to n are colored with two
// colors so that no a, b and c with a^2 + b^2 = c^2 have the same color. This
// is possible up to 7824 and impossible from 7825; the proof of the latter has
// 200 terabytes.
//
// Numbers that are in no triple are variables without clauses.

var pythagorean = &Family{
	Name:   "pythagorean",
	Help:   "Boolean Pythagorean triples: two colors, no monochromatic triple; satisfiable up to 7824",
	Source: "Heule, Kullmann and Marek, Solving and Verifying the Boolean Pythagorean Triples Problem, SAT 2016",
	Params: []Param{{"numbers", Int, 1000, 1, 1e6, "color the numbers from 1 to this one"}},
	build:  buildPythagorean,
}

// lastPythagorean is the largest n with a coloring.
const lastPythagorean = 7824

func buildPythagorean(v Values, _ *rng) (*Instance, error) {
	n := v.int("numbers")
	p := newColorEncoder(2, n)
	for _, t := range triples(n) {
		p.forbidAll(t[0]-1, t[1]-1, t[2]-1)
	}
	return newInstance(p.f, statusOf(n <= lastPythagorean), "the numbers from 1 to %d in two colors, no Pythagorean triple in one", n), nil
}

// triples returns the Pythagorean triples a < b < c <= n, sorted by a and b:
// the multiples of the primitive triples, which are x^2-y^2, 2xy and x^2+y^2
// for coprime x > y of different parity (Euclid, Elements X.29).
func triples(n int) [][3]int {
	var all [][3]int
	for x := 2; x*x < n; x++ {
		for y := 1 + x%2; y < x && x*x+y*y <= n; y += 2 {
			if gcd(uint64(x), uint64(y)) != 1 {
				continue
			}
			a, b, c := min(x*x-y*y, 2*x*y), max(x*x-y*y, 2*x*y), x*x+y*y
			for k := 1; k*c <= n; k++ {
				all = append(all, [3]int{k * a, k * b, k * c})
			}
		}
	}
	slices.SortFunc(all, func(s, t [3]int) int {
		return cmp.Or(cmp.Compare(s[0], t[0]), cmp.Compare(s[1], t[1]))
	})
	return all
}
