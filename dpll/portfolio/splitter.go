package portfolio

import (
	"context"
	"sync"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
)

// A cube that takes too many conflicts is split by the literal that look-ahead chooses
// under the cube. Look-ahead has the formula in tables of its own, so the workers of one
// process share it. It is made when a cube is split for the first time, from the
// simplified formula of the solver that needs it: look-ahead on the original formula
// would also choose eliminated variables, which the solver would have to restore.

// A Splitter chooses the literals by which cubes are split. The zero value is ready for
// use. Several workers with the same formula may use a Splitter at the same time; one
// waits for the other.
type Splitter struct {
	mu        sync.Mutex // guards the field below
	lookahead *cube.Lookahead
}

// choose returns the literal that look-ahead chooses under a cube. It reports false if it
// finds none or if ctx ends. The formula is that of the solver.
func (s *Splitter) choose(ctx context.Context, solver *cdcl.Solver, memory dimacs.MemoryLimit, assumed []dimacs.Lit) (dimacs.Lit, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return 0, false
	}
	if s.lookahead == nil {
		s.lookahead = cube.NewLookahead(simplifiedOf(solver, memory))
	}
	return s.lookahead.Choose(ctx, assumed)
}

// simplifiedOf returns a copy of the simplified formula of a solver. It requires the
// memory for the copy and for look-ahead.
func simplifiedOf(solver *cdcl.Solver, memory dimacs.MemoryLimit) *dimacs.Formula {
	vars, clauses, size := solver.Stats().Vars, 0, 0
	for c := range solver.Simplified() {
		clauses++
		size += len(c)
	}
	memory.Require(cube.Footprint(vars, clauses, size))
	f := dimacs.NewFormula(vars)
	for c := range solver.Simplified() {
		f.Add(c...)
	}
	return f
}
