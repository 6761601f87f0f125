package sudoku

import "fmt"

// A group is a set of candidates with an exactly-one constraint: the digits of
// a cell, or the places of a digit in a house. Group c, for c below Cells(), is
// cell c; group Cells() + h*Size() + d-1 is digit d in house h.

// Groups returns the number of groups.
func (r *Rules) Groups() int { return r.Cells() + len(r.houses)*r.variant.Size }

// Group appends the candidates of a group to buf, ascending.
func (r *Rules) Group(group int, buf []int) []int {
	n := r.variant.Size
	if group < r.Cells() {
		for d := range n {
			buf = append(buf, group*n+d)
		}
		return buf
	}
	h, d := r.splitGroup(group)
	for _, cell := range r.houses[h].Cells {
		buf = append(buf, cell*n+d)
	}
	return buf
}

// GroupName returns the name of a group, such as "R3C5" or "7 in row 3".
func (r *Rules) GroupName(group int) string {
	if group < r.Cells() {
		return r.CellName(group)
	}
	h, d := r.splitGroup(group)
	return fmt.Sprintf("%d in %s", d+1, r.houses[h])
}

// splitGroup returns the house and the digit, less one, of a group that is not
// a cell.
func (r *Rules) splitGroup(group int) (house, digit int) {
	group -= r.Cells()
	return group / r.variant.Size, group % r.variant.Size
}
