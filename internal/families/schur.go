package families

import (
	"sator/dimacs"
)

// Schur numbers: the numbers from 1 to n are colored so that no x, y and x+y
// have the same color. The largest such n, the Schur number, is 4 for two
// colors, 13 for three, 44 for four (Baumert and Golomb, 1965) and 160 for
// five, whose proof has two petabytes. In the weak version x and y must differ,
// and the numbers are 8, 23 and 66 (Blanchard, Harary and Reis, Partitions into
// Sum-Free Sets, 2006).
//
// A coloring of the numbers up to n gives one of the numbers up to 3n+1 with
// one more color: the new color for the middle third, the old coloring below
// and above. Up to that size there is a model.

var schur = &Family{
	Name:   "schur",
	Help:   "Schur numbers: colors for numbers, no monochromatic x, y and x+y",
	Source: "Heule, Schur Number Five, AAAI 2018",
	Params: []Param{
		{"numbers", Int, 44, 1, 50000, "color the numbers from 1 to this one"},
		{"colors", Int, 4, 2, 100, "number of colors"},
		{"weak", Switch, 0, 0, 1, "weak Schur numbers: x and y must differ"}},
	build: buildSchur,
}

// schurNumbers and weakSchurNumbers are the known largest n with a coloring, by
// number of colors.
var (
	schurNumbers     = map[int]int{2: 4, 3: 13, 4: 44, 5: 160}
	weakSchurNumbers = map[int]int{2: 8, 3: 23, 4: 66}
)

func buildSchur(v Values, _ *rng) (*Instance, error) {
	n, colors, known := v.int("numbers"), v.int("colors"), schurNumbers
	if v.on("weak") {
		known = weakSchurNumbers
	}
	if _, err := count(float64(n) + float64(colors)*float64(n)*float64(n)/4); err != nil {
		return nil, err
	}
	p := newColorEncoder(colors, n)
	for z := 2; z <= n; z++ {
		for x := 1; 2*x < z; x++ {
			p.forbidAll(x-1, z-x-1, z-1)
		}
		if z%2 == 0 && !v.on("weak") {
			p.forbidAll(z/2-1, z-1)
		}
	}
	inst := newInstance(p.f, dimacs.Unknown, "the numbers from 1 to %d in %d colors, no x, y and x+y in one%s", n, colors, when(v.on("weak"), " with x and y different"))
	if largest, ok := known[colors]; ok {
		inst.Answer = statusOf(n <= largest)
	}
	if n <= schurBound(colors) {
		inst.Answer = dimacs.Satisfiable
		inst.Model = p.model(n, func(thing int) int { return schurColor(thing+1, colors) })
	}
	return inst, nil
}

// schurBound returns the largest n that the construction colors,
// (3^colors-1)/2. It is capped at 15 colors, which exceeds the range of the
// parameter numbers.
func schurBound(colors int) int {
	n := 0
	for range min(colors, 15) {
		n = 3*n + 1
	}
	return n
}

// schurColor returns the color of a number in the construction.
func schurColor(number, colors int) int {
	if colors == 1 {
		return 0
	}
	n := schurBound(colors - 1)
	switch {
	case number <= n:
		return schurColor(number, colors-1)
	case number <= 2*n+1:
		return colors - 1
	}
	return schurColor(number-(2*n+1), colors-1)
}
