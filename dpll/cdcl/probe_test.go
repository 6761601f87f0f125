package cdcl

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// TestProbe checks that no root of the implication graph fails when probing finds no
// more units.
func TestProbe(t *testing.T) {
	failed := int64(0)
	eachBinaryFormula(t, 400, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		for before := -1; before < s.trail.roots && !s.inconsistent; {
			before = s.trail.roots
			s.probe(1e9)
		}
		failed += s.stats.FailedLits
		for l := dimacs.Lit(0); int(l) < len(s.trail.vals) && !s.inconsistent; l++ {
			g := s.implications(true)
			if g.Degree(l) == 0 || g.Degree(l^1) > 0 {
				continue
			}
			s.decideLit(l)
			if !s.propagate() {
				t.Errorf("%v fails", l)
			}
			s.backtrack(0)
		}
		checkPass(t, s, f, p)
	})
	if failed == 0 {
		t.Error("no literal failed")
	}
}

// TestProbeUIPs checks that all UIPs of a conflict are learned, and that in the
// proof each unit follows from the previous one.
func TestProbeUIPs(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{
		{-9}, {-1, 2}, {-1, 3}, {-2, -3, 4, 9}, // 1 implies 4, which implies 7
		{-4, 5}, {-4, 6}, {-5, -6, 9, 7},
		{-7, -5, 8}, {-7, -6, -8}, // and 7 with 5 or 6, which 4 implies, fails
	} {
		f.AddInts(c...)
	}
	for _, hints := range []bool{false, true} {
		p := dplltest.NewRecorder(hints)
		s := New(optionsWith(p))
		s.AddFormula(f)
		s.propagateRoot()
		learned := p.Learned()
		q := &prober{s: s, limit: 1e9}
		s.passes.probed = make([]uint32, len(s.trail.vals))
		if !q.try(dimacs.FromInt(1)) {
			t.Fatal("refuted")
		}
		if s.stats.FailedLits != 2 || p.Learned() < learned+2 {
			t.Errorf("%d literals failed, %d clauses were learned; want 2", s.stats.FailedLits, p.Learned()-learned)
		}
		for _, v := range []int{0, 3} {
			if s.trail.vals[2*v] >= 0 {
				t.Errorf("variable %d is not false", v+1)
			}
		}
		checkPass(t, s, f, p)
	}
}

func optionsWith(p dimacs.Proof) Options {
	o := Options{}
	o.Proof = p
	return o
}

// TestProbeMemo checks that literals that did not fail, and literals that they implied,
// are not probed again before there is a new root unit.
func TestProbeMemo(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{-1, 2}, {-2, 3}, {-4, 3}, {5, 6}, {1, 4, 5, 7}, {-3, -6, 8}} {
		f.AddInts(c...)
	}
	s := New(Options{})
	s.AddFormula(f)
	s.propagateRoot()
	for i, want := range []int64{5, 5} { // 1, -3, 4, -5, -6
		if s.probe(1e9); s.stats.Probes != want {
			t.Errorf("pass %d: %d probes in all, want %d", i, s.stats.Probes, want)
		}
	}
	s.assignUnits([]inprocess.Unit{{Lit: dimacs.FromInt(7)}})
	if s.probe(1e9); s.stats.Probes != 10 {
		t.Errorf("after a unit %d probes in all, want 10", s.stats.Probes)
	}
	if s.stats.FailedLits > 0 {
		t.Errorf("%d literals failed, want 0", s.stats.FailedLits)
	}
	s.probe(0)
	if s.stats.Probes != 10 {
		t.Error("probed without a budget")
	}
}
