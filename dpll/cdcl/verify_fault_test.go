package cdcl

import (
	"context"
	"errors"
	"testing"

	"sator/dimacs"
)

// TestVerifyFault checks that a wrong clause, which the engine takes for one of the formula, is noticed,
// and that there is no answer from then on.
func TestVerifyFault(t *testing.T) {
	if checking {
		t.Skip("a wrong answer panics")
	}
	for _, clauses := range [][][]int{{{1, 2}, {-1, 2}}, {{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}} {
		o := Options{}
		o.Verify = true
		s := New(o)
		s.Grow(2)
		for _, d := range clauses {
			s.Add(dimacs.Lits(d...)...)
		}
		spoiled := dimacs.NewFormula(2)
		for i := range clauses {
			spoiled.AddInts([][]int{{-2}, {1, -1}}[min(i, 1)]...)
		}
		*s.verifier.given = *spoiled
		for range 2 {
			if got := s.Solve(context.Background()); got != dimacs.Unknown || s.Err() == nil {
				t.Errorf("%v: %v, error %v", clauses, got, s.Err())
			}
		}
	}
}

// TestVerifyMemory refuses one request for memory in each run. Unknown with a MemoryError is the answer
// if it is one of the checker; one of the engine makes the engine panic.
func TestVerifyMemory(t *testing.T) {
	unknown := 0
	run := func(refused int) {
		defer func() {
			if p := recover(); p != nil {
				if _, refused := p.(*dimacs.MemoryError); !refused {
					panic(p)
				}
			}
		}()
		o := Options{}
		o.Verify = true
		asked := 0
		o.Memory = func(int64) bool { asked++; return asked != refused }
		s := New(o)
		for _, d := range [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}} {
			s.Add(dimacs.Lits(d...)...)
		}
		switch got := s.Solve(context.Background()); {
		case got == dimacs.Unknown && errors.As(s.Err(), new(*dimacs.MemoryError)):
			unknown++
		case got != dimacs.Unsatisfiable || s.Err() != nil:
			t.Errorf("request %d: %v, %v", refused, got, s.Err())
		}
	}
	for refused := range 200 {
		run(refused)
	}
	if unknown == 0 {
		t.Error("no request of the checker was refused")
	}
}
