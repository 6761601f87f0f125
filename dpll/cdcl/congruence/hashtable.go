package congruence

// Buckets find numbered things by a hash of what they are: a table of lists, in
// which things have their numbers in the order in which they were added, from 1 on.
// What they are is kept elsewhere, by whoever asks. Nothing is taken out.
type hashTable struct {
	heads   []uint32 // by the low bits of the hash: the last number added, 0 for none
	entries []hashEntry
}

type hashEntry struct{ hash, next uint32 }

// newBuckets returns a table with room for n things.
func newHashTable(n int) hashTable {
	size := 16
	for size < n {
		size *= 2
	}
	return hashTable{make([]uint32, size), make([]hashEntry, 1, n+1)}
}

// add adds a thing with this hash, and returns its number.
func (b *hashTable) add(hash uint32) uint32 {
	if len(b.entries) > len(b.heads) {
		b.grow()
	}
	h := &b.heads[hash&uint32(len(b.heads)-1)]
	b.entries = append(b.entries, hashEntry{hash, *h})
	*h = uint32(len(b.entries) - 1)
	return *h
}

func (b *hashTable) grow() {
	b.heads = make([]uint32, 2*len(b.heads))
	for i := range b.entries[1:] {
		e := &b.entries[i+1]
		h := &b.heads[e.hash&uint32(len(b.heads)-1)]
		e.next, *h = *h, uint32(i+1)
	}
}

// first returns the last thing added of those that may have this hash, or 0.
func (b *hashTable) first(hash uint32) uint32 {
	return b.skipTo(b.heads[hash&uint32(len(b.heads)-1)], hash)
}

// next returns the one before i with the same hash, or 0.
func (b *hashTable) next(i uint32) uint32 {
	return b.skipTo(b.entries[i].next, b.entries[i].hash)
}

func (b *hashTable) skipTo(i, hash uint32) uint32 {
	for i != 0 && b.entries[i].hash != hash {
		i = b.entries[i].next
	}
	return i
}

// mix adds x to a hash. The result has its entropy in all bits.
func mix(h, x uint32) uint32 {
	h = (h ^ x) * 0x9e3779b1
	return h ^ h>>15
}
