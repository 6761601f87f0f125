package technique

import "fmt"

// Fish: X-wing, swordfish and jellyfish. If the places of a digit in k rows are in k
// columns, these columns have the digit in these rows, and nowhere else; and with rows
// and columns exchanged. It is the search of a naked subset with lines in place of
// cells. Every variant has rows and columns, and the argument needs no other house.

func fish(k int) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		words := make([]uint64, b.size)
		for d := range b.size {
			for _, base := range []int{0, b.size} { // the first row, the first column
				for i := range words {
					words[i] = b.places[(base+i)*b.size+d]
				}
				more := subsets(words, k, func(chosen []int, union uint64) bool {
					s := b.fishStep(d, base, chosen, union)
					return len(s.Eliminated) == 0 || use(s)
				})
				if !more {
					return
				}
			}
		}
	}
}

// fishStep returns the step of a digit whose places in the chosen rows are in the
// columns of a set, or with rows and columns exchanged.
func (b *Board) fishStep(d, base int, chosen []int, covers uint64) *Step {
	s := &Step{Placed: -1, digits: []int{d + 1}}
	lines := uint64(0)
	for _, i := range chosen {
		lines |= 1 << i
		s.houses = append(s.houses, base+i)
		s.groups = append(s.groups, b.groupOf(base+i, d))
		s.cells = b.cellsAt(base+i, b.places[(base+i)*b.size+d], s.cells)
	}
	for _, digit := range digitsOf(covers, nil) {
		cover := b.size - base + digit - 1
		s.houses = append(s.houses, cover)
		for _, cell := range b.cellsAt(cover, b.places[cover*b.size+d]&^lines, nil) {
			s.Eliminated = append(s.Eliminated, cell*b.size+d)
		}
	}
	return s
}

func fishReason(b *Board, s *Step) string {
	k := len(s.houses) / 2
	return fmt.Sprintf("in %s, %d has no place but in %s", b.houseNames(s.houses[:k]), s.digits[0], b.houseNames(s.houses[k:]))
}
