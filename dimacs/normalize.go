package dimacs

import (
	"cmp"
	"slices"
)

// Normalize returns an equivalent formula over the same variables without
// duplicate literals in a clause, without tautologies, and without clauses that
// equal an earlier one up to the order of literals. The remaining clauses and
// literals keep their order. f is not changed.
//
// The expected time is that of sorting every clause. Besides the new formula,
// Normalize needs 11 to 32 bytes a clause.
func (f *Formula) Normalize() *Formula {
	n := normalizer{formula: NewFormula(f.Vars())}
	n.table = make([]uint64, 64)
	for _, c := range f.Clauses() {
		n.add(c)
	}
	n.formula.compact()
	return n.formula
}

// A normalizer builds a formula without repetitions, one clause after the
// other.
type normalizer struct {
	formula *Formula
	sorted  []Lit    // the current clause, sorted and without duplicates
	other   []Lit    // scratch: an earlier clause, sorted
	short   []Lit    // scratch: the current clause without duplicates, in its order
	table   []uint64 // hash table of the clauses of formula
}

// The hash table uses open addressing and linear probing. The lower 40 bits of
// an entry are the index of a clause plus 1, and the upper bits are those of
// its hash. The entry 0 is empty.
const (
	indexBits = 40
	indexMask = 1<<indexBits - 1
)

// add adds c unless it is a tautology or equals an earlier clause.
func (n *normalizer) add(c []Lit) {
	n.sorted = append(n.sorted[:0], c...)
	slices.Sort(n.sorted)
	n.sorted = slices.Compact(n.sorted)
	for i := 1; i < len(n.sorted); i++ {
		if n.sorted[i] == n.sorted[i-1]^1 {
			return
		}
	}
	if n.formula.Len() >= len(n.table)/4*3 {
		n.grow()
	}
	h := hash(n.sorted)
	slot, found := n.find(h)
	if found {
		return
	}
	n.formula.Add(n.withoutDuplicates(c)...)
	n.table[slot] = h&^indexMask | uint64(n.formula.Len())
}

// find returns the slot of the current clause, which has the hash h, in the
// table, or the empty slot for it.
func (n *normalizer) find(h uint64) (slot uint64, found bool) {
	mask := uint64(len(n.table) - 1)
	for slot = h & mask; n.table[slot] != 0; slot = (slot + 1) & mask {
		if e := n.table[slot]; (e^h)&^indexMask == 0 && n.equals(int(e&indexMask)-1) {
			return slot, true
		}
	}
	return slot, false
}

// equals reports whether clause i of the formula equals the current clause up
// to order.
func (n *normalizer) equals(i int) bool {
	c := n.formula.Clause(i)
	if len(c) != len(n.sorted) {
		return false
	}
	n.other = append(n.other[:0], c...)
	slices.Sort(n.other)
	return slices.Equal(n.other, n.sorted)
}

// grow doubles the table.
func (n *normalizer) grow() {
	n.table = make([]uint64, 2*len(n.table))
	mask := uint64(len(n.table) - 1)
	for i, c := range n.formula.Clauses() {
		n.other = append(n.other[:0], c...)
		slices.Sort(n.other)
		h := hash(n.other)
		slot := h & mask
		for n.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.table[slot] = h&^indexMask | uint64(i+1)
	}
}

// withoutDuplicates returns c without duplicate literals, in its order. It
// changes n.sorted.
func (n *normalizer) withoutDuplicates(c []Lit) []Lit {
	if len(c) == len(n.sorted) {
		return c
	}
	n.short = n.short[:0]
	for _, l := range c {
		// The first occurrence of l replaces l in n.sorted by its complement,
		// which is not in c. Later occurrences do not find l any more.
		if i, _ := slices.BinarySearchFunc(n.sorted, l, byVar); n.sorted[i] == l {
			n.sorted[i] ^= 1
			n.short = append(n.short, l)
		}
	}
	return n.short
}

// byVar compares literals by their variables.
func byVar(a, b Lit) int { return cmp.Compare(a>>1, b>>1) }

// hash returns a hash of c whose upper and lower bits depend on all literals.
func hash(c []Lit) uint64 {
	h := uint64(len(c))
	for _, l := range c {
		h = (h ^ uint64(l)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h * 0x9e3779b97f4a7c15
}
