package proof

import "sator/dimacs"

// The clauses of a hintChecker are in blocks. So more of them need no copy of the others, and a
// compaction needs memory for one more block only.
//
// A reference is the number of a block and the position of the clause in it. A clause begins with a
// word for its index and a word for its size. The literals follow, up to a multiple of four
// with a literal that is false and of no clause: then nearly all clauses take one round of
// the loop that visits them (propagate). A clause does not extend over several blocks. A longer one has a
// block of its own, of its size, and the numbers of as many blocks as it needs. The first blocks are
// smaller, for checkers of small proofs.

const (
	arenaBits  = 16
	arenaBlock = 1 << arenaBits // words
	arenaMask  = arenaBlock - 1

	falseLiteral = 0
)

// clauseWords returns the number of words that a clause of n literals takes.
func clauseWords(n int) int { return 2 + (n+3)&^3 }

// An arena holds clauses. The zero arena has none.
type arena struct {
	blocks [][]uint32 // nil for the numbers that a long clause needs besides its own
	words  int        // in all blocks
	latest uint32     // the latest clause
	spare  []uint32   // an empty block for the next clauses, or nil
	limit  dimacs.MemoryLimit
}

// at returns the words from ref on.
func (a *arena) at(ref uint32) []uint32 { return a.blocks[ref>>arenaBits][ref&arenaMask:] }

// clause returns the literals of the clause at ref.
func (a *arena) clause(ref uint32) []uint32 {
	d := a.at(ref)
	n := d[1] &^ groupFlag
	return d[2:][:n:n]
}

// size returns the number of words that the clause at ref takes.
func (a *arena) size(ref uint32) int { return clauseWords(int(a.at(ref)[1] &^ groupFlag)) }

// fits reports whether there are references for one more clause of n literals.
func (a *arena) fits(n int) bool {
	return uint64(n) < groupFlag && len(a.blocks)+1+clauseWords(n)>>arenaBits <= 1<<(32-arenaBits)
}

// alloc appends a clause of n literals, without its index and its literals. The clause must fit.
func (a *arena) alloc(n int) (ref uint32, c []uint32) {
	words := clauseWords(n)
	last := len(a.blocks) - 1
	if last < 0 || len(a.blocks[last])+words > cap(a.blocks[last]) {
		last = a.extend(words)
	}
	b := &a.blocks[last]
	at := len(*b)
	*b = (*b)[:at+words]
	a.words += words
	c = (*b)[at:]
	c[1] = uint32(n)
	for i := 2 + n; i < words; i++ {
		c[i] = falseLiteral
	}
	a.latest = uint32(last<<arenaBits + at)
	return a.latest, c
}

// extend appends an empty block with room for a clause, and returns its number.
func (a *arena) extend(words int) int {
	last := len(a.blocks)
	size := max(min(max(a.words, arenaBlock>>8), arenaBlock), words+firstRef)
	if size > cap(a.spare) {
		a.limit.Require(4 * int64(size))
		a.spare = make([]uint32, 0, size)
	}
	a.blocks, a.spare = append(a.blocks, a.spare), nil
	if last == 0 {
		a.blocks[0] = a.blocks[0][:firstRef] // smaller references have another meaning
	}
	for range (size - 1) >> arenaBits {
		a.blocks = append(a.blocks, nil)
	}
	return last
}

// next returns the reference of the first clause at ref or after it, or 0 if there is none. A clause
// must end before ref.
func (a *arena) next(ref uint32) uint32 {
	for n := int(ref >> arenaBits); n < len(a.blocks); n++ {
		if int(ref&arenaMask) < len(a.blocks[n]) {
			return ref
		}
		ref = uint32(n+1) << arenaBits
	}
	return 0
}
