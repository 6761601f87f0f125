package bands

import "math/bits"

// Triads. The three digits of a minirow, or of a minicolumn, are a triad. Two rules follow
// from its size, the locked triples of handbooks:
//
//   - If a minirow has candidates of three digits only, each of the three is there: it is
//     removed from the other minirows of the row. With fewer digits there is a
//     contradiction.
//   - If three digits are certain in a minirow, because each has no other minirow in the
//     row, all other digits are removed from the minirow. Four are a contradiction.
//
// The permutation tables then remove the digits from the rest of the box. Carry-save adders
// count the digits of all 27 minirows at once, and those of all 27 minicolumns.
//
// The search also branches on triads, as Dillon's solver tdoku does: it takes the band, or
// the three boxes one above the other, with the fewest pairs of a digit and a minirow, and
// there the digit with the fewest minirows that is not determined. One branch has the digit
// in one of its minirows, and the other branch excludes this minirow. A minirow is three
// cells, so both branches learn more than from one candidate.
//
// Branches for each puzzle, and CPU time of the command relative to the first row (17
// clues as in candidates.go; hard are symmetric copies of fifteen puzzles that were the
// hardest of their time):
//
//	17 clues    top1465     hard
//	0.85 1.00   18.5 1.00   165 1.00   cells with two candidates, no rule of triads
//	0.63 1.00   13.2 0.86   139 0.94   cells with two candidates
//	0.43 1.00    8.8 0.76    80 0.73   as it is
//
// Tried, for puzzles with many solutions: the digit with the most minirows, where all areas have
// 16 pairs or more above the least number (0.94 of the branches, but 1.08 with 17 clues), and the
// area with the most pairs as well (0.88, but 26 times as many).

const (
	eachMinirow = 0o111111111 // the first cell of each minirow
	firstBox    = 7 * eachRow // the cells of the first box of a band
)

// triads applies both rules to all minirows and minicolumns of propagated candidates. It
// returns the digits that change, and false for a contradiction.
func (c *candidates) triads() (changed uint32, ok bool) {
	var certain [9]uint32
	for d, m := range &c.minirows {
		certain[d] = m &^ otherMinirows(m)
	}
	c.inRows = countDigits(&c.minirows)
	naked, hidden, ok := nakedAndHidden(&c.inRows, &certain)
	if !ok {
		return 0, false
	}
	if naked|hidden != 0 {
		for d, m := range &c.minirows {
			open := m &^ certain[d]
			if out := hidden&open | m&otherMinirows(naked&open); out != 0 {
				c.cells[d][0] &^= out & eachMinirow * 7
				c.cells[d][1] &^= out >> 1 & eachMinirow * 7
				c.cells[d][2] &^= out >> 2 & eachMinirow * 7
				changed |= 1 << d
			}
		}
	}
	for d, m := range &c.minicolumns {
		certain[d] = m &^ otherMinicolumns(m)
	}
	c.inColumns = countDigits(&c.minicolumns)
	if naked, hidden, ok = nakedAndHidden(&c.inColumns, &certain); !ok {
		return 0, false
	}
	if naked|hidden != 0 {
		for d, m := range &c.minicolumns {
			open := m &^ certain[d]
			if out := hidden&open | m&otherMinicolumns(naked&open); out != 0 {
				c.cells[d][0] &^= out & rowBits * eachRow
				c.cells[d][1] &^= out >> 9 & rowBits * eachRow
				c.cells[d][2] &^= out >> 18 & rowBits * eachRow
				changed |= 1 << d
			}
		}
	}
	return changed, true
}

// numbers are 27 numbers of digits: bit i of word k is bit k of number i.
type numbers [4]uint32

// countDigits returns the number of digits of each triad, by a tree of adders.
func countDigits(digits *[9]uint32) numbers {
	a, twosA := add(digits[0], digits[1], digits[2])
	b, twosB := add(digits[3], digits[4], digits[5])
	c, twosC := add(digits[6], digits[7], digits[8])
	ones, twosD := add(a, b, c)
	twos, fours := add(twosA, twosB, twosC)
	more := twos & twosD
	return numbers{ones, twos ^ twosD, fours ^ more, fours & more}
}

// add adds three bits in each place.
func add(a, b, c uint32) (sum, carry uint32) { return a ^ b ^ c, a&b | (a^b)&c }

// nakedAndHidden returns the triads to which the rules apply: naked are those with three possible
// digits that are not all certain, hidden those with three certain digits and more possible
// ones. It reports false for a contradiction.
func nakedAndHidden(possible *numbers, certain *[9]uint32) (naked, hidden uint32, ok bool) {
	sure := countDigits(certain)
	three, four := possible[0]&possible[1], possible[2]|possible[3]
	sure3 := sure[0] & sure[1]
	return three &^ four &^ sure3, sure3 & four, three|four == allCells && sure[2]|sure[3] == 0
}

// otherMinirows returns the other minirows in the rows of minirows.
func otherMinirows(m uint32) uint32 {
	return m<<3&(firstBox<<3|firstBox<<6) | m<<6&(firstBox<<6) | m>>3&(firstBox|firstBox<<3) | m>>6&firstBox
}

// otherMinicolumns returns the other minicolumns in the columns of minicolumns.
func otherMinicolumns(m uint32) uint32 { return (m<<9 | m<<18 | m>>9 | m>>18) & allCells }

// A place is a digit in some cells of a box: a cell, a minirow or a minicolumn.
type place struct {
	digit, band int
	cells       uint32
}

// choose returns the minirow or minicolumn to branch on. The candidates must be propagated
// and not solved: then some digit is not determined in a band or in boxes one above the
// other. The least numbers are found without branches, since these cannot be predicted.
func (c *candidates) choose() place {
	least := ^uint32(0)
	for i := range uint32(numBands) {
		least = min(least, excess(&c.inRows, eachMinirow<<i)<<3|i<<1, excess(&c.inColumns, eachStack<<(3*i))<<3|i<<1|1)
	}
	k := least >> 1 & 3
	triads, area := &c.minirows, uint32(eachMinirow)<<k
	if least&1 != 0 {
		triads, area = &c.minicolumns, eachStack<<(3*k)
	}
	least = ^uint32(0)
	for d, m := range triads {
		least = min(least, uint32(bits.OnesCount32(m&area)-4)<<4|uint32(d)) // with three it is determined
	}
	digit := int(least & 15)
	open := triads[digit] & area
	if triads == &c.minicolumns {
		i := bits.TrailingZeros32(open & otherMinicolumns(open))
		return place{digit, i / 9, eachRow << (i % 9)}
	}
	i := bits.TrailingZeros32(open & otherMinirows(open))
	return place{digit, i % 3, 7 << (i - i%3)}
}

// excess returns the number of pairs of a digit and a triad of an area, less 28: a large
// number if each digit is determined, which takes 27.
func excess(n *numbers, area uint32) uint32 {
	return uint32(bits.OnesCount32(n[0]&area) + 2*bits.OnesCount32(n[1]&area) + 4*bits.OnesCount32(n[2]&area) + 8*bits.OnesCount32(n[3]&area) - 28)
}
