package cdcl_test

import (
	"context"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// TestReleasedGroupsAreDeleted adds and releases groups many times, with a short call for
// each, and checks that their clauses leave the memory.
func TestReleasedGroupsAreDeleted(t *testing.T) {
	const vars = 60
	f := uniform(1, vars, 200, nil)
	s := load(cdcl.Options{}, f)
	ctx := context.Background()
	s.Solve(ctx)
	before := s.Stats()
	for seed := range uint64(300) {
		g := s.NewGroup()
		for _, c := range uniform(100+seed, vars, 100, nil).Clauses() {
			s.AddTo(g, c...)
		}
		if s.Solve(ctx, g) == dimacs.Unknown {
			t.Fatal("no answer")
		}
		s.Release(g)
	}
	want := s.Solve(ctx)
	st := s.Stats()
	if max := before.Irredundant + 400; st.Irredundant > max {
		t.Errorf("%d irredundant clauses after the release of 300 groups of 100, want at most %d", st.Irredundant, max)
	}
	if max := 3*before.Bytes + 300*200; st.Bytes > max {
		t.Errorf("%d bytes, %d before, want at most %d", st.Bytes, before.Bytes, max)
	}
	if got := load(cdcl.Options{}, f).Solve(ctx); got != want {
		t.Errorf("%v, but %v without groups", want, got)
	}
}
