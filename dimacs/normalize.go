package dimacs

import (
	"cmp"
	"slices"
)

// Normalize returns an equivalent formula over the same variables without
// duplicate literals in a clause, without tautologies, and without clauses
// that have the literals of an earlier one, in whatever order. What is kept
// stays in its order. f is not changed.
//
// The expected time is that of sorting every clause; beside the new formula,
// 11 to 32 bytes a clause are needed.
func (f *Formula) Normalize() *Formula {
	n := normalizer{formula: NewFormula(f.Vars())}
	n.table = make([]uint64, 64)
	for _, c := range f.Clauses() {
		n.add(c)
	}
	n.formula.compact()
	return n.formula
}

// A normalizer builds a formula without repetitions.
type normalizer struct {
	formula *Formula
	sorted  []Lit // the literals at hand
	other   []Lit // those of a clause with the same hash
	short   []Lit // the literals at hand in their order
	table   []uint64
}

// The table is a hash table of the clauses of the formula, with open
// addressing and linear probing. An entry is the index of a clause plus 1 in
// its lower 40 bits, and the upper bits of the clause's hash above them; 0 is
// a free place.
const (
	indexBits = 40
	indexMask = 1<<indexBits - 1
)

// add adds the clause, unless it is a tautology or there already.
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

// find returns the place of the clause at hand in the table, or where it would
// go.
func (n *normalizer) find(h uint64) (slot uint64, found bool) {
	mask := uint64(len(n.table) - 1)
	for slot = h & mask; n.table[slot] != 0; slot = (slot + 1) & mask {
		if e := n.table[slot]; (e^h)&^indexMask == 0 && n.equals(int(e&indexMask)-1) {
			return slot, true
		}
	}
	return slot, false
}

// equals reports whether clause i of the formula has the literals at hand.
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

// withoutDuplicates returns the literals at hand in the order that they have
// in c.
func (n *normalizer) withoutDuplicates(c []Lit) []Lit {
	if len(c) == len(n.sorted) {
		return c
	}
	n.short = n.short[:0]
	for _, l := range c {
		// A literal that came before is taken out of the sorted ones by its
		// complement, which is not among them.
		if i, _ := slices.BinarySearchFunc(n.sorted, l, byVar); n.sorted[i] == l {
			n.sorted[i] ^= 1
			n.short = append(n.short, l)
		}
	}
	return n.short
}

// byVar compares the variables of two literals.
func byVar(a, b Lit) int { return cmp.Compare(a>>1, b>>1) }

// hash mixes the literals such that both ends of the result depend on all.
func hash(c []Lit) uint64 {
	h := uint64(len(c))
	for _, l := range c {
		h = (h ^ uint64(l)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h * 0x9e3779b97f4a7c15
}
