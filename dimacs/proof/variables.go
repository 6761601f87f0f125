package proof

import "sator/dimacs"

// variables numbers the variables that occur, from 0, so that a clause with
// variable 10^9 takes no more memory than one with variable 1. The literals of
// the checkers are twice such a number, plus one if negative.
type variables struct {
	near  []uint32              // by variable: its number plus one, or 0
	far   map[dimacs.Var]uint32 // the same for variables beyond near
	names []dimacs.Var          // by number: the variable

	memory dimacs.MemoryLimit // asked by the checkers before they extend a table
}

// nearVars is the initial size limit of the table near. The limit grows with
// the input, so that the table is never much larger than the input.
const nearVars = 1 << 16

// number returns the number of v, and whether v is new. read is the size of the
// input so far, in words.
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
	n.names = append(dimacs.Extend(n.memory, n.names, 1), v)
	if isNear {
		n.near[v] = uint32(len(n.names))
	} else {
		n.far[v] = uint32(len(n.names))
	}
	return uint32(len(n.names)) - 1, true
}

// lengthen extends near to size variables.
func (n *variables) lengthen(size int) {
	n.memory.Require(4 * int64(size))
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

// external returns the literal of the formula with the internal number l.
func (n *variables) external(l uint32) dimacs.Lit { return n.names[l>>1].Lit() ^ dimacs.Lit(l&1) }

// noLiteral is not the number of a literal.
const noLiteral = 1<<32 - 1
