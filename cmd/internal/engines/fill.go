package engines

import (
	"context"

	"sator/dimacs"
)

// A filled solver receives clauses one by one from Fill.
type filled interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(...dimacs.Lit)
}

// Fill is [Solver.Load] for a solver that receives clauses one by one.
func Fill(ctx context.Context, s filled, f *dimacs.Formula, vars, from, to int) bool {
	if from == 0 {
		s.Grow(vars)
		s.Reserve(f.Len(), f.Size())
	}
	for i := from; i < to; i++ {
		if i%AddInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(f.Clause(i)...)
	}
	return true
}

// AddInterval is the number of clauses between two checks of the context by Fill. Adding them
// takes a millisecond, and some more where the memory is touched for the first time.
const AddInterval = 1 << 12
