package main

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/twosat"
)

func twosatFormula() *dimacs.Formula {
	f := dimacs.NewFormula(6)
	for _, c := range [][]int{{-1, 2, 2}, {2, -1}, {-2, -2}, {1, 2, 3}, {3, 4, -3}} {
		f.AddInts(c...)
	}
	return f
}

// TestExplain: each step has the first clause that it is by; one that has no
// clause is an error of the program, whoever made the chain.
func TestExplain(t *testing.T) {
	x := &decision{in: &input{formula: twosatFormula()}, o: &twosatOptions{assume: dimacs.Lits(5)}}
	e, err := x.explain(dimacs.Lits(1, 2, -2), dimacs.Lits(-2, -1))
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, s := range e.steps {
		numbers = append(numbers, s.number)
	}
	if e.chain.String() != "1 -> 2 -> -2 -> -1" || !slices.Equal(numbers, []int{1, 3, 1}) {
		t.Errorf("chain %v by clauses %v", e.chain, numbers)
	}
	if e, err := x.explain(dimacs.Lits(-5, 5)); err != nil || e.steps[0].number != 0 {
		t.Errorf("an assumption: %+v, error %v", e, err)
	}
	for _, wrong := range []twosat.Chain{dimacs.Lits(1, 3), dimacs.Lits(1, -2), dimacs.Lits(5, -5), dimacs.Lits(-1, 3), nil} {
		var bug *internalError
		if e, err := x.explain(wrong); !errors.As(err, &bug) {
			t.Errorf("chain %v: %+v, error %v", wrong, e, err)
		}
	}
}

// TestShortPart agrees with the library's own, but for variables that occur
// nowhere.
func TestShortPart(t *testing.T) {
	f := twosatFormula()
	s, longer := shortPart(context.Background(), f, 0)
	want, wanted := twosat.BinaryPart(f)
	s.Solve(context.Background())
	want.Solve(context.Background())
	if longer != wanted || longer != 1 || s.Stats().Clauses != want.Stats().Clauses || s.Vars() != 4 {
		t.Errorf("%d longer clauses, not %d; %d clauses, not %d; %d variables", longer, wanted, s.Stats().Clauses, want.Stats().Clauses, s.Vars())
	}
	if s, _ := shortPart(context.Background(), f, 9); s.Vars() != 9 {
		t.Errorf("%d variables, not 9", s.Vars())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, _ := shortPart(ctx, f, 0); s != nil {
		t.Error("a solver, although it was to stop")
	}
}

func TestPairOf(t *testing.T) {
	for _, tt := range []struct {
		clause, pair []int // no pair for a clause that has none
	}{
		{nil, nil},
		{[]int{3}, []int{3, 3}},
		{[]int{3, 3, 3}, []int{3, 3}},
		{[]int{3, -1}, []int{-1, 3}},
		{[]int{-1, 3, -1, 3}, []int{-1, 3}},
		{[]int{1, -1}, []int{1, -1}},
		{[]int{1, 2, 1, 3}, nil},
	} {
		p, ok := pairOf(dimacs.Lits(tt.clause...))
		if ok != (tt.pair != nil) || ok && !slices.Equal(p[:], dimacs.Lits(tt.pair...)) {
			t.Errorf("%v: %v, %v", tt.clause, p, ok)
		}
	}
}
