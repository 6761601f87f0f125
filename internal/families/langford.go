package families

import (
	"slices"

	"sator/dimacs"
)

// Langford pairs: the numbers from 1 to n, each twice, are arranged in a row so
// that there are k numbers between the two occurrences of k, as in 2 3 1 2 1 3.
// A parity argument shows that this is impossible unless n or n+1 is a multiple
// of 4. No short resolution proof is known, and small n such as 10 are already
// hard.
//
// A variable states that a number is at a position and at the corresponding
// second position. Each number is placed, and each of the 2n positions has
// exactly one number: an exact cover problem.

var langford = &Family{
	Name:   "langford",
	Help:   "Langford pairs: each number k twice, with k others in between; satisfiable if n mod 4 is 0 or 3",
	Source: "Knuth, The Art of Computer Programming, 7.2.2.1 and 7.2.2.2; Davies, On Langford's Problem, 1959",
	Params: []Param{{"numbers", Int, 8, 1, 400, "numbers from 1 to N"}},
	build:  buildLangford,
}

func buildLangford(v Values, _ *rng) (*Instance, error) {
	n := v.int("numbers")
	if _, err := count(4 * float64(n) * float64(n) * float64(n)); err != nil {
		return nil, err
	}
	f := new(dimacs.Formula)
	numbers := make([][]dimacs.Lit, n+1) // the variables of each number
	places := make([][]dimacs.Lit, 2*n)  // the variables of each position
	for k := 1; k <= n; k++ {
		for p := 0; p+k+1 < 2*n; p++ {
			l := f.NewVar().Lit()
			numbers[k] = append(numbers[k], l)
			places[p] = append(places[p], l)
			places[p+k+1] = append(places[p+k+1], l)
		}
	}
	for _, set := range slices.Concat(numbers[1:], places) {
		if len(set) > 0 {
			addExactlyOne(f, set)
		}
	}
	inst := newInstance(f, statusOf(n%4 == 0 || n%4 == 3), "Langford pairs of the numbers from 1 to %d", n)
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = allFalse(f.Vars())
		row := davies(n)
		for k := 1; k <= n; k++ {
			inst.Model.Set(numbers[k][slices.Index(row, k)])
		}
	}
	return inst, nil
}

// davies returns the arrangement of Davies's construction, for n >= 3 that is 0
// or 3 modulo 4.
func davies(n int) []int {
	x := (n + 3) / 4
	a, b, c, d := 2*x-1, 4*x-2, 4*x-1, 4*x
	odd, even := ascending(1, a), ascending(2, a)             // below a
	highOdd, highEven := ascending(a+2, b), ascending(a+1, b) // between a and b
	middle := []int{a}
	if n%4 == 0 {
		middle = []int{d}
	}
	row := slices.Concat(reversed(highEven), reversed(odd), []int{b}, odd, []int{c}, highEven, middle,
		reversed(highOdd), reversed(even), []int{b, a}, even, []int{c}, highOdd)
	if n%4 == 0 {
		row = append(row, a, d)
	}
	return row
}

// ascending returns first, first+2, ... below end.
func ascending(first, end int) []int {
	var all []int
	for k := first; k < end; k += 2 {
		all = append(all, k)
	}
	return all
}

func reversed(xs []int) []int {
	xs = slices.Clone(xs)
	slices.Reverse(xs)
	return xs
}
