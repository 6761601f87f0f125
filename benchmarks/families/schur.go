package families

import (
	"fmt"

	"sator/dimacs"
)

// Schur: the numbers from 1 to n get one of a few colors each, and no color may
// have x, y and x+y. The largest n for which this can be done, the Schur
// number, is 4 for two colors, 13 for three, 44 for four (Baumert and Golomb,
// 1965), and 160 for five, which took a proof of two petabytes. In the weak
// version x and y must differ, and the numbers are 8, 23 and 66 (Blanchard,
// Harary and Reis, Partitions into Sum-Free Sets, 2006).
//
// A coloring of the numbers up to n makes one of those up to 3n+1 with one
// color more, which is the new color in the middle third and the old coloring
// below and above it. So far there is a model.

var schur = &Family{
	Name:   "schur",
	Help:   "colors for numbers, no x, y and x+y in one color",
	Source: "Heule, Schur Number Five, AAAI 2018",
	Params: []Param{
		{"numbers", Int, 44, 1, 50000, "color the numbers from 1 to this one"},
		{"colors", Int, 4, 2, 100, "number of colors"},
		{"weak", Switch, 0, 0, 1, "x and y are different"}},
	build: buildSchur,
}

// schurs are the largest numbers that can be colored, by the number of colors,
// and weakSchurs those of the weak version.
var (
	schurs     = map[int]int{2: 4, 3: 13, 4: 44, 5: 160}
	weakSchurs = map[int]int{2: 8, 3: 23, 4: 66}
)

func buildSchur(v Values, _ *source) (*Instance, error) {
	n, colors, known := v.int("numbers"), v.int("colors"), schurs
	if v.on("weak") {
		known = weakSchurs
	}
	if _, err := count(float64(n) + float64(colors)*float64(n)*float64(n)/4); err != nil {
		return nil, err
	}
	p := newPalette(colors, n)
	for z := 2; z <= n; z++ {
		for x := 1; 2*x < z; x++ {
			p.forbidAll(x-1, z-x-1, z-1)
		}
		if z%2 == 0 && !v.on("weak") {
			p.forbidAll(z/2-1, z-1)
		}
	}
	inst := &Instance{Formula: p.f, Comments: []string{
		fmt.Sprintf("the numbers from 1 to %d in %d colors, no x, y and x+y in one%s", n, colors, when(v.on("weak"), " with x and y different")),
	}}
	if largest, ok := known[colors]; ok {
		inst.Answer = verdict(n <= largest)
	}
	if n <= thirds(colors) {
		inst.Answer = dimacs.Satisfiable
		inst.Model = p.model(n, func(thing int) int { return third(thing+1, colors) })
	}
	return inst, nil
}

// thirds returns how many numbers the construction colors: (3^colors-1)/2, or
// more than anybody asks for.
func thirds(colors int) int {
	n := 0
	for range min(colors, 15) {
		n = 3*n + 1
	}
	return n
}

// third returns the color of a number in the construction.
func third(number, colors int) int {
	if colors == 1 {
		return 0
	}
	n := thirds(colors - 1)
	switch {
	case number <= n:
		return third(number, colors-1)
	case number <= 2*n+1:
		return colors - 1
	}
	return third(number-(2*n+1), colors-1)
}
