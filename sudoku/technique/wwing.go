package technique

import (
	"fmt"
	"math/bits"
)

// W-wing. Two cells have the same two digits x and y. If each place of x in some house
// sees one of the cells, not both cells are x: so one of them is y, and no cell that
// sees both is y. Sudoku Explainer finds such patterns as forcing chains; its successor
// Sukaku Explainer rates them like an XYZ-wing, as here.

func wWing(b *Board, use func(*Step) bool) {
	for p, set := range b.digits {
		if bits.OnesCount64(set) != 2 {
			continue
		}
		for q := p + 1; q < len(b.digits); q++ {
			if b.digits[q] != set || b.sees(p, q) {
				continue
			}
			low := bits.TrailingZeros64(set)
			high := 63 - bits.LeadingZeros64(set)
			if !b.wWings(p, q, low, high, use) || !b.wWings(p, q, high, low, use) {
				return
			}
		}
	}
}

// wWings finds the houses of W-wings whose cells p and q cannot both be x.
func (b *Board) wWings(p, q, x, y int, use func(*Step) bool) bool {
	eliminated := b.seenByAll(y, []int{p, q}, nil)
	if len(eliminated) == 0 {
		return true
	}
	for h := range b.rules.Houses() {
		if !b.coversPlaces(p, q, h, x) {
			continue
		}
		s := &Step{
			Placed: -1, Eliminated: eliminated, groups: []int{p, q, b.groupOf(h, x)},
			cells: []int{p, q}, digits: []int{x + 1, y + 1}, houses: []int{h},
		}
		if !use(s) {
			return false
		}
	}
	return true
}

// coversPlaces reports whether each place of a digit in a house sees one of two cells.
func (b *Board) coversPlaces(p, q, h, d int) bool {
	for places := b.places[h*b.size+d]; places != 0; places &= places - 1 {
		cell := b.rules.Houses()[h].Cells[bits.TrailingZeros64(places)]
		if !b.sees(cell, p) && !b.sees(cell, q) {
			return false
		}
	}
	return true
}

func wWingReason(b *Board, s *Step) string {
	return fmt.Sprintf("if %s were both %d, %s would have no place for %[2]d; so one of them is %[4]d",
		b.cellNames(s.cells), s.digits[0], b.rules.Houses()[s.houses[0]], s.digits[1])
}
