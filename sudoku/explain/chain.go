package explain

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
	"sator/twosat"
)

// Chains of implications in words. A chain of package twosat is a list of
// literals, each of which implies the next one by a binary clause. The instance
// does not record the Sudoku rule behind a clause. It is recomputed from the signs
// of the two literals and the remaining candidates. The rules are those of
// [sudoku.Candidates.Implications].

// chainText returns a chain in words, and false if an implication does not hold
// for the current candidates. It omits an obvious negative literal between two
// positive ones; see obvious.
func (h *hinter) chainText(chain twosat.Chain) (string, bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "if %s, then ", h.literal(chain[0]))
	for i := 1; i < len(chain); i++ {
		l := chain[i]
		reason, ok := h.reason(chain[i-1], l)
		if !ok {
			return "", false
		}
		last := i+1 == len(chain)
		if !last && h.obvious(chain[i-1], l, chain[i+1]) {
			continue
		}
		fmt.Fprintf(&b, "%s (%s)", h.literal(l), reason)
		if !last {
			b.WriteString(", so ")
		}
	}
	return b.String(), true
}

// literal returns the statement of a literal.
func (h *hinter) literal(l dimacs.Lit) string { return statement(h.rules, int(l.Var()), !l.Neg()) }

// obvious reports whether l is omitted from the text: before places a digit
// that excludes the candidate of l, and after places a digit.
func (h *hinter) obvious(before, l, after dimacs.Lit) bool {
	return !before.Neg() && l.Neg() && !after.Neg() && excludes(h.rules, int(before.Var()), int(l.Var()))
}

// reason returns the reason why literal a implies literal b, and false if it does
// not.
func (h *hinter) reason(a, b dimacs.Lit) (string, bool) {
	x, y := int(a.Var()), int(b.Var())
	switch {
	case x == y:
		return h.emptiesHouse(x)
	case !a.Neg() && b.Neg():
		return exclusion(h.rules, x, y), excludes(h.rules, x, y)
	case a.Neg() && !b.Neg():
		return h.lastOne(x, y)
	case !a.Neg():
		if house, ok := h.leavesOnly(x, y); ok {
			_, digit := h.rules.Split(y)
			return fmt.Sprintf("the only place left for %d in %s", digit, house), true
		}
		pair, ok := h.pair(y, x)
		return "else " + pair, ok
	}
	if house, ok := h.leavesOnly(y, x); ok {
		_, digit := h.rules.Split(y)
		return fmt.Sprintf("else %d would have no place in %s", digit, house), true
	}
	return h.pair(x, y)
}

// exclusion returns the reason why two candidates are mutually exclusive.
func exclusion(r *sudoku.Rules, x, y int) string {
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

// lastOne returns the reason why y is true if x is false: both are the only
// candidates of a cell, or the only places of a digit in a house. It returns false
// if they are not.
func (h *hinter) lastOne(x, y int) (string, bool) {
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

// leavesOnly returns a house where y is the only place of its digit that x does
// not exclude, and false if there is no such house.
func (h *hinter) leavesOnly(x, y int) (sudoku.House, bool) {
	r := h.rules
	cell, _ := r.Split(y)
	for _, house := range r.HousesOf(cell) {
		if left := h.placesWith(x, house, y); slices.Equal(left, []int{y}) {
			return r.Houses()[house], true
		}
	}
	return sudoku.House{}, false
}

// emptiesHouse returns the reason why x implies its own negation: it excludes all
// places of its digit in another house. It returns false if there is no such house.
func (h *hinter) emptiesHouse(x int) (string, bool) {
	r := h.rules
	_, digit := r.Split(x)
	for house := range r.Houses() {
		if left := h.placesWith(x, house, x); left != nil && len(left) == 0 {
			return fmt.Sprintf("it would leave %d no place in %s", digit, r.Houses()[house]), true
		}
	}
	return "", false
}

// placesWith returns the places in a house, of the digit of candidate y, that x
// does not exclude; nil if x is in the house itself.
func (h *hinter) placesWith(x, house, y int) []int {
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

// pair returns the reason why y is false if x is false: without x, its cell and a
// peer have the same two candidates (a naked pair), and y is in a peer of both. It
// returns false if there is no such pair. It does not check that the cells of x
// and y are peers: they are if the instance has the implication.
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
