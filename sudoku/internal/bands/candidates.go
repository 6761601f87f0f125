package bands

import (
	"math/bits"

	"sator/sudoku"
)

// Candidates as bits. A band is three rows. The 27 cells of a band are the bits of a word,
// so that 27 words hold the candidates of a grid, a word for each digit and band:
//
//	bit   0  1  2 |  3  4  5 |  6  7  8    row 0 of the band
//	      9 10 11 | 12 13 14 | 15 16 17    row 1
//	     18 19 20 | 21 22 23 | 24 25 26    row 2
//
// The three cells that a row and a box have in common are a minirow; the three cells of a
// column in a band are a minicolumn.
//
// Propagation repeats two parts until nothing changes.
//
// For a digit, alone:
//
//   - In a band the digit is in three minirows, one of each row and of each box: the six
//     permutations of three things. A minirow outside of all permutations that are still
//     possible cannot have the digit. Nine bits, one for each minirow with a candidate, are
//     the index of a table of the cells that remain. So one look at the table applies all
//     rules of rows and boxes of the band: locked candidates (pointing and claiming), and
//     the pairs of minirows that two boxes share.
//   - In three boxes one above the other the digit is in three minicolumns, again in one of
//     six permutations. A second table has the cells that remain.
//   - When neither changes anything, each hidden single of the digit, in a row, a column or
//     a box, is alone in its row: if a cell is the only candidate in its box, the
//     permutations leave no other minirow of its row, and likewise for columns. So only
//     rows are examined. A single cell is fixed: all other digits lose it.
//
// For all digits of a band together:
//
//   - A carry-save adder counts the candidates of all 27 cells at once, as zero, one or
//     more. A cell without candidates is a contradiction. A cell with one is a naked
//     single: it becomes the only candidate of its digit in its box.
//   - When nothing else changes, the rule of triads follows (triads.go).
//
// The propagation of a digit includes all of its peers: a fixed cell leaves one
// permutation in its row and column.
//
// What was measured: CPU time of the command relative to the time before a change, for
// 17 clues (8000 puzzles of Royle's list), minimal puzzles and puzzles of 33 givens.
//
//	0.86  0.89  0.86   givens are fixed as they are loaded
//	0.96  0.95  0.96   the index of the first table is computed without another table
//	0.96  0.95  0.92   the cells of all three bands are fixed at once
//	0.97  0.97  0.98   fix has no loop
//
// Tried: fixing a cell with a branch for each digit (a third slower), both tables until
// both change nothing without a look between them (1.05), one count for all bands (1.01).
//
// Bands of columns are not stored. A transposed copy would make the second table as simple
// as the first, but each change would have to be made twice.

const (
	rowBits   = 1<<9 - 1         // a row, or the minirows or columns of a band
	allCells  = 1<<27 - 1        // of a band
	allDigits = 1<<9 - 1         // as bits
	eachRow   = 1 | 1<<9 | 1<<18 // the first cell of each row
	eachStack = 7 * eachRow      // the first three bits of each row
	numBands  = 3
)

// boxesOf has for nine columns of a band the cells of their boxes.
var boxesOf [1 << 9]uint32

// cellsOf has for nine minirows of a band, three bits for each box, the cells of the
// permutations that consist of these minirows. It is 0 if there is no permutation.
var cellsOf [1 << 9]uint32

// columnsOf has for nine minicolumns of three boxes one above the other, three bits for
// each band, the minicolumns of the permutations that consist of these. It has nine bits
// for each band and uses three. It is 0 if there is no permutation.
var columnsOf [1 << 9]uint32

func init() {
	for set := range uint32(1 << 9) {
		for i := range 3 {
			if set>>(3*i)&7 != 0 {
				boxesOf[set] |= firstBox << (3 * i)
			}
		}
		for _, p := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if needed := uint32(1<<p[0] | 8<<p[1] | 64<<p[2]); set&needed != needed {
				continue
			}
			for i := range 3 {
				cellsOf[set] |= 7 << (3*i + 9*p[i])
				columnsOf[set] |= 1 << (9*i + p[i])
			}
		}
	}
}

