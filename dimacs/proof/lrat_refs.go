package proof

import (
	"slices"

	"sator/dimacs"
)

// The references of clauses by index. Most lemmas of an engine are deleted soon, and a batch drops
// lemmas, so that their ids have no clause: after some minutes a table has millions of entries for
// thousands of clauses. Therefore it is in blocks. All blocks of one reference alone share their
// memory, and a block gives its memory back when its last clause is deleted.

const (
	refBits = 6
	refMask = 1<<refBits - 1
)

type refBlock [1 << refBits]uint32

// uniform has a block of each reference below firstRef. Tables share them, and write to none.
var uniform = func() (blocks [firstRef]*refBlock) {
	for ref := range blocks {
		blocks[ref] = (*refBlock)(slices.Repeat([]uint32{uint32(ref)}, 1<<refBits))
	}
	return blocks
}()

// A refTable has references by index.
type refTable struct {
	n      int
	blocks []*refBlock
	live   []uint8 // by block: its entries that have a clause
	memory dimacs.MemoryLimit
}

// at returns the reference with an index.
func (t *refTable) at(index int) uint32 { return t.blocks[index>>refBits][index&refMask] }

// append appends a reference and returns its index.
func (t *refTable) append(ref uint32) (index int) {
	index = t.n
	if index&refMask == 0 {
		t.release(len(t.blocks) - 1)
		first := uint32(unknownRef)
		if ref < firstRef {
			first = ref
		}
		t.blocks = append(dimacs.Extend(t.memory, t.blocks, 1), uniform[first])
		t.live = append(dimacs.Extend(t.memory, t.live, 1), 0)
	}
	t.n++
	t.set(index, ref)
	if ref >= sourceRef {
		t.live[index>>refBits]++
	}
	return index
}

// set changes a reference. The new one has a clause if the old one had.
func (t *refTable) set(index int, ref uint32) {
	b := &t.blocks[index>>refBits]
	old := (*b)[index&refMask]
	if old == ref {
		return
	}
	if old < firstRef && *b == uniform[old] {
		t.memory.Require(4 << refBits)
		own := **b
		*b = &own
	}
	(*b)[index&refMask] = ref
}

// remove marks the clause with an index as deleted.
func (t *refTable) remove(index int) {
	t.set(index, deletedRef)
	block := index >> refBits
	t.live[block]--
	if block < t.n>>refBits {
		t.release(block)
	}
}

// release gives the memory of a full block back if its clauses are all deleted.
func (t *refTable) release(block int) {
	switch {
	case block < 0 || t.live[block] > 0 || t.blocks[block] == uniform[unknownRef]:
	case slices.Contains(t.blocks[block][:], unknownRef):
		t.blocks[block] = uniform[goneRef]
	default:
		t.blocks[block] = uniform[deletedRef]
	}
}
