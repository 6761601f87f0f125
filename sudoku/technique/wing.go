package technique

import (
	"fmt"
	"math/bits"
)

// XY-wing and XYZ-wing. A pivot with the digits x and y, or x, y and z, sees two
// pincers with x and z, and y and z. Whatever the pivot is, one of the pincers is z, or
// the pivot is. So a cell that sees all that can be z is not z.

func xyWing(b *Board, use func(*Step) bool) { wing(b, 2, use) }

func xyzWing(b *Board, use func(*Step) bool) { wing(b, 3, use) }

// wing finds wings whose pivot has the given number of digits.
func wing(b *Board, pivotDigits int, use func(*Step) bool) {
	var pairs []int // peers of the pivot with two digits
	for pivot, set := range b.digits {
		if bits.OnesCount64(set) != pivotDigits {
			continue
		}
		pairs = pairs[:0]
		for _, peer := range b.rules.Peers(pivot) {
			common := bits.OnesCount64(b.digits[peer] & set)
			if bits.OnesCount64(b.digits[peer]) == 2 && common == pivotDigits-1 {
				pairs = append(pairs, peer)
			}
		}
		for i, p := range pairs {
			for _, q := range pairs[i+1:] {
				if s := b.wingStep(pivot, p, q); s != nil && !use(s) {
					return
				}
			}
		}
	}
}

// wingStep returns the step of a pivot and two pincers, or nil if they are no wing or
// eliminate nothing.
func (b *Board) wingStep(pivot, p, q int) *Step {
	z := b.digits[p] & b.digits[q]
	all := b.digits[p] | b.digits[q]
	if bits.OnesCount64(z) != 1 || b.digits[pivot]|z != all {
		return nil
	}
	d := bits.TrailingZeros64(z)
	s := &Step{Placed: -1, cells: []int{pivot, p, q}, digits: []int{d + 1}}
	seen := s.cells[1:]
	if b.digits[pivot]&z != 0 {
		seen = s.cells
	}
	s.Eliminated = b.seenByAll(d, seen, nil)
	if len(s.Eliminated) == 0 {
		return nil
	}
	s.groups = s.cells
	return s
}

func wingReason(b *Board, s *Step) string {
	name := func(i int) string { return b.rules.CellName(s.cells[i]) }
	text := fmt.Sprintf("whatever %s is, %s or %s is %d", name(0), name(1), name(2), s.digits[0])
	if b.has(s.cells[0], s.digits[0]-1) {
		text = fmt.Sprintf("one of %s is %d, whatever %s is", b.cellNames(s.cells), s.digits[0], name(0))
	}
	return text
}
