package bands

import (
	"math/bits"

	"sator/sudoku"
)

// Candidates as bits. A band is three rows. The 27 cells of a band are bits of half a word. For each digit, two
// bands are in one word, and the third is in another:
//
//	bit   0  1  2 |  3  4  5 |  6  7  8    row 0 of the band, 32 more for the second band
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
// For all digits of a word together:
//
//   - A carry-save adder counts the candidates of all cells at once, as zero, one or
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
//	0.89  0.93  0.96   two bands in a word, and minirows with minicolumns (many solutions: 0.88)
//
// Tried: fixing a cell with a branch for each digit (a third slower), both tables until
// both change nothing without a look between them (1.05), one count for all bands (1.01), removal and counts by vectors of
// package archsimd (no gain).
//
// Bands of columns are not stored. A transposed copy would make the second table as simple
// as the first, but each change would have to be made twice.

const (
	rowBits   = 1<<9 - 1         // a row, or the minirows or columns of a band
	allCells  = 1<<27 - 1        // of a band
	allDigits = 1<<9 - 1         // as bits
	eachRow   = 1 | 1<<9 | 1<<18 // the first cell of each row
	eachStack = 7 * eachRow      // the first three bits of each row
	both      = 1 | 1<<32        // the first bit of each half of a word
)

// boxesOf has for nine columns of a band the cells of their boxes.
var boxesOf [1 << 9]uint32

// cellsOf has for nine minirows of a band, three bits for each box, the cells of the
// permutations that consist of these minirows. It is 0 if there is no permutation.
var cellsOf [1 << 9]uint32

// columnsOf has for nine minicolumns of three boxes one above the other, three bits for
// each band, the minicolumns of the permutations that consist of these. It has nine bits
// for each band and uses three; the upper half has them as triads (see candidates). It is 0 if
// there is no permutation.
var columnsOf [1 << 9]uint64

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
				columnsOf[set] |= 1<<(9*i+p[i]) | 1<<(32+9*p[i]+3*i)
			}
		}
	}
}

// A grid is a set of cells. The first word has two bands, the second one has the third.
type grid [2]uint64

// whole has all cells.
var whole = grid{allCells * both, allCells}

// candidates are the candidates of a grid.
type candidates struct {
	cells [9]grid // by digit, from 0
	fixed grid    // cells with one candidate, removed from all other digits

	// By digit: the triads with a candidate, when the digit was propagated last. A minirow has the bit of its
	// first cell, shifted by the number of its band. A minicolumn has, in the upper half, the bit
	// that it would have with rows and columns exchanged.
	triadsOf [9]uint64

	// The numbers of possible digits of triads, when the rule of triads was applied last.
	possible numbers
}

// load sets the candidates to those of a puzzle, and removes the digit of each given from
// its box. It reports false if a given is no digit or its mark excludes it. Two equal givens
// in a house are not looked for: the search finds no solution, since each digit takes a cell
// of each house. No branch depends on a cell, since such branches cannot be predicted.
func (c *candidates) load(g *sudoku.Grid) bool {
	for d := range c.cells {
		c.cells[d] = whole
	}
	for i, possible := range g.Marks {
		if !possible {
			word, bit := bitOf(i / 9)
			c.exclude(place{i % 9, word, bit})
		}
	}
	var givens [16]grid // by digit; 0 is no given
	all := 0
	for i, digit := range (*[54]int)(g.Cells) {
		givens[digit&15][0] |= 1 << (i + 5*(i/27))
		all |= digit | (digit + 6) // from 10 on, 16 or more
	}
	for i, digit := range (*[27]int)(g.Cells[54:]) {
		givens[digit&15][1] |= 1 << i
		all |= digit | (digit + 6)
	}
	var wrong uint64
	for w := range c.fixed {
		c.fixed[w] = whole[w] &^ givens[0][w]
		for d := range c.cells {
			cells := givens[d+1][w]
			wrong |= cells &^ c.cells[d][w]
			columns := cells | cells>>9 | cells>>18
			boxes := uint64(boxesOf[columns&rowBits]) | uint64(boxesOf[columns>>32&rowBits])<<32
			c.cells[d][w] = c.cells[d][w]&^(boxes|c.fixed[w]) | cells
		}
	}
	return wrong == 0 && all>>4 == 0
}

// bitOf returns the word of a cell and its bit there.
func bitOf(cell int) (word int, bit uint64) {
	band := cell / 27
	return band / 2, 1 << (cell%27 + 32*(band%2))
}

// assign removes a digit from the other cells of a box.
func (c *candidates) assign(at place) {
	box := uint64(firstBox)
	if at.cells>>32 != 0 {
		box <<= 32
	}
	for box&at.cells == 0 {
		box <<= 3
	}
	c.cells[at.digit][at.word] &^= box &^ at.cells
}

// exclude removes a digit from cells.
func (c *candidates) exclude(at place) { c.cells[at.digit][at.word] &^= at.cells }

// solved reports whether each cell is fixed.
func (c *candidates) solved() bool { return c.fixed == whole }

// open returns the number of cells that are not fixed. When nothing is left to propagate, each
// such cell has another in its row, column and box, and each of its candidates another place
// there. So there are not 1, 2, 3 or 5. Four are two rows that cross two columns, with two
// candidates; six are two rows and three columns, or the reverse, or a ring through three rows
// and three columns. All have two solutions: a candidate in one cell determines the others.
func (c *candidates) open() int {
	return 81 - bits.OnesCount64(c.fixed[0]) - bits.OnesCount64(c.fixed[1])
}

