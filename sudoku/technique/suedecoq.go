package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Sue de Coq, or two-sector disjoint subsets. Take cells where a box and a line meet, further cells of
// the line, and further cells of the box, such that these two have no digit in common. A digit is in the
// cells of the line, or of the box, at most once; so if all have as many digits between them as there
// are cells, each digit is there once. The digits of the line's cells, and the digits of the meeting
// cells that the box's cells lack, are nowhere else in the line; and likewise in the box.

// A sector has the further cells of a house.
type sector struct {
	cells  []int
	digits uint64
}

func sueDeCoqs(b *Board, use func(*Step) bool) {
	for box := range b.rules.Houses() {
		for line := 0; line < 2*b.rules.Rows() && !b.line(box); line++ {
			var meeting []int
			for _, cell := range b.rules.Houses()[box].Cells {
				if b.inHouse(cell, line) && !b.placed[cell] {
					meeting = append(meeting, cell)
				}
			}
			if len(meeting) > 1 && !b.sueDeCoq(box, line, meeting, use) {
				return
			}
		}
	}
}

// sueDeCoq finds the steps of a box and a line that meet in some open cells.
func (b *Board) sueDeCoq(box, line int, meeting []int, use func(*Step) bool) bool {
	inLine, inBox := b.sectors(line, box), b.sectors(box, line)
	for chosen := uint(1); chosen < 1<<len(meeting); chosen++ {
		var cells []int
		digits := uint64(0)
		for i, cell := range meeting {
			if chosen>>i&1 != 0 {
				cells = append(cells, cell)
				digits |= b.digits[cell]
			}
		}
		if len(cells) < 2 || bits.OnesCount64(digits) < len(cells)+2 {
			continue
		}
		for _, p := range inLine {
			for _, q := range inBox {
				if p.digits&q.digits != 0 || bits.OnesCount64(digits|p.digits|q.digits) != len(cells)+len(p.cells)+len(q.cells) {
					continue
				}
				all := slices.Concat(cells, p.cells, q.cells)
				s := &Step{Placed: -1, cells: all, groups: all, ends: []int{len(cells), len(cells) + len(p.cells), len(all)}, houses: []int{box, line}}
				s.Eliminated = append(b.candidatesBeside(line, all, p.digits|digits&^q.digits), b.candidatesBeside(box, all, q.digits|digits&^p.digits)...)
				slices.Sort(s.Eliminated)
				s.Eliminated = slices.Compact(s.Eliminated)
				if len(s.Eliminated) > 0 && !use(s) {
					return false
				}
			}
		}
	}
	return true
}

// sectors returns the sets of open cells of a house that are not in another one, if they have more
// digits than cells.
func (b *Board) sectors(house, not int) []sector {
	var open []int
	for _, cell := range b.rules.Houses()[house].Cells {
		if !b.placed[cell] && !b.inHouse(cell, not) {
			open = append(open, cell)
		}
	}
	var all []sector
	for chosen := uint(1); chosen < 1<<len(open); chosen++ {
		var s sector
		for i, cell := range open {
			if chosen>>i&1 != 0 {
				s.cells = append(s.cells, cell)
				s.digits |= b.digits[cell]
			}
		}
		if bits.OnesCount64(s.digits) > len(s.cells) {
			all = append(all, s)
		}
	}
	return all
}

// candidatesBeside returns the candidates of digits in the cells of a house that are not among others.
func (b *Board) candidatesBeside(house int, others []int, digits uint64) []int {
	var rest []int
	for _, cell := range b.rules.Houses()[house].Cells {
		if !slices.Contains(others, cell) {
			rest = append(rest, cell)
		}
	}
	return b.candidatesIn(rest, digits)
}

func sueDeCoqReason(b *Board, s *Step) string {
	houses := b.rules.Houses()
	return fmt.Sprintf("%s with %s in %s and %s in %s have as many digits as cells", b.cellNames(s.cells[:s.ends[0]]),
		b.cellNames(s.cells[s.ends[0]:s.ends[1]]), houses[s.houses[1]], b.cellNames(s.cells[s.ends[1]:]), houses[s.houses[0]])
}
