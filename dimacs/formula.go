package dimacs

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Clauses are stored in blocks of blockLen, one after the other: a block is
// filled in a buffer that all blocks share in turn, and copied once to a place
// of exactly its size. Nothing is ever grown by doubling, so that the peak
// while a formula is built is what is kept plus one block, and a formula costs
// 4 bytes a literal and 4 bytes a clause. A clause is found by its index in
// constant time, since all blocks but the last have the same number of them.
//
// Long clauses would make a block large, and the buffer with it. When the
// buffer has pieceLen literals it is emptied into a piece of the block, so
// that it never holds more than that and one clause.
const (
	blockBits = 14
	blockLen  = 1 << blockBits
	blockMask = blockLen - 1
	pieceLen  = 1 << 18
)

// A block holds up to blockLen clauses: clause i ends before lits[ends[i]] and
// begins where the one before it ends. If the clauses are long, the first of
// them lie in pieces, and lits has the others.
type block struct {
	lits   []Lit
	ends   []uint32
	pieces []piece
}

// A piece has the literals of the clauses of a block from the piece before it
// to the one before clause end. The ends of its clauses count from its start.
type piece struct {
	lits []Lit
	end  int
}

// first returns the first clause of b that is not in a piece.
func (b *block) first() int {
	if n := len(b.pieces); n > 0 {
		return b.pieces[n-1].end
	}
	return 0
}

// start returns where in b.lits the next clause begins.
func (b *block) start() int {
	if n := len(b.ends); n > b.first() {
		return int(b.ends[n-1])
	}
	return 0
}

// cut moves the literals of b to a piece.
func (b *block) cut() {
	b.pieces = append(b.pieces, piece{slices.Clone(b.lits), len(b.ends)})
	b.lits = b.lits[:0]
}

// find returns the literals among which clause i of b lies, and the first
// clause that begins there.
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

// A Formula is a conjunction of clauses over the variables 0 to Vars()-1. The
// zero Formula has no variables and no clauses. Clauses are kept as they were
// added, with duplicate literals and tautologies; see [Formula.Normalize].
//
// A Formula may be read by many goroutines while none changes it.
type Formula struct {
	vars   int
	blocks []block // all full but the last
	lits   int
}

// NewFormula returns a formula without clauses over vars variables.
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

// Size returns the number of literals in all clauses.
func (f *Formula) Size() int { return f.lits }

// Grow makes the formula range over at least vars variables. It panics if vars
// is negative or above [MaxVars].
func (f *Formula) Grow(vars int) {
	if vars < 0 || vars > MaxVars {
		panic(fmt.Sprintf("dimacs: %d variables", vars))
	}
	f.vars = max(f.vars, vars)
}

// Add appends a clause and grows the formula to its variables. The literals
// are copied. It panics on a literal of a variable above [MaxVars], and on a
// clause of about 2^32 literals.
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

// AddInts appends the clause of these DIMACS integers, as in AddInts(1, -2).
// It panics as [FromInt] does.
func (f *Formula) AddInts(ns ...int) { f.Add(Lits(ns...)...) }

// open returns the block that takes the next clause. When the last one is
// full, it gives its buffer to the next and keeps a copy of its size. It may
// be called only while no clause is open.
func (f *Formula) open() *block {
	n := len(f.blocks)
	if n == 0 {
		f.blocks = append(f.blocks, block{})
		return &f.blocks[0]
	}
	last := &f.blocks[n-1]
	if len(last.ends) < blockLen {
		if len(last.lits) >= pieceLen {
			last.cut()
		}
		return last
	}
	next := block{lits: last.lits[:0], ends: last.ends[:0]}
	last.lits, last.ends = slices.Clone(last.lits), slices.Clone(last.ends)
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

// compact gives back what the last block has room for but does not use.
func (f *Formula) compact() {
	if n := len(f.blocks); n > 0 {
		last := &f.blocks[n-1]
		last.lits, last.ends = slices.Clone(last.lits), slices.Clone(last.ends)
	}
}

// Clause returns clause i, 0 to Len()-1, in constant time. The slice is a view
// into the formula: it must not be changed, and may be overwritten by the next
// Add.
func (f *Formula) Clause(i int) []Lit {
	b := &f.blocks[i>>blockBits]
	i &= blockMask
	lits, first := b.lits, 0
	if len(b.pieces) > 0 {
		lits, first = b.find(i)
	}
	start := uint32(0)
	if i > first {
		start = b.ends[i-1]
	}
	return lits[start:b.ends[i]:b.ends[i]]
}

// Clauses iterates over the clauses and their indices. The slices are views
// into the formula: they must not be changed, and nothing may be added to f
// during the iteration.
func (f *Formula) Clauses() iter.Seq2[int, []Lit] {
	return func(yield func(int, []Lit) bool) {
		for n := range f.blocks {
			b := &f.blocks[n]
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
				if !yield(n<<blockBits+i, lits[start:end:end]) {
					return
				}
				start = end
			}
		}
	}
}

// Append adds all clauses of g, over the same variables. It panics if g is f.
func (f *Formula) Append(g *Formula) {
	if f == g {
		panic("dimacs: a formula appended to itself")
	}
	f.Grow(g.vars)
	for _, c := range g.Clauses() {
		f.Add(c...)
	}
}
