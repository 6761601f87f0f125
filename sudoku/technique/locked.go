package technique

import (
	"fmt"
	"math/bits"
)

// Locked candidates. One of the places of a digit in a house has the digit, so a cell
// that sees all of them does not. In a plain puzzle this is pointing, from a box to a
// line, and claiming, from a line to a box. Since the rule asks for peers and not for
// houses, it holds for diagonals, windows, regions, cages and knights' moves, too.

func pointing(b *Board, use func(*Step) bool) { locked(b, false, use) }

func claiming(b *Board, use func(*Step) bool) { locked(b, true, use) }

// locked finds locked candidates in rows and columns, or in all other houses.
func locked(b *Board, lines bool, use func(*Step) bool) {
	for h := range b.rules.Houses() {
		if b.line(h) != lines {
			continue
		}
		for d := range b.size {
			places := b.places[h*b.size+d]
			if places&(places-1) == 0 {
				continue
			}
			if s := b.lockedStep(h, d, places); s != nil && !use(s) {
				return
			}
		}
	}
}

// lockedStep returns the step of a digit that is locked in a house, or nil if no cell
// sees all of its places.
func (b *Board) lockedStep(h, d int, places uint64) *Step {
	for w := range b.words {
		set := b.cells[d*b.words+w]
		for rest := places; rest != 0 && set != 0; rest &= rest - 1 {
			set &= b.peers[b.rules.Houses()[h].Cells[bits.TrailingZeros64(rest)]*b.words+w]
		}
		if set == 0 {
			continue
		}
		cells := b.cellsAt(h, places, nil)
		return &Step{
			Placed: -1, Eliminated: b.seenByAll(d, cells, nil), groups: []int{b.groupOf(h, d)},
			cells: cells, digits: []int{d + 1}, houses: []int{h},
		}
	}
	return nil
}

func lockedReason(b *Board, s *Step) string {
	return fmt.Sprintf("in %s, %d has no place but %s", b.rules.Houses()[s.houses[0]], s.digits[0], b.cellNames(s.cells))
}
