package cdcl

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// TestTransitive checks that the reduction keeps all implications, those along
// irredundant clauses and those along all, and that no redundant edge remains in a
// graph without cycles.
func TestTransitive(t *testing.T) {
	dropped, units := int64(0), int64(0)
	eachBinaryFormula(t, 600, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		given, all := s.reach(false), s.reach(true)
		s.transitive(1e9)
		dropped += s.stats.Transitive
		units += s.stats.TransitiveUnits
		if !s.inconsistent {
			compareReach(t, s, given, s.reach(false))
			compareReach(t, s, all, s.reach(true))
			checkReduced(t, s, all)
		}
		checkPass(t, s, f, p)
	})
	if dropped == 0 || units == 0 {
		t.Errorf("%d clauses dropped, %d units found", dropped, units)
	}
}

// checkReduced reports edges that other edges imply, if the graph had no cycles.
func checkReduced(t *testing.T, s *Solver, all reach) {
	t.Helper()
	for l := range all {
		if all[l][l] || all[l][l^1] {
			return
		}
	}
	given, all := s.reach(false), s.reach(true)
	for l := range all {
		for _, v := range s.clauses.list(dimacs.Lit(l ^ 1)) {
			for _, w := range s.clauses.list(dimacs.Lit(l ^ 1)) {
				b, c := v.blocker(), w.blocker()
				if !v.binary() || !w.binary() || s.trail.vals[l] != 0 || s.trail.vals[b] != 0 || s.trail.vals[c] != 0 || b == c {
					continue
				}
				if given[b][c] && !v.redundant() || all[b][c] && w.redundant() {
					t.Errorf("%v implies %v and %v, and the first of these implies the second", dimacs.Lit(l), b, c)
				}
			}
		}
	}
}

// TestTransitiveResumes checks that a pass resumes where the previous one ended.
func TestTransitiveResumes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const vars = 400
	f := dimacs.NewFormula(vars)
	for range 12 * vars {
		a, b := rng.IntN(vars), rng.IntN(vars)
		if a < b { // no cycles, and only positive literals: no literal fails
			f.AddInts(-(a + 1), b+1)
		}
	}
	load := func() *Solver {
		s := New(Options{})
		s.AddFormula(f)
		s.propagateRoot()
		return s
	}
	whole := load()
	whole.transitive(1e9)
	if whole.stats.Transitive < 100 {
		t.Fatalf("only %d clauses follow from others", whole.stats.Transitive)
	}
	parts, passes := load(), 0
	for parts.stats.Transitive < whole.stats.Transitive && passes < 1000 {
		parts.transitive(500)
		passes++
	}
	if passes < 5 || parts.stats.Transitive != whole.stats.Transitive {
		t.Errorf("%d passes drop %d clauses, one drops %d", passes, parts.stats.Transitive, whole.stats.Transitive)
	}
}
