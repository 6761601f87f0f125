package dplltest

import (
	"fmt"
	"math/bits"

	"sator/dimacs"
)

// Brute force, 64 assignments at a time. The first six variables that occur, the low
// variables, take all their values within a word: bit i of a word belongs to the
// assignment in which low variable j is bit j of i. The other variables, the high
// variables, are the bits of a counter. A clause consists of two masks over the
// counter, for its high literals, and of a word with the bits of the assignments that
// make one of its low literals true.

// bruteVars is the greatest number of variables that [Brute] accepts. It takes some
// minutes with 30 variables, and milliseconds with 20.
const bruteVars = 30

// lowPatterns are the words of the low variables.
var lowPatterns = [6]uint64{
	0xaaaaaaaaaaaaaaaa,
	0xcccccccccccccccc,
	0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00,
	0xffff0000ffff0000,
	0xffffffff00000000,
}

// Brute decides f under the assumptions by brute force. A model assigns all variables
// of f and of the assumptions; variables that do not occur are false. The time is
// about 2^(v-6) times the number of clauses if v variables occur. Brute panics if v
// exceeds 30.
func Brute(f *dimacs.Formula, assumptions ...dimacs.Lit) (dimacs.Status, dimacs.Model) {
	b := newBrute(f, assumptions)
	for high := range uint32(1) << max(0, len(b.vars)-len(lowPatterns)) {
		if word := b.satisfying(high); word != 0 {
			return dimacs.Satisfiable, b.model(high, bits.TrailingZeros64(word))
		}
	}
	return dimacs.Unsatisfiable, nil
}

// A bruteClause is a clause in the form of masks.
type bruteClause struct {
	pos, neg uint32 // its positive and negative high literals, as bits of the counter
	low      uint64 // the assignments of the low variables that make a low literal true
}

// A brute is a formula in the form for [Brute].
type brute struct {
	size    int          // number of variables of a model
	vars    []dimacs.Var // variables that occur, the low ones first
	clauses []bruteClause
}

// newBrute returns the formula and the assumptions in the form for [Brute].
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

// add adds a clause. Variables are numbered in the order of their first occurrence.
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

// satisfying returns the assignments of the low variables that are models together
// with the assignment high.
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

// model returns the assignment with these high and low variables.
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
