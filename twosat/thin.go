package twosat

import (
	"context"

	"sator/dimacs"
)

// Thinning looks for what can be no part of a proof that a variable is forced.
// Such a proof is two ways from a variable along flips to both ends of a
// conflict. Take the last variable that both ways have in common: from there on
// they and the conflict are a circle. On it, that variable is left by two of the
// edges, an end of a conflict counting as one; every other variable is entered
// by one and left by one. So an edge is dropped if it leads to a variable that
// nothing leaves, and an edge or a conflict if it is all that leaves a variable
// which nothing enters. What is dropped is counted down for both its ends, and
// so more goes, but never an edge of such a circle. A unit clause is a circle by
// itself, and counts twice.
//
// As in peeling there are no lists, but passes over all that is left, in order
// and without branches, as long as each of them drops enough. The counts are
// bytes, and stay at 255 once they get there.

// A flip is an edge or a conflict between two variables: from is flipped, and to
// is the other one times two, and one more if it is a conflict.
type flip struct{ from, to uint32 }

// A thinner counts what enters and leaves variables, and drops flips.
type thinner struct {
	all    []flip
	counts []uint8 // 2v for what enters v, 2v+1 for what leaves it
}

// newThinner returns the flips of a model of the clauses.
func newThinner(m dimacs.Model, pairs []pair) *thinner {
	t := &thinner{make([]flip, len(pairs)), make([]uint8, 2*len(m))}
	for i, p := range pairs {
		a, b := p[0], p[1]
		// 0 for a literal that is true, 1 for one that is false.
		falseA := uint32(1-int(m[a>>1])*(1-2*int(a&1))) / 2
		falseB := uint32(1-int(m[b>>1])*(1-2*int(b&1))) / 2
		// The first variable is to have a true literal.
		swap := (uint32(a>>1) ^ uint32(b>>1)) & -falseA
		from, to := uint32(a>>1)^swap, uint32(b>>1)^swap
		conflict := 1 &^ (falseA | falseB)
		t.all[i] = flip{from, to<<1 | conflict}
		t.count(2*from + 1)
		t.count(2*to + conflict)
	}
	return t
}

func (t *thinner) count(i uint32) { t.counts[i] += 1 &^ isFull(t.counts[i]) }

// thinRest is how much a round has to drop for another one to follow: one part
// in so many. What is left over costs more than here.
const thinRest = 4

// thin returns the flips that are left.
func (t *thinner) thin(ctx context.Context) []flip {
	left := make([]flip, len(t.all))
	left = left[:t.round(left, t.all)]
	for before := len(t.all); before-len(left) > before/thinRest && !ended(ctx); {
		before = len(left)
		left = left[:t.round(left, left)]
	}
	return left
}

// round copies those flips that are kept, and returns how many they are. Both
// slices may be the same.
func (t *thinner) round(to, from []flip) int {
	kept, counts := 0, t.counts
	to = to[:len(from)]
	for _, e := range from {
		a, b, conflict := e.from, e.to>>1, uint8(e.to&1)
		inA, outA := counts[2*a], counts[2*a+1]
		inB, outB := counts[2*b], counts[2*b+1]
		// All that leaves a, or for a conflict b, which nothing enters; or the
		// way into a b that nothing leaves.
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
