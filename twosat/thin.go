package twosat

import (
	"context"

	"sator/dimacs"
)

// Thinning drops edges and conflicts of the graph of flips (forced.go) that are in
// no proof of a forced variable. Such a proof consists of two paths from the
// variable to both ends of a conflict. Take the last variable common to both
// paths: from there on, the paths and the conflict form an undirected cycle.
// In the cycle, two edges leave that variable, if an end of a conflict counts as
// a leaving edge; every other variable has one entering and one leaving edge. So
// thinning drops an edge to a variable without leaving edges. And it drops an
// edge or a conflict that is the only one to leave a variable without entering
// edges. It decrements the counts of both ends, so that further edges can be
// dropped, but never an edge of such a cycle. A unit clause is a cycle by itself,
// and counts twice.
//
// Like peeling, thinning needs no lists. It passes over the remaining clauses in
// order and without branches while each round drops enough. The counts are bytes
// and stay at 255 when they get there.

// A flip is an edge or a conflict between two variables. The field to has twice
// the second variable, plus one for a conflict.
type flip struct{ from, to uint32 }

// A thinner counts the entering and leaving edges of variables and drops flips.
type thinner struct {
	all    []flip
	counts []uint8 // entry 2v counts entering edges of v, 2v+1 leaving ones
}

// newThinner returns a thinner with the flips of the clauses in a model.
func newThinner(m dimacs.Model, pairs []pair) *thinner {
	t := &thinner{make([]flip, len(pairs)), make([]uint8, 2*len(m))}
	for i, p := range pairs {
		a, b := p[0], p[1]
		// 0 for a literal that is true, 1 for one that is false.
		falseA := uint32(1-int(m[a>>1])*(1-2*int(a&1))) / 2
		falseB := uint32(1-int(m[b>>1])*(1-2*int(b&1))) / 2
		// Swap if the literal of the first variable is false.
		swap := (uint32(a>>1) ^ uint32(b>>1)) & -falseA
		from, to := uint32(a>>1)^swap, uint32(b>>1)^swap
		conflict := 1 &^ (falseA | falseB)
		t.all[i] = flip{from, to<<1 | conflict}
		t.count(2*from + 1)
		t.count(2*to + conflict)
	}
	return t
}

// count increments a count.
func (t *thinner) count(i uint32) { t.counts[i] += 1 &^ isFull(t.counts[i]) }

// thinRest determines when thinning ends: another round follows if the last one
// dropped more than 1/thinRest of the flips. A flip costs more in the searches
// than in a round.
const thinRest = 4

// thin returns the remaining flips.
func (t *thinner) thin(ctx context.Context) []flip {
	left := make([]flip, len(t.all))
	left = left[:t.round(left, t.all)]
	for before := len(t.all); before-len(left) > before/thinRest && !ended(ctx); {
		before = len(left)
		left = left[:t.round(left, left)]
	}
	return left
}

// round copies the kept flips and returns their number. Both slices may be the
// same.
func (t *thinner) round(to, from []flip) int {
	kept, counts := 0, t.counts
	to = to[:len(from)]
	for _, e := range from {
		a, b, conflict := e.from, e.to>>1, uint8(e.to&1)
		inA, outA := counts[2*a], counts[2*a+1]
		inB, outB := counts[2*b], counts[2*b+1]
		// Drop the only flip that leaves a, or, for a conflict, b, if no edge
		// enters that variable; and drop an edge to b if no edge leaves b.
		drop := isZero(inA) & isZero(outA-1)
		drop |= conflict & isZero(inB) & isZero(outB-1)
		drop |= isZero(outB) &^ conflict
		counts[2*a+1] -= drop &^ isFull(outA)
		at := 2*b + uint32(conflict)
		counts[at] -= drop &^ isFull(counts[at])
		to[kept] = e
		kept += int(1 ^ drop)
	}
	return kept
}
