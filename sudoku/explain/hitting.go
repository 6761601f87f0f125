package explain

import (
	"math/bits"
	"slices"
)

// Minimum hitting sets: a smallest set of elements that has an element in common
// with each of some sets. The problem is NP-hard; the sets here have a few dozen
// elements, and branch and bound is enough.
//
// To find a hitting set of at most k elements, the search selects an unhit set
// with the fewest remaining elements and branches on these. After a branch has
// failed, its element is banned in the other branches, since a hitting set with
// it would have been found. A branch is pruned if there are more than k
// pairwise disjoint unhit sets, which are found greedily, smallest first.

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

// lenWithout returns the number of elements that are not in o.
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

// A hitting finds minimum hitting sets of a growing collection of sets.
type hitting struct {
	universe int
	sets     []bitset
	bound    int   // no hitting set has fewer elements
	effort   int64 // remaining nodes of the search

	chosen bitset // the elements of the current branch
	banned bitset // the elements that the current branch excludes
	best   bitset // the last hitting set found
	uses   []int  // scratch: the number of unhit sets with each element
}

func newHitting(universe int, effort int64) *hitting {
	return &hitting{
		universe: universe, effort: effort,
		chosen: newBitset(universe), banned: newBitset(universe), uses: make([]int, universe),
	}
}

// add adds a set, which must not be empty.
func (h *hitting) add(set bitset) { h.sets = append(h.sets, slices.Clone(set)) }

// minimum returns a smallest hitting set. It returns false if the effort is spent;
// then bound is still a lower bound. The result is valid until the next call.
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

// search finds a hitting set with the chosen elements, at most k others, and no
// banned ones.
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

// open returns the unhit sets, sorted by their number of remaining elements.
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

// disjoint returns the size of a greedy collection of open sets that are
// pairwise disjoint after the banned elements are removed.
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

// candidates returns the remaining elements of the first open set. Elements
// that hit the most open sets come first.
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
