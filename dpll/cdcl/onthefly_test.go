package cdcl

import (
	"slices"
	"testing"

	"sator/dimacs"
)

// strengthenings are clauses before and after the analysis of the conflict that follows
// from the decision 1. A learned clause begins with a 0.
var strengthenings = []struct {
	name  string
	given [][]int
	left  [][]int
	want  int64 // strengthened reasons
}{
	{
		"the resolvent subsumes the reason",
		[][]int{{-1, 2}, {-1, 3}, {-1, 4}, {-2, -3, -4, 5}, {-2, -3, -4, -5}, {-3, -4, -5, 6}},
		[][]int{{-4, -3, -2}, {-5, -4, -3, -2}, {6, -5, -4, -3}}, 1,
	},
	{
		"a reason becomes binary",
		[][]int{{-1, 2}, {-1, 3}, {-2, -3, 5}, {-2, -3, -5}},
		[][]int{{-3, -2}, {-5, -3, -2}}, 1,
	},
	{
		"a learned reason stays learned",
		[][]int{{-1, 2}, {-1, 3}, {-1, 4}, {0, -2, -3, -4, 5}, {0, -2, -3, -4, -5}},
		[][]int{{0, -4, -3, -2}, {0, -5, -4, -3, -2}}, 1,
	},
	{
		"the conflict has another literal",
		[][]int{{-1, 2}, {-1, 3}, {-1, 4}, {-1, 6}, {-2, -3, -4, 5}, {-2, -6, -5}},
		[][]int{{-6, -5, -2}, {5, -4, -3, -2}}, 0,
	},
}

func TestStrengthenReason(t *testing.T) {
	sorted := func(list [][]int) [][]int {
		for _, c := range list {
			slices.Sort(c)
		}
		slices.SortFunc(list, slices.Compare[[]int])
		return list
	}
	for _, test := range strengthenings {
		s := New(Options{})
		for _, c := range test.given {
			s.give(c)
		}
		if !s.propagateRoot() {
			t.Fatalf("%s: refuted", test.name)
		}
		for _, c := range test.given {
			s.learnGiven(c)
		}
		s.decideLit(dimacs.Lits(1)[0])
		if s.propagate() {
			t.Fatalf("%s: no conflict", test.name)
		}
		s.analyze()
		if got, want := sorted(s.listed()), sorted(slices.Clone(test.left)); !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%s: of %v\n%v is left, want\n%v", test.name, test.given, got, want)
		}
		if n := s.stats.ReasonsShortened; n != test.want {
			t.Errorf("%s: %d strengthened, want %d", test.name, n, test.want)
		}
	}
}
