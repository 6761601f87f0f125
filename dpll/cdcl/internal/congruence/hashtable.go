package congruence

import (
	"slices"

	"sator/dpll/cdcl/internal/inprocess"
)

// A hashTable is a chained hash table of numbered items: the n-th item added has the
// number n, from 1 on. The table stores hashes only; the owner stores the items and
// compares them. Items are never removed.
type hashTable struct {
	memory  inprocess.Memory
	heads   []uint32    // by the low bits of the hash: number of the last item added, or 0
	entries []hashEntry // by number
}

// A hashEntry is an item: its hash, and the number of the next item in its chain, or
// 0.
type hashEntry struct{ hash, next uint32 }

// newHashTable returns a table with heads for n items.
func newHashTable(h inprocess.Host, n int) hashTable {
	size := 16
	for size < n {
		size *= 2
	}
	return hashTable{h, inprocess.Table[uint32](h, size), append(inprocess.GrowingTable[hashEntry](h), hashEntry{})}
}

// add adds an item with this hash and returns its number.
func (t *hashTable) add(hash uint32) uint32 {
	if len(t.entries) > len(t.heads) {
		t.grow()
	}
	h := &t.heads[hash&uint32(len(t.heads)-1)]
	t.entries = append(t.entries, hashEntry{hash, *h})
	*h = uint32(len(t.entries) - 1)
	return *h
}

// grow doubles the number of chains.
func (t *hashTable) grow() {
	t.heads = inprocess.Table[uint32](t.memory, 2*len(t.heads))
	for i := range t.entries[1:] {
		e := &t.entries[i+1]
		h := &t.heads[e.hash&uint32(len(t.heads)-1)]
		e.next, *h = *h, uint32(i+1)
	}
}

// first returns the number of the last item added with this hash, or 0.
func (t *hashTable) first(hash uint32) uint32 {
	return t.skipTo(t.heads[hash&uint32(len(t.heads)-1)], hash)
}

// next returns the number of the previous item with the hash of item i, or 0.
func (t *hashTable) next(i uint32) uint32 {
	return t.skipTo(t.entries[i].next, t.entries[i].hash)
}

// skipTo returns the first item with this hash in the chain from item i on, or 0.
func (t *hashTable) skipTo(i, hash uint32) uint32 {
	for i != 0 && t.entries[i].hash != hash {
		i = t.entries[i].next
	}
	return i
}

// mix returns a hash of the hash h and the number x.
func mix(h, x uint32) uint32 {
	h = (h ^ x) * 0x9e3779b1
	return h ^ h>>15
}

// A gateEntry is an entry of the hash table of gates. If the gate is an XOR gate,
// output is a position in its right-hand side: the variable there is the output.
type gateEntry struct{ gate, output uint32 }

// noOutput is the output position of gates of the other kinds.
const noOutput = ^uint32(0)

// lookup returns an entry of another gate that is congruent to gate i with the output
// at this position. It skips queued gates: they find gate i when they are rewritten.
func (c *closure) lookup(i, output uint32) (e gateEntry, ok bool) {
	g := &c.gates[i]
	h := c.hash(g, output)
	for j := c.table.first(h); j != 0; j = c.table.next(j) {
		*c.budget.Ticks++
		e := c.entries[j]
		if o := &c.gates[e.gate]; e.gate != i && !o.garbage && !o.queued && c.congruent(g, output, o, e.output) {
			return e, true
		}
	}
	return gateEntry{}, false
}

// insert adds a gate to the table. Entries under earlier right-hand sides of the gate
// stay in the table. They do no harm, since lookup compares the current right-hand
// sides.
func (c *closure) insert(i, output uint32) {
	c.table.add(c.hash(&c.gates[i], output))
	c.entries = append(c.entries, gateEntry{i, output})
}

// hash returns a hash of the kind and the right-hand side of a gate. It omits the
// output of an XOR gate.
func (c *closure) hash(g *gate, output uint32) uint32 {
	h := uint32(g.kind)
	for k, l := range c.rhs(g) {
		if uint32(k) != output {
			h = mix(h, uint32(l))
		}
	}
	return h
}

// congruent reports whether two gates have the same kind and the same right-hand side.
// It omits the outputs of XOR gates, which are at the positions output and other.
func (c *closure) congruent(g *gate, output uint32, o *gate, other uint32) bool {
	if g.kind != o.kind || g.rhsSize != o.rhsSize {
		return false
	}
	a, b := c.rhs(g), c.rhs(o)
	if g.kind != xorGate {
		return slices.Equal(a, b)
	}
	for k, m := uint32(0), uint32(0); ; k, m = k+1, m+1 {
		if k == output {
			k++
		}
		if m == other {
			m++
		}
		switch {
		case k >= g.rhsSize || m >= g.rhsSize:
			return true
		case a[k] != b[m]:
			return false
		}
	}
}
