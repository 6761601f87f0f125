package technique

import (
	"fmt"
	"math/bits"
)

// Naked and hidden subsets: pairs, triples and quads.
//
// If k cells of a house, or of a cage, have k digits between them, these cells have these digits. A
// naked subset eliminates the digits in all cells that see the whole pattern. If k
// digits of a house have k places between them, these places have these digits, and a
// hidden subset eliminates the other digits there. A hidden subset is the complement
// of a naked one in the same house, so larger sizes than half of a house are not
// needed; the usual names end at four.

// subsets calls use for the sets of k words, given by their indices, whose union has
// exactly k bits, until use returns false. It skips words with less than two or more
// than k bits.
func subsets(words []uint64, k int, use func(chosen []int, union uint64) bool) bool {
	var few []int
	for i, w := range words {
		if count := bits.OnesCount64(w); count > 1 && count <= k {
			few = append(few, i)
		}
	}
	return choose(words, few, k, make([]int, 0, k), 0, use)
}

// choose extends the chosen indices by those of rest until there are k.
func choose(words []uint64, rest []int, k int, chosen []int, union uint64, use func([]int, uint64) bool) bool {
	if len(chosen) == k {
		return bits.OnesCount64(union) != k || use(chosen, union)
	}
	for i, index := range rest {
		if i+k-len(chosen) > len(rest) {
			break
		}
		if more := union | words[index]; bits.OnesCount64(more) <= k && !choose(words, rest[i+1:], k, append(chosen, index), more, use) {
			return false
		}
	}
	return true
}

func nakedSubsets(k int) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		words := make([]uint64, b.size)
		for h := range len(b.rules.Houses()) + len(b.rules.Cages()) {
			cells := b.different(h)
			for i, cell := range cells {
				words[i] = b.digits[cell]
			}
			more := subsets(words[:len(cells)], k, func(chosen []int, union uint64) bool {
				s := &Step{Placed: -1, houses: []int{h}, digits: digitsOf(union)}
				for _, i := range chosen {
					s.cells = append(s.cells, cells[i])
				}
				for _, digit := range s.digits {
					s.Eliminated = b.seenByAll(digit-1, s.cells, s.Eliminated)
				}
				s.groups = s.cells
				return len(s.Eliminated) == 0 || use(s)
			})
			if !more {
				return
			}
		}
	}
}

// different returns the cells of a house or, by a number beyond those of houses, of a cage.
func (b *Board) different(h int) []int {
	if houses := b.rules.Houses(); h < len(houses) {
		return houses[h].Cells
	}
	return b.rules.Cages()[h-len(b.rules.Houses())].Cells
}

func nakedSubsetReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s have only %s between them", b.cellNames(s.cells), digitNames(s.digits))
}

func hiddenSubsets(k int) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		for h := range b.rules.Houses() {
			more := subsets(b.places[h*b.size:(h+1)*b.size], k, func(chosen []int, union uint64) bool {
				s := &Step{Placed: -1, houses: []int{h}, cells: b.cellsAt(h, union, nil)}
				keep := uint64(0)
				for _, d := range chosen {
					keep |= 1 << d
					s.digits = append(s.digits, d+1)
					s.groups = append(s.groups, b.groupOf(h, d))
				}
				for _, cell := range s.cells {
					for _, digit := range digitsOf(b.digits[cell] &^ keep) {
						s.Eliminated = append(s.Eliminated, b.rules.Candidate(cell, digit))
					}
				}
				return len(s.Eliminated) == 0 || use(s)
			})
			if !more {
				return
			}
		}
	}
}

func hiddenSubsetReason(b *Board, s *Step) string {
	return fmt.Sprintf("in %s, %s have no place but %s", b.rules.Houses()[s.houses[0]], digitNames(s.digits), b.cellNames(s.cells))
}
