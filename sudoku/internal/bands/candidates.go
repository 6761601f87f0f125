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
// What was measured (17 clues: 8000 puzzles of Royle's list; the hard list is top1465;
// puzzles a second on one core of an AMD EPYC, without reading and printing, before the
// rule of triads):
//
//	350,000   66,000   as it was
//	247,000   48,000   if fixing a cell tests each digit with a branch, not by arithmetic
//	190,000   40,000   if also each digit is propagated until both tables change nothing,
//	                   although the first table changes nothing when it is applied twice
//	337,000   64,000   if the index of the first table is computed without minirowsOf
//	337,000   64,000   if bounds checks of fix are avoided by explicit tests
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

// minirowsOf has for nine cells of a row three bits: the minirows with a cell.
var minirowsOf [1 << 9]uint32

// cellsOf has for nine minirows of a band, three bits for each row, the cells of the
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
				minirowsOf[set] |= 1 << i
			}
		}
		for _, p := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if needed := uint32(1<<p[0] | 8<<p[1] | 64<<p[2]); set&needed != needed {
				continue
			}
			for i := range 3 {
				cellsOf[set] |= 7 << (9*i + 3*p[i])
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
}

// load sets the candidates to those of a puzzle. It reports false if a given is no digit
// or its mark excludes it.
func (c *candidates) load(g *sudoku.Grid) bool {
	for d := range c.cells {
		c.cells[d] = [numBands]uint32{allCells, allCells, allCells}
	}
	c.fixed = [numBands]uint32{}
	for i, possible := range g.Marks {
		if !possible {
			cell := i / 9
			c.exclude(place{i % 9, cell / 27, 1 << (cell % 27)})
		}
	}
	for i, digit := range g.Cells {
		if digit != 0 {
			at := place{digit - 1, i / 27, 1 << (i % 27)}
			if uint(at.digit) > 8 || c.cells[at.digit][at.band]&at.cells == 0 {
				return false
			}
			c.assign(at)
		}
	}
	return true
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

// digits writes the digits of a solved grid.
func (c *candidates) digits(to *[81]uint8) {
	for d := range c.cells {
		for b, cells := range c.cells[d] {
			for ; cells != 0; cells &= cells - 1 {
				to[27*b+bits.TrailingZeros32(cells)] = uint8(d + 1)
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
			if cells := singles(at[0]) &^ c.fixed[0]; cells != 0 {
				changed |= c.fix(0, d, cells)
			}
			if cells := singles(at[1]) &^ c.fixed[1]; cells != 0 {
				changed |= c.fix(1, d, cells)
			}
			if cells := singles(at[2]) &^ c.fixed[2]; cells != 0 {
				changed |= c.fix(2, d, cells)
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
		if x == x0 && y == y0 && z == z0 {
			break
		}
		x0, y0, z0 = x, y, z
		x, y, z = x&rows(x), y&rows(y), z&rows(z)
		if x == x0 && y == y0 && z == z0 {
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
	return cellsOf[minirowsOf[cells&rowBits]|minirowsOf[cells>>9&rowBits]<<3|minirowsOf[cells>>18&rowBits]<<6]
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
// the digits that change. It is written without a loop and without branches, since these
// branches cannot be predicted.
func (c *candidates) fix(b, d int, cells uint32) (changed uint32) {
	c.fixed[b] |= cells
	at := &c.cells
	own := at[d][b]
	a0, a1, a2, a3, a4, a5, a6, a7, a8 := at[0][b], at[1][b], at[2][b], at[3][b], at[4][b], at[5][b], at[6][b], at[7][b], at[8][b]
	at[0][b], at[1][b], at[2][b] = a0&^cells, a1&^cells, a2&^cells
	at[3][b], at[4][b], at[5][b] = a3&^cells, a4&^cells, a5&^cells
	at[6][b], at[7][b], at[8][b] = a6&^cells, a7&^cells, a8&^cells
	at[d][b] = own
	changed = isNonzero(a0&cells) | isNonzero(a1&cells)<<1 | isNonzero(a2&cells)<<2 |
		isNonzero(a3&cells)<<3 | isNonzero(a4&cells)<<4 | isNonzero(a5&cells)<<5 |
		isNonzero(a6&cells)<<6 | isNonzero(a7&cells)<<7 | isNonzero(a8&cells)<<8
	return changed &^ (1 << d)
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
