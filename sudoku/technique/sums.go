package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// The 45 rule. All digits of a house add up to 45 at size 9. Take one to three houses of a kind that
// have no cell in common. The cages inside of them leave a sum for the other cells in the houses, the
// innies. And if all their cells are in cages, these have the sum of the houses and of their cells
// outside, the outies. A few innies or outies are like a cage, except that cells that do not see each
// other may have the same digit. Likewise with the innies of some cages and the outies of others, the
// side of each cage with fewer cells: the difference of their sums is known.

// maxSumCells is the largest number of open innies or outies, and of open cells of a cage whose
// assignments are tried.
const maxSumCells = 6

// maxAssignments limits the assignments that are tried for a set of cells.
const maxAssignments = 20_000

// A sumRule is a set of innies and outies: the sum of the innies less that of the outies is known.
type sumRule struct {
	cells  []int // innies, then outies
	innies int   // the number of innies
	sum    int
	houses []int
}

// sumRules returns the innies and outies of the rules, from few houses to many. The board computes
// them once.
func (b *Board) sumRules() []sumRule {
	if b.rules45 != nil || len(b.rules.Cages()) == 0 {
		return b.rules45
	}
	known := make(map[string]bool)
	for size := 1; size <= 3; size++ {
		b.houseSets(size, 0, nil, func(houses []int) {
			for _, rule := range b.sumsOf(houses) {
				if key := fmt.Sprint(rule.cells, rule.innies); !known[key] {
					known[key] = true
					b.rules45 = append(b.rules45, rule)
				}
			}
		})
	}
	return b.rules45
}

// houseSets calls use for the sets of houses of one kind without a common cell, from one house on.
func (b *Board) houseSets(size, from int, chosen []int, use func([]int)) {
	if size == 0 {
		use(chosen)
		return
	}
	all := b.rules.Houses()
next:
	for h := from; h < len(all); h++ {
		for _, other := range chosen {
			if all[other].Kind != all[h].Kind || slices.ContainsFunc(all[h].Cells, func(cell int) bool { return b.inHouse(cell, other) }) {
				continue next
			}
		}
		b.houseSets(size-1, h+1, append(chosen, h), use)
	}
}

// sumsOf returns the innies, the outies and their mixture for some houses, unless they are too many.
func (b *Board) sumsOf(houses []int) []sumRule {
	within := make([]bool, len(b.digits))
	total := 0
	var loose []int // innies in no cage
	var touching []int
	for _, h := range houses {
		for _, cell := range b.rules.Houses()[h].Cells {
			within[cell] = true
			if i := b.rules.CageOf(cell); i < 0 {
				loose = append(loose, cell)
			} else if !slices.Contains(touching, i) {
				touching = append(touching, i)
			}
		}
		total += b.size * (b.size + 1) / 2
	}
	var rules []sumRule
	for _, takeOuties := range []func(inner, outer int) bool{
		func(_, _ int) bool { return false },
		func(_, _ int) bool { return true },
		func(inner, outer int) bool { return outer <= inner },
	} {
		innies, sum := slices.Clone(loose), total
		var outies []int
		for _, i := range touching {
			cage := b.rules.Cages()[i]
			inner := slices.DeleteFunc(slices.Clone(cage.Cells), func(cell int) bool { return !within[cell] })
			outer := slices.DeleteFunc(slices.Clone(cage.Cells), func(cell int) bool { return within[cell] })
			if len(outer) > 0 && !takeOuties(len(inner), len(outer)) {
				innies = append(innies, inner...)
			} else {
				outies = append(outies, outer...)
				sum -= cage.Sum
			}
		}
		rules = append(rules, sumRule{append(innies, outies...), len(innies), sum, slices.Clone(houses)})
	}
	return slices.DeleteFunc(rules, func(r sumRule) bool { return len(r.cells) == 0 || len(r.cells) > 2*maxSumCells })
}

func inniesAndOuties(b *Board, use func(*Step) bool) {
	for _, rule := range b.sumRules() {
		eliminated := b.excludedBySum(rule.cells, rule.innies, rule.sum)
		if len(eliminated) == 0 {
			continue
		}
		s := &Step{
			Placed: -1, Eliminated: eliminated, groups: rule.cells, cells: rule.cells, ends: []int{rule.innies}, kind: rule.sum, houses: rule.houses,
			Rating: Difficulty(4 * (len(rule.houses) - 1)),
		}
		if !use(s) {
			return
		}
	}
}

// excludedBySum returns the candidates of open cells that no assignment has in which the first cells, as
// many as plus, have a sum that exceeds that of the others by sum. It returns nil if there are too many
// cells or assignments.
func (b *Board) excludedBySum(cells []int, plus, sum int) []int {
	a := assigner{b: b, left: maxAssignments}
	for i, cell := range cells {
		sign := 1
		if i >= plus {
			sign = -1
		}
		if b.placed[cell] {
			sum -= sign * b.Digit(cell)
		} else {
			a.cells, a.signs = append(a.cells, cell), append(a.signs, sign)
		}
	}
	if len(a.cells) == 0 || len(a.cells) > maxSumCells {
		return nil
	}
	a.digits, a.allowed = make([]int, len(a.cells)), make([]uint64, len(a.cells))
	a.assign(0, sum)
	if a.left < 0 {
		return nil
	}
	var eliminated []int
	for i, cell := range a.cells {
		eliminated = append(eliminated, b.candidatesIn([]int{cell}, ^a.allowed[i])...)
	}
	return eliminated
}

// An assigner finds the digits of cells in assignments with a sum.
type assigner struct {
	b       *Board
	cells   []int
	signs   []int
	digits  []int
	allowed []uint64
	left    int // assignments to try
}

// assign tries the digits of the cells from one on, which have a sum. It returns true if one fits.
func (a *assigner) assign(at, sum int) bool {
	b := a.b
	if at == len(a.cells) {
		return sum == 0
	}
	low, high := 0, 0 // the bounds of the cells behind this one
	for _, sign := range a.signs[at+1:] {
		low += min(sign, sign*b.size)
		high += max(sign, sign*b.size)
	}
	found := false
	for set := b.digits[a.cells[at]]; set != 0 && a.left >= 0; set &= set - 1 {
		digit := bits.TrailingZeros64(set) + 1
		rest := sum - a.signs[at]*digit
		if rest < low || rest > high || a.clashes(at, digit) {
			continue
		}
		a.left--
		a.digits[at] = digit
		if a.assign(at+1, rest) {
			a.allowed[at] |= set & -set
			found = true
		}
	}
	return found
}

// clashes reports whether a cell before one sees it and has a digit.
func (a *assigner) clashes(at, digit int) bool {
	for i, d := range a.digits[:at] {
		if d == digit && a.b.sees(a.cells[i], a.cells[at]) {
			return true
		}
	}
	return false
}

func sumReason(b *Board, s *Step) string {
	names := make([]string, len(s.houses))
	for i, h := range s.houses {
		names[i] = b.rules.Houses()[h].String()
	}
	where := "in and around " + listed(names)
	innies, outies := s.cells[:s.ends[0]], s.cells[s.ends[0]:]
	switch {
	case len(outies) == 0:
		return fmt.Sprintf("the cages %s leave %d for %s", where, s.kind, b.cellNames(innies))
	case len(innies) == 0:
		return fmt.Sprintf("the cages %s leave %d for %s", where, -s.kind, b.cellNames(outies))
	}
	return fmt.Sprintf("the cages %s leave %d for %s less %s", where, s.kind, b.cellNames(innies), b.cellNames(outies))
}
