package families

import (
	"cmp"
	"fmt"
	"slices"
)

// Pythagorean triples: the numbers from 1 to n get one of two colors each, and
// no color may have a, b and c with a^2 + b^2 = c^2. It can be done up to 7824,
// and not beyond: the proof of the second had 200 terabytes.
//
// Numbers that are in no triple are variables without a clause.

var pythagorean = &Family{
	Name:   "pythagorean",
	Help:   "two colors for numbers, no Pythagorean triple in one; satisfiable up to 7824",
	Source: "Heule, Kullmann and Marek, Solving and Verifying the Boolean Pythagorean Triples Problem, SAT 2016",
	Params: []Param{{"numbers", Int, 1000, 1, 1e6, "color the numbers from 1 to this one"}},
	build:  buildPythagorean,
}

// lastPythagorean is the largest number up to which all can be colored.
const lastPythagorean = 7824

func buildPythagorean(v Values, _ *source) (*Instance, error) {
	n := v.int("numbers")
	p := newPalette(2, n)
	for _, t := range triples(n) {
		p.forbidAll(t[0]-1, t[1]-1, t[2]-1)
	}
	return &Instance{Formula: p.f, Answer: verdict(n <= lastPythagorean), Comments: []string{
		fmt.Sprintf("the numbers from 1 to %d in two colors, no Pythagorean triple in one", n),
	}}, nil
}

// triples returns the Pythagorean triples a < b < c <= n by a and b: the
// multiples of those without a common divisor, which are x^2-y^2, 2xy and
// x^2+y^2 for each coprime x > y of which one is even (Euclid, Elements X.29).
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
