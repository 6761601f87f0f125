package cdcl

import (
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// TestBackbone checks that every literal that implies its complement along binary
// clauses becomes false.
func TestBackbone(t *testing.T) {
	found := int64(0)
	eachBinaryFormula(t, 400, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		r := s.reach(true)
		before := s.trail.roots
		s.backbone(1e9)
		found += s.stats.BackboneUnits
		failing := false
		for l := range r {
			if r[l][l^1] {
				failing = true
				if s.trail.vals[l] >= 0 && !s.inconsistent {
					t.Errorf("%v implies its complement and is not false", dimacs.Lit(l))
				}
				if r[l^1][l] && !s.inconsistent {
					t.Errorf("%v and its complement imply each other", dimacs.Lit(l))
				}
			}
		}
		if !failing && (s.trail.roots > before || s.inconsistent) {
			t.Error("a unit was learned, but no literal implies its complement")
		}
		checkPass(t, s, f, p)
	})
	if found == 0 {
		t.Error("no unit was learned")
	}
}

// TestBackboneRounds checks that each literal of an at-most-one constraint is tried,
// although a round tries only one literal of the constraint.
func TestBackboneRounds(t *testing.T) {
	const n = 20
	f := dimacs.NewFormula(0)
	for i := range n {
		for j := range i {
			f.AddInts(-(i + 1), -(j + 1))
		}
	}
	// The last literal implies two complementary literals.
	f.AddInts(-n, n+1)
	f.AddInts(-n, n+2)
	f.AddInts(-(n + 1), -(n + 2))
	s := New(DefaultOptions())
	s.AddFormula(f)
	s.propagateRoot()
	if s.backbone(1e9); s.trail.vals[dimacs.FromInt(n)] >= 0 {
		t.Error("the last literal is not false")
	}
	if s.trail.roots != 1 {
		t.Errorf("%d variables are fixed, want 1", s.trail.roots)
	}
}

// TestBackboneBudget checks that a pass without a budget learns nothing.
func TestBackboneBudget(t *testing.T) {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	f.AddInts(1, -2)
	s := New(DefaultOptions())
	s.AddFormula(f)
	s.propagateRoot()
	if s.backbone(0); s.trail.roots != 0 {
		t.Error("learned a unit without a budget")
	}
	if s.backbone(100); s.trail.roots != 1 || s.trail.vals[dimacs.FromInt(1)] <= 0 {
		t.Error("learned no unit with a budget")
	}
}
