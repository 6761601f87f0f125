package main

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

// fill gives the solver the clauses of f and so many variables. It reports false if
// ctx is done before.
func fill(ctx context.Context, s filled, f *dimacs.Formula, vars int) bool {
	s.Grow(vars)
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%addInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}