// candidates are the candidates of a grid.
type candidates struct {
	cells [9][numBands]uint32 // by digit, from 0, and band
	fixed [numBands]uint32    // by band: cells with one candidate, removed from all other digits

	// By digit: the minirows and minicolumns with a candidate, when the digit was propagated
	// last. A minirow has the bit of its first cell, shifted by the number of its band; a
	// minicolumn of column i has bit i of the nine bits of its band.
	minirows, minicolumns [9]uint32

	// The numbers of possible digits of minirows and minicolumns, when the rule of triads was
	// applied last.
	inRows, inColumns numbers
}

// load sets the candidates to those of a puzzle, and removes the digit of each given from
// its box. It reports false if a given is no digit or its mark excludes it. Two equal givens
// in a house are not looked for: the search finds no solution, since each digit takes a cell
// of each house. No branch depends on a cell, since such branches cannot be predicted.
func (c *candidates) load(g *sudoku.Grid) bool {
	for d := range c.cells {
		c.cells[d] = [numBands]uint32{allCells, allCells, allCells}
	}
	for i, possible := range g.Marks {
		if !possible {
			cell := i / 9
			c.exclude(place{i % 9, cell / 27, 1 << (cell % 27)})
		}
	}
	var givens [16][numBands]uint32 // by digit; 0 is no given
	all := 0
	for b := range numBands {
		for i, digit := range (*[27]int)(g.Cells[27*b:]) {
			givens[digit&15][b] |= 1 << i
			all |= digit | (digit + 6) // from 10 on, 16 or more
		}
		c.fixed[b] = allCells &^ givens[0][b]
	}
	var wrong uint32
	for d := range c.cells {
		for b, cells := range &givens[d+1] {
			wrong |= cells &^ c.cells[d][b]
			boxes := boxesOf[(cells|cells>>9|cells>>18)&rowBits]
			c.cells[d][b] = c.cells[d][b]&^(boxes|c.fixed[b]) | cells
		}
	}
	return wrong == 0 && all>>4 == 0
}

// assign removes a digit from the other cells of a box.
func (c *candidates) assign(at place) {
	box := uint32(firstBox)
	for box&at.cells == 0 {
		box <<= 3
	}
	c.cells[at.digit][at.band] &^= box &^ at.cells
}

// exclude removes a digit from cells.
func (c *candidates) exclude(at place) { c.cells[at.digit][at.band] &^= at.cells }

// solved reports whether each cell is fixed.
func (c *candidates) solved() bool { return c.fixed[0]&c.fixed[1]&c.fixed[2] == allCells }

// open returns the number of cells that are not fixed. When nothing is left to propagate, each
// such cell has another in its row, column and box, and each of its candidates another place
// there. So there are not 1, 2, 3 or 5. Four are two rows that cross two columns, with two
// candidates; six are two rows and three columns, or the reverse, or a ring through three rows
// and three columns. All have two solutions: a candidate in one cell determines the others.
func (c *candidates) open() int {
	return 81 - bits.OnesCount32(c.fixed[0]) - bits.OnesCount32(c.fixed[1]) - bits.OnesCount32(c.fixed[2])
}

// digits writes the digits of a solved grid.
func (c *candidates) digits(to []int) {
	for d := range c.cells {
		for b, cells := range c.cells[d] {
			for ; cells != 0; cells &= cells - 1 {
				to[27*b+bits.TrailingZeros32(cells)] = d + 1
			}
		}
	}
}

// propagate propagates the changed digits. It reports false for a contradiction. It is one
// loop for speed.
func (c *candidates) propagate(changed uint32) bool {
	for {
		for changed != 0 {
			d := bits.TrailingZeros32(changed)
			changed &= changed - 1
			if !c.permute(d) {
				return false
			}
			at := &c.cells[d]
			x, y, z := singles(at[0])&^c.fixed[0], singles(at[1])&^c.fixed[1], singles(at[2])&^c.fixed[2]
			if x|y|z != 0 {
				changed |= c.fix(d, x, y, z)
			}
		}
		for b := range c.fixed {
			if c.fixed[b] == allCells {
				continue
			}
			one, two := c.counts(b)
			if one != allCells {
				return false
			}
			if cells := one &^ two &^ c.fixed[b]; cells != 0 {
				changed |= c.assignNaked(b, cells)
			}
		}
		if changed == 0 {
			if c.solved() {
				return true
			}
			var ok bool
			if changed, ok = c.triads(); !ok || changed == 0 {
				return ok
			}
		}
	}
}

