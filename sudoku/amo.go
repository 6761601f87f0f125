package sudoku

import "sator/dimacs"

// At-most-one (AMO) encodings. The pairwise encoding has n(n-1)/2 binary
// clauses. It propagates best and is the best choice for a dozen literals, but
// has too many clauses for hundreds. The other encodings add variables to need
// fewer clauses:
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

// An AtMostOne is an encoding of the constraint that at most one literal is
// true.
type AtMostOne struct {
	Name, Help string
	write      func(*builder, []dimacs.Lit)
}

// AtMostOnes lists the at-most-one encodings. The first is the default up to
// size 32. The default beyond size 32, and for the encoding reduced, is mixed.
var AtMostOnes []AtMostOne

func init() {
	AtMostOnes = []AtMostOne{
		{"pairs", "pairwise: a binary clause for each two literals", (*builder).pairs},
		{"sequential", "sequential counter (Sinz 2005)", (*builder).sequential},
		{"commander", "groups of three literals with a commander variable (Klieber and Kwon 2007)", (*builder).commander},
		{"bimander", "groups of two literals with binary numbers (Nguyen and Mai 2015)", (*builder).bimander},
		{"product", "rows and columns of a grid of literals (Chen 2010)", (*builder).product},
		{"mixed", "pairwise for up to 32 literals, commander for more", (*builder).mixed},
	}
}

const (
	// fewLits is the largest number of literals at which the pairwise encoding
	// has the fewest clauses. The recursive encodings end with it.
	fewLits = 5

	// mixedLits is the largest number of literals at which mixed is pairwise.
	// For more literals it is commander, the encoding with the fewest clauses.
	// Up to this number solvers are faster with the pairwise encoding. At
	// 100x100, where the givens leave groups of up to about 30 candidates, it
	// takes 0.4 s; each of the others, used from 16 literals on, takes 1 to 1.8
	// s.
	mixedLits = 32

	commanded = 3 // literals per commander; the best size according to the paper
	paired    = 2 // literals per group of bimander
)

// pairs writes a clause for each two literals (the pairwise or binomial
// encoding), except for cells that share an earlier house.
func (b *builder) pairs(lits []dimacs.Lit) {
	for i, l := range lits {
		for _, k := range lits[i+1:] {
			if !b.isWritten(l, k) {
				b.clause(l.Not(), k.Not())
			}
		}
	}
}

// sequential writes a sequential counter. Each literal has a variable s that is
// implied by the literal and by every earlier literal.
func (b *builder) sequential(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	s := b.newLit()
	b.clause(lits[0].Not(), s)
	for _, l := range lits[1 : len(lits)-1] {
		next := b.newLit()
		b.clause(l.Not(), s.Not())
		b.clause(l.Not(), next)
		b.clause(s.Not(), next)
		s = next
	}
	b.clause(lits[len(lits)-1].Not(), s.Not())
}

// commander divides the literals into groups of three. Each literal implies the
// commander variable of its group, and at most one commander is true.
func (b *builder) commander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	var commanders []dimacs.Lit
	for len(lits) > 0 {
		squad := lits[:min(commanded, len(lits))]
		lits = lits[len(squad):]
		if len(squad) == 1 { // a single literal is its own commander
			commanders = append(commanders, squad[0])
			continue
		}
		c := b.newLit()
		b.pairs(squad)
		for _, l := range squad {
			b.clause(l.Not(), c)
		}
		commanders = append(commanders, c)
	}
	b.commander(commanders)
}

// bimander numbers groups of two literals in binary. A literal implies the bits
// of the number of its group, and thus excludes the literals of all other
// groups.
func (b *builder) bimander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	var bits []dimacs.Lit
	for n := 1; n*paired < len(lits); n *= 2 {
		bits = append(bits, b.newLit())
	}
	for i := 0; i < len(lits); i += paired {
		group := lits[i:min(i+paired, len(lits))]
		b.pairs(group)
		for k, bit := range bits {
			if i/paired>>k&1 == 0 {
				bit = bit.Not()
			}
			for _, l := range group {
				b.clause(l.Not(), bit)
			}
		}
	}
}

// product arranges the literals in a grid. A literal implies the variables of
// its row and its column; at most one row and one column variable are true.
func (b *builder) product(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	width := 1
	for width*width < len(lits) {
		width++
	}
	rows := b.newLits((len(lits) + width - 1) / width)
	columns := b.newLits(width)
	for i, l := range lits {
		b.clause(l.Not(), rows[i/width])
		b.clause(l.Not(), columns[i%width])
	}
	b.product(rows)
	b.product(columns)
}

// mixed uses the pairwise encoding for few literals and commander for many.
func (b *builder) mixed(lits []dimacs.Lit) {
	if len(lits) <= mixedLits {
		b.pairs(lits)
		return
	}
	b.commander(lits)
}
