package card

import (
	"fmt"

	"sator/dimacs"
)

// An Encoding writes cardinality constraints.
type Encoding struct {
	Name, Help string // Help is one line, with the source

	// MostOne is set if the encoding is for at most one literal alone.
	MostOne bool

	// Propagates is set if unit propagation finds every consequence of the constraint
	// (arc consistency).
	Propagates bool

	// between writes low <= number of true literals <= high. At least one bound is a
	// restriction, and 0 <= low <= high <= len(lits). An encoding with MostOne is called
	// with the bounds 0 and 1.
	between func(e *Encoder, lits []dimacs.Lit, low, high int)
}

// Encodings lists the encodings by name. For n literals and the bound k, without
// Define, they have these sizes:
//
//	encoding     clauses            new variables
//	pairs        n over k+1         0
//	commander    about 3n           about n/2
//	bimander     about n log n      log n
//	product      about 2n           about 2 sqrt n
//	sequential   about 2nk          (n-1)k
//	totalizer    O(nk) to O(n^2)    O(n log k)
//	modulo       O(n sqrt n)        O(n log n)
//	network      O(n log^2 k)       O(n log^2 k)
var Encodings []Encoding

func init() {
	Encodings = []Encoding{
		{"auto", "an encoding chosen by the number of literals and the bound", false, false, (*Encoder).auto},
		{"pairs", "a clause for each k+1 literals (pairwise, binomial)", false, true, (*Encoder).pairs},
		{"commander", "groups of three literals with a commander variable (Klieber and Kwon 2007)", true, true, mostOne((*Encoder).commander)},
		{"bimander", "groups of two literals with binary numbers (Nguyen and Mai 2015)", true, true, mostOne((*Encoder).bimander)},
		{"product", "rows and columns of a grid of literals (Chen 2010)", true, true, mostOne((*Encoder).product)},
		{"sequential", "sequential counter (Sinz 2005)", false, true, (*Encoder).sequential},
		{"totalizer", "totalizer (Bailleux and Boufkhad 2003)", false, true, (*Encoder).totalizer},
		{"modulo", "modulo totalizer (Ogawa, Liu, Hasegawa, Koshimura and Fujita 2013)", false, false, (*Encoder).modulo},
		{"network", "cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2011)", false, true, (*Encoder).network},
	}
}

// FindEncoding returns the encoding of that name.
func FindEncoding(name string) (*Encoding, bool) {
	for i := range Encodings {
		if Encodings[i].Name == name {
			return &Encodings[i], true
		}
	}
	return nil, false
}

// AtMost writes that at most k of the literals are true. Any k is allowed: a negative one
// is the empty clause.
func (e *Encoder) AtMost(lits []dimacs.Lit, k int) { Encodings[0].Between(e, lits, 0, k) }

// AtLeast writes that at least k of the literals are true.
func (e *Encoder) AtLeast(lits []dimacs.Lit, k int) { Encodings[0].Between(e, lits, k, len(lits)) }

// Exactly writes that exactly k of the literals are true.
func (e *Encoder) Exactly(lits []dimacs.Lit, k int) { Encodings[0].Between(e, lits, k, k) }

// Between writes that at least low and at most high of the literals are true. Bounds that
// no assignment satisfies are the empty clause; bounds that each one satisfies add
// nothing. It panics if the encoding is for at most one, and the bounds that remain are
// not 0 and 1. The time is linear in the clauses that it writes.
func (c *Encoding) Between(e *Encoder, lits []dimacs.Lit, low, high int) {
	n := len(lits)
	e.grow(lits)
	low, high = max(low, 0), min(high, n)
	switch {
	case low > high:
		e.add()
	case low == 0 && high == n:
	case high == 0:
		for _, l := range lits {
			e.add(l.Not())
		}
	case low == n:
		for _, l := range lits {
			e.add(l)
		}
	case c.MostOne && (low != 0 || high != 1):
		panic(fmt.Sprintf("card: the encoding %s is for at most one literal, not %d to %d", c.Name, low, high))
	default:
		c.between(e, lits, low, high)
	}
}

// mostOne returns the function of an encoding for at most one.
func mostOne(write func(*Encoder, []dimacs.Lit)) func(*Encoder, []dimacs.Lit, int, int) {
	return func(e *Encoder, lits []dimacs.Lit, _, _ int) { write(e, lits) }
}
