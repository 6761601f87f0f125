package scale

import "math/bits"

// Patterns: singles, locked candidates, naked and hidden sets, fish, and wings. Each function calls
// yield for its steps, in the order of Sudoku Explainer, until yield returns false. A step is valid
// until yield returns.

// A finder finds the steps of a technique.
type finder func(b *board, yield func(*step) bool)

// hiddenSingles finds digits with one place in a house, first in a last open cell.
func hiddenSingles(b *board, yield func(*step) bool) {
	for _, last := range [2]bool{true, false} {
		for _, first := range patternOrder {
			for house := first; house < first+9; house++ {
				if (b.empty[house] == 1) != last {
					continue
				}
				for digit := range 9 {
					if place := oneDigit[b.spots[house][digit]]; place >= 0 {
						s := b.begin("hidden single", 1.5)
						if first == boxes {
							s.rating = 1.2
						}
						if last {
							s.name, s.rating = "last cell", 1.0
						}
						s.placed = candidate(9*houses[house][place] + digit)
						if !yield(s) {
							return
						}
					}
				}
			}
		}
	}
}

// nakedSingles finds cells with one digit.
func nakedSingles(b *board, yield func(*step) bool) {
	for cell, digits := range b.digits {
		if digit := oneDigit[digits]; digit >= 0 {
			s := b.begin("naked single", 2.3)
			s.placed = candidate(9*cell + int(digit))
			if !yield(s) {
				return
			}
		}
	}
}

// locked finds digits whose places in a house all lie in a second one: pointing from a box,
// claiming by a line.
func locked(b *board, yield func(*step) bool) {
	b.locked(func(base, cover, digit int) bool {
		outside := b.spots[cover][digit] &^ overlap[cover][base]
		if outside == 0 {
			return true
		}
		s := b.begin("claiming", 2.8)
		if base < rows {
			s.name, s.rating = "pointing", 2.6
		}
		s.off = addPlaces(s.off, cover, digit, outside)
		s.premise = addPlaces(s.premise, base, digit, allNine&^overlap[base][cover])
		return yield(s)
	})
}

// directLocked finds locked candidates that leave a digit one place in a third house.
func directLocked(b *board, yield func(*step) bool) {
	b.locked(func(base, cover, digit int) bool {
		for third := base / 9 * 9; third < base/9*9+9; third++ {
			spots := b.spots[third][digit]
			if third == base || overlap[third][cover] == 0 || count(spots) < 2 {
				continue
			}
			if place := oneDigit[spots&^overlap[third][cover]]; place >= 0 {
				s := b.begin("direct claiming", 1.9)
				if base < rows {
					s.name, s.rating = "direct pointing", 1.7
				}
				s.placed = candidate(9*houses[third][place] + digit)
				if !yield(s) {
					return false
				}
			}
		}
		return true
	})
}

// locked calls use for each digit whose places in a house, at least two, all lie in a second one.
func (b *board) locked(use func(base, cover, digit int) bool) {
	for _, kinds := range [4][2]int{{boxes, columns}, {boxes, rows}, {columns, boxes}, {rows, boxes}} {
		for base := kinds[0]; base < kinds[0]+9; base++ {
			for cover := kinds[1]; cover < kinds[1]+9; cover++ {
				common := overlap[base][cover]
				if common == 0 {
					continue
				}
				for digit := range 9 {
					if spots := b.spots[base][digit]; spots&^common == 0 && count(spots) > 1 && !use(base, cover, digit) {
						return
					}
				}
			}
		}
	}
}

var setNames = [5]string{2: "pair", 3: "triple", 4: "quad"}

// nakedSets finds a number of cells of a house with as many digits between them.
func nakedSets(size int) finder {
	name, rating := "naked "+setNames[size], [5]float64{2: 3.0, 3: 3.6, 4: 5.0}[size]
	return func(b *board, yield func(*step) bool) {
		b.inHouses(func(house int) bool {
			if int(b.empty[house]) < 2*size {
				return true
			}
			var digits [9]uint16
			for place, cell := range houses[house] {
				digits[place] = b.digits[cell]
			}
			return tuples(&digits, size, func(places, set uint16) bool {
				s := b.begin(name, rating)
				for place, cell := range houses[house] {
					if places>>place&1 != 0 {
						s.premise = addDigits(s.premise, cell, allNine&^set)
					} else {
						s.off = addDigits(s.off, cell, b.digits[cell]&set)
					}
				}
				return len(s.off) == 0 || yield(s)
			})
		})
	}
}

