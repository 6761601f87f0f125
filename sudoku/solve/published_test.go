package solve_test

import (
	"context"
	"slices"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// TestPublished solves published puzzles with rules of nearly all kinds. Each has one solution, on
// which the engines agree.
func TestPublished(t *testing.T) {
	auto, cdcl := solve.New(solve.Options{}), solve.New(solve.Options{Engine: "cdcl"})
	seen := make(map[string]bool)
	for i, g := range sudokutest.Published() {
		v := g.Rules.Variant()
		for _, w := range v.Words() {
			seen[w.Name] = true
		}
		for _, r := range v.Relations {
			seen[r.Kind] = true
		}
		a, b := auto.Count(context.Background(), g, 2), cdcl.Count(context.Background(), g, 2)
		if !a.Unique() || !b.Unique() || !slices.Equal(a.Solutions[0], b.Solutions[0]) {
			t.Fatalf("puzzle %d: %+v and %+v", i+1, a, b)
		}
		if err := g.With(a.Solutions[0]).Solves(g); err != nil {
			t.Errorf("puzzle %d: %v", i+1, err)
		}
	}
	var names []string
	for _, k := range sudoku.RelationKinds {
		names = append(names, k.Name)
	}
	for _, w := range new(sudoku.Variant).AllWords() {
		names = append(names, w.Name)
	}
	for _, name := range names {
		if !seen[name] && !slices.Contains([]string{"hyper", "slow-thermo", "minimum"}, name) {
			t.Errorf("no puzzle has the rule %s", name)
		}
	}
}
