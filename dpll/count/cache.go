package count

import (
	"math/big"
	"slices"
)

// The component cache. A residual component is the set of its variables and of its long clauses
// that are not satisfied: the other literals of these clauses are false, and clauses of two
// literals follow from the variables. Its key is the exclusive or of 128 random bits for each
// member of both sets (Zobrist), so that two different components have the same key with
// probability 2^-128, and any two among n components with less than n^2/2^129: 10^-20 for the 10^9
// components of a run of days. Options.Exact stores the sets themselves, and compares them.
//
// Entries stand in the order of their arrival, since clean removes the last ones: see search.rest.
// If they exceed their memory, the ones that were not used for the longest time are forgotten,
// half of all. Numbers of 127 bits and more are stored as words in one slice, so that the garbage
// collector has nothing to trace.

// A key identifies a component.
type key struct{ hi, lo uint64 }

func (k key) xor(l key) key { return key{k.hi ^ l.hi, k.lo ^ l.lo} }

// An entry is the value of a component.
type entry struct {
	key    key
	hi, lo uint64 // the number, or bigNumber|words and the position in cache.words
	order  uint64 // of arrival
	exact  uint32 // the position of the sets in cache.sets, with Options.Exact
	used   uint32 // the time of the last use, in 1024 lookups
}

// bigNumber marks numbers that are stored as words.
const bigNumber = 1 << 63

type cache struct {
	entries []entry
	next    uint64   // the order of the next entry
	slots   []uint32 // a hash table of positions in entries, plus 1; linear probing
	words   []big.Word
	sets    []uint32 // lengths and members of the sets, with exact
	exact   bool
	limit   int64 // bytes
	clock   uint64

	hits, misses, forgotten int64
}

const entryBytes = 48 + 2*4 // with its share of slots

func newCache(limit int64, exact bool) *cache {
	return &cache{slots: make([]uint32, 1<<10), limit: limit, exact: exact}
}

func (c *cache) bytes() int64 {
	return int64(len(c.entries))*entryBytes + int64(len(c.words))*8 + int64(len(c.sets))*4
}

// mark returns a position in the order of arrival, for clean.
func (c *cache) mark() uint64 { return c.next }

// find returns the slot of k: of its entry, or the empty one where it belongs.
func (c *cache) find(k key, set []uint32) (slot int, found bool) {
	mask := len(c.slots) - 1
	for i := int(k.lo) & mask; ; i = (i + 1) & mask {
		switch n := c.slots[i]; {
		case n == 0:
			return i, false
		case c.entries[n-1].key == k && (!c.exact || c.same(&c.entries[n-1], set)):
			return i, true
		}
	}
}

// same reports whether the set is that of the entry.
func (c *cache) same(e *entry, set []uint32) bool {
	stored := c.sets[e.exact:]
	if int(stored[0]) != len(set) {
		return false
	}
	for i, x := range set {
		if stored[1+i] != x {
			return false
		}
	}
	return true
}

// value returns the number of a component.
func (c *cache) value(k key, set []uint32) (number, bool) {
	slot, found := c.find(k, set)
	c.clock++
	if !found {
		c.misses++
		return number{}, false
	}
	c.hits++
	e := &c.entries[c.slots[slot]-1]
	e.used = uint32(c.clock >> 10)
	if e.hi&bigNumber == 0 {
		return number{hi: e.hi, lo: e.lo}, true
	}
	n := int(e.hi &^ bigNumber)
	return number{large: new(big.Int).SetBits(c.words[e.lo : int(e.lo)+n : int(e.lo)+n])}, true
}

// store adds the number of a component that has no entry.
func (c *cache) store(k key, set []uint32, n number) {
	if c.bytes() > c.limit {
		c.forget()
	}
	if 2*len(c.entries) >= len(c.slots) {
		c.rehash(2 * len(c.slots))
	}
	slot, found := c.find(k, set)
	if found {
		return // it was counted within itself, after a conflict
	}
	e := entry{key: k, hi: n.hi, lo: n.lo, order: c.next, used: uint32(c.clock >> 10)}
	if n.large != nil || n.hi&bigNumber != 0 {
		w := n.int().Bits()
		e.hi, e.lo = bigNumber|uint64(len(w)), uint64(len(c.words))
		c.words = append(c.words, w...)
	}
	if c.exact {
		e.exact = uint32(len(c.sets))
		c.sets = append(append(c.sets, uint32(len(set))), set...)
	}
	c.entries = append(c.entries, e)
	c.next++
	c.slots[slot] = uint32(len(c.entries))
}

// clean removes the entries that were stored since mark returned m.
func (c *cache) clean(m uint64) {
	for last := len(c.entries) - 1; last >= 0 && c.entries[last].order >= m; last-- {
		c.remove(uint32(last + 1))
		e := c.entries[last]
		if e.hi&bigNumber != 0 {
			c.words = c.words[:e.lo]
		}
		if c.exact {
			c.sets = c.sets[:e.exact]
		}
		c.entries = c.entries[:last]
	}
}

// remove empties the slot that has n, and moves later ones of its run to where they belong.
func (c *cache) remove(n uint32) {
	mask := len(c.slots) - 1
	hole := int(c.entries[n-1].key.lo) & mask
	for c.slots[hole] != n {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; c.slots[i] != 0; i = (i + 1) & mask {
		home := int(c.entries[c.slots[i]-1].key.lo) & mask
		if (i-home)&mask >= (i-hole)&mask {
			c.slots[hole], hole = c.slots[i], i
		}
	}
	c.slots[hole] = 0
}

func (c *cache) rehash(size int) {
	c.slots = make([]uint32, size)
	mask := size - 1
	for n := range c.entries {
		i := int(c.entries[n].key.lo) & mask
		for c.slots[i] != 0 {
			i = (i + 1) & mask
		}
		c.slots[i] = uint32(n + 1)
	}
}

// forget removes the half of the entries that were not used for the longest time.
func (c *cache) forget() {
	times := make([]uint32, len(c.entries))
	for i := range c.entries {
		times[i] = c.entries[i].used
	}
	slices.Sort(times)
	oldest := times[len(times)/2]
	kept, words, sets := c.entries[:0], []big.Word(nil), []uint32(nil)
	for _, e := range c.entries {
		if e.used <= oldest {
			c.forgotten++
			continue
		}
		if e.hi&bigNumber != 0 {
			n := e.hi &^ bigNumber
			words = append(words, c.words[e.lo:e.lo+n]...)
			e.lo = uint64(len(words)) - n
		}
		if c.exact {
			end := e.exact + 1 + c.sets[e.exact]
			sets = append(sets, c.sets[e.exact:end]...)
			e.exact = uint32(len(sets)) - (end - e.exact)
		}
		kept = append(kept, e)
	}
	c.entries, c.words, c.sets = kept, words, sets
	c.rehash(len(c.slots))
}