// permute applies both tables to a digit until nothing changes. It reports false if a
// band or three boxes one above the other have no permutation.
func (c *candidates) permute(d int) bool {
	at := &c.cells[d]
	var p uint32
	x, y, z := at[0]&rows(at[0]), at[1]&rows(at[1]), at[2]&rows(at[2])
	for {
		x0, y0, z0 := x, y, z
		// The minicolumns with a candidate: nine bits for each band, three for each box.
		p = (x|x>>9|x>>18)&rowBits | (y|y>>9|y>>18)&rowBits<<9 | (z|z>>9|z>>18)&rowBits<<18
		left, middle, right := columns(p&eachStack), columns(p>>3&eachStack), columns(p>>6&eachStack)
		if left == 0 || middle == 0 || right == 0 {
			return false
		}
		p = left | middle<<3 | right<<6
		x &= p & rowBits * eachRow
		y &= p >> 9 & rowBits * eachRow
		z &= p >> 18 & rowBits * eachRow
		if (x^x0)|(y^y0)|(z^z0) == 0 {
			break
		}
		x0, y0, z0 = x, y, z
		x, y, z = x&rows(x), y&rows(y), z&rows(z)
		if (x^x0)|(y^y0)|(z^z0) == 0 {
			break
		}
	}
	at[0], at[1], at[2] = x, y, z
	c.minicolumns[d] = p
	c.minirows[d] = (x|x>>1|x>>2)&eachMinirow | (y|y>>1|y>>2)&eachMinirow<<1 | (z|z>>1|z>>2)&eachMinirow<<2
	return true
}

// rows returns the cells of a band that the first table leaves.
func rows(cells uint32) uint32 {
	m := (cells | cells>>1 | cells>>2) & eachMinirow
	return cellsOf[(m|m>>8|m>>16)&rowBits] // the minirows of a row are three bits apart
}

// columns returns the minicolumns that the second table leaves, of three boxes one above
// the other. Both have three bits in the nine bits of each band.
func columns(p uint32) uint32 { return columnsOf[(p|p>>6|p>>12)&rowBits] }

// singles returns the cells that are alone in their row. Each row has a cell.
func singles(cells uint32) uint32 {
	more := cells & (cells - eachRow) // without the first cell of each row
	return cells & (ifZero(more&rowBits)&rowBits | ifZero(more&(rowBits<<9))&(rowBits<<9) | ifZero(more&(rowBits<<18))&(rowBits<<18))
}

// ifZero returns all bits for 0, and 0 for other numbers up to 1<<31.
func ifZero(n uint32) uint32 { return uint32(int32(n-1) >> 31) }

// fix removes the cells that are new singles of a digit from all other digits. It returns
// the digits that change. It is written without a loop and without branches that depend
// on a cell.
func (c *candidates) fix(d int, x, y, z uint32) (changed uint32) {
	at := &c.cells
	own := at[d]
	changed = remove(&at[0], x, y, z) | remove(&at[1], x, y, z)<<1 | remove(&at[2], x, y, z)<<2 |
		remove(&at[3], x, y, z)<<3 | remove(&at[4], x, y, z)<<4 | remove(&at[5], x, y, z)<<5 |
		remove(&at[6], x, y, z)<<6 | remove(&at[7], x, y, z)<<7 | remove(&at[8], x, y, z)<<8
	at[d] = own
	c.fixed[0] |= x
	c.fixed[1] |= y
	c.fixed[2] |= z
	return changed &^ (1 << d)
}

// remove removes cells of the three bands. It returns 1 if there were some, else 0.
func remove(from *[numBands]uint32, x, y, z uint32) uint32 {
	a, b, c := from[0], from[1], from[2]
	from[0], from[1], from[2] = a&^x, b&^y, c&^z
	return isNonzero(a&x | b&y | c&z)
}

// isNonzero returns 0 for 0, and 1 for other numbers below 1<<31.
func isNonzero(n uint32) uint32 { return -n >> 31 }

// counts returns the cells of a band with at least one and two candidates.
func (c *candidates) counts(b int) (one, two uint32) {
	for d := range c.cells {
		cells := c.cells[d][b]
		two |= one & cells
		one |= cells
	}
	return one, two
}

// assignNaked assigns the only candidates of cells, and returns their digits.
func (c *candidates) assignNaked(b int, cells uint32) (changed uint32) {
	for d := range c.cells {
		for rest := c.cells[d][b] & cells; rest != 0; rest &= rest - 1 {
			c.assign(place{d, b, rest & -rest})
			changed |= 1 << d
		}
	}
	return changed
}
