package dimacs

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
)

// Packed blocks. A program that has given a formula to a solver reads it only once more, to
// check a model. Until then the clauses can take less memory. In most formulas the literals of
// a clause, and the first literals of consecutive clauses, are close to each other: a packed
// block has the differences, in bytes of seven bits and a sign that more follow (varints).
//
// A clause begins with its length, if the clauses of the block are not equally long. The first
// literal follows as the difference from the first literal of the clause before, and the others
// as differences from the literal before, or, in other blocks, from the literal at the same
// position of the clause before. Which of them takes less is tried with some clauses of the block.
// The second one suits clauses that repeat with other numbers: a coloring with 14 million binary
// clauses took 37 instead of 60 MB. Negative and positive differences alternate (zigzag).
//
// Clause i must not need the decoding of all clauses before it. So each group of groupLen
// clauses begins anew, and a table has its position.

const (
	groupBits = 6
	groupLen  = 1 << groupBits
	groupMask = groupLen - 1
)

// Pack compresses the clauses, all but the last 2^14 or fewer. The formula remains the same,
// and clauses can be added. But reading takes longer: [Formula.Clause] then decodes up to 64
// clauses, and both it and [Formula.Clauses] return new slices. Pack is for a formula that must
// be kept, but is hardly read. It takes linear time, and ends early when ctx is done.
//
// A literal takes one to three bytes instead of four in formulas that were not shuffled, and a
// clause one instead of four.
func (f *Formula) Pack(ctx context.Context) {
	var code []byte
	for n := range max(0, len(f.blocks)-1) {
		if Canceled(ctx) {
			return
		}
		if b := &f.blocks[n]; b.packed == nil {
			code = b.pack(f.memory, code[:0])
		}
	}
}

// pack compresses a full block, if that takes less memory and the limit allows it. It returns
// the scratch memory for the next one.
func (b *block) pack(m MemoryLimit, code []byte) []byte {
	plain := 4 * (b.size() + len(b.ends))
	if !m.Allows(int64(plain)) {
		return code
	}
	const sample = 16 * groupLen
	code, _ = b.encode(code[:0], false, sample)
	size := len(code)
	code, _ = b.encode(code[:0], true, sample)
	above := len(code) < size
	code, groups := b.encode(code[:0], above, blockLen)
	if size := len(code) + 4*len(groups); size < plain && uint64(size) <= math.MaxUint32 {
		*b = block{width: b.width, packed: slices.Clone(code), groups: groups, above: above}
	}
	return code
}

// encode appends the code of the first clauses to code, and returns the positions of groups.
func (b *block) encode(code []byte, above bool, clauses int) ([]byte, []uint32) {
	groups := make([]uint32, 0, clauses/groupLen)
	var before []Lit
	i := 0
	for c := range b.clauses {
		if i == clauses {
			break
		}
		if i&groupMask == 0 {
			groups = append(groups, uint32(len(code)))
			before = nil
		}
		i++
		if b.width == 0 {
			code = binary.AppendUvarint(code, uint64(len(c)))
		}
		for k, l := range c {
			code = binary.AppendVarint(code, int64(int32(l-predicted(c, k, before, above))))
		}
		before = c
	}
	return code, groups
}

// predicted returns the literal from which literal k of c differs in the code. The clause before
// c is empty at the start of a group.
func predicted(c []Lit, k int, before []Lit, above bool) Lit {
	switch {
	case k < len(before) && (above || k == 0):
		return before[k]
	case k == 0:
		return 0
	}
	return c[k-1]
}

// size returns the number of literals of a block that is not packed.
func (b *block) size() int {
	n := len(b.lits)
	for _, p := range b.pieces {
		n += len(p.lits)
	}
	return n
}

// group decodes group g of a packed block. Clause i of the group ends before ends[i].
func (b *block) group(g int) (lits []Lit, ends [groupLen]uint32) {
	code := b.packed[b.groups[g]:]
	if g+1 < len(b.groups) {
		code = code[:b.groups[g+1]-b.groups[g]]
	}
	lits = make([]Lit, 0, len(code)) // a literal has at least a byte
	var before []Lit
	at := 0
	for i := range ends {
		size := uint32(b.width)
		if b.width == 0 {
			size, at = varint(code, at)
		}
		start := len(lits)
		for k := range int(size) {
			var u uint32
			u, at = varint(code, at)
			lits = append(lits, predicted(lits[start:], k, before, b.above)+Lit(u>>1^-(u&1)))
		}
		before = lits[start:]
		ends[i] = uint32(len(lits))
	}
	return lits, ends
}

// varint decodes the number at a position, and returns the position after it. Reading with
// binary.Uvarint takes up to twice as long.
func varint(code []byte, at int) (u uint32, next int) {
	for shift := 0; ; shift += 7 {
		x := code[at]
		at++
		u |= uint32(x&0x7f) << shift
		if x < 0x80 {
			return u, at
		}
	}
}
