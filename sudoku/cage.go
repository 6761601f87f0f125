package sudoku

import "slices"

// Cage sums. In a cage a digit is possible if some set of different digits
// contains it, has as many digits as the cage has open cells, consists of
// candidates of these cells, and has the remaining sum of the cage. The check
// does not test whether the digits of such a set can be assigned to the cells.
//
// The check is dynamic programming over the digits, in two passes. For each
// number of digits taken it stores a bit set of sums. The forward pass computes
// which sums can be reached with that many of the first digits; the backward
// pass computes from which sums the remaining digits can reach the total. A
// digit is possible if it connects an entry of the first table with an entry of
// the second. The sets of digits are never enumerated, so large cages of large
// grids cost no more than the small cages of newspaper puzzles.

// relations is the state of the propagation of cages and, with the numbers after them, of
// diagrams.
type relations struct {
	queued []bool // by number: it is in queue
	queue  []int  // those with a cell in which a candidate was eliminated or placed

	// forward and backward are the tables of propagateCage. By number of digits
	// processed, they contain a bit set of sums for each number of digits
	// taken.
	forward, backward [][]uint64
	digits            []int // candidates of the open cells of the cage, for propagateCage

	filter   *RelationFilter
	excluded []int // scratch of propagateRelation
}

// maxCageWords limits the size of a table in words. Filling a table of this
// size takes some milliseconds. Larger cages are propagated when more of their
// cells have digits.
const maxCageWords = 1 << 20

func newRelations(r *Rules) *relations {
	n := len(r.variant.Cages) + len(r.diagrams)
	return &relations{queued: make([]bool, n), queue: make([]int, 0, n), filter: NewRelationFilter(r)}
}

func (k *relations) copyFrom(o *relations) {
	copy(k.queued, o.queued)
	k.queue = append(k.queue[:0], o.queue...)
}

// enqueue adds relations to the queue.
func (k *relations) enqueue(numbers []int) {
	for _, i := range numbers {
		if !k.queued[i] {
			k.queued[i] = true
			k.queue = append(k.queue, i)
		}
	}
}

// propagateNext propagates a queued relation. It returns false if the queue is empty.
func (k *relations) propagateNext(c *Candidates) bool {
	if len(k.queue) == 0 {
		return false
	}
	i := k.queue[len(k.queue)-1]
	k.queue = k.queue[:len(k.queue)-1]
	k.queued[i] = false
	c.propagateRelation(i)
	return true
}

// Relation eliminates the candidates that a cage or, with a number after those of the cages, one of
// [Rules.Relations] excludes at the moment. It returns false at a contradiction. Singles does this for
// all; Relation does it for a single one, for programs that show its effect.
func (c *Candidates) Relation(i int) bool {
	if !c.broken {
		c.propagateRelation(i)
	}
	return !c.broken
}

func (c *Candidates) propagateRelation(i int) {
	cages := c.rules.variant.Cages
	if i < len(cages) {
		c.propagateCage(&cages[i])
		return
	}
	excluded, possible := c.relations.filter.Excluded(i-len(cages), c.Has, c.relations.excluded[:0])
	if !possible {
		c.fail()
		return
	}
	for _, candidate := range excluded {
		c.Eliminate(candidate)
	}
	c.relations.excluded = excluded
}

// propagateCage eliminates the candidates that the sum of a cage excludes.
func (c *Candidates) propagateCage(cage *Cage) {
	k, open, sum := c.relations, 0, cage.Sum
	for _, cell := range cage.Cells {
		if digit := int(c.digits[cell]); digit != 0 {
			sum -= digit
		} else {
			open++
		}
	}
	if sum < 0 || open == 0 && sum != 0 {
		c.fail()
		return
	}
	words := sum/64 + 1
	if open == 0 || c.rules.variant.Size*(open+1)*words > maxCageWords {
		return
	}
	k.digits = c.digitsOf(cage, k.digits[:0])
	k.fillForward(open, words)
	k.fillBackward(open, sum, words)
	for i, digit := range k.digits {
		if !k.allowed(i, open, words) {
			c.eliminateFromCage(cage, digit)
		}
	}
	if len(k.digits) < open {
		c.fail()
	}
}

