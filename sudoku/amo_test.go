package sudoku

import (
	"context"
	"math/big"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// amo returns the constraint that at most one of n literals, of both signs, is
// true.
func amo(a AtMostOne, n int) *dimacs.Formula {
	b := &builder{f: dimacs.NewFormula(n)}
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = dimacs.Var(i).Lit() ^ dimacs.Lit(i%3/2)
	}
	a.write(b, lits)
	return b.f
}

// TestAtMostOne counts the models projected to the literals: one without a true
// literal and one for each literal.
func TestAtMostOne(t *testing.T) {
	for _, a := range AtMostOnes {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 25, 33, 50} {
			s := classic.New(classic.DefaultOptions())
			s.AddFormula(amo(a, n))
			project := make([]dimacs.Var, n)
			for i := range project {
				project[i] = dimacs.Var(i)
			}
			s.Grow(n)
			count, all := s.Count(context.Background(), project)
			if !all || count.Cmp(big.NewInt(int64(n+1))) != 0 {
				t.Errorf("%s of %d: %v models", a.Name, n, count)
			}
		}
	}
}

// TestAtMostOnePropagates checks that unit propagation makes all literals false
// when one is true.
func TestAtMostOnePropagates(t *testing.T) {
	for _, a := range AtMostOnes {
		for n := 2; n <= 40; n++ {
			f := amo(a, n)
			for i := range n {
				m := make(dimacs.Model, f.Vars())
				m.Set(dimacs.Var(i).Lit() ^ dimacs.Lit(i%3/2))
				propagate(f, m)
				for k := range n {
					if l := dimacs.Var(k).Lit() ^ dimacs.Lit(k%3/2); k != i && m.Lit(l) != dimacs.False {
						t.Fatalf("%s of %d: literal %d leaves %d open", a.Name, n, i, k)
					}
				}
			}
		}
	}
}

// propagate extends a model by unit propagation.
func propagate(f *dimacs.Formula, m dimacs.Model) {
	for changed := true; changed; {
		changed = false
		for _, c := range f.Clauses() {
			open, last := 0, dimacs.Lit(0)
			for _, l := range c {
				if m.Lit(l) == dimacs.Unassigned {
					open, last = open+1, l
				}
			}
			if open == 1 && m.Clause(c) == dimacs.Unassigned {
				m.Set(last)
				changed = true
			}
		}
	}
}

// TestAtMostOneSizes pins the numbers of clauses and new variables for the
// digits of a house.
func TestAtMostOneSizes(t *testing.T) {
	want := map[string][]int{ // clauses and variables for 9 literals, then for 100
		"pairs": {36, 0, 4950, 0}, "sequential": {23, 8, 296, 99}, "commander": {21, 3, 294, 48},
		"bimander": {27 + 4, 3, 600 + 50, 6}, "product": {24, 6, 258, 34}, "mixed": {36, 0, 294, 48},
	}
	for _, a := range AtMostOnes {
		w := want[a.Name]
		for i, n := range []int{9, 100} {
			if f := amo(a, n); f.Len() != w[2*i] || f.Vars()-n != w[2*i+1] {
				t.Errorf("%s of %d: %d clauses and %d variables", a.Name, n, f.Len(), f.Vars()-n)
			}
		}
	}
}
