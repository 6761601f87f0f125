package proof

import "sator/dimacs"

// variables number those that occur from 0 on, so that a clause of variable
// 10^9 takes no more room than one of variable 1. The literals of the checkers
// are twice such a number, and one more if negative.
type variables struct {
	near  []uint32              // by variable: its number plus one, 0 if it has none
	far   map[dimacs.Var]uint32 // the same for those beyond near
	names []dimacs.Var          // by number
}

// nearVars is below which variables are near at the beginning. Others become
// near when so much was read that the table is no larger than that.
const nearVars = 1 << 16

// number returns the number of v, and whether it is a new one. Read is how much
// was read so far.
func (n *variables) number(v dimacs.Var, read int) (number uint32, fresh bool) {
	if int(v) < len(n.near) && n.near[v] > 0 {
		return n.near[v] - 1, false
	}
	if limit := nearVars + 4*read; int(v) >= len(n.near) && int(v) < limit {
		n.lengthen(min(max(int(v)+1, 2*len(n.near)), limit))
	}
	isNear := int(v) < len(n.near)
	switch {
	case isNear && n.near[v] > 0:
		return n.near[v] - 1, false
	case !isNear && n.far[v] > 0:
		return n.far[v] - 1, false
	}
	n.names = append(n.names, v)
	if isNear {
		n.near[v] = uint32(len(n.names))
	} else {
		n.far[v] = uint32(len(n.names))
	}
	return uint32(len(n.names)) - 1, true
}

// lengthen makes the variables below size near ones.
func (n *variables) lengthen(size int) {
	near := make([]uint32, size)
	copy(near, n.near)
	n.near = near
	for v, number := range n.far {
		if int(v) < size {
			near[v] = number
			delete(n.far, v)
		}
	}
}

// external returns what the literal l is outside.
func (n *variables) external(l uint32) dimacs.Lit { return n.names[l>>1].Lit() ^ dimacs.Lit(l&1) }

// noLiteral is no literal.
const noLiteral = 1<<32 - 1
