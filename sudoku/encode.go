package sudoku

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A Coding says how rules become a formula. The zero Coding is the extended
// encoding with at-most-one by pairs and variables numbered without gaps.
type Coding struct {
	Encoding  string // a name in [Encodings]; "" is extended
	AtMostOne string // a name in [AtMostOnes]; "" is pairs, or mixed for reduced and beyond size 32
	Numbering string // a name in [Numberings]; "" is dense

	// Repeat writes a pair of cells that two houses share for both of them, as
	// the literature counts clauses. It matters for pairs alone.
	Repeat bool
}

// An Encoding is a way to write the rules as clauses over candidates.
type Encoding struct {
	Name, Help string
	write      func(*builder)

	// PropagatesGivens is whether the givens are propagated and gone, with all candidates
	// that they decide, instead of standing in the formula as unit clauses.
	PropagatesGivens bool

	atMostOne string // the default
}

// Encodings lists the encodings. The default is extended.
var Encodings []Encoding

func init() {
	Encodings = []Encoding{
		{"minimal", "a digit for each cell, none twice in a house", (*builder).minimal, false, "pairs"},
		{"efficient", "minimal, and no cell with two digits", (*builder).efficient, false, "pairs"},
		{"extended", "efficient, and every digit in each house", (*builder).extended, false, "pairs"},
		{"triad", "extended, by variables for the digits where a box and a line meet", (*builder).triad, false, "pairs"},
		{"reduced", "extended, for what the givens leave open", (*builder).extended, true, "mixed"},
		{"2sat", "what clauses of two literals can say of the candidates left; has more models than solutions", (*builder).twosat, true, "pairs"},
		{"2sat-trivalue", "2sat, and pairs that cells with three candidates may make", (*builder).twosatTrivalue, true, "pairs"},
	}
}

// A CNF is a formula with the map that leads from its models to grids.
type CNF struct {
	Formula *dimacs.Formula
	Map     *Map
}

// errCage is the error of a cage that is too large to be written.
var errCage = errors.New("a cage has too many cells, and too many sets of digits with its sum, to be encoded")

// maxClauses is how large a formula may become: 12 GB of clauses of two
// literals.
const maxClauses = 1 << 30

// complete checks the names and puts those of defaults, for grids of a size, in
// place of empty ones.
func (c *Coding) complete(size int) (Encoding, AtMostOne, Numbering, error) {
	if c.Encoding == "" {
		c.Encoding = "extended"
	}
	e, err := find("encoding", c.Encoding, Encodings, func(e Encoding) string { return e.Name })
	if err != nil {
		return e, AtMostOne{}, Numbering{}, err
	}
	if c.AtMostOne == "" {
		c.AtMostOne = e.atMostOne
		if size > mixedLits {
			c.AtMostOne = "mixed"
		}
	}
	if c.Numbering == "" {
		c.Numbering = Numberings[0].Name
	}
	a, err := find("at-most-one encoding", c.AtMostOne, AtMostOnes, func(a AtMostOne) string { return a.Name })
	if err != nil {
		return e, a, Numbering{}, err
	}
	n, err := find("numbering", c.Numbering, Numberings, func(n Numbering) string { return n.Name })
	return e, a, n, err
}

// Check reports a name that is in none of the tables.
func (c Coding) Check() error {
	_, _, _, err := c.complete(0)
	return err
}

// find finds the row of a table by its name.
func find[T any](what, name string, table []T, nameOf func(T) string) (T, error) {
	i := slices.IndexFunc(table, func(t T) bool { return nameOf(t) == name })
	if i < 0 {
		var names []string
		for _, t := range table {
			names = append(names, nameOf(t))
		}
		var none T
		return none, fmt.Errorf("no %s is called %q; there are %s", what, name, strings.Join(names, ", "))
	}
	return table[i], nil
}

// Encode writes the rules as a formula, whose models are the solutions of the
// empty grid. Its errors are those of [Grid.Encode].
func (r *Rules) Encode(c Coding) (*CNF, error) { return NewGrid(r).Encode(c) }

// Encode writes the rules, the givens and the marks of a puzzle as a formula.
// Its models, looked at by [Map.Decode], are the solutions of the puzzle, but
// for the encoding 2sat, which may have models that are none.
//
// The clauses of the rules come first, then, unless the encoding spends them,
// one unit clause for each given and each candidate that the marks exclude. An
// error is a name that is in none of the tables, a digit that is none, or a
// formula too large to be made.
func (g *Grid) Encode(c Coding) (*CNF, error) {
	e, a, n, err := c.complete(g.Rules.Size())
	if err != nil {
		return nil, err
	}
	for cell, digit := range g.Cells {
		if digit < 0 || digit > g.Rules.Size() {
			return nil, fmt.Errorf("%s has the digit %d; digits are 1 to %d", g.Rules.CellName(cell), digit, g.Rules.Size())
		}
	}
	m := &Map{Rules: g.Rules, Coding: c, Puzzle: g.Clone()}
	b := &builder{Map: m, atMostOne: a.write, byPairs: a.Name == "pairs"}
	if e.PropagatesGivens {
		b.left = NewCandidates(g.Rules)
		if !b.left.Load(g) || !b.left.Singles() {
			return m.contradiction(), nil
		}
	}
	if err := b.room(); err != nil {
		return nil, err
	}
	m.number(n, b.left)
	b.f = dimacs.NewFormula(m.vars)
	b.next = dimacs.Var(m.vars)
	if e.write(b); b.err != nil {
		return nil, b.err
	}
	if !e.PropagatesGivens {
		for _, l := range m.Givens(g) {
			b.f.Add(l)
		}
	}
	return &CNF{b.f, m}, nil
}
