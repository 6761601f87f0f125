package technique

import "fmt"

// Turbot fish. Two houses have two places each for a digit. If a place of the one sees a place of the
// other, not both of these have the digit; so one of the two ends has it, and a cell that sees both
// ends does not. The names depend on the houses:
//
//	skyscraper       two rows or two columns, joined by a line across
//	two-string kite  a row and a column, joined by a box
//	turbot fish      all others
//
// They are the shortest X-chains. Players look for them by themselves, before chains. The ratings
// follow Sukaku Explainer.

const (
	skyscraper = iota
	twoStringKite
	turbotFish
)

// turbots returns a search for the patterns of a name.
func turbots(kind int) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		var strong []int // the groups with two places
		for d := range b.size {
			strong = strong[:0]
			for h := range b.rules.Houses() {
				if places := b.places[h*b.size+d]; places&(places-1) != 0 && places&(places-1)&(places&(places-1)-1) == 0 {
					strong = append(strong, h)
				}
			}
			for i, first := range strong {
				for _, second := range strong[i+1:] {
					if !b.turbot(kind, d, first, second, use) {
						return
					}
				}
			}
		}
	}
}

// turbot finds the steps of a digit and two houses with two places.
func (b *Board) turbot(kind, d, first, second int, use func(*Step) bool) bool {
	x := b.cellsAt(first, b.places[first*b.size+d], nil)
	y := b.cellsAt(second, b.places[second*b.size+d], nil)
	for i, near := range x {
		for k, far := range y {
			ends := []int{x[1-i], y[1-k]}
			if near == far || ends[0] == ends[1] || near == ends[1] || far == ends[0] || !b.sees(near, far) || b.turbotKind(first, second, near, far) != kind {
				continue
			}
			s := &Step{
				Placed: -1, Eliminated: b.seenByAll(d, ends, nil), groups: []int{b.groupOf(first, d), b.groupOf(second, d)},
				cells: []int{ends[0], near, far, ends[1]}, digits: []int{d + 1}, houses: []int{first, second},
			}
			for i, cell := range s.cells { // alternately false and true
				s.pattern = append(s.pattern, link{literal(2*(cell*b.size+d) + (i+1)%2), -1})
			}
			if len(s.Eliminated) > 0 && !use(s) {
				return false
			}
		}
	}
	return true
}

// turbotKind returns the name of a pattern whose inner cells see each other.
func (b *Board) turbotKind(first, second, near, far int) int {
	across := b.lineThrough(near, far) >= 0
	switch {
	case !b.line(second):
	case first/b.rules.Rows() == second/b.rules.Rows() && across:
		return skyscraper
	case first/b.rules.Rows() != second/b.rules.Rows() && !across:
		return twoStringKite
	}
	return turbotFish
}

func turbotReason(b *Board, s *Step) string {
	houses := b.rules.Houses()
	return fmt.Sprintf("%d has two places in %s and two in %s; not both %s have it, so %s or %s has",
		s.digits[0], houses[s.houses[0]], houses[s.houses[1]], b.cellNames(s.cells[1:3]), b.rules.CellName(s.cells[0]), b.rules.CellName(s.cells[3]))
}

// Empty rectangle. The places of a digit in a box are in a line and in some cells beside it. Another
// house has two places for the digit. If one of these sees all places in the line, then either it has
// the digit, and the box has it beside the line, or the other one has it: a cell that sees both the
// other place and all places beside the line does not.

func emptyRectangles(b *Board, use func(*Step) bool) {
	for box := range b.rules.Houses() {
		if b.line(box) {
			continue
		}
		for d := range b.size {
			for line := range 2 * b.rules.Rows() {
				var inside, beside []int
				for _, cell := range b.cellsAt(box, b.places[box*b.size+d], nil) {
					if b.inHouse(cell, line) {
						inside = append(inside, cell)
					} else {
						beside = append(beside, cell)
					}
				}
				if len(inside) > 0 && len(beside) > 0 && !b.emptyRectangle(box, line, d, inside, beside, use) {
					return
				}
			}
		}
	}
}

// emptyRectangle finds the steps of a digit with its places in a box, inside of a line and beside it.
func (b *Board) emptyRectangle(box, line, d int, inside, beside []int, use func(*Step) bool) bool {
	for _, candidate := range b.seenByAll(d, inside, nil) {
		near := candidate / b.size
		if b.inHouse(near, box) || !b.inHouse(near, line) {
			continue
		}
		for _, at := range b.spots[near] {
			rest := b.places[at.house*b.size+d] &^ (1 << at.position)
			if rest == 0 || rest&(rest-1) != 0 || !b.line(at.house) {
				continue
			}
			far := b.cellsAt(at.house, rest, nil)[0]
			if b.inHouse(far, box) || b.inHouse(far, line) {
				continue
			}
			s := &Step{
				Placed: -1, Eliminated: b.seenByAll(d, append([]int{far}, beside...), nil), groups: []int{b.groupOf(box, d), b.groupOf(at.house, d)},
				cells: append([]int{near, far}, append(inside, beside...)...), digits: []int{d + 1}, houses: []int{box, line, at.house},
			}
			if len(s.Eliminated) > 0 && !use(s) {
				return false
			}
		}
	}
	return true
}

func emptyRectangleReason(b *Board, s *Step) string {
	houses := b.rules.Houses()
	return fmt.Sprintf("in %s, %d is in %s or beside it; if it is in %[3]s, then not in %s, so in %s",
		houses[s.houses[0]], s.digits[0], houses[s.houses[1]], b.rules.CellName(s.cells[0]), b.rules.CellName(s.cells[1]))
}