// hiddenSets finds a number of digits of a house with as many places between them.
func hiddenSets(size int) finder {
	name, rating := "hidden "+setNames[size], [5]float64{2: 3.4, 3: 4.0, 4: 5.4}[size]
	return func(b *board, yield func(*step) bool) {
		b.inHouses(func(house int) bool {
			return int(b.empty[house]) <= 2*size || tuples(&b.spots[house], size, func(digits, places uint16) bool {
				s := b.begin(name, rating)
				for place, cell := range houses[house] {
					if places>>place&1 != 0 {
						s.off = addDigits(s.off, cell, b.digits[cell]&^digits)
					} else {
						s.premise = addDigits(s.premise, cell, digits)
					}
				}
				return len(s.off) == 0 || yield(s)
			})
		})
	}
}

// directHiddenSets finds hidden sets that leave another digit one place in the house.
func directHiddenSets(size int) finder {
	name, rating := "direct hidden "+setNames[size], [5]float64{2: 2.0, 3: 2.5}[size]
	return func(b *board, yield func(*step) bool) {
		b.inHouses(func(house int) bool {
			return int(b.empty[house]) <= size || tuples(&b.spots[house], size, func(digits, places uint16) bool {
				for digit, spots := range b.spots[house] {
					if place := oneDigit[spots&^places]; digits>>digit&1 == 0 && count(spots) > 1 && place >= 0 {
						s := b.begin(name, rating)
						s.placed = candidate(9*houses[house][place] + digit)
						return yield(s)
					}
				}
				return true
			})
		})
	}
}

// inHouses calls use for all houses in the order of patterns, until it returns false.
func (b *board) inHouses(use func(house int) bool) {
	for _, first := range patternOrder {
		for house := first; house < first+9; house++ {
			if !use(house) {
				return
			}
		}
	}
}

// tuples calls use for each choice of size sets, of at least two members each, that have size
// members between them.
func tuples(sets *[9]uint16, size int, use func(chosen, members uint16) bool) bool {
	var fit uint16
	for i, set := range sets {
		if n := count(set); n >= 2 && n <= size {
			fit |= 1 << i
		}
	}
	if count(fit) < size {
		return true
	}
	for _, chosen := range subsets[size] {
		if chosen&^fit != 0 {
			continue
		}
		if members, ok := union(sets, chosen); ok && count(members) == size && !use(chosen, members) {
			return false
		}
	}
	return true
}

// fish finds a digit that has the same places in a number of lines, as many as there are lines.
func fish(size int) finder {
	name, rating := [5]string{2: "X-wing", 3: "swordfish", 4: "jellyfish"}[size], [5]float64{2: 3.2, 3: 3.8, 4: 5.2}[size]
	return func(b *board, yield func(*step) bool) {
		for _, base := range [2]int{columns, rows} {
			cover := rows + columns - base
			var places [9][9]uint16 // by digit and line
			for digit := range 9 {
				for line := range 9 {
					places[digit][line] = b.spots[base+line][digit]
				}
			}
			for _, lines := range subsets[size] {
				for digit := range 9 {
					if int(b.placed[digit])+2*size > 9 {
						continue
					}
					across, ok := union(&places[digit], lines)
					if !ok || count(across) != size {
						continue
					}
					s := b.begin(name, rating)
					for place := range 9 {
						if across>>place&1 != 0 {
							s.off = addPlaces(s.off, cover+place, digit, b.spots[cover+place][digit]&^lines)
						}
						if lines>>place&1 != 0 {
							s.premise = addPlaces(s.premise, base+place, digit, allNine&^across)
						}
					}
					if len(s.off) > 0 && !yield(s) {
						return
					}
				}
			}
		}
	}
}

// wings finds a pivot with the digits x and y, or x, y and z, that sees a cell with x and z and one
// with y and z: a cell that sees all cells with z is not z.
func wings(size int) finder {
	name, rating := [4]string{2: "XY-wing", 3: "XYZ-wing"}[size], [4]float64{2: 4.2, 3: 4.4}[size]
	return func(b *board, yield func(*step) bool) {
		for pivot, xy := range b.digits {
			if count(xy) != size {
				continue
			}
			for _, p := range peers[pivot] {
				xz := b.digits[p.cell]
				if count(xz) != 2 || count(xy&^xz) != 1 {
					continue
				}
				for _, q := range peers[pivot] {
					yz := b.digits[q.cell]
					if count(yz) != 2 || count(xy|xz|yz) != 3 || count(xy&xz&yz) != size-2 {
						continue
					}
					z := bits.TrailingZeros16(xz & yz)
					victims := seen[p.cell].and(seen[q.cell])
					if size == 3 {
						victims = victims.and(seen[pivot])
					}
					s := b.begin(name, rating)
					for cell := range victims.all() {
						if cell != pivot && b.digits[cell]>>z&1 != 0 {
							s.off = append(s.off, candidate(9*cell+z))
						}
					}
					if len(s.off) > 0 && !yield(s) {
						return
					}
				}
			}
		}
	}
}
