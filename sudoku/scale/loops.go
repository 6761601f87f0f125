package scale

import "math/bits"

// Unique rectangles and loops. If all cells of a loop had the same two digits left, and each house
// that the loop visits were visited twice, the digits could be exchanged: the puzzle would have two
// solutions. So one of the further digits in the loop is true.

// A loopSearch walks along cells with the same two digits.
type loopSearch struct {
	b       *board
	pair    uint16
	path    []int
	visited cellSet
	best    step // the first of the easiest steps
	kind    int  // its type
}

// uniqueLoops finds the easiest step: of the lowest rating, then of the lowest type.
func uniqueLoops(b *board, yield func(*step) bool) {
	l := loopSearch{b: b}
	for cell, digits := range b.digits {
		if count(digits) == 2 {
			l.pair = digits
			l.walk(cell, 2, 0, -1)
		}
	}
	if l.best.name != "" {
		yield(&l.best)
	}
}

// walk goes on to a cell. Of the cells to come, allowed ones may have further digits, or any number
// if all cells have but one further digit, in extra. The cell was reached in a house of
// the kind last.
func (l *loopSearch) walk(cell, allowed int, extra uint16, last int) {
	l.path = append(l.path, cell)
	l.visited.add(cell)
	for kind, house := range houseOf[cell] {
		if kind == last {
			continue
		}
		for _, next := range houses[house] {
			digits := l.b.digits[next]
			switch {
			case next == l.path[0] && len(l.path) >= 4:
				if l.closed() {
					l.conclude()
				}
			case !l.visited.has(next) && digits&l.pair == l.pair:
				extra |= digits &^ l.pair
				if more := count(digits) > 2; !more {
					l.walk(next, allowed, extra, kind)
				} else if count(extra) == 1 || allowed > 0 {
					l.walk(next, allowed-1, extra, kind)
				}
			}
		}
	}
	l.path = l.path[:len(l.path)-1]
	l.visited[cell>>6] &^= 1 << (cell & 63)
}

// closed reports whether the cells at odd places of the path are in the same houses as the ones at even
// places, no two of them in one house.
func (l *loopSearch) closed() bool {
	var visited [2]uint32
	for i, cell := range l.path {
		for _, house := range houseOf[cell] {
			if visited[i%2]>>house&1 != 0 {
				return false
			}
			visited[i%2] |= 1 << house
		}
	}
	return visited[0] == visited[1]
}

// conclude finds the steps of a loop, by the number of its cells with further digits.
func (l *loopSearch) conclude() {
	var more []int
	common := allNine
	for _, cell := range l.path {
		if digits := l.b.digits[cell]; count(digits) > 2 {
			more = append(more, cell)
			common &= digits
		}
	}
	switch {
	case len(more) == 1: // all of its further digits are not in the other cells
		l.offer(1, 0, addDigits(nil, more[0], l.pair))
	case len(more) > 2:
		l.common(more)
	case len(more) == 2:
		a, b := more[0], more[1]
		extra := (l.b.digits[a] | l.b.digits[b]) &^ l.pair
		if count(extra) == 1 {
			l.common(more)
		} else {
			l.nakedOrHidden(a, b, extra)
		}
		l.locked(a, b)
	}
}

// common concludes, from cells with the same further digit, that no cell that sees them all has it.
func (l *loopSearch) common(more []int) {
	digit := bits.TrailingZeros16(l.b.digits[more[0]] &^ l.pair)
	victims := seen[more[0]]
	for _, cell := range more {
		victims = victims.and(seen[cell])
	}
	var off []candidate
	for cell := range victims.all() {
		if l.b.digits[cell]>>digit&1 != 0 {
			off = append(off, candidate(9*cell+digit))
		}
	}
	l.offer(2, 0, off)
}

