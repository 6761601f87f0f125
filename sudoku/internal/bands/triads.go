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
// count the digits of all 54 triads at once.
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
	eachMinirow = 0o111111111     // the first cell of each minirow
	firstBox    = 7 * eachRow     // the cells of the first box of a band
	allTriads   = allCells * both // the minirows, and the minicolumns
)

// triads applies both rules to all minirows and minicolumns of propagated candidates. It
// returns the digits that change, and false for a contradiction.
func (c *candidates) triads() (changed uint32, ok bool) {
	var certain [9]uint64
	for d, m := range &c.triadsOf {
		certain[d] = m &^ others(m)
	}
	c.possible = countDigits(&c.triadsOf)
	sure := countDigits(&certain)
	three, four := c.possible[0]&c.possible[1], c.possible[2]|c.possible[3]
	if three|four != allTriads || sure[2]|sure[3] != 0 {
		return 0, false
	}
	// Naked are triads of three possible digits that are not all certain, hidden those with three certain digits and
	// more possible ones.
	sure3 := sure[0] & sure[1]
	naked, hidden := three&^four&^sure3, sure3&four
	if naked|hidden == 0 {
		return 0, true
	}
	for d, m := range &c.triadsOf {
		open := m &^ certain[d]
		out := hidden&open | m&others(naked&open)
		for rest := out; rest != 0; rest &= rest - 1 {
			c.exclude(placeOf(d, bits.TrailingZeros64(rest)))
			changed |= 1 << d
		}
	}
	return changed, true
}

// numbers are 54 numbers of digits: bit i of word k is bit k of number i.
type numbers [4]uint64

// countDigits returns the number of digits of each triad, by a tree of adders.
func countDigits(digits *[9]uint64) numbers {
	a, twosA := add(digits[0], digits[1], digits[2])
	b, twosB := add(digits[3], digits[4], digits[5])
	c, twosC := add(digits[6], digits[7], digits[8])
	ones, twosD := add(a, b, c)
	twos, fours := add(twosA, twosB, twosC)
	more := twos & twosD
	return numbers{ones, twos ^ twosD, fours ^ more, fours & more}
}

// add adds three bits in each place.
func add(a, b, c uint64) (sum, carry uint64) { return a ^ b ^ c, a&b | (a^b)&c }

// others returns the other triads in the lines of triads.
func others(m uint64) uint64 {
	const first, second, third = firstBox * both, firstBox << 3 * both, firstBox << 6 * both
	return m<<3&(second|third) | m<<6&third | m>>3&(first|second) | m>>6&first
}

// A place is a digit in some cells of a box: a cell, a minirow or a minicolumn.
type place struct {
	digit, word int
	cells       uint64
}

// choose returns the minirow or minicolumn to branch on. The candidates must be propagated
// and not solved: then some digit is not determined in a band or in boxes one above the
// other. The least numbers are found without branches, since these cannot be predicted.
func (c *candidates) choose() place {
	least := ^uint32(0)
	for i := range uint32(3) {
		least = min(least, c.excess(i)<<6|i, c.excess(i+32)<<6|(i+32))
	}
	area := uint64(eachMinirow) << (least & 63)
	least = ^uint32(0)
	for d, m := range &c.triadsOf {
		least = min(least, uint32(bits.OnesCount64(m&area)-4)<<4|uint32(d)) // with three it is determined
	}
	digit := int(least & 15)
	open := c.triadsOf[digit] & area
	return placeOf(digit, bits.TrailingZeros64(open&others(open)))
}

// excess returns the number of pairs of a digit and a triad of an area, less 28: a large number if
// each digit is determined, which takes 27. The area begins at a bit: 0 to 2 for the bands, 32 to 34 for three
// boxes one above the other. A bit of weight 2, 4 or 8 is written as many times, since two bits
// are free beside each triad, and a number from 8 on has no other bits but the last.
func (c *candidates) excess(first uint32) uint32 {
	n := &c.possible
	eight := n[3] >> first & eachMinirow
	two, four := n[1]>>first&eachMinirow|eight, n[2]>>first&eachMinirow|eight
	return uint32(bits.OnesCount64(n[0]>>first&eachMinirow|two*6|four*7<<32) + bits.OnesCount64(four|eight*6) - 28)
}

// placeOf returns the place of a digit in a triad.
func placeOf(digit, triad int) place {
	if band := triad % 3; triad < 32 {
		return place{digit, band / 2, 7 << (triad - band + 32*(band%2))}
	}
	line, band, box := (triad-32)/9, (triad-32)/3%3, (triad-32)%3
	return place{digit, band / 2, eachRow << (3*box + line + 32*(band%2))}
}
