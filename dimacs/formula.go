package dimacs

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Clauses are stored in blocks of blockLen clauses. All blocks share one
// buffer: a block is filled there and then copied once to memory of exactly its
// size. No slice of a whole formula ever grows by doubling, so that the peak
// during construction is the stored formula plus one block. A formula takes 4
// bytes a literal and 4 bytes a clause, but none for the clauses of a full block
// of equally long ones: problems of graphs have many blocks of binary clauses.
// All blocks but the last have the same number of clauses, so that the index of
// a clause gives its block in constant time.
//
// A block of long clauses would be large, and the buffer with it. When the
// buffer has pieceLen literals, they are therefore copied to a piece of the
// block, and the buffer never holds more than pieceLen literals and one clause.
const (
	blockBits = 14
	blockLen  = 1 << blockBits
	blockMask = blockLen - 1
	pieceLen  = 1 << 18
)

// A block holds up to blockLen clauses. Clause i ends before lits[ends[i]] and
// begins at the end of clause i-1. If the clauses are long, the first ones are
// in pieces, and only the others in lits. A full block of clauses of one length
// may have no ends: then width is the length. A packed block (pack.go) has only its
// packed bytes, the positions of groups in them, how they are encoded, and the width.
type block struct {
	lits   []Lit
	ends   []uint32
	pieces []piece
	width  int
	packed []byte
	groups []uint32
	above  bool
}

// A piece holds the literals of consecutive clauses of a block: from the end of
// the previous piece to the clause before end. Offsets in block.ends count from
// the start of the piece.
type piece struct {
	lits []Lit
	end  int
}

// first returns the index of the first clause of b that is not in a piece.
func (b *block) first() int {
	if n := len(b.pieces); n > 0 {
		return b.pieces[n-1].end
	}
	return 0
}

// start returns the offset of the next clause in b.lits.
func (b *block) start() int {
	if n := len(b.ends); n > b.first() {
		return int(b.ends[n-1])
	}
	return 0
}

// cut moves the literals of b to a new piece.
func (b *block) cut(m MemoryLimit) {
	b.pieces = append(b.pieces, piece{cloned(m, b.lits), len(b.ends)})
	b.lits = b.lits[:0]
}

// seal copies a full block to its exact size, or without its ends.
func (b *block) seal(m MemoryLimit) {
	b.lits = cloned(m, b.lits)
	if b.width = b.equalLength(); b.width > 0 {
		b.ends = nil
	} else {
		b.ends = slices.Clone(b.ends)
	}
}

// equalLength returns the length of all clauses of b, or 0 if they differ, are
// empty, or are in pieces.
func (b *block) equalLength() int {
	n := b.ends[0]
	for i, end := range b.ends {
		if end != n*uint32(i+1) || len(b.pieces) > 0 {
			return 0
		}
	}
	return int(n)
}

// cloned returns a copy of exact size.
func cloned(m MemoryLimit, lits []Lit) []Lit {
	m.Require(4 * int64(len(lits)))
	return slices.Clone(lits)
}

// find returns the slice with the literals of clause i of b, and the index of
// the first clause in that slice.
func (b *block) find(i int) (lits []Lit, first int) {
	n, _ := slices.BinarySearchFunc(b.pieces, i, func(p piece, i int) int { return p.end - i - 1 })
	if n > 0 {
		first = b.pieces[n-1].end
	}
	if n < len(b.pieces) {
		return b.pieces[n].lits, first
	}
	return b.lits, first
}

// A Formula is a formula in conjunctive normal form (CNF): a conjunction of
// clauses over the variables 0 to Vars()-1. The zero Formula has no variables
// and no clauses. It keeps clauses as they were added, with duplicate literals
// and tautologies; see [Formula.Normalize].
//
// Variables have one owner. At first that is the caller: a clause with a variable
// beyond Vars() adds it. From the first call of NewVar on, the formula numbers new
// variables, and other calls that would add some panic. A caller with numbers of
// its own calls Grow before.
//
// Several goroutines may read a Formula at the same time while no goroutine
// changes it.
type Formula struct {
	vars    int
	numbers bool     // NewVar was called
	twin    *Formula // has the same variables, see Weighted; or nil
	blocks  []block  // all full but the last
	lits    int

	memory MemoryLimit // of the Reader that fills the formula, or nil
}

