package sudoku

import "sator/dimacs"

// That at most one of n literals is true can be said in many ways. By pairs
// it takes n(n-1)/2 clauses, which propagate at once and are the best there
// are for a dozen of literals, but far too many for hundreds. The others add
// variables to have fewer clauses:
//
//	encoding     clauses      variables
//	pairs        n(n-1)/2     0
//	sequential   3n-4         n-1
//	commander    about 3n     about n/2
//	bimander     about n log  log n
//	product      about 2n     about 2 sqrt n
//
// In all of them a true literal makes the others false by unit propagation
// alone. The clauses go in one direction only: the new variables may be true
// without need, so that a solution can have several models. It has one where
// only the candidates are looked at.

// An AtMostOne is a way to say that at most one literal is true.
type AtMostOne struct {
	Name, Help string
	write      func(*builder, []dimacs.Lit)
}

// AtMostOnes lists the at-most-one encodings. The first is the default up to size
// 32, mixed beyond it and of the encoding reduced.
var AtMostOnes []AtMostOne

func init() {
	AtMostOnes = []AtMostOne{
		{"pairs", "no two are true", (*builder).pairs},
		{"sequential", "a counter along the literals (Sinz 2005)", (*builder).sequential},
		{"commander", "groups of three, each with a commander (Klieber and Kwon 2007)", (*builder).commander},
		{"bimander", "groups of two, numbered in binary (Nguyen and Mai 2015)", (*builder).bimander},
		{"product", "rows and columns of a square (Chen 2010)", (*builder).product},
		{"mixed", "pairs for up to 32 literals, commander for more", (*builder).mixed},
	}
}

const (
	// fewLits is the number of literals up to which pairs have the fewest
	// clauses: all encodings end in them.
	fewLits = 5

	// mixedLits is where mixed turns from pairs to commander, which has the
	// fewest clauses of all. Up to here a solver is faster with pairs: at
	// 100x100, where what the givens leave are groups of up to about 30, in 0.4 s
	// against 1 to 1.8 s with each of the others from 16 literals on.
	mixedLits = 32

	commanded = 3 // literals to a commander, the best size in the paper
	paired    = 2 // literals to a number of bimander
)

// pairs says of each two literals that one is false.
func (b *builder) pairs(lits []dimacs.Lit) {
	for i, l := range lits {
		for _, k := range lits[i+1:] {
			b.clause(l.Not(), k.Not())
		}
	}
}

// sequential counts along the literals: the variable s after a literal says
// that it or one before it is true.
func (b *builder) sequential(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	s := b.fresh()
	b.clause(lits[0].Not(), s)
	for _, l := range lits[1 : len(lits)-1] {
		next := b.fresh()
		b.clause(l.Not(), s.Not())
		b.clause(l.Not(), next)
		b.clause(s.Not(), next)
		s = next
	}
	b.clause(lits[len(lits)-1].Not(), s.Not())
}

// commander gives each three literals a variable that is true if one of them
// is; at most one of these is true.
func (b *builder) commander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	var commanders []dimacs.Lit
	for len(lits) > 0 {
		squad := lits[:min(commanded, len(lits))]
		lits = lits[len(squad):]
		if len(squad) == 1 { // commands itself
			commanders = append(commanders, squad[0])
			continue
		}
		c := b.fresh()
		b.pairs(squad)
		for _, l := range squad {
			b.clause(l.Not(), c)
		}
		commanders = append(commanders, c)
	}
	b.commander(commanders)
}

// bimander numbers groups of two literals in binary: a true literal spells the
// number of its group, and two groups cannot both.
func (b *builder) bimander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	var bits []dimacs.Lit
	for n := 1; n*paired < len(lits); n *= 2 {
		bits = append(bits, b.fresh())
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

// product lays the literals out as a square: a true one makes its row and its
// column true, of which there is at most one each.
func (b *builder) product(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		b.pairs(lits)
		return
	}
	width := 1
	for width*width < len(lits) {
		width++
	}
	rows := b.freshes((len(lits) + width - 1) / width)
	columns := b.freshes(width)
	for i, l := range lits {
		b.clause(l.Not(), rows[i/width])
		b.clause(l.Not(), columns[i%width])
	}
	b.product(rows)
	b.product(columns)
}

// mixed takes pairs for few literals and commander for many.
func (b *builder) mixed(lits []dimacs.Lit) {
	if len(lits) <= mixedLits {
		b.pairs(lits)
		return
	}
	b.commander(lits)
}
