package count_test

import (
	"context"
	"testing"

	"sator/dimacs"
	"sator/dpll/count"
)

// TestWidth has graphs of known tree width, as clauses of two literals or of one clique.
func TestWidth(t *testing.T) {
	path, circle, clique, long := dimacs.NewFormula(50), dimacs.NewFormula(50), dimacs.NewFormula(9), dimacs.NewFormula(4000)
	for v := range 49 {
		path.AddInts(v+1, -(v + 2))
		circle.AddInts(v+1, v+2)
	}
	circle.AddInts(50, 1)
	clique.AddInts(1, 2, 3, -4, 5, 6, 7, 8, 9)
	var all []int
	for v := range 4000 {
		all = append(all, v+1)
	}
	long.AddInts(all...)
	for _, c := range []struct {
		name  string
		f     *dimacs.Formula
		width int
		found bool
	}{{"path", path, 1, true}, {"circle", circle, 2, true}, {"clique", clique, 8, true}, {"nothing", dimacs.NewFormula(3), 0, true}, {"a long clause", long, 0, false}, {"many variables", dimacs.NewFormula(1 << 29), 0, false}} {
		if width, found := count.Width(context.Background(), c.f); width != c.width || found != c.found {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, width, found, c.width, c.found)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, found := count.Width(ctx, path); found {
		t.Error("a canceled search has a bound")
	}
}
