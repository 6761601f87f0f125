package sudoku

import "math/bits"

// Locked candidates (pointing and claiming) are the next rule after singles,
// and the last one that is worth its time at every node of a search. If all
// places left for a digit in a house are peers of a cell outside the house, for
// example because they lie in a second house, the digit is eliminated from that
// cell.
//
// Only groups with few candidates left are processed, and only if the word of
// the group has changed since the last time. The common peers of all places are
// computed with word operations. On the hard list top1465 the rule reduces the
// dead ends per puzzle from 27.9 to 11.5 and the time by a quarter. On puzzles
// that singles nearly solve it saves nothing. Repeating the rule to a fixpoint
// before branching saves 2 % of the dead ends and costs more time than that.

// maxLocked is the largest number of places of a digit in a house that Locked
// processes.
const maxLocked = 16

// Locked eliminates locked candidates: a digit in a cell that is a peer of all
// places of the digit in some house. It processes each group once, and only
// groups whose candidates can all lie in a second house. It reports whether it
// eliminated any candidate. The caller continues with Singles, which reports a
// contradiction. On grids larger than 100x100 Locked does nothing.
func (c *Candidates) Locked() bool {
	l := c.layout
	if l.peers == nil || c.broken {
		return false
	}
	var due [MaxSize]uint8
	eliminated := false
	for h, cross := range l.cross {
		from := h * l.size
		groups := c.groups[l.cells+from : l.cells+from+l.size]
		seen := c.seen[from : from+l.size]
		for _, d := range due[:dueDigits(groups, seen, cross, &due)] {
			seen[d] = groups[d]
			if c.eliminateCommonPeers(h, int(d), groups[d]>>countShift) {
				eliminated = true
			}
		}
	}
	return eliminated
}

// dueDigits lists the digits of a house with at least two places left and no
// more than the limit most, if their groups have changed since they were last
// processed. It returns the number of these digits. The loop is free of
// branches because they would be unpredictable.
func dueDigits(groups, seen []uint32, most int32, due *[MaxSize]uint8) int {
	n := 0
	seen = seen[:len(groups)]
	for d, group := range groups {
		left, changed := int32(group>>countShift), int32(group^seen[d])
		no := (left - 2) | (most - left) | ^(changed | -changed) // negative unless the digit is due
		due[n%MaxSize] = uint8(d)
		n += int(uint32(^no) >> 31)
	}
	return n
}

// eliminateCommonPeers eliminates digit d+1 from the common peers of its places
// in a house. The argument left is the number of places. It reports whether any
// candidate was eliminated.
func (c *Candidates) eliminateCommonPeers(h, d int, left uint32) bool {
	l := c.layout
	var buf [maxLocked]uint32
	places := buf[:left]
	c.places(h, d, places)
	eliminated := false
	for w, common := range c.alive[d*l.words : (d+1)*l.words] {
		for _, cell := range places {
			common &= l.peers[int(cell)*l.words+w]
		}
		if common != 0 {
			c.eliminate(w, common, d)
			eliminated = true
		}
	}
	return eliminated
}

// places fills cells with the cells of a house that digit d+1 is possible in.
// It stops when cells is full.
func (c *Candidates) places(h, d int, cells []uint32) {
	l, n := c.layout, 0
	alive := c.alive[d*l.words : (d+1)*l.words]
	for _, s := range l.spans[l.firstSpan[h]:l.firstSpan[h+1]] {
		for set := alive[s.word] & s.cells; set != 0 && n < len(cells); set &= set - 1 {
			cells[n] = 64*s.word + uint32(bits.TrailingZeros64(set))
			n++
		}
	}
}
