package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Bivalue universal grave (BUG). If every open cell had two candidates, and every open digit two
// places in each house, the puzzle would have no solution or two: in a solution, each open cell
// could take its other candidate instead. So if the candidates differ from such a pattern by a
// few extra ones, one of the extra candidates is true. The types:
//
//	1  there is one extra candidate: it is true
//	2  a candidate that excludes all extra ones is false
//	3  the digits of the extra candidates in a house form a naked subset with cells of the house
//	4  the extra candidates are in two cells, the only places of a digit x in a house:
//	   one of the cells is x and the other one an extra candidate, so their other digits are false
//
// The exchange must keep all rules. It does so if these are about houses alone; puzzles with cages
// or knights' moves have no BUG.

// maxGraveCells is the largest number of cells with extra candidates. Larger patterns hardly
// occur, and hardly eliminate anything.
const maxGraveCells = 6

// A grave is a pattern under construction.
type grave struct {
	b      *Board
	multi  []int  // the cells with more than two candidates
	keep   []pair // by index in multi: the two candidates of the pattern
	counts []int  // by house*size + digit: the places in the pattern
}

// A pair is a set of two digits.
type pair = uint64

func universalGraves(b *Board, use func(*Step) bool) {
	if b.noExchange != "" {
		return
	}
	g := grave{b: b}
	for cell, set := range b.digits {
		switch n := bits.OnesCount64(set); {
		case b.placed[cell]:
		case n < 2:
			return
		case n > 2:
			if g.multi = append(g.multi, cell); len(g.multi) > maxGraveCells {
				return
			}
		}
	}
	if len(g.multi) > 0 && g.count() && g.choose(0) {
		g.steps(use)
	}
}

// count counts the places of the open digits. It returns false if a digit has fewer than two
// places, or if more places must be removed than the cells have extra candidates.
func (g *grave) count() bool {
	b := g.b
	g.counts = make([]int, len(b.places))
	more := 0
	for _, cell := range g.multi {
		more += bits.OnesCount64(b.digits[cell]) - 2
	}
	for i, places := range b.places {
		n := bits.OnesCount64(places)
		house := i / b.size
		if n == 1 && b.placed[b.rules.Houses()[house].Cells[bits.TrailingZeros64(places)]] {
			n = 2 // not open
		}
		if n < 2 {
			return false
		}
		if g.counts[i] = n; house < b.rules.Rows() { // each extra candidate is in one row
			more -= n - 2
		}
	}
	return more == 0
}

// choose chooses the candidates of the pattern for all cells from multi[i] on.
func (g *grave) choose(i int) bool {
	if i == len(g.multi) {
		return !slices.ContainsFunc(g.counts, func(n int) bool { return n != 2 })
	}
	cell := g.multi[i]
	digits := digitsOf(g.b.digits[cell])
	for k, x := range digits {
		for _, y := range digits[k+1:] {
			kept := pair(1<<(x-1) | 1<<(y-1))
			if g.remove(cell, kept, -1) && g.choose(i+1) {
				g.keep = append(g.keep, kept) // last cell first
				return true
			}
			g.remove(cell, kept, 1)
		}
	}
	return false
}

// remove removes all candidates of a cell but two from the counts, or with change 1 adds them
// again. It returns false if a digit has fewer than two places left.
func (g *grave) remove(cell int, kept pair, change int) bool {
	ok := true
	for rest := g.b.digits[cell] &^ kept; rest != 0; rest &= rest - 1 {
		for _, s := range g.b.spots[cell] {
			at := s.house*g.b.size + bits.TrailingZeros64(rest)
			g.counts[at] += change
			ok = ok && g.counts[at] >= 2
		}
	}
	return ok
}

// steps finds the steps of all types.
func (g *grave) steps(use func(*Step) bool) {
	b := g.b
	slices.Reverse(g.keep)
	var extras []int
	digits := uint64(0)
	for i, cell := range g.multi {
		set := b.digits[cell] &^ g.keep[i]
		digits |= set
		extras = append(extras, b.candidatesIn([]int{cell}, set)...)
	}
	s := g.step(1, extras, nil)
	if len(extras) == 1 {
		s.Placed = extras[0]
		use(s)
		return
	}
	if s = g.step(2, extras, g.excluded(extras)); len(s.Eliminated) > 0 && !use(s) {
		return
	}
	if g.pairStep(extras, use) {
		g.subsetSteps(extras, digits, use)
	}
}

// step returns a step of a type. The premises are that no open cell has more candidates.
func (g *grave) step(kind int, extras, eliminated []int) *Step {
	s := &Step{Placed: -1, Eliminated: eliminated, cells: g.multi, kind: kind, extras: extras}
	if kind > 1 {
		s.Rating = 1
	}
	for cell, placed := range g.b.placed {
		if !placed {
			s.groups = append(s.groups, cell)
		}
	}
	return s
}

// excluded returns the candidates that exclude all extra ones (type 2).
func (g *grave) excluded(extras []int) []int {
	b := g.b
	var list []int
	for candidate := range len(b.digits) * b.size {
		if b.holds(candidate) && !b.placed[candidate/b.size] && !slices.ContainsFunc(extras, func(e int) bool { return !b.excludes(candidate, e) }) {
			list = append(list, candidate)
		}
	}
	return list
}

// pairStep finds type 4.
func (g *grave) pairStep(extras []int, use func(*Step) bool) bool {
	b := g.b
	if len(g.multi) != 2 {
		return true
	}
	p, q := g.multi[0], g.multi[1]
	for _, at := range b.spots[p] {
		if !b.inHouse(q, at.house) {
			continue
		}
		for _, digit := range digitsOf(g.keep[0] & g.keep[1]) {
			x := uint64(1) << (digit - 1) // p and q are its two places in the house
			eliminated := append(b.candidatesIn([]int{p}, g.keep[0]&^x), b.candidatesIn([]int{q}, g.keep[1]&^x)...)
			s := g.step(4, extras, eliminated)
			s.groups = append(s.groups, b.groupOf(at.house, digit-1))
			if !use(s) {
				return false
			}
		}
	}
	return true
}

// subsetSteps finds type 3.
func (g *grave) subsetSteps(extras []int, digits uint64, use func(*Step) bool) {
	for _, at := range g.b.spots[g.multi[0]] {
		more := g.b.virtualSubsets(at.house, g.multi, digits, func(cells, eliminated []int) bool {
			s := g.step(3, extras, eliminated)
			s.Rating += Difficulty(len(cells))
			return len(eliminated) == 0 || use(s)
		})
		if !more {
			return
		}
	}
}

func graveReason(b *Board, s *Step) string {
	return fmt.Sprintf("type %d: without %s, all open cells would have two candidates and all digits two places: two solutions (this assumes that there is one)",
		s.kind, b.candidateNames(s.extras))
}
