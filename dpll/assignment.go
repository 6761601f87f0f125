package dpll

import (
	"iter"

	"sator/dimacs"
)

// Assignment puts into m what is assigned at the moment, growing it if need be,
// and returns it. In the middle of an iteration over models this is what makes
// the present ones models: every clause has a true literal in it, whatever
// becomes of the variables that are Unassigned, also where the cube is about some
// variables alone.
func (s *Solver) Assignment(m dimacs.Model) dimacs.Model {
	m = lengthen(m[:0], len(s.reasons))
	for v := range m {
		m[v] = dimacs.Value(s.vals[2*v])
	}
	return m
}

// Models iterates over the models of the cube, counting in binary from all free
// variables being true downwards. A model is overwritten by the next one; they
// are made in the model of the cube.
func (c Cube) Models() iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) { c.each(yield) }
}
