package sudoku

import "slices"

// A cage allows a digit if it is one of some different digits, as many as the
// cage has open cells, each a candidate of one of these, whose sum is what is
// left of the cage's.
//
// To know that takes two passes over the digits, with a set of sums for each
// number of digits, as bits: which sums so many of the first digits reach
// (forward), and from which sums the rest of the digits reaches the whole
// (backward). A digit is allowed if it leads from one of the first to one of the
// second. No set of digits is listed, so that large cages of large grids are no
// harder than those of a newspaper.

// cages is what Candidates keep of cages.
type cages struct {
	queued []bool // by cage: is among those to look at
	queue  []int  // cages of which a candidate was struck or placed

	// One call of next uses these.
	reached, wanted [][]uint64 // by number of digits passed: for each number taken, a set of sums
	digits          []int      // candidates of the open cells
}

// tooWide is the number of words beyond which a cage is not looked at before
// more of its cells have digits: some milliseconds' work.
const tooWide = 1 << 20

func newCages(r *Rules) *cages {
	return &cages{
		queued: make([]bool, len(r.variant.Cages)),
		queue:  make([]int, 0, len(r.variant.Cages)),
	}
}

func (k *cages) copyFrom(o *cages) {
	copy(k.queued, o.queued)
	k.queue = append(k.queue[:0], o.queue...)
}

// touch has a cage looked at again; cage may be -1.
func (k *cages) touch(cage int) {
	if cage >= 0 && !k.queued[cage] {
		k.queued[cage] = true
		k.queue = append(k.queue, cage)
	}
}

// next looks at a cage and reports whether there was one.
func (k *cages) next(c *Candidates) bool {
	if len(k.queue) == 0 {
		return false
	}
	cage := k.queue[len(k.queue)-1]
	k.queue = k.queue[:len(k.queue)-1]
	k.queued[cage] = false
	c.cage(&c.rules.variant.Cages[cage])
	return true
}

// Cage strikes what the sum of a cage excludes as things stand. It returns false
// at a contradiction. Singles does this for all cages; Cage is there to see the
// effect of one.
func (c *Candidates) Cage(cage int) bool {
	if !c.broken {
		c.cage(&c.rules.variant.Cages[cage])
	}
	return !c.broken
}

// cage strikes what the sum of a cage excludes.
func (c *Candidates) cage(cage *Cage) {
	k, open, sum := c.cages, 0, cage.Sum
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
	if open == 0 || c.rules.variant.Size*(open+1)*words > tooWide {
		return
	}
	k.digits = c.digitsOf(cage, k.digits[:0])
	k.reach(open, words)
	k.want(open, sum, words)
	for i, digit := range k.digits {
		if !k.allowed(i, open, words) {
			c.strikeIn(cage, digit)
		}
	}
	if len(k.digits) < open {
		c.fail()
	}
}

// digitsOf appends the candidates of the open cells of a cage, ascending.
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

// strikeIn strikes a digit in the open cells of a cage.
func (c *Candidates) strikeIn(cage *Cage, digit int) {
	n := c.rules.variant.Size
	for _, cell := range cage.Cells {
		if c.digits[cell] == 0 {
			c.Eliminate(cell*n + digit - 1)
		}
	}
}

// table returns cleared sets of sums for all numbers of digits passed.
func table(rows [][]uint64, count, words int) [][]uint64 {
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

// reach fills the table of sums that the first digits reach.
func (k *cages) reach(open, words int) {
	k.reached = table(k.reached, len(k.digits)+1, (open+1)*words)
	k.reached[0][0] = 1
	for i, digit := range k.digits {
		before, after := k.reached[i], k.reached[i+1]
		copy(after, before)
		for taken := range open {
			shiftUp(after[(taken+1)*words:(taken+2)*words], before[taken*words:(taken+1)*words], digit)
		}
	}
}

// want fills the table of sums from which the other digits reach the whole.
func (k *cages) want(open, sum, words int) {
	k.wanted = table(k.wanted, len(k.digits)+1, (open+1)*words)
	k.wanted[len(k.digits)][open*words+sum/64] = 1 << (sum % 64)
	for i := len(k.digits) - 1; i >= 0; i-- {
		before, after := k.wanted[i], k.wanted[i+1]
		copy(before, after)
		for taken := range open {
			shiftDown(before[taken*words:(taken+1)*words], after[(taken+1)*words:(taken+2)*words], k.digits[i])
		}
	}
}

// allowed reports whether the i-th digit leads from a sum that is reached before
// it to one that is wanted after it.
func (k *cages) allowed(i, open, words int) bool {
	for taken := range open {
		before := k.reached[i][taken*words : (taken+1)*words]
		after := k.wanted[i+1][(taken+1)*words : (taken+2)*words]
		for w := range after {
			if shifted(before, w, k.digits[i])&after[w] != 0 {
				return true
			}
		}
	}
	return false
}

// shifted returns word w of a set of which every number has grown by so many.
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

// shiftUp adds to dst the numbers of src, each grown by so many; what leaves the
// set is dropped.
func shiftUp(dst, src []uint64, by int) {
	for w := range dst {
		dst[w] |= shifted(src, w, by)
	}
}

// shiftDown adds to dst the numbers of src, each less by so many.
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
