package sudoku

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A Coding selects how rules are encoded as a formula. The zero Coding is the
// extended encoding with pairwise at-most-one constraints and variables
// numbered without gaps.
type Coding struct {
	Encoding  string // a name in [Encodings]; "" is extended
	AtMostOne string // a name in [AtMostOnes]; "" is pairs, or mixed for the encoding reduced and beyond size 32
	Numbering string // a name in [Numberings]; "" is dense

	// Repeat writes the binary clause for two cells that share two houses
	// twice, once for each house, as the literature counts clauses. Otherwise
	// no clause occurs twice.
	Repeat bool
}

// An Encoding is a way to write the rules as clauses over candidates.
type Encoding struct {
	Name, Help string
	write      func(*builder)

	// PropagatesGivens reports whether the givens are propagated by singles
	// before the formula is written. The formula then has variables for the
	// remaining candidates only. Otherwise it contains the givens as unit
	// clauses.
	PropagatesGivens bool

	atMostOne string // default at-most-one encoding
}

// Encodings lists the encodings. The first rows are the three encodings of the
// literature; the default is extended.
var Encodings []Encoding

func init() {
	Encodings = []Encoding{
		{"minimal", "each cell has a digit, and no digit is twice in a house", (*builder).minimal, false, "pairs"},
		{"efficient", "minimal, and each cell has at most one digit (Weber 2005)", (*builder).efficient, false, "pairs"},
		{"extended", "efficient, and each house has every digit (Lynce and Ouaknine 2006)", (*builder).extended, false, "pairs"},
		{"triad", "extended, with variables for the intersections of boxes and lines (Dillon's augmented encoding)", (*builder).triad, false, "pairs"},
		{"reduced", "extended, for the candidates that the givens leave", (*builder).extended, true, "mixed"},
		{"2sat", "the binary clauses of Eppstein's 2SAT rule for the candidates left; has more models than solutions", (*builder).twosat, true, "pairs"},
		{"2sat-trivalue", "2sat, and the clauses of naked pairs with a cell of three candidates", (*builder).twosatTrivalue, true, "pairs"},
	}
}

// A CNF is a formula and the map from its models to grids.
type CNF struct {
	Formula *dimacs.Formula
	Map     *Map
}

// errCageTooLarge is returned for a cage that cannot be encoded.
var errCageTooLarge = errors.New("cannot encode a cage: too many cells and too many combinations of digits")

// maxClauses limits the number of clauses of a formula. At this number the
// binary clauses take 12 GB.
const maxClauses = 1 << 30

// complete replaces empty names by the defaults for grids of the given size and
// returns the rows of the tables. It returns an error for an unknown name.
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

// find returns the row of a table with the given name.
func find[T any](what, name string, table []T, nameOf func(T) string) (T, error) {
	i := slices.IndexFunc(table, func(t T) bool { return nameOf(t) == name })
	if i < 0 {
		var names []string
		for _, t := range table {
			names = append(names, nameOf(t))
		}
		var zero T
		return zero, fmt.Errorf("unknown %s %q: want %s", what, name, strings.Join(names, ", "))
	}
	return table[i], nil
}

// Encode writes the rules as a formula whose models are the solutions of the
// empty grid. It returns the errors of [Grid.Encode].
func (r *Rules) Encode(c Coding) (*CNF, error) { return NewGrid(r).Encode(c) }

// Encode writes the rules, the givens and the marks of a puzzle as a formula.
// [Map.Decode] converts its models to the solutions of the puzzle. The
// encodings 2sat and 2sat-trivalue are relaxations: they can have models that
// are no solutions.
//
// No clause occurs twice, unless c.Repeat is set.
//
// The clauses of the rules come first. Unless the encoding propagates the
// givens, a unit clause for each given and for each candidate excluded by the
// marks follows. Encode returns an error for an unknown name in c, an invalid
// digit, or a formula that would be too large.
func (g *Grid) Encode(c Coding) (*CNF, error) { return g.EncodeContext(context.Background(), c) }

// EncodeContext is like Encode, and returns the cause of ctx soon after ctx has ended.
func (g *Grid) EncodeContext(ctx context.Context, c Coding) (*CNF, error) {
	return g.encode(ctx, c, nil)
}

// encode implements EncodeContext. It records the kinds of the clauses in notes.
func (g *Grid) encode(ctx context.Context, c Coding, notes *noteTaker) (*CNF, error) {
	e, a, n, err := c.complete(g.Rules.Size())
	if err != nil {
		return nil, err
	}
	for cell, digit := range g.Cells {
		if digit < 0 || digit > g.Rules.Size() {
			return nil, fmt.Errorf("%s has the digit %d, want 1 to %d", g.Rules.CellName(cell), digit, g.Rules.Size())
		}
	}
	m := &Map{Rules: g.Rules, Coding: c, Puzzle: g.Clone()}
	b := &builder{ctx: ctx, Map: m, atMostOne: a.write, byPairs: a.Name == "pairs", notes: notes}
	if e.PropagatesGivens {
		b.left = NewCandidates(g.Rules)
		if !b.left.Load(g) || !b.left.Singles() {
			notes.begin(contradiction)
			notes.add(1)
			return m.emptyClause(), nil
		}
	}
	if err := b.checkClauses(); err != nil {
		return nil, err
	}
	m.numberCandidates(n, b.left)
	b.numberCells()
	b.f = dimacs.NewFormula(m.vars)
	if e.write(b); b.err != nil {
		return nil, b.err
	}
	if !e.PropagatesGivens {
		notes.begin(givenDigit)
		for _, l := range m.Givens(g) {
			b.clause(l)
		}
	}
	return &CNF{b.f, m}, nil
}
