package symmetry

import "sator/dpll/cdcl/internal/inprocess"

// A partition is an ordered partition of the vertices into cells. A cell is named by
// the index of its first element, so that equal names mean equal places in the order. A
// split can be undone in time linear in the new cell, because the order within a cell is
// of no importance.
type partition struct {
	elems []uint32 // vertices, cell by cell
	place []uint32 // by vertex: its index in elems
	cell  []uint32 // by vertex: its cell
	size  []uint32 // by cell: number of elements
	log   []split  // splits since the partition was made, in order
}

// A split records that a new cell was cut from the end of a parent.
type split struct{ cell, parent uint32 }

// newPartition returns the partition of the vertices 0 to n-1 into one cell.
func newPartition(m inprocess.Memory, n int) *partition {
	p := &partition{
		elems: inprocess.Table[uint32](m, n), place: inprocess.Table[uint32](m, n),
		cell: inprocess.Table[uint32](m, n), size: inprocess.Table[uint32](m, n),
	}
	for v := range p.elems {
		p.elems[v], p.place[v] = uint32(v), uint32(v)
	}
	if n > 0 {
		p.size[0] = uint32(n)
	}
	return p
}

// members returns the elements of a cell. The slice is valid until the next move.
func (p *partition) members(c uint32) []uint32 { return p.elems[c : c+p.size[c]] }

// move exchanges v with the element at index i.
func (p *partition) move(v, i uint32) {
	j, w := p.place[v], p.elems[i]
	p.elems[i], p.elems[j] = v, w
	p.place[v], p.place[w] = i, j
}

// cut makes a new cell of the elements of cell c from index at on.
func (p *partition) cut(c, at uint32) {
	end := c + p.size[c]
	p.size[c], p.size[at] = at-c, end-at
	for _, v := range p.elems[at:end] {
		p.cell[v] = at
	}
	p.log = append(p.log, split{at, c})
}

// individualize makes v a cell of its own, behind the rest of its cell. It returns the
// cell of v.
func (p *partition) individualize(v uint32) uint32 {
	c := p.cell[v]
	last := c + p.size[c] - 1
	if p.size[c] > 1 {
		p.move(v, last)
		p.cut(c, last)
	}
	return last
}

// clone returns a copy of the partition without the log.
func (p *partition) clone(m inprocess.Memory) partition {
	q := *newPartition(m, len(p.elems))
	copy(q.elems, p.elems)
	copy(q.place, p.place)
	copy(q.cell, p.cell)
	copy(q.size, p.size)
	return q
}

// undo merges the cells of the splits from number n on with their parents.
func (p *partition) undo(n int) {
	for i := len(p.log) - 1; i >= n; i-- {
		s := p.log[i]
		for _, v := range p.members(s.cell) {
			p.cell[v] = s.parent
		}
		p.size[s.parent] += p.size[s.cell]
	}
	p.log = p.log[:n]
}
