package classic

import (
	"context"
	"iter"
	"math/big"

	"sator/dimacs"
)

// Enumeration of all models (AllSAT) by chronological backtracking. A search that
// backtracks after a solution as it does after a conflict visits every model once,
// because the leaves of a search tree are disjoint. It needs no blocking clauses,
// so that the thousandth model costs no more than the first. At a solution no clause
// is open, and some variables may be unassigned: with n unassigned variables it is a
// cube of 2^n models.
//
// Pure literals are off, since assigning them loses models.
//
// Projection. If models are projected onto some of the variables, these are
// decided first, in the order of the projection, true first, as long as they occur
// in open clauses; the other variables of the projection are free. Below these
// decisions the heuristic decides the other variables. The first solution there
// suffices: the search then backtracks to the deepest decision on a variable of
// the projection.

// An enumeration is the state of a call that enumerates models.
type enumeration struct {
	projected bool
	vars      []dimacs.Var // the variables of the projection, each once
	position  int          // vars before it are assigned or free at the current node
}

// next returns the positive literal of the next variable of the projection to
// decide. It reports false if all of them are assigned or free.
func (e *enumeration) next(s *Solver) (dimacs.Lit, bool) {
	e.position = 0
	if n := len(s.levels); n > s.rootLevels {
		e.position = s.levels[n-1].position
	}
	for ; e.position < len(e.vars); e.position++ {
		l := e.vars[e.position].Lit()
		s.spend(1)
		if s.vals[l] == 0 && (s.inOpenClause(l) || s.inOpenClause(l^1)) {
			return l, true
		}
	}
	return 0, false
}

// A Cube is a set of 2^len(Free) models.
type Cube struct {
	Model dimacs.Model // the common values; other variables are Unassigned
	Free  []dimacs.Var // the variables that may have any values
}

// Cubes iterates over all models of the clauses in which all assumptions are
// true, as disjoint cubes. If project is not nil, models that agree on the
// variables in project count as one, and cubes contain these variables only. A
// cube is overwritten by the next one. The iteration ends early when a limit is
// reached or ctx is done, see [Solver.Exhausted].
//
// The solver must not be used otherwise until the loop has ended.
func (s *Solver) Cubes(ctx context.Context, project []dimacs.Var, assumptions ...dimacs.Lit) iter.Seq[Cube] {
	return func(yield func(Cube) bool) {
		e := s.beginEnumeration(ctx, project, assumptions)
		defer s.endCall()
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
			if !s.flip(0, func(l *level) bool { return !l.flipped && !l.unprojected }) {
				s.exhausted = true
				return
			}
		}
	}
}

// beginEnumeration prepares the state of a call that enumerates models.
func (s *Solver) beginEnumeration(ctx context.Context, project []dimacs.Var, assumptions []dimacs.Lit) *enumeration {
	for _, v := range project {
		s.Grow(int(v) + 1)
	}
	s.beginCall(ctx, assumptions)
	e := &enumeration{projected: project != nil}
	s.enum, s.exhausted = e, false
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

// fill stores the current solution in the cube.
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

// fillVar stores the value of one variable in the cube.
func (s *Solver) fillVar(cube *Cube, v dimacs.Var) {
	x := dimacs.Value(s.vals[2*v])
	cube.Model[v] = x
	if x == dimacs.Unassigned {
		cube.Free = append(cube.Free, v)
	}
}

// Models iterates over the models of [Solver.Cubes] one by one. Each assigns all
// variables, or all variables of project. A model is overwritten by the next one.
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

// each calls visit for the models of the cube, from all free variables true to all
// false, in the order of a binary counter that counts down. It stops and returns
// false when visit does.
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

// Count returns the number of models that [Solver.Models] would visit, and whether
// these are all models. The time depends on the number of cubes, not of models.
func (s *Solver) Count(ctx context.Context, project []dimacs.Var, assumptions ...dimacs.Lit) (n *big.Int, all bool) {
	n = new(big.Int)
	var power big.Int
	one := big.NewInt(1)
	for cube := range s.Cubes(ctx, project, assumptions...) {
		n.Add(n, power.Lsh(one, uint(len(cube.Free))))
	}
	return n, s.exhausted
}

// Exhausted reports whether the last iteration or count has visited all models.
func (s *Solver) Exhausted() bool { return s.exhausted }
