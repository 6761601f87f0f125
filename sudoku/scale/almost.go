package scale

import (
	"math/bits"
	"slices"
)

// WXYZ-wings and longer ones. Cells of a house are an almost locked set (ALS) if they have one digit more
// than there are cells. Another cell, the pivot, has two of these digits, x and z, and sees all cells of
// the set with x. If the pivot is not z, it is x, and the set has all of its digits but x. So a cell that
// sees the pivot and all cells of the set with z is not z.
//
// If the pivot sees the cells with z as well, the same holds for x; and the set lacks x or z, so it has all
// other digits: a cell that sees all cells of the set with such a digit is not that digit.

// An almostLocked search has the set so far.
type almostLocked struct {
	b       *board
	with    [9]cellSet // by digit: the cells that can have it
	digits  int        // of the wing
	cells   []int
	set     uint16 // the digits of the cells
	largest int    // the number of digits of a cell
	easiest
}

var wingNames = [8]string{4: "WXYZ-wing", 5: "VWXYZ-wing", 6: "UVWXYZ-wing", 7: "TUVWXYZ-wing"}

// lockedWings finds wings of a number of digits, and of cells.
func lockedWings(digits int) finder {
	return func(b *board, yield func(*step) bool) {
		a := almostLocked{b: b, with: b.cellsWith(), digits: digits}
		a.extend(-1, cellSet{^uint64(0), 1<<17 - 1})
		a.yield(yield)
	}
}

// extend adds cells behind the last one that see all others, in all ways.
func (a *almostLocked) extend(last int, common cellSet) {
	if len(a.cells) == a.digits-1 {
		if count(a.set) == a.digits {
			a.pivots()
		}
		return
	}
	for cell := range common.all() {
		digits := a.b.digits[cell]
		if cell <= last || count(digits) < 2 || count(a.set|digits) > a.digits {
			continue
		}
		before := *a
		a.cells, a.set = append(a.cells, cell), a.set|digits
		a.largest = max(a.largest, count(digits))
		a.extend(cell, common.and(seen[cell]))
		a.cells, a.set, a.largest = before.cells, before.set, before.largest
	}
}

// pivots offers the steps of a set with all pivots.
func (a *almostLocked) pivots() {
	var around cellSet
	sees := a.with // by digit: the cells with it that see all cells of the set with it
	for _, cell := range a.cells {
		around = around.or(seen[cell])
		for rest := a.b.digits[cell]; rest != 0; rest &= rest - 1 {
			digit := bits.TrailingZeros16(rest)
			sees[digit] = sees[digit].and(seen[cell])
		}
	}
	for pivot := range around.all() {
		if xz := a.b.digits[pivot]; count(xz) == 2 && xz&^a.set == 0 && !slices.Contains(a.cells, pivot) {
			a.offerPivot(pivot, xz, &sees)
		}
	}
}

// offerPivot offers the step with a pivot.
func (a *almostLocked) offerPivot(pivot int, xz uint16, sees *[9]cellSet) {
	x, z := bits.TrailingZeros16(xz), bits.Len16(xz)-1
	linked := [2]bool{sees[x].has(pivot), sees[z].has(pivot)}
	s := step{name: wingNames[a.digits], rating: [8]float64{4: 5.5, 5: 6.2, 6: 6.6, 7: 7.5}[a.digits], placed: -1}
	if a.digits < 6 {
		s.rating += 0.1 * float64(a.digits-3-max(a.largest-3, 3-a.largest))
	}
	eliminate := func(digit int, cells cellSet) {
		for cell := range cells.all() {
			s.off = append(s.off, candidate(9*cell+digit))
		}
	}
	if linked[0] {
		eliminate(z, sees[z].and(seen[pivot]))
	}
	if linked[1] {
		eliminate(x, sees[x].and(seen[pivot]))
	}
	for rest := a.set &^ xz; linked[0] && linked[1] && rest != 0; rest &= rest - 1 {
		digit := bits.TrailingZeros16(rest)
		eliminate(digit, sees[digit])
	}
	a.offer(s)
}
