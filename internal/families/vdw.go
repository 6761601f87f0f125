package families

import "fmt"

// Van der Waerden numbers: the numbers from 1 to n are colored so that no
// arithmetic progression of some length is monochromatic. The least n for which
// this is impossible is the van der Waerden number. Few of them are known, most
// of them by SAT solvers.

var vanDerWaerden = &Family{
	Name:   "vdw",
	Help:   "van der Waerden numbers: colors for numbers, no monochromatic arithmetic progression",
	Source: "Ahmed, Kullmann and Snevily, On the van der Waerden Numbers w(2;3,t), 2014",
	Params: []Param{
		{"numbers", Int, 35, 1, 1e6, "color the numbers from 1 to this one"},
		{"length", Int, 4, 3, 1000, "length of the forbidden monochromatic progression"},
		otherParam,
		colorsParam},
	build: buildVanDerWaerden,
}

// vdwNumbers are the known van der Waerden numbers for up to four colors: from
// the source, and for three and four colors from Chvátal (1970), Beeler and
// O'Neil (1979), Ahmed (2009) and Kouril (2012).
var vdwNumbers = map[sizes]int{
	{2, 3, 3}: 9, {2, 3, 4}: 18, {2, 3, 5}: 22, {2, 3, 6}: 32, {2, 3, 7}: 46, {2, 3, 8}: 58,
	{2, 3, 9}: 77, {2, 3, 10}: 97, {2, 3, 11}: 114, {2, 3, 12}: 135, {2, 3, 13}: 160,
	{2, 3, 14}: 186, {2, 3, 15}: 218, {2, 3, 16}: 238, {2, 3, 17}: 279, {2, 3, 18}: 312,
	{2, 3, 19}: 349,
	{2, 4, 4}:  35, {2, 4, 5}: 55, {2, 4, 6}: 73, {2, 4, 7}: 109, {2, 4, 8}: 146, {2, 4, 9}: 309,
	{2, 5, 5}: 178, {2, 5, 6}: 206, {2, 5, 7}: 260, {2, 6, 6}: 1132,
	{3, 3, 3}: 27, {3, 3, 4}: 51, {3, 3, 5}: 80, {3, 3, 6}: 107, {3, 4, 3}: 89, {3, 4, 4}: 293,
	{4, 3, 3}: 76,
}

func buildVanDerWaerden(v Values, _ *rng) (*Instance, error) {
	n, s := v.int("numbers"), sizesOf(v, "length")
	if s.other < 3 {
		return nil, fmt.Errorf("invalid value %d for other: want at least 3", s.other)
	}
	size := 0.0
	if s.colors > 2 {
		size = float64(n)
	}
	for color := range s.colors {
		size += progressionCount(n, s.of(color))
	}
	if _, err := count(size); err != nil {
		return nil, err
	}
	p := newColorEncoder(s.colors, n)
	for color := range s.colors {
		progressions(n, s.of(color), func(terms []int) { p.forbid(color, terms...) })
	}
	return newInstance(p.f, s.answer(n, vdwNumbers), "the numbers from 1 to %d in %d colors, no progression of %s terms in one", n, s.colors, s), nil
}

// progressionCount returns the number of arithmetic progressions.
func progressionCount(n, length int) float64 {
	steps := float64((n - 1) / (length - 1))
	return steps*float64(n) - float64(length-1)*steps*(steps+1)/2
}

// progressions calls visit with each arithmetic progression of that length in
// the numbers from 0 to n-1, ordered by step and first term. The slice is valid
// only during the call.
func progressions(n, length int, visit func(terms []int)) {
	terms := make([]int, length)
	for step := 1; step*(length-1) < n; step++ {
		for first := range n - step*(length-1) {
			for i := range terms {
				terms[i] = first + i*step
			}
			visit(terms)
		}
	}
}