// NewFormula returns a formula with the given number of variables and no
// clauses.
func NewFormula(vars int) *Formula {
	f := new(Formula)
	f.Grow(vars)
	return f
}

// Vars returns the number of variables.
func (f *Formula) Vars() int { return f.vars }

// Len returns the number of clauses.
func (f *Formula) Len() int {
	if len(f.blocks) == 0 {
		return 0
	}
	last := len(f.blocks) - 1
	return last<<blockBits + len(f.blocks[last].ends)
}

// Size returns the total number of literals in all clauses.
func (f *Formula) Size() int { return f.lits }

// Grow raises the number of variables to vars if it is smaller. It panics if
// vars is negative or above [MaxVars], and if it adds variables after a call of NewVar.
func (f *Formula) Grow(vars int) {
	switch {
	case vars < 0 || vars > MaxVars:
		panic(fmt.Sprintf("dimacs: %d variables", vars))
	case vars <= f.vars:
		return
	case f.numbers:
		panic(fmt.Sprintf("dimacs: variable %d was added after NewVar, which numbers new variables", vars))
	}
	f.setVars(vars)
}

// NewVar adds a variable and returns it. It panics if that exceeds [MaxVars].
func (f *Formula) NewVar() Var {
	if f.vars >= MaxVars {
		panic(fmt.Sprintf("dimacs: more than %d variables", MaxVars))
	}
	f.setVars(f.vars + 1)
	f.numbers = true
	if f.twin != nil {
		f.twin.numbers = true
	}
	return Var(f.vars - 1)
}

// setVars sets the number of variables of f and of its twin.
func (f *Formula) setVars(vars int) {
	f.vars = vars
	if f.twin != nil {
		f.twin.vars = vars
	}
}

// Add appends a clause and raises the number of variables if the clause needs
// it. It copies the literals. It panics on a variable above [MaxVars], on a
// clause of about 2^32 literals, and as [Formula.Grow] does.
func (f *Formula) Add(lits ...Lit) {
	for _, l := range lits {
		if int(l>>1) >= f.vars {
			f.Grow(int(l>>1) + 1)
		}
	}
	b := f.open()
	b.lits = append(b.lits, lits...)
	f.close(b)
}

// AddInts appends the clause with the given DIMACS integers, as in AddInts(1,
// -2). It panics as [FromInt] does.
func (f *Formula) AddInts(ns ...int) { f.Add(Lits(ns...)...) }

// open returns the block for the next clause. If the last block is full, open
// copies it to its exact size and passes its buffer to a new block. No clause
// may be open when it is called.
func (f *Formula) open() *block {
	n := len(f.blocks)
	if n == 0 {
		f.blocks = append(f.blocks, block{})
		return &f.blocks[0]
	}
	last := &f.blocks[n-1]
	if len(last.ends) < blockLen {
		if len(last.lits) >= pieceLen {
			last.cut(f.memory)
		}
		return last
	}
	next := block{lits: last.lits[:0], ends: last.ends[:0]}
	last.seal(f.memory)
	f.blocks = append(f.blocks, next)
	return &f.blocks[n]
}

// close ends the clause whose literals were appended to b.
func (f *Formula) close(b *block) {
	if uint64(len(b.lits)) > math.MaxUint32 {
		panic("dimacs: a clause exceeds 2^32-1 literals")
	}
	f.lits += len(b.lits) - b.start()
	b.ends = append(b.ends, uint32(len(b.lits)))
}

