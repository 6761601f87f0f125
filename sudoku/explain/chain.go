package explain

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
	"sator/twosat"
)

// Chains of implications in words. A chain from package twosat is a list of
// literals, each of which implies the next by a clause. Which rule the clause
// comes from is not kept; it is found out again, by the signs of the two
// literals and by what is left of the puzzle. The rules are those of
// [sudoku.Candidates.Implications].

// chainText tells a chain, or returns false if it does not hold as things stand.
// That a digit is not somewhere is left out where it is plain: between a digit
// placed that excludes it and another that is placed because of that.
func (h *hinter) chainText(chain twosat.Chain) (string, bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "if %s, then ", h.said(chain[0]))
	for i := 1; i < len(chain); i++ {
		l := chain[i]
		because, ok := h.because(chain[i-1], l)
		if !ok {
			return "", false
		}
		last := i+1 == len(chain)
		if !last && h.plain(chain[i-1], l, chain[i+1]) {
			continue
		}
		fmt.Fprintf(&b, "%s (%s)", h.said(l), because)
		if !last {
			b.WriteString(", so ")
		}
	}
	return b.String(), true
}

func (h *hinter) said(l dimacs.Lit) string { return statement(h.rules, int(l.Var()), !l.Neg()) }

// plain reports whether l is between two digits placed, of which the first
// excludes it.
func (h *hinter) plain(before, l, after dimacs.Lit) bool {
	return !before.Neg() && l.Neg() && !after.Neg() && excludes(h.rules, int(before.Var()), int(l.Var()))
}

// because says why one literal implies another, if it does.
func (h *hinter) because(a, b dimacs.Lit) (string, bool) {
	x, y := int(a.Var()), int(b.Var())
	switch {
	case x == y:
		return h.leavesNone(x)
	case !a.Neg() && b.Neg():
		return together(h.rules, x, y), excludes(h.rules, x, y)
	case a.Neg() && !b.Neg():
		return h.other(x, y)
	case !a.Neg():
		if house, ok := h.leaves(x, y); ok {
			_, digit := h.rules.Split(y)
			return fmt.Sprintf("the only place left for %d in %s", digit, house), true
		}
		pair, ok := h.pair(y, x)
		return "else " + pair, ok
	}
	if house, ok := h.leaves(y, x); ok {
		_, digit := h.rules.Split(y)
		return fmt.Sprintf("else %d would have no place in %s", digit, house), true
	}
	return h.pair(x, y)
}

// together says why two candidates exclude each other.
func together(r *sudoku.Rules, x, y int) string {
	a, _ := r.Split(x)
	b, _ := r.Split(y)
	if a == b {
		return "a cell has one digit"
	}
	for _, house := range r.HousesOf(a) {
		if slices.Contains(r.HousesOf(b), house) {
			return "in the same " + r.Houses()[house].Kind
		}
	}
	if cage := r.CageOf(a); cage >= 0 && cage == r.CageOf(b) {
		return "in the same cage"
	}
	return "a knight's move away"
}

// other says of which group two candidates are all that is left, if they are.
func (h *hinter) other(x, y int) (string, bool) {
	r := h.rules
	a, _ := r.Split(x)
	b, digit := r.Split(y)
	if a == b {
		return "its last digit", h.now.Left(a) == 2
	}
	for _, house := range r.HousesOf(a) {
		if slices.Contains(r.HousesOf(b), house) && h.now.Left(r.Cells()+house*r.Size()+digit-1) == 2 {
			return fmt.Sprintf("the only place left for %d in %s", digit, r.Houses()[house]), true
		}
	}
	return "", false
}

// leaves returns the house in which y is the only place of its digit that x does
// not exclude.
func (h *hinter) leaves(x, y int) (sudoku.House, bool) {
	r := h.rules
	cell, _ := r.Split(y)
	for _, house := range r.HousesOf(cell) {
		if left := h.leftBeside(x, house, y); slices.Equal(left, []int{y}) {
			return r.Houses()[house], true
		}
	}
	return sudoku.House{}, false
}

// leavesNone says in which house a candidate leaves its digit no place, if there
// is one.
func (h *hinter) leavesNone(x int) (string, bool) {
	r := h.rules
	_, digit := r.Split(x)
	for house := range r.Houses() {
		if left := h.leftBeside(x, house, x); left != nil && len(left) == 0 {
			return fmt.Sprintf("it would leave %d no place in %s", digit, r.Houses()[house]), true
		}
	}
	return "", false
}

// leftBeside returns the places in a house, of the digit of candidate y, that x
// does not exclude; nil if x is in the house itself.
func (h *hinter) leftBeside(x, house, y int) []int {
	r := h.rules
	if cell, _ := r.Split(x); slices.Contains(r.HousesOf(cell), house) {
		return nil
	}
	_, digit := r.Split(y)
	left := []int{}
	for _, place := range h.now.Live(r.Cells()+house*r.Size()+digit-1, nil) {
		if !excludes(r, x, place) {
			left = append(left, place)
		}
	}
	return left
}

// pair says which two cells have two digits between them unless x is true, so
// that y is not.
func (h *hinter) pair(x, y int) (string, bool) {
	r := h.rules
	cell, _ := r.Split(x)
	far, _ := r.Split(y)
	rest := slices.DeleteFunc(h.now.Live(cell, nil), func(c int) bool { return c == x })
	if len(rest) != 2 || !slices.ContainsFunc(rest, func(c int) bool { return c%r.Size() == y%r.Size() }) {
		return "", false
	}
	for _, peer := range r.Peers(cell) {
		if _, sees := slices.BinarySearch(r.Peers(peer), far); !sees || h.now.Left(peer) != 2 {
			continue
		}
		if two := h.now.Live(peer, nil); two[0]%r.Size() == rest[0]%r.Size() && two[1]%r.Size() == rest[1]%r.Size() {
			_, low := r.Split(two[0])
			_, high := r.Split(two[1])
			return fmt.Sprintf("%s have %d and %d between them", cellNames(r, []int{min(cell, peer), max(cell, peer)}), low, high), true
		}
	}
	return "", false
}
