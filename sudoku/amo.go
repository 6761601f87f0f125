package sudoku

import (
	"sator/dimacs"
	"sator/dimacs/card"
)

// At-most-one (AMO) encodings, of package card. The pairwise encoding has n(n-1)/2 binary
// clauses. It propagates best and is the best choice for a dozen literals, but has too
// many clauses for hundreds. The other encodings add variables to need fewer clauses:
//
//	encoding     clauses      variables
//	pairs        n(n-1)/2     0
//	sequential   3n-4         n-1
//	commander    about 3n     about n/2
//	bimander     about n log  log n
//	product      about 2n     about 2 sqrt n
//
// In all of them unit propagation makes the other literals false as soon as one
// is true (arc consistency). The clauses define the new variables in one
// direction only. A new variable can be true although no literal requires it,
// so one solution can correspond to several models. Projected to the
// candidates, the models are the solutions.
//
// The encoding mixed is the choice of package card: pairwise for up to 32 literals,
// and commander for more, which has the fewest clauses. Up to this number solvers are
// faster with the pairwise encoding. At 100x100, where the givens leave groups of up to
// about 30 candidates, it takes 0.4 s; each of the others, used from 16 literals on,
// takes 1 to 1.8 s.

// mixedLits is the largest number of literals at which mixed is pairwise.
const mixedLits = 32

// An AtMostOne is an encoding of the constraint that at most one literal is
// true.
type AtMostOne struct {
	Name, Help string
	encoding   string // in package card
}

// AtMostOnes lists the at-most-one encodings. The first is the default up to
// size 32. The default beyond size 32, and for the encoding reduced, is mixed.
var AtMostOnes = []AtMostOne{
	{"pairs", "pairwise: a binary clause for each two literals", "pairs"},
	{"sequential", "sequential counter (Sinz 2005)", "sequential"},
	{"commander", "groups of three literals with a commander variable (Klieber and Kwon 2007)", "commander"},
	{"bimander", "groups of two literals with binary numbers (Nguyen and Mai 2015)", "bimander"},
	{"product", "rows and columns of a grid of literals (Chen 2010)", "product"},
	{"mixed", "pairwise for up to 32 literals, commander for more", "auto"},
}

// write writes the constraint for literals.
func (a AtMostOne) write(b *builder, lits []dimacs.Lit) {
	encoding, _ := card.FindEncoding(a.encoding)
	encoding.Between(card.NewEncoder(pairFilter{b.f, b}), lits, 0, 1)
}

// A pairFilter adds clauses to the formula, except for those of cells that share an
// earlier house.
type pairFilter struct {
	*dimacs.Formula
	b *builder
}

// Add implements [card.Target].
func (p pairFilter) Add(clause ...dimacs.Lit) {
	if len(clause) != 2 || !p.b.isWritten(clause[0].Not(), clause[1].Not()) {
		p.b.clause(clause...)
	}
}
