package technique

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Almost locked sets (ALS): n cells of a house with n+1 digits between them. Without one of the digits
// they are a naked subset, so all others are in these cells. Two sets have a restricted common digit if
// each of its places in one sees each of its places in the other: the digit is missing in one of them.
//
//	ALS-XZ       two sets with a restricted common x: one of them is locked, so a further common digit z
//	             is in one of them, and no cell that sees all of its places has it. With two restricted
//	             common digits both sets are locked: x is in one of them, too, and every other digit of a
//	             set is in that set.
//	ALS-XY-wing  three sets, with restricted common digits x and y between the third and the others: one
//	             of the others is locked, so a common z of these is in one of them. These two may overlap.

// A lockedSet is an almost locked set, in a grid of at most 81 cells.
type lockedSet struct {
	cells  []int
	inside cellBits
	digits uint64
	places [9]cellBits // by digit
	seen   [9]cellBits // by digit: the cells that see all places
}

// cellBits is a set of cells.
type cellBits [2]uint64

func (s cellBits) and(t cellBits) cellBits { return cellBits{s[0] & t[0], s[1] & t[1]} }

func (s cellBits) within(t cellBits) bool { return s[0]&^t[0]|s[1]&^t[1] == 0 }

// maxSetCells is the largest number of cells of an almost locked set.
const maxSetCells = 6

// lockedSets returns the almost locked sets of the board, each once.
func (b *Board) lockedSets() []lockedSet {
	var all []lockedSet
	known := make(map[cellBits]bool)
	for _, house := range b.rules.Houses() {
		var open []int
		for _, cell := range house.Cells {
			if !b.placed[cell] {
				open = append(open, cell)
			}
		}
		b.extendSet(open, nil, 0, func(cells []int, digits uint64) {
			if s := b.lockedSet(cells, digits); !known[s.inside] {
				known[s.inside] = true
				all = append(all, s)
			}
		})
	}
	return all
}

// lockedSet returns the set of some cells.
func (b *Board) lockedSet(cells []int, digits uint64) lockedSet {
	s := lockedSet{cells: slices.Sorted(slices.Values(cells)), digits: digits}
	for d := range s.seen {
		s.seen[d] = cellBits{^uint64(0), ^uint64(0)}
	}
	for _, cell := range cells {
		s.inside[cell/64] |= 1 << (cell % 64)
		for rest := b.digits[cell]; rest != 0; rest &= rest - 1 {
			d := bits.TrailingZeros64(rest)
			s.places[d][cell/64] |= 1 << (cell % 64)
			for w := range b.words {
				s.seen[d][w] &= b.peers[cell*b.words+w]
			}
		}
	}
	return s
}

// extendSet calls use for the almost locked sets with some cells and any of the cells in rest.
func (b *Board) extendSet(rest, cells []int, digits uint64, use func(cells []int, digits uint64)) {
	if len(cells) > 0 && bits.OnesCount64(digits) == len(cells)+1 {
		use(cells, digits)
	}
	if len(cells) == maxSetCells {
		return
	}
	for i, cell := range rest {
		b.extendSet(rest[i+1:], append(cells, cell), digits|b.digits[cell], use)
	}
}

// restricted returns the restricted common digits of two sets without a common cell.
func restricted(s, t *lockedSet) (found uint64) {
	common := s.digits & t.digits
	if common == 0 || s.inside.and(t.inside) != (cellBits{}) {
		return 0
	}
	for ; common != 0; common &= common - 1 {
		if d := bits.TrailingZeros64(common); t.places[d].within(s.seen[d]) {
			found |= common & -common
		}
	}
	return found
}

// inOne appends the candidates of digits that see all places of the digit in one or two sets, where
// the digit is.
func (b *Board) inOne(digits uint64, list []int, sets ...*lockedSet) []int {
	for ; digits != 0; digits &= digits - 1 {
		d := bits.TrailingZeros64(digits)
		seen := sets[0].seen[d].and(sets[len(sets)-1].seen[d])
		for w := range b.words {
			for cells := seen[w] & b.cells[d*b.words+w]; cells != 0; cells &= cells - 1 {
				list = append(list, (64*w+bits.TrailingZeros64(cells))*b.size+d)
			}
		}
	}
	return list
}

// setStep returns the step of some sets, or nil if it eliminates nothing.
func setStep(eliminated []int, commons uint64, sets ...*lockedSet) *Step {
	if len(eliminated) == 0 {
		return nil
	}
	slices.Sort(eliminated)
	s := &Step{Placed: -1, Eliminated: slices.Compact(eliminated), digits: digitsOf(commons)}
	for _, set := range sets {
		s.cells = append(s.cells, set.cells...)
		s.ends = append(s.ends, len(s.cells))
	}
	s.groups = s.cells
	return s
}

func alsXZ(b *Board, use func(*Step) bool) {
	sets := b.lockedSets()
	for i := range sets {
		for k := range i {
			s, t := &sets[k], &sets[i]
			x := restricted(s, t)
			var eliminated []int
			switch common := s.digits & t.digits; bits.OnesCount64(x) {
			case 0:
				continue
			case 1:
				eliminated = b.inOne(common&^x, nil, s, t)
			case 2:
				eliminated = b.inOne(x, nil, s, t)
				eliminated = b.inOne(s.digits&^x, eliminated, s)
				eliminated = b.inOne(t.digits&^x, eliminated, t)
			}
			if step := setStep(eliminated, x, s, t); step != nil && !use(step) {
				return
			}
		}
	}
}

func alsXYWing(b *Board, use func(*Step) bool) {
	sets := b.lockedSets()
	type neighbor struct {
		set   int
		digit uint64
	}
	neighbors := make([][]neighbor, len(sets))
	for i := range sets {
		for k := range i {
			for rest := restricted(&sets[k], &sets[i]); rest != 0; rest &= rest - 1 {
				neighbors[i] = append(neighbors[i], neighbor{k, rest & -rest})
				neighbors[k] = append(neighbors[k], neighbor{i, rest & -rest})
			}
		}
	}
	for pivot, list := range neighbors {
		for i, p := range list {
			for _, q := range list[:i] {
				s, t := &sets[p.set], &sets[q.set]
				common := s.digits & t.digits &^ (p.digit | q.digit)
				if p.digit == q.digit || common == 0 || p.set == q.set {
					continue
				}
				if step := setStep(b.inOne(common, nil, s, t), p.digit|q.digit, s, t, &sets[pivot]); step != nil && !use(step) {
					return
				}
			}
		}
	}
}

func alsReason(b *Board, s *Step) string {
	names := make([]string, len(s.ends))
	from := 0
	for i, end := range s.ends {
		names[i] = b.cellNames(s.cells[from:end])
		from = end
	}
	text := fmt.Sprintf("%s: each has one digit more than cells, and one of the first two lacks its restricted digit (%s)", strings.Join(names, " / "), digitNames(s.digits))
	if len(text) > MaxReason {
		text = fmt.Sprintf("%d sets of cells have one digit more than cells; one of the first two lacks its restricted digit (%s)", len(names), digitNames(s.digits))
	}
	return text
}