// digitsOf appends the digits that are candidates of an open cell of the cage,
// ascending.
func (c *Candidates) digitsOf(cage *Cage, digits []int) []int {
	n := c.rules.variant.Size
	for digit := 1; digit <= n; digit++ {
		if slices.ContainsFunc(cage.Cells, func(cell int) bool {
			return c.digits[cell] == 0 && c.Has(cell*n+digit-1)
		}) {
			digits = append(digits, digit)
		}
	}
	return digits
}

// eliminateFromCage eliminates a digit from the open cells of a cage.
func (c *Candidates) eliminateFromCage(cage *Cage, digit int) {
	n := c.rules.variant.Size
	for _, cell := range cage.Cells {
		if c.digits[cell] == 0 {
			c.Eliminate(cell*n + digit - 1)
		}
	}
}

// clearedTable returns count cleared rows of the given number of words. It
// reuses rows.
func clearedTable(rows [][]uint64, count, words int) [][]uint64 {
	for len(rows) < count {
		rows = append(rows, nil)
	}
	for i, row := range rows[:count] {
		if cap(row) < words {
			row = make([]uint64, words)
		}
		rows[i] = row[:words]
		clear(rows[i])
	}
	return rows
}

// fillForward computes the sums that can be reached with the first digits.
func (k *relations) fillForward(open, words int) {
	k.forward = clearedTable(k.forward, len(k.digits)+1, (open+1)*words)
	k.forward[0][0] = 1
	for i, digit := range k.digits {
		before, after := k.forward[i], k.forward[i+1]
		copy(after, before)
		for taken := range open {
			shiftUp(after[(taken+1)*words:(taken+2)*words], before[taken*words:(taken+1)*words], digit)
		}
	}
}

// fillBackward computes the sums from which the remaining digits reach the
// total.
func (k *relations) fillBackward(open, sum, words int) {
	k.backward = clearedTable(k.backward, len(k.digits)+1, (open+1)*words)
	k.backward[len(k.digits)][open*words+sum/64] = 1 << (sum % 64)
	for i := len(k.digits) - 1; i >= 0; i-- {
		before, after := k.backward[i], k.backward[i+1]
		copy(before, after)
		for taken := range open {
			shiftDown(before[taken*words:(taken+1)*words], after[(taken+1)*words:(taken+2)*words], k.digits[i])
		}
	}
}

// allowed reports whether the i-th digit leads from a sum in the forward table
// to a sum in the backward table.
func (k *relations) allowed(i, open, words int) bool {
	for taken := range open {
		before := k.forward[i][taken*words : (taken+1)*words]
		after := k.backward[i+1][(taken+1)*words : (taken+2)*words]
		for w := range after {
			if shifted(before, w, k.digits[i])&after[w] != 0 {
				return true
			}
		}
	}
	return false
}

// shifted returns word w of a bit set after all its numbers are increased by
// the given amount.
func shifted(set []uint64, w, by int) uint64 {
	w -= by / 64
	var word uint64
	if w >= 0 {
		word = set[w] << (by % 64)
	}
	if w >= 1 && by%64 != 0 {
		word |= set[w-1] >> (64 - by%64)
	}
	return word
}

// shiftUp adds to dst the numbers of src increased by the given amount. It
// drops numbers that are too large for dst.
func shiftUp(dst, src []uint64, by int) {
	for w := range dst {
		dst[w] |= shifted(src, w, by)
	}
}

// shiftDown adds to dst the numbers of src decreased by the given amount.
func shiftDown(dst, src []uint64, by int) {
	for w := range dst {
		from := w + by/64
		if from < len(src) {
			dst[w] |= src[from] >> (by % 64)
		}
		if from+1 < len(src) && by%64 != 0 {
			dst[w] |= src[from+1] << (64 - by%64)
		}
	}
}
