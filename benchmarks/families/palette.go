package families

import (
	"fmt"

	"sator/dimacs"
)

// Ramsey's kind of question: things get one of a few colors each, and sets of
// them must not have one color throughout. There is a number of things up to
// which this can be done, and beyond which it cannot: that it exists is a
// theorem, which one it is takes a proof of its own, often by computer.
//
// With two colors a thing is a variable, whose sign is the color. With any
// other number it is a variable for each color, of which at least one is true:
// who has two colors may drop one.
type palette struct {
	colors int
	f      *dimacs.Formula
}

// newPalette returns a palette for n things.
func newPalette(colors, n int) *palette {
	p := &palette{colors, dimacs.NewFormula(0)}
	if colors == 2 {
		p.f.Grow(n)
		return p
	}
	c := make([]dimacs.Lit, colors)
	for thing := range n {
		for color := range c {
			c[color] = p.has(thing, color)
		}
		p.f.Add(c...)
	}
	return p
}

// has returns the literal which says that a thing has a color.
func (p *palette) has(thing, color int) dimacs.Lit {
	if p.colors == 2 {
		return dimacs.Var(thing).Lit() ^ dimacs.Lit(color)
	}
	return dimacs.Var(thing*p.colors + color).Lit()
}

// forbid says that not all of the things have that color.
func (p *palette) forbid(color int, things ...int) {
	c := make([]dimacs.Lit, len(things))
	for i, thing := range things {
		c[i] = p.has(thing, color).Not()
	}
	p.f.Add(c...)
}

// forbidAll says of each color that not all of the things have it.
func (p *palette) forbidAll(things ...int) {
	for color := range p.colors {
		p.forbid(color, things...)
	}
}

// noneTwice says that none of n things has two colors.
func (p *palette) noneTwice(n int) {
	if p.colors == 2 {
		return // a variable has one value
	}
	for thing := range n {
		for color := range p.colors {
			for other := range color {
				p.f.Add(p.has(thing, other).Not(), p.has(thing, color).Not())
			}
		}
	}
}

// model returns the assignment in which each thing has one color.
func (p *palette) model(n int, color func(thing int) int) dimacs.Model {
	m := allFalse(p.f.Vars())
	for thing := range n {
		m.Set(p.has(thing, color(thing)))
	}
	return m
}

// Parameters of families whose last color may have a size of its own.
var (
	colorsParam = Param{"colors", Int, 2, 2, 100, "number of colors"}
	otherParam  = Param{"other", Int, 0, 0, 1000, "the same for the last color; 0 for no difference"}
)

// A sizes says which sets are forbidden: of that size, and in the last color of
// another one.
type sizes struct{ colors, size, other int }

// sizesOf returns what v asks for, the size under that name. It sets what was
// left open.
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

// String returns the sizes for a comment.
func (s sizes) String() string {
	if s.other == s.size {
		return fmt.Sprint(s.size)
	}
	return fmt.Sprintf("%d, in the last one %d,", s.size, s.other)
}

// answer returns whether n things can be colored, as far as the table of least
// numbers that cannot be tells.
func (s sizes) answer(n int, least map[sizes]int) dimacs.Status {
	if s.colors == 2 && s.size > s.other {
		s.size, s.other = s.other, s.size
	}
	number, known := least[s]
	if !known {
		return dimacs.Unknown
	}
	return verdict(n < number)
}
