package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Singles. A hidden single is the last place of a digit in a house, a naked single
// the last digit of a cell. People see a hidden single in a box sooner than in a
// line, and both sooner than a naked single, for which they must collect the other
// digits from three houses; the ratings say the same. The last open cell of a house
// is both at once.

// lineMore is the difficulty of a hidden single in a row or column beyond that of
// one in a box.
const lineMore = 3

// single returns the step that places a digit, counting from 0, for which a group
// has no other candidate.
func (b *Board) single(cell, d, group int) *Step {
	return &Step{Placed: cell*b.size + d, groups: []int{group}, cells: []int{cell}, digits: []int{d + 1}}
}

func lastCells(b *Board, use func(*Step) bool) {
	for h, house := range b.rules.Houses() {
		last, open := 0, 0
		for _, cell := range house.Cells {
			if !b.placed[cell] {
				last, open = cell, open+1
			}
		}
		if open != 1 {
			continue
		}
		s := b.single(last, bits.TrailingZeros64(b.digits[last]), last)
		s.houses = []int{h}
		if !use(s) {
			return
		}
	}
}

func lastCellReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s has all other digits", b.rules.Houses()[s.houses[0]])
}

func hiddenSingles(b *Board, use func(*Step) bool) {
	lines := 2 * b.rules.Rows()
	for i := range b.rules.Houses() {
		h := (i + lines) % len(b.rules.Houses()) // lines last
		for d := range b.size {
			places := b.places[h*b.size+d]
			if places&(places-1) != 0 {
				continue
			}
			cell := b.rules.Houses()[h].Cells[bits.TrailingZeros64(places)]
			if b.placed[cell] {
				continue
			}
			s := b.single(cell, d, b.groupOf(h, d))
			s.houses = []int{h}
			if b.line(h) {
				s.Rating = lineMore
			}
			if !use(s) {
				return
			}
		}
	}
}

func hiddenSingleReason(b *Board, s *Step) string {
	return fmt.Sprintf("%d has no other place in %s", s.digits[0], b.rules.Houses()[s.houses[0]])
}

func nakedSingles(b *Board, use func(*Step) bool) {
	for cell, set := range b.digits {
		if set&(set-1) == 0 && !b.placed[cell] && !use(b.single(cell, bits.TrailingZeros64(set), cell)) {
			return
		}
	}
}

// nakedSingleReason names the houses that contain the other digits, chosen greedily
// so that there are few of them.
func nakedSingleReason(b *Board, s *Step) string {
	cell := s.cells[0]
	missing := ^uint64(0) >> (64 - b.size) &^ b.digits[cell]
	var parts []string
	for {
		house, set := b.mostOf(cell, missing)
		if set == 0 {
			break
		}
		parts = append(parts, are(digitsOf(set))+" in "+b.rules.Houses()[house].String())
		missing &^= set
	}
	if missing != 0 {
		parts = append(parts, are(digitsOf(missing))+" excluded already")
	}
	if text := listed(parts); len(text) <= MaxReason {
		return text
	}
	return "all other digits are in its houses or excluded already"
}

// mostOf returns the house of a cell with the most missing digits, and these digits.
func (b *Board) mostOf(cell int, missing uint64) (house int, digits uint64) {
	for _, s := range b.spots[cell] {
		there := uint64(0)
		for _, c := range b.rules.Houses()[s.house].Cells {
			if b.placed[c] {
				there |= b.digits[c] & missing
			}
		}
		if bits.OnesCount64(there) > bits.OnesCount64(digits) {
			house, digits = s.house, there
		}
	}
	return house, digits
}

// are returns subject and verb of a sentence about digits: "1 and 2 are".
func are(digits []int) string {
	if len(digits) == 1 {
		return digitNames(digits) + " is"
	}
	return digitNames(digits) + " are"
}

// direct returns the hidden singles that the eliminations of a search leave: in the house of a
// hidden subset, or in a house of the same kind as that of locked candidates. Such steps are easier
// to see than others of the same search, since they can be followed without pencil marks. They place
// the digit and eliminate nothing else, as in Sudoku Explainer.
func direct(find func(*Board, func(*Step) bool)) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		find(b, func(s *Step) bool { return b.directSteps(s, use) })
	}
}

// directSteps calls use for the hidden singles that a step leaves.
func (b *Board) directSteps(s *Step, use func(*Step) bool) bool {
	houses := b.rules.Houses()
	for _, candidate := range s.Eliminated {
		d := candidate % b.size
		for _, at := range b.spots[candidate/b.size] {
			if locked := len(s.digits) == 1; !locked && at.house != s.houses[0] || houses[at.house].Kind != houses[s.houses[0]].Kind {
				continue
			}
			places := b.places[at.house*b.size+d]
			for position, cell := range houses[at.house].Cells {
				if slices.Contains(s.Eliminated, cell*b.size+d) {
					places &^= 1 << position
				}
			}
			if places == 0 || places&(places-1) != 0 {
				continue
			}
			single := *s
			single.Eliminated, single.groups = nil, append(slices.Clip(s.groups), b.groupOf(at.house, d))
			single.Placed = b.candidateOf(b.groupOf(at.house, d), bits.TrailingZeros64(places))
			single.houses = []int{s.houses[0], at.house}
			if !use(&single) {
				return false
			}
		}
	}
	return true
}

// directly returns the reason of a direct step, after that of the pattern.
func directly(reason func(*Board, *Step) string) func(*Board, *Step) string {
	return func(b *Board, s *Step) string {
		return fmt.Sprintf("%s, so %d has no other place in %s", reason(b, s), s.Placed%b.size+1, b.rules.Houses()[s.houses[1]])
	}
}
