package classic

import (
	"iter"

	"sator/dimacs"
)

// Assignment stores the current assignment in m, which it grows as needed, and
// returns it. During an iteration over cubes it is the witness of the cube: a
// partial assignment of all variables, beyond a projection, that makes a literal
// true in every clause except tautologies.
func (s *Solver) Assignment(m dimacs.Model) dimacs.Model {
	m = lengthen(m[:0], len(s.reasons))
	for v := range m {
		m[v] = dimacs.Value(s.vals[2*v])
	}
	return m
}

// Models iterates over the models of the cube, from all free variables true to all
// false, in the order of a binary counter that counts down. It stores each model
// in c.Model, over the one before.
func (c Cube) Models() iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) { c.each(yield) }
}
