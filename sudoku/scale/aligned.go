package scale

import "math/bits"

// Aligned exclusion. Two or three cells cannot take digits that are equal in cells that see each other,
// nor digits that leave nothing for an excluder, another cell that sees them all. Digits without
// any combination left are not true.

// excluders returns the cells, in order, that see at least one excluder, and by cell its excluders:
// cells with two digits, or up to size, that it sees.
func (b *board) excluders(size int) (cells []int, of [81]cellSet) {
	for cell, digits := range b.digits {
		if count(digits) < 2 {
			continue
		}
		single := false
		for _, p := range &peers[cell] {
			switch n := count(b.digits[p.cell]); {
			case n == 1:
				single = true
			case n > 1 && n <= size:
				of[cell].add(p.cell)
			}
		}
		if !single && of[cell].size() > 0 {
			cells = append(cells, cell)
		}
	}
	return cells, of
}

// alignedPairs finds aligned pair exclusions.
func alignedPairs(b *board, yield func(*step) bool) {
	cells, of := b.excluders(2)
	for j := range cells {
		for i := range j {
			if !b.aligned([]int{cells[i], cells[j]}, of[cells[i]].and(of[cells[j]]), yield) {
				return
			}
		}
	}
}

// alignedTriples finds aligned triple exclusions. The third cell excludes one of the first two.
func alignedTriples(b *board, yield func(*step) bool) {
	cells, of := b.excluders(3)
	var listed cellSet
	for _, cell := range cells {
		listed.add(cell)
	}
	for j := range cells {
		for i := range j {
			pair := [2]int{cells[i], cells[j]}
			both := of[pair[0]].and(of[pair[1]])
			if both.size() < 2 {
				continue
			}
			var tried cellSet
			tried.add(pair[0])
			tried.add(pair[1])
			for _, first := range pair {
				for _, p := range &peers[first] {
					if !of[first].has(p.cell) || !listed.has(p.cell) || tried.has(p.cell) {
						continue
					}
					tried.add(p.cell)
					if !b.aligned([]int{pair[0], pair[1], p.cell}, both.and(of[p.cell]), yield) {
						return
					}
				}
			}
		}
	}
}

// aligned finds the step of cells with at least two common excluders.
func (b *board) aligned(cells []int, common cellSet, yield func(*step) bool) bool {
	if common.size() < 2 {
		return true
	}
	var excluders []uint16
	for cell := range common.all() {
		excluders = append(excluders, b.digits[cell])
	}
	e := exclusion{b: b, cells: cells, excluders: excluders}
	e.combine(0, 0)
	s := b.begin("aligned pair exclusion", 6.2)
	if len(cells) == 3 {
		s.name, s.rating = "aligned triple exclusion", 7.5
	}
	for i, cell := range cells {
		s.off = addDigits(s.off, cell, b.digits[cell]&^e.allowed[i])
	}
	return len(s.off) == 0 || yield(s)
}

// An exclusion has the digits of cells that are in a possible combination.
type exclusion struct {
	b         *board
	cells     []int
	excluders []uint16
	chosen    [3]int
	allowed   [3]uint16
}

// combine tries the digits of the cells from one on, with the digits of the cells before it. It returns
// true when all digits are allowed.
func (e *exclusion) combine(at int, used uint16) bool {
	if at == len(e.cells) {
		return e.allow(used)
	}
digits:
	for rest := e.b.digits[e.cells[at]]; rest != 0; rest &= rest - 1 {
		digit := bits.TrailingZeros16(rest)
		for i, other := range e.chosen[:at] {
			if other == digit && seen[e.cells[i]].has(e.cells[at]) {
				continue digits
			}
		}
		e.chosen[at] = digit
		if e.combine(at+1, used|1<<digit) {
			return true
		}
	}
	return false
}

// allow allows the chosen digits, unless they leave nothing for an excluder.
func (e *exclusion) allow(used uint16) (all bool) {
	for _, digits := range e.excluders {
		if digits&^used == 0 {
			return false
		}
	}
	all = true
	for i, cell := range e.cells {
		e.allowed[i] |= 1 << e.chosen[i]
		all = all && e.allowed[i] == e.b.digits[cell]
	}
	return all
}
