package engines

import (
	"context"

	"sator/dimacs"
)

// A filled solver is one to which Fill adds clauses one by one.
type filled interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(...dimacs.Lit)
}

// Fill adds the clauses of f to a solver with the given number of variables. It
// returns false if ctx ends first.
func Fill(ctx context.Context, s filled, f *dimacs.Formula, vars int) bool {
	s.Grow(vars)
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%AddInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}

// AddInterval is the number of clauses after which Fill checks the context;
// adding them takes a millisecond, and some more where the memory is touched for the first time.
const AddInterval = 1 << 12
