package families

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// Langford pairs: the numbers from 1 to n, each twice, are put in a row so that
// between the two of each number k there are k others, as in 2 3 1 2 1 3. There
// are 2n places. Counting the places modulo 2 shows that it cannot be done
// unless n or n+1 is a multiple of 4; no short resolution proof is known, and n
// as small as 10 takes a while.
//
// A variable says that a number lies at a place and at the one that goes with
// it. Each number lies somewhere, and each place has one number: an exact
// cover.

var langford = &Family{
	Name:   "langford",
	Help:   "each number k twice in a row, with k others in between; satisfiable if n mod 4 is 0 or 3",
	Source: "Knuth, The Art of Computer Programming, 7.2.2.1 and 7.2.2.2; Davies, On Langford's Problem, 1959",
	Params: []Param{{"numbers", Int, 8, 1, 400, "how many numbers there are"}},
	build:  buildLangford,
}

func buildLangford(v Values, _ *source) (*Instance, error) {
	n := v.int("numbers")
	if _, err := count(4 * float64(n) * float64(n) * float64(n)); err != nil {
		return nil, err
	}
	f := new(dimacs.Formula)
	numbers := make([][]dimacs.Lit, n+1) // the variables of each number, from 1 on
	places := make([][]dimacs.Lit, 2*n)  // those of each place
	for k := 1; k <= n; k++ {
		for p := 0; p+k+1 < 2*n; p++ {
			l := dimacs.Var(f.Vars()).Lit()
			f.Grow(f.Vars() + 1)
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
	inst := &Instance{Formula: f, Answer: verdict(n%4 == 0 || n%4 == 3), Comments: []string{
		fmt.Sprintf("Langford pairs of the numbers from 1 to %d", n),
	}}
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = allFalse(f.Vars())
		row := davies(n)
		for k := 1; k <= n; k++ {
			inst.Model.Set(numbers[k][slices.Index(row, k)])
		}
	}
	return inst, nil
}

// davies returns the row that Davies constructed, for an n that is 0 or 3 modulo
// 4 and at least 3.
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

// ascending returns every other number from first on, below end.
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
