package dplltest

import (
	"slices"
	"testing"

	"sator/dimacs"
)

// hasClause reports whether a clause of f contains these literals.
func hasClause(f *dimacs.Formula, ls ...dimacs.Lit) bool {
	for _, c := range f.Clauses() {
		if !slices.ContainsFunc(ls, func(l dimacs.Lit) bool { return !slices.Contains(c, l) }) {
			return true
		}
	}
	return false
}

// unsatisfiable reports whether the case is unsatisfiable.
func unsatisfiable(c Case) bool {
	status, _ := Brute(c.Formula, c.Assumptions...)
	return status == dimacs.Unsatisfiable
}

// TestShrink checks shrunk cases.
func TestShrink(t *testing.T) {
	big := formula([]int{1, 2, 3}, []int{-1, 7, 9}, []int{4, -5, 6}, []int{7, 8}, []int{-9, 2, -7, 5}, []int{3, -3}, []int{})
	tests := []struct {
		name  string
		c     Case
		fails func(Case) bool
		want  string
	}{
		{"everything fails", Case{big, dimacs.Lits(1, 2)}, func(Case) bool { return true }, "p cnf 0 0\n"},
		{"nothing smaller fails", Case{formula([]int{1}), nil},
			func(c Case) bool { return c.Formula.Len() == 1 && c.Formula.Size() == 1 && c.Formula.Vars() == 1 }, "p cnf 1 1\n1 0\n"},
		{"two literals in one clause", Case{big, nil},
			func(c Case) bool { return hasClause(c.Formula, dimacs.Lits(-9, 5)...) }, "p cnf 9 1\n-9 5 0\n"},
		{"an assumption and a clause of it", Case{big, dimacs.Lits(1, -9, 4)},
			func(c Case) bool {
				return slices.ContainsFunc(c.Assumptions, func(l dimacs.Lit) bool { return hasClause(c.Formula, l.Not()) && l.Neg() })
			}, "c assume -1\np cnf 1 1\n1 0\n"},
		{"unsatisfiable", Case{formula([]int{1, 2}, []int{1, -2}, []int{-1, 3}, []int{-1, -3}, []int{4, 5}, []int{2, 5, -4}), dimacs.Lits(5)},
			unsatisfiable, "p cnf 0 1\n0\n"},
		{"unsatisfiable without the empty clause", Case{formula([]int{1, 2}, []int{1, -2}, []int{-1, 3}, []int{-1, -3}, []int{4, 5}), dimacs.Lits(5)},
			func(c Case) bool { return !hasEmpty(c.Formula) && unsatisfiable(c) }, "p cnf 1 2\n1 0\n-1 0\n"},
		{"variables that are not used", Case{dimacs.NewFormula(50), nil},
			func(c Case) bool { return c.Formula.Vars() >= 7 }, "p cnf 50 0\n"},
	}
	for _, test := range tests {
		if got := Shrink(test.c, test.fails); got.String() != test.want {
			t.Errorf("%s: got\n%vwant\n%s", test.name, got, test.want)
		} else if !test.fails(got) {
			t.Errorf("%s: the shrunk case does not fail", test.name)
		}
	}
}

// hasEmpty reports whether f has an empty clause.
func hasEmpty(f *dimacs.Formula) bool {
	for _, c := range f.Clauses() {
		if len(c) == 0 {
			return true
		}
	}
	return false
}

// TestShrinkIsMinimal checks that a shrunk case fails, that it does not fail without any one
// of its clauses, and that the original case is not changed.
func TestShrinkIsMinimal(t *testing.T) {
	fails := func(c Case) bool { return !hasEmpty(c.Formula) && len(c.Assumptions) == 0 && unsatisfiable(c) }
	tested := 0
	for seed := uint64(0); tested < 20; seed++ {
		_, c := RandomCase(seed, 0)
		c.Assumptions = nil
		if c.Formula.Vars() > 16 || !fails(c) {
			continue
		}
		tested++
		before := c.String()
		small := Shrink(c, fails)
		if c.String() != before {
			t.Fatalf("seed %d: the case was changed", seed)
		}
		if !fails(small) {
			t.Errorf("seed %d: the shrunk case does not fail\n%v", seed, small)
		}
		for i := range small.Formula.Len() {
			less := dimacs.NewFormula(0)
			for j, d := range small.Formula.Clauses() {
				if j != i {
					less.Add(d...)
				}
			}
			if fails(Case{less, nil}) {
				t.Errorf("seed %d: clause %d is not needed\n%v", seed, i+1, small)
			}
		}
	}
}
