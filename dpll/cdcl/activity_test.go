package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestActivities checks that the callback is called with names of the list alone, with ""
// at the end of each call and at no other time, and that the list has no name twice.
func TestActivities(t *testing.T) {
	names := Activities()
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a name occurs twice in %v", names)
	}
	o := Options{}
	o.InprocessInterval, o.ModeInterval, o.ReduceInterval = 20, 50, 20
	var calls []string
	o.Activity = func(name string) { calls = append(calls, name) }
	s := New(o)
	addGates(s, 300, rand.New(rand.NewPCG(1, 7)))
	for i := range dimacs.Lit(4) {
		calls = nil
		if i == 3 {
			s.Simplify(context.Background(), 2)
		} else {
			s.SetLimits(Limits{Conflicts: 500})
			s.Solve(context.Background(), 2*i)
		}
		if n := len(calls); n == 0 || slices.Index(calls, "") != n-1 {
			t.Fatalf("call %d: activities %q, want \"\" at the end alone", i, calls)
		}
		for _, name := range calls[:len(calls)-1] {
			if !slices.Contains(names, name) {
				t.Errorf("activity %q is not in the list", name)
			}
		}
	}
}
