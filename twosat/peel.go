package twosat

import (
	"context"

	"sator/dimacs"
)

// Peeling drops the clauses of pure literals, over and over: a literal whose
// complement is in no clause may be true, and what it satisfies need not be
// looked at again. Then others become pure. It is a linear algorithm if one
// keeps for every literal a list of its clauses; but making the lists costs
// more than what they are for. Here there are none. For every literal the
// clauses that it is in are counted, in one byte. A round passes over all
// clauses in order: one that has a pure literal is dropped, and its other
// literal counted down. This is seen by the clauses that come after it in the
// same round, and by the next round.
//
// In random 2-SAT with 0.99 clauses a variable the first round leaves 29 of 100
// clauses, the second 12, the fifth 3. Formulas of other kinds may lose one
// clause in each round, as an implication chain that is written backward, or
// none. So another round follows only while the last one dropped a quarter of
// the clauses: all rounds together then pass over at most four times the
// clauses there are, and the rest is left to propagation.
//
// Which literal of a clause is pure is a toss of a coin. So there are no branches
// but for the loop: every clause is copied to where the next one that is kept has
// to lie, and that place moves on by one or not; one count is written, by one
// less or as it was. With branches it takes half as long again at 10^6 variables.
// (At 10^7, where the counts exceed the cache, it would take two thirds, which is
// not worth a second loop.)
//
// How the model is read from the counts: the clauses that a pure literal
// satisfied are not counted down for it. So a literal that anything relies on
// has a count, and its complement has none; and this stays so, since counts
// never grow.
//
// A count that reaches 255 stays there, and its literal is taken for one that
// occurs: nothing wrong follows from that, the complement is never pure.
//
// What did not help: counts of four bytes take twice the time at 10^6 variables,
// and no less at 10^7.

// A peeler counts occurrences and drops clauses.
type peeler struct {
	counts []uint8 // by literal
	left   []pair
	rounds int
}

// fullCount is a count that does not change any more.
const fullCount = 255

// peel peels clauses, which are not changed, as long as it pays and ctx has not
// ended.
func peel(ctx context.Context, vars int, pairs []pair) *peeler {
	p := &peeler{counts: make([]uint8, 2*vars)}
	for _, c := range pairs {
		p.count(c[0])
		p.count(c[1])
	}
	p.left = make([]pair, len(pairs))
	p.left = p.left[:p.round(p.left, pairs)]
	for before := len(pairs); len(p.left) > 0 && 4*uint64(len(p.left)) <= 3*uint64(before) && !ended(ctx); {
		before = len(p.left)
		p.left = p.left[:p.round(p.left, p.left)]
	}
	return p
}

func (p *peeler) count(l dimacs.Lit) {
	if n := p.counts[l]; n != fullCount {
		p.counts[l] = n + 1
	}
}

// round copies those clauses that are kept, and returns how many they are. Both
// slices may be the same.
func (p *peeler) round(to, from []pair) int {
	p.rounds++
	kept, counts := 0, p.counts
	to = to[:len(from)]
	for _, c := range from {
		a, b := c[0], c[1]
		pureA, pureB := isZero(counts[a^1]), isZero(counts[b^1])
		to[kept] = c
		kept += int(1 ^ (pureA | pureB))
		// If one is pure, the other is counted down.
		other := a ^ (a^b)&-dimacs.Lit(pureA)
		n := counts[other]
		counts[other] = n - (pureA^pureB)&^isFull(n)
	}
	return kept
}

// isZero returns 1 if n is 0, and else 0, without a branch.
func isZero(n uint8) uint8 { return uint8((uint32(n) - 1) >> 31) }

// isFull returns 1 if n is fullCount, and else 0, without a branch.
func isFull(n uint8) uint8 { return uint8((uint32(n) + 1) >> 8) }

// model returns the values of all variables. Those of variables in clauses that
// are left mean nothing.
func (p *peeler) model() dimacs.Model {
	m := make(dimacs.Model, len(p.counts)/2)
	for v := range m {
		pos, neg := p.counts[2*v], p.counts[2*v+1]
		m[v] = dimacs.Value(2*(isZero(neg)&^isZero(pos))) - 1
	}
	return m
}
