package families

import (
	"fmt"

	"sator/dimacs"
)

// A colorEncoder builds coloring problems of Ramsey type: each item has one of
// a few colors, and some sets of items must not be monochromatic. Ramsey theory
// shows that this is possible up to some number of items only; the exact number
// is known in few cases, often by computer.
//
// With two colors, an item is a variable whose sign is the color. Otherwise it
// has a variable for each color, of which at least one is true; an item with
// several true colors can have any of them.
type colorEncoder struct {
	colors int
	f      *dimacs.Formula
}

// newColorEncoder returns an encoder for n items.
func newColorEncoder(colors, n int) *colorEncoder {
	p := &colorEncoder{colors, dimacs.NewFormula(0)}
	if colors == 2 {
		p.f.Grow(n)
		return p
	}
	for thing := range n {
		p.f.Add(literals(colors, func(color int) dimacs.Lit { return p.has(thing, color) })...)
	}
	return p
}

// has returns the literal "the item has the color".
func (p *colorEncoder) has(thing, color int) dimacs.Lit {
	if p.colors == 2 {
		return dimacs.Var(thing).Lit() ^ dimacs.Lit(color)
	}
	return dimacs.Var(thing*p.colors + color).Lit()
}

// forbid states that not all of the items have that color.
func (p *colorEncoder) forbid(color int, things ...int) {
	p.f.Add(literals(len(things), func(i int) dimacs.Lit { return p.has(things[i], color).Not() })...)
}

// forbidAll states that the items are not monochromatic.
func (p *colorEncoder) forbidAll(things ...int) {
	for color := range p.colors {
		p.forbid(color, things...)
	}
}

// addAtMostOneColor states that none of n items has two colors.
func (p *colorEncoder) addAtMostOneColor(n int) {
	if p.colors == 2 {
		return // implied by the encoding
	}
	for thing := range n {
		addAtMostOne(p.f, literals(p.colors, func(color int) dimacs.Lit { return p.has(thing, color) }))
	}
}

// model returns the assignment in which each item has one color.
func (p *colorEncoder) model(n int, color func(thing int) int) dimacs.Model {
	m := allFalse(p.f.Vars())
	for thing := range n {
		m.Set(p.has(thing, color(thing)))
	}
	return m
}

// Parameters of families in which the last color may have its own set size.
var (
	colorsParam = Param{"colors", Int, 2, 2, 100, "number of colors"}
	otherParam  = Param{"other", Int, 0, 0, 1000, "the same for the last color; 0 for the same size"}
)

// sizes are the sizes of forbidden monochromatic sets: other in the last color,
// size in the other colors.
type sizes struct{ colors, size, other int }

// sizesOf returns the sizes from the parameters; name is the parameter for
// size. It stores the default of other in v.
func sizesOf(v Values, name string) sizes {
	if v["other"] == 0 {
		v["other"] = v[name]
	}
	return sizes{v.int("colors"), v.int(name), v.int("other")}
}

// of returns the size for a color.
func (s sizes) of(color int) int {
	if color == s.colors-1 {
		return s.other
	}
	return s.size
}

// String formats the sizes for a comment.
func (s sizes) String() string {
	if s.other == s.size {
		return fmt.Sprint(s.size)
	}
	return fmt.Sprintf("%d, in the last one %d,", s.size, s.other)
}

// answer returns the status of n items, given a table of the least numbers of
// items that cannot be colored.
func (s sizes) answer(n int, least map[sizes]int) dimacs.Status {
	if s.colors == 2 && s.size > s.other {
		s.size, s.other = s.other, s.size
	}
	number, known := least[s]
	if !known {
		return dimacs.Unknown
	}
	return statusOf(n < number)
}
