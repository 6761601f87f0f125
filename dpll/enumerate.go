package dpll

import (
	"context"
	"iter"
	"math/big"

	"sator/dimacs"
)

// All models. A search that goes on after a solution, as it does after a
// conflict, meets every model once: the leaves of a tree are disjoint. No
// clause has to be added that forbids what was found, so that the thousandth
// model costs no more than the first. A solution leaves variables unassigned
// that no open clause needs; it is a cube, which stands for all models that
// give these any values, two to the power of their number.
//
// Pure literals are off: assigning them loses models.
//
// Projection. Where only the values of some variables matter, these are decided
// first, in the order in which they were given, true first, as long as one of
// them occurs in an open clause; those that do not are free. Below that the
// heuristic decides the others, and the first solution is enough: the search
// goes back to the deepest decision on a variable that matters.

// An enumeration is a call that is after all models.
type enumeration struct {
	projected bool
	vars      []dimacs.Var // that matter, if it is projected
	place     int          // before it they are assigned or free at this node
}

// next returns the next variable that matters to be decided, as a literal.
func (e *enumeration) next(s *Solver) (dimacs.Lit, bool) {
	e.place = 0
	if n := len(s.levels); n > s.roots {
		e.place = s.levels[n-1].place
	}
	for ; e.place < len(e.vars); e.place++ {
		l := e.vars[e.place].Lit()
		s.spend(1)
		if s.vals[l] == 0 && (s.needed(l) || s.needed(l^1)) {
			return l, true
		}
	}
	return 0, false
}

// A Cube is a set of models, by what they have in common.
type Cube struct {
	Model dimacs.Model // what they assign alike; the rest is Unassigned
	Free  []dimacs.Var // may have any value, so that there are 2^len(Free) models
}

// Cubes iterates over all models of the clauses in which all assumptions are
// true, as disjoint cubes. If project is not nil, models are told apart by the
// variables in it alone, and nothing is said of others. A cube is overwritten
// by the next one. The iteration ends early when a limit is reached or ctx is
// done: [Solver.Exhausted] tells.
//
// The solver may not be used for anything else before the loop is over.
func (s *Solver) Cubes(ctx context.Context, project []dimacs.Var, assumptions ...dimacs.Lit) iter.Seq[Cube] {
	return func(yield func(Cube) bool) {
		e := s.beginEnumeration(ctx, project, assumptions)
		defer s.leave()
		var cube Cube
		for {
			switch s.search() {
			case dimacs.Unsatisfiable:
				s.exhausted = true
				return
			case dimacs.Unknown:
				return
			}
			s.fill(&cube, e)
			if !yield(cube) {
				return
			}
			if !s.flip(0, func(l *level) bool { return !l.flipped && !l.inner }) {
				s.exhausted = true
				return
			}
		}
	}
}

// beginEnumeration takes note of what this call is about.
func (s *Solver) beginEnumeration(ctx context.Context, project []dimacs.Var, assumptions []dimacs.Lit) *enumeration {
	s.begin(ctx, assumptions)
	e := &enumeration{projected: project != nil}
	s.enum, s.exhausted = e, false
	for _, v := range project {
		s.Grow(int(v) + 1)
	}
	for _, v := range project { // each once
		if s.marks[v] == 0 {
			s.marks[v] = 1
			e.vars = append(e.vars, v)
		}
	}
	for _, v := range e.vars {
		s.marks[v] = 0
	}
	return e
}

// fill makes a cube of the present solution.
func (s *Solver) fill(cube *Cube, e *enumeration) {
	cube.Model = lengthen(cube.Model[:0], len(s.reasons))
	cube.Free = cube.Free[:0]
	if e.projected {
		clear(cube.Model)
		for _, v := range e.vars {
			s.fillVar(cube, v)
		}
		return
	}
	for v := range cube.Model {
		s.fillVar(cube, dimacs.Var(v))
	}
}

func (s *Solver) fillVar(cube *Cube, v dimacs.Var) {
	x := dimacs.Value(s.vals[2*v])
	cube.Model[v] = x
	if x == dimacs.Unassigned {
		cube.Free = append(cube.Free, v)
	}
}

// Models iterates over the same models as [Solver.Cubes] does, one by one: each
// assigns all variables, or all of project. A model is overwritten by the next
// one.
func (s *Solver) Models(ctx context.Context, project []dimacs.Var, assumptions ...dimacs.Lit) iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) {
		for cube := range s.Cubes(ctx, project, assumptions...) {
			if !cube.each(yield) {
				s.exhausted = false
				return
			}
		}
	}
}

// each visits all models of a cube, counting in binary from all free variables
// being true downwards. It reports false if visit does.
func (c Cube) each(visit func(dimacs.Model) bool) bool {
	for _, v := range c.Free {
		c.Model[v] = dimacs.True
	}
	for {
		if !visit(c.Model) {
			return false
		}
		n := len(c.Free) - 1
		for n >= 0 && c.Model[c.Free[n]] == dimacs.False {
			c.Model[c.Free[n]] = dimacs.True
			n--
		}
		if n < 0 {
			return true
		}
		c.Model[c.Free[n]] = dimacs.False
	}
}

// Count returns how many models [Solver.Models] would visit, and whether these
// are all. It takes time for each cube, not for each model.
func (s *Solver) Count(ctx context.Context, project []dimacs.Var, assumptions ...dimacs.Lit) (n *big.Int, all bool) {
	n = new(big.Int)
	var power big.Int
	one := big.NewInt(1)
	for cube := range s.Cubes(ctx, project, assumptions...) {
		n.Add(n, power.Lsh(one, uint(len(cube.Free))))
	}
	return n, s.exhausted
}

// Exhausted reports whether the last iteration, or the last count, came to its
// end and has seen all models.
func (s *Solver) Exhausted() bool { return s.exhausted }
