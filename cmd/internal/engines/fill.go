package engines

import (
	"context"

	"sator/dimacs"
)

// A filled solver is one that takes clauses.
type filled interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(...dimacs.Lit)
}

// Fill gives the solver the clauses of f and so many variables. It reports false if
// ctx is done before.
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

// The context is looked at whenever so many clauses were added, some
// milliseconds.
const AddInterval = 1 << 16