// digits writes the digits of a solved grid.
func (c *candidates) digits(to []int) {
	for d := range c.cells {
		for cells := c.cells[d][0]; cells != 0; cells &= cells - 1 {
			i := bits.TrailingZeros64(cells)
			to[i-i>>5*5] = d + 1
		}
		for cells := c.cells[d][1]; cells != 0; cells &= cells - 1 {
			to[54+bits.TrailingZeros64(cells)] = d + 1
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
			x, y := singles(at[0])&^c.fixed[0], singles(at[1])&^c.fixed[1]
			if x|y != 0 {
				changed |= c.fix(d, x, y)
			}
		}
		for w := range c.fixed {
			if c.fixed[w] == whole[w] {
				continue
			}
			one, two := c.counts(w)
			if one != whole[w] {
				return false
			}
			if cells := one &^ two &^ c.fixed[w]; cells != 0 {
				changed |= c.assignNaked(w, cells)
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
	var minicolumns uint64
	x, y := at[0]&twoRows(at[0]), at[1]&rows(at[1])
	for {
		x0, y0 := x, y
		// The minicolumns with a candidate: nine bits for each band, three for each box.
		u, v := (x|x>>9|x>>18)&(rowBits*both), (y|y>>9|y>>18)&rowBits
		p := u | u>>(32-9) | v<<18
		left, middle, right := columns(p&eachStack), columns(p>>3&eachStack), columns(p>>6&eachStack)
		if left == 0 || middle == 0 || right == 0 {
			return false
		}
		p = left | middle<<3 | right<<6
		minicolumns = left | middle<<1 | right<<2
		x &= (p&rowBits | p>>9&rowBits<<32) * eachRow
		y &= p >> 18 & rowBits * eachRow
		if (x^x0)|(y^y0) == 0 {
			break
		}
		x0, y0 = x, y
		x, y = x&twoRows(x), y&rows(y)
		if (x^x0)|(y^y0) == 0 {
			break
		}
	}
	at[0], at[1] = x, y
	m := (x | x>>1 | x>>2) & (eachMinirow * both)
	c.triadsOf[d] = minicolumns>>32<<32 | m&eachMinirow | m>>32<<1 | (y|y>>1|y>>2)&eachMinirow<<2
	return true
}

// twoRows returns the cells of the two bands of a word that the first table leaves.
func twoRows(cells uint64) uint64 { return rows(cells) | rows(cells>>32)<<32 }

// rows returns the cells of the first band of a word that the first table leaves.
func rows(cells uint64) uint64 {
	m := (cells | cells>>1 | cells>>2) & eachMinirow
	return uint64(cellsOf[(m|m>>8|m>>16)&rowBits]) // the minirows of a row are three bits apart
}

// columns returns the minicolumns that the second table leaves, of three boxes one above
// the other. Both have three bits in the nine bits of each band.
func columns(p uint64) uint64 { return columnsOf[(p|p>>6|p>>12)&rowBits] }

// singles returns the cells of one or two bands that are alone in their row. Each row of the first one has a cell.
func singles(cells uint64) uint64 {
	const first = eachRow * both
	const last, rest = first << 8, first<<8 - first // of each row
	more := cells & (cells - first)                 // without the first cell of each row
	none := last &^ (more&rest + rest | more)
	return cells & (none<<1 - none>>8)
}

// fix removes the cells that are new singles of a digit from all other digits. It returns
// the digits that change. It is written without a loop and without branches that depend
// on a cell.
func (c *candidates) fix(d int, x, y uint64) (changed uint32) {
	at := &c.cells
	own := at[d]
	changed = remove(&at[0], x, y) | remove(&at[1], x, y)<<1 | remove(&at[2], x, y)<<2 |
		remove(&at[3], x, y)<<3 | remove(&at[4], x, y)<<4 | remove(&at[5], x, y)<<5 |
		remove(&at[6], x, y)<<6 | remove(&at[7], x, y)<<7 | remove(&at[8], x, y)<<8
	at[d] = own
	c.fixed[0] |= x
	c.fixed[1] |= y
	return changed &^ (1 << d)
}

// remove removes cells of both words. It returns 1 if there were some, else 0.
func remove(from *grid, x, y uint64) uint32 {
	a, b := from[0], from[1]
	from[0], from[1] = a&^x, b&^y
	return isNonzero(a&x | b&y)
}

// isNonzero returns 0 for 0, and 1 for other numbers below 1<<63.
func isNonzero(n uint64) uint32 { return uint32(-n >> 63) }

// counts returns the cells of a word with at least one and two candidates.
func (c *candidates) counts(w int) (one, two uint64) {
	for d := range c.cells {
		cells := c.cells[d][w]
		two |= one & cells
		one |= cells
	}
	return one, two
}

// assignNaked assigns the only candidates of cells, and returns their digits.
func (c *candidates) assignNaked(w int, cells uint64) (changed uint32) {
	for d := range c.cells {
		for rest := c.cells[d][w] & cells; rest != 0; rest &= rest - 1 {
			c.assign(place{d, w, rest & -rest})
			changed |= 1 << d
		}
	}
	return changed
}
