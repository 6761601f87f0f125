package explain

import (
	"math/bits"
	"slices"
)

// Minimum hitting sets: given some sets, as few elements as possible of which
// every set has one. The problem is NP-hard; the sets here have a few dozen
// elements, and a search with branching and bounds is enough.
//
// Asked for at most k elements, the search takes a set that is not hit yet and
// has fewest elements left, and tries each of these in turn. An element that was
// tried and failed is banned from then on, since a hitting set with it would
// have been found. A branch ends when more than k pairwise disjoint sets are
// left to be hit: these are found greedily, small ones first.

// A bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) remove(i int)   { b[i/64] &^= 1 << (i % 64) }

func (b bitset) len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// meets reports whether two sets have an element in common.
func (b bitset) meets(o bitset) bool {
	for i, w := range b {
		if w&o[i] != 0 {
			return true
		}
	}
	return false
}

// lenWithout returns the number of elements that o does not have.
func (b bitset) lenWithout(o bitset) int {
	n := 0
	for i, w := range b {
		n += bits.OnesCount64(w &^ o[i])
	}
	return n
}

// elements appends the elements to buf, ascending.
func (b bitset) elements(buf []int) []int {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, i*64+bits.TrailingZeros64(w))
		}
	}
	return buf
}

// hitting looks for minimum hitting sets of sets that come one by one.
type hitting struct {
	universe int
	sets     []bitset
	bound    int   // no hitting set has fewer elements
	effort   int64 // nodes of the search that are left

	chosen, banned bitset
	best           bitset // of the last call that found one
	uses           []int  // scratch: how many sets that are not hit have each element
}

func newHitting(universe int, effort int64) *hitting {
	return &hitting{
		universe: universe, effort: effort,
		chosen: newBitset(universe), banned: newBitset(universe), uses: make([]int, universe),
	}
}

// add adds a set, which must not be empty.
func (h *hitting) add(set bitset) { h.sets = append(h.sets, slices.Clone(set)) }

// minimum returns a smallest hitting set, or false when the effort is spent;
// bound then says what was found out. The result may be overwritten by the next
// call.
func (h *hitting) minimum() (bitset, bool) {
	for {
		clear(h.chosen)
		clear(h.banned)
		if h.search(h.bound) {
			return h.best, true
		}
		if h.effort <= 0 {
			return nil, false
		}
		h.bound++
	}
}

// search looks for a hitting set with what is chosen, at most k further elements
// and none that is banned.
func (h *hitting) search(k int) bool {
	if h.effort--; h.effort <= 0 {
		return false
	}
	open := h.open()
	if len(open) == 0 {
		h.best = slices.Clone(h.chosen)
		return true
	}
	if open[0].lenWithout(h.banned) == 0 || h.disjoint(open) > k {
		return false
	}
	var tried []int
	for _, e := range h.candidates(open) {
		h.chosen.add(e)
		found := h.search(k - 1)
		h.chosen.remove(e)
		if found {
			return true
		}
		h.banned.add(e)
		tried = append(tried, e)
	}
	for _, e := range tried {
		h.banned.remove(e)
	}
	return false
}

// open returns the sets that are not hit, those with fewest elements left first.
func (h *hitting) open() []bitset {
	type sized struct{ set, left int }
	var list []sized
	for i, s := range h.sets {
		if !s.meets(h.chosen) {
			list = append(list, sized{i, s.lenWithout(h.banned)})
		}
	}
	slices.SortStableFunc(list, func(a, b sized) int { return a.left - b.left })
	open := make([]bitset, len(list))
	for i, l := range list {
		open[i] = h.sets[l.set]
	}
	return open
}

// disjoint returns how many sets it finds that have no element in common but
// banned ones.
func (h *hitting) disjoint(open []bitset) int {
	n, taken := 0, newBitset(h.universe)
next:
	for _, s := range open {
		for i, w := range s {
			if w&^h.banned[i]&taken[i] != 0 {
				continue next
			}
		}
		for i, w := range s {
			taken[i] |= w &^ h.banned[i]
		}
		n++
	}
	return n
}

// candidates returns the elements of the first open set in the order in which
// they are tried: those that hit most sets first.
func (h *hitting) candidates(open []bitset) []int {
	clear(h.uses)
	var buf []int
	for _, s := range open {
		buf = s.elements(buf[:0])
		for _, e := range buf {
			h.uses[e]++
		}
	}
	var list []int
	for _, e := range open[0].elements(nil) {
		if !h.banned.has(e) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return h.uses[b] - h.uses[a] })
	return list
}
