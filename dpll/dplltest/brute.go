package dplltest

import (
	"fmt"
	"math/bits"

	"sator/dimacs"
)

// The oracle tries 64 assignments at a time. The first six variables in use,
// the low ones, run through all their values within a word: bit i of the word
// belongs to the assignment in which low variable j is bit j of i. The other
// variables, the high ones, are the bits of a counter. A clause is then two
// masks over the counter, for its high literals, and one word, in which the
// bits are set whose assignment makes one of its low literals true.

// bruteVars is the largest number of variables that [Brute] accepts. It takes
// some minutes for so many; 20 take milliseconds.
const bruteVars = 30

// lowPatterns has the word of each low variable.
var lowPatterns = [6]uint64{
	0xaaaaaaaaaaaaaaaa,
	0xcccccccccccccccc,
	0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00,
	0xffff0000ffff0000,
	0xffffffff00000000,
}

// Brute decides f under the assumptions by trying all assignments. If there is
// a model it returns one that is total over the variables of f and of the
// assumptions, in which variables without occurrence are false. The time is
// about 2^(v-6) times the number of clauses, for v variables that occur. It
// panics if v exceeds 30.
func Brute(f *dimacs.Formula, assumptions ...dimacs.Lit) (dimacs.Status, dimacs.Model) {
	b := newBrute(f, assumptions)
	for high := range uint32(1) << max(0, len(b.vars)-len(lowPatterns)) {
		if word := b.satisfying(high); word != 0 {
			return dimacs.Satisfiable, b.model(high, bits.TrailingZeros64(word))
		}
	}
	return dimacs.Unsatisfiable, nil
}

// A bruteClause is a clause by the values of the counter that make it true
// whatever the low variables are, and by the low assignments that do.
type bruteClause struct {
	pos, neg uint32 // its high literals, as bits of the counter
	low      uint64 // the assignments that make a low literal true
}

// A brute is a formula made ready for [Brute].
type brute struct {
	size    int          // variables in the model
	vars    []dimacs.Var // those that occur, the low ones first
	clauses []bruteClause
}

func newBrute(f *dimacs.Formula, assumptions []dimacs.Lit) *brute {
	b := &brute{size: f.Vars()}
	index := make(map[dimacs.Var]int)
	for _, c := range f.Clauses() {
		b.add(index, c)
	}
	for _, l := range assumptions {
		b.size = max(b.size, int(l.Var())+1)
		b.add(index, []dimacs.Lit{l})
	}
	return b
}

// add compiles a clause. Variables are numbered as they come.
func (b *brute) add(index map[dimacs.Var]int, c []dimacs.Lit) {
	var x bruteClause
	for _, l := range c {
		i, ok := index[l.Var()]
		if !ok {
			i = len(b.vars)
			index[l.Var()] = i
			b.vars = append(b.vars, l.Var())
		}
		switch {
		case i >= bruteVars:
			panic(fmt.Sprintf("dplltest: Brute of more than %d variables", bruteVars))
		case i >= len(lowPatterns) && l.Neg():
			x.neg |= 1 << (i - len(lowPatterns))
		case i >= len(lowPatterns):
			x.pos |= 1 << (i - len(lowPatterns))
		case l.Neg():
			x.low |= ^lowPatterns[i]
		default:
			x.low |= lowPatterns[i]
		}
	}
	b.clauses = append(b.clauses, x)
}

// satisfying returns the low assignments that make all clauses true together
// with the high one.
func (b *brute) satisfying(high uint32) uint64 {
	word := ^uint64(0)
	for i := range b.clauses {
		c := &b.clauses[i]
		if high&c.pos|^high&c.neg != 0 {
			continue
		}
		if word &= c.low; word == 0 {
			break
		}
	}
	return word
}

// model spells out an assignment.
func (b *brute) model(high uint32, low int) dimacs.Model {
	m := make(dimacs.Model, b.size)
	for v := range m {
		m[v] = dimacs.False
	}
	all := uint64(high)<<len(lowPatterns) | uint64(low)
	for i, v := range b.vars {
		if all>>i&1 != 0 {
			m[v] = dimacs.True
		}
	}
	return m
}
