package commandtest

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares the table of all models with the search, and with counting by the
// definition.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	answers := map[bool]int{}
	for range 300 {
		f := drawFormula(r)
		table := tableOf(f.Clauses)
		if table == nil {
			t.Fatalf("no table of %v", f.Clauses)
		}
		sat := search(f.Clauses)
		answers[sat]++
		if sat != (len(table.models) > 0) {
			t.Fatalf("search %v, %d models of %v", sat, len(table.models), f.Clauses)
		}
		for i := range table.models {
			values := map[int]bool{}
			for _, l := range table.assignment(i) {
				values[l] = true
			}
			if k := falsified(f.Clauses, values); k >= 0 {
				t.Fatalf("model %d falsifies %v", i, f.Clauses[k])
			}
		}
		for _, v := range table.vars {
			if !sat {
				break
			}
			want := 0
			if !search(under(f.Clauses, []int{-v})) {
				want = 1
			} else if !search(under(f.Clauses, []int{v})) {
				want = -1
			}
			if got := table.forced(v); got != want || table.forced(-v) != -want {
				t.Fatalf("variable %d: forced %d, want %d in %v", v, got, want, f.Clauses)
			}
		}
	}
	if answers[true] < 50 || answers[false] < 50 {
		t.Errorf("answers %v: too few of a kind", answers)
	}
}

// TestProjections counts the models over variables of which one does not occur.
func TestProjections(t *testing.T) {
	table := tableOf([][]int{{1, 3}, {-1, -3}, {3, -3, 4}})
	if n := table.count(6); n.Int64() != 32 {
		t.Errorf("%v models, want 32", n)
	}
	if p := table.projections([]int{1, 3}); len(p) != 2 || !p[1] || !p[2] {
		t.Errorf("projections %v", p)
	}
	if p := table.projections([]int{1, 2}); len(p) != 4 {
		t.Errorf("projections %v", p)
	}
}