// compact frees the unused capacity of the last block, if there is memory for the copy.
func (f *Formula) compact() {
	if n := len(f.blocks); n > 0 && f.memory.Allows(4*int64(len(f.blocks[n-1].lits))) {
		last := &f.blocks[n-1]
		last.lits, last.ends = slices.Clone(last.lits), slices.Clone(last.ends)
	}
}

// Clause returns clause i, 0 to Len()-1, in constant time. The slice is part of
// the formula: the caller must not change it, and the next Add may overwrite
// it.
func (f *Formula) Clause(i int) []Lit {
	b := &f.blocks[i>>blockBits]
	i &= blockMask
	if b.packed != nil {
		lits, ends := b.group(i >> groupBits)
		return clauseAt(lits, ends[:], i&groupMask)
	}
	if k := b.width; k > 0 {
		return b.lits[i*k : (i+1)*k : (i+1)*k]
	}
	lits, first := b.lits, 0
	if len(b.pieces) > 0 {
		lits, first = b.find(i)
	}
	return clauseAt(lits, b.ends[first:], i-first)
}

// clauseAt returns clause i of those that end before ends.
func clauseAt(lits []Lit, ends []uint32, i int) []Lit {
	start := uint32(0)
	if i > 0 {
		start = ends[i-1]
	}
	return lits[start:ends[i]:ends[i]]
}

// Clauses iterates over the clauses and their indices. The slices are part of
// the formula: the caller must not change them, and must not add clauses to f
// during the iteration.
func (f *Formula) Clauses() iter.Seq2[int, []Lit] {
	return func(yield func(int, []Lit) bool) {
		i := 0
		for n := range f.blocks {
			for c := range f.blocks[n].clauses {
				if !yield(i, c) {
					return
				}
				i++
			}
		}
	}
}

// Range iterates over the clauses from from to to-1, as Clauses does.
func (f *Formula) Range(from, to int) iter.Seq2[int, []Lit] {
	return func(yield func(int, []Lit) bool) {
		for i := from; i < to; {
			b := &f.blocks[i>>blockBits]
			if b.packed == nil {
				if !yield(i, f.Clause(i)) {
					return
				}
				i++
				continue
			}
			lits, ends := b.group(i & blockMask >> groupBits)
			for end := min(to, i&^groupMask+groupLen); i < end; i++ {
				if !yield(i, clauseAt(lits, ends[:], i&groupMask)) {
					return
				}
			}
		}
	}
}

// clauses iterates over the clauses of b.
func (b *block) clauses(yield func([]Lit) bool) {
	switch {
	case b.packed != nil:
		for g := range b.groups {
			lits, ends := b.group(g)
			for i := range ends {
				if !yield(clauseAt(lits, ends[:], i)) {
					return
				}
			}
		}
	case b.width > 0:
		for lits, k := b.lits, b.width; len(lits) > 0; lits = lits[k:] {
			if !yield(lits[:k:k]) {
				return
			}
		}
	default:
		b.uneven(yield)
	}
}

// uneven iterates over clauses of different lengths.
func (b *block) uneven(yield func([]Lit) bool) {
	lits, upto, rest := b.lits, len(b.ends), b.pieces
	if len(rest) > 0 {
		lits, upto = rest[0].lits, rest[0].end
	}
	start := uint32(0)
	for i, end := range b.ends {
		for i == upto { // never in a block without pieces
			lits, upto, start = b.lits, len(b.ends), 0
			if rest = rest[1:]; len(rest) > 0 {
				lits, upto = rest[0].lits, rest[0].end
			}
		}
		if !yield(lits[start:end:end]) {
			return
		}
		start = end
	}
}

// Append adds all clauses and variables of g to f, with the same numbering of
// variables. It panics if g is f.
func (f *Formula) Append(g *Formula) {
	if f == g {
		panic("dimacs: a formula appended to itself")
	}
	f.Grow(g.vars)
	for _, c := range g.Clauses() {
		f.Add(c...)
	}
}
