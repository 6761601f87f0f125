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
const (
	blockBits = 14
	blockLen  = 1 << blockBits
	blockMask = blockLen - 1
)

// A block holds up to blockLen clauses: clause i ends before lits[ends[i]] and
// begins where the one before it ends.
type block struct {
	lits []Lit
	ends []uint32
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
// are copied. It panics on a literal of a variable above [MaxVars], and if a
// block of 16,384 clauses would exceed 2^32-1 literals.
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
// full, it gives its buffer to the next and keeps a copy of its size.
func (f *Formula) open() *block {
	n := len(f.blocks)
	if n == 0 {
		f.blocks = append(f.blocks, block{})
		return &f.blocks[0]
	}
	last := &f.blocks[n-1]
	if len(last.ends) < blockLen {
		return last
	}
	next := block{last.lits[:0], last.ends[:0]}
	last.lits, last.ends = slices.Clone(last.lits), slices.Clone(last.ends)
	f.blocks = append(f.blocks, next)
	return &f.blocks[n]
}

// close ends the clause whose literals were appended to b.
func (f *Formula) close(b *block) {
	if uint64(len(b.lits)) > math.MaxUint32 {
		panic("dimacs: a block of clauses exceeds 2^32-1 literals")
	}
	start := uint32(0)
	if n := len(b.ends); n > 0 {
		start = b.ends[n-1]
	}
	b.ends = append(b.ends, uint32(len(b.lits)))
	f.lits += len(b.lits) - int(start)
}

// compact gives back what the last block has room for but does not use.
func (f *Formula) compact() {
	if n := len(f.blocks); n > 0 {
		last := &f.blocks[n-1]
		last.lits, last.ends = slices.Clone(last.lits), slices.Clone(last.ends)
	}
}

// Clause returns clause i, 0 to Len()-1, in constant time. The slice is a view
// into the formula: it must not be changed.
func (f *Formula) Clause(i int) []Lit {
	b := &f.blocks[i>>blockBits]
	i &= blockMask
	start := uint32(0)
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.lits[start:b.ends[i]:b.ends[i]]
}

// Clauses iterates over the clauses and their indices. The slices are views
// into the formula: they must not be changed.
func (f *Formula) Clauses() iter.Seq2[int, []Lit] {
	return func(yield func(int, []Lit) bool) {
		for n := range f.blocks {
			b := &f.blocks[n]
			start := uint32(0)
			for i, end := range b.ends {
				if !yield(n<<blockBits+i, b.lits[start:end:end]) {
					return
				}
				start = end
			}
		}
	}
}

// Append adds all clauses of g, over the same variables.
func (f *Formula) Append(g *Formula) {
	f.Grow(g.vars)
	for _, c := range g.Clauses() {
		f.Add(c...)
	}
}