// nakedOrHidden takes two cells as one cell of a naked or a hidden set: one of their further digits is
// true.
func (l *loopSearch) nakedOrHidden(a, b int, extra uint16) {
	for size := count(extra); size <= 7; size++ {
		for kind, house := range houseOf[a] {
			if houseOf[b][kind] != house {
				continue
			}
			atA, atB := uint16(1)<<placeIn[a][kind], uint16(1)<<placeIn[b][kind]
			empty := int(l.b.empty[house])
			if 2*size <= empty {
				l.naked(house, size, atA, atB, extra, extra&l.b.digits[a]&l.b.digits[b])
			}
			if 2*size < empty {
				l.hidden(house, size, atA, atB, extra)
			}
		}
	}
}

// naked finds cells that have, with the further digits, as many digits as there are cells.
func (l *loopSearch) naked(house, size int, atA, atB, extra, shared uint16) {
	var digits [9]uint16
	for place, cell := range houses[house] {
		digits[place] = l.b.digits[cell]
	}
	for _, places := range subsets[size-1] {
		others, ok := union(&digits, places)
		set := extra | others
		if places&(atA|atB) != 0 || !ok || count(set) != size || count(others|shared) != size {
			continue
		}
		var off []candidate
		for place, cell := range houses[house] {
			if (places|atA|atB)>>place&1 == 0 {
				off = addDigits(off, cell, digits[place]&set)
			}
		}
		l.offer(3, size-1, off)
	}
}

// hidden finds digits that have, with the digits of the loop, as many places as there are digits, when the
// two cells count as one.
func (l *loopSearch) hidden(house, size int, atA, atB, extra uint16) {
	for _, others := range subsets[size-2] {
		if others&(l.pair|extra) != 0 {
			continue
		}
		set := others | l.pair
		places, all := uint16(0), true
		for rest := set; rest != 0; rest &= rest - 1 {
			spots := l.b.spots[house][bits.TrailingZeros16(rest)] &^ atB
			places |= spots
			all = all && spots != 0
		}
		if !all || count(places) != size {
			continue
		}
		places &^= atA
		var off []candidate
		for place, cell := range houses[house] {
			if places>>place&1 != 0 {
				off = addDigits(off, cell, l.b.digits[cell]&^set)
			}
		}
		l.offer(3, count(places)-1, off)
	}
}

// locked takes a digit of the loop that has no other place in a house of both cells: the other digit
// of the loop is in neither.
func (l *loopSearch) locked(a, b int) {
	first, second := bits.TrailingZeros16(l.pair), bits.Len16(l.pair)-1
	at := [2]int{-1, -1}
	for kind, house := range houseOf[a] {
		if houseOf[b][kind] == house {
			both := uint16(1)<<placeIn[a][kind] | 1<<placeIn[b][kind]
			for i, digit := range [2]int{first, second} {
				if l.b.spots[house][digit]&^both == 0 {
					at[i] = house
				}
			}
		}
	}
	other := first
	if at[0] >= 0 {
		other = second
	} else if at[1] < 0 {
		return
	}
	l.offer(4, 0, []candidate{candidate(9*a + other), candidate(9*b + other)})
}

// offer keeps a step if it is easier than the best so far: by the length of the loop and the size of
// its set.
func (l *loopSearch) offer(kind, set int, off []candidate) {
	if len(off) == 0 {
		return
	}
	rating := 4.5
	if len(l.path) >= 10 {
		rating += 0.3
	}
	if len(l.path) >= 8 {
		rating += 0.2
	} else if len(l.path) >= 6 {
		rating += 0.1
	}
	if kind == 3 {
		rating += float64(float64(set) * 0.1)
	}
	if l.best.name != "" && (rating > l.best.rating || rating == l.best.rating && kind >= l.kind) {
		return
	}
	name := "unique rectangle"
	if len(l.path) > 4 {
		name = "unique loop"
	}
	l.best, l.kind = step{name: name, rating: rating, placed: -1, off: off}, kind
}
