package cdcl

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// TestExploreSound explores random formulas, and checks that the units and equivalences that it
// adds hold in all models.
func TestExploreSound(t *testing.T) {
	var sum Stats
	eachTernaryFormula(t, 500, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		s.exploreEnvironments(1e9)
		models, equal := equalPairs(f)
		if s.inconsistent != (models == 0) {
			t.Errorf("refuted %t, with %d models", s.inconsistent, models)
		}
		if !s.inconsistent {
			checkHold(t, s, equal)
		}
		sum.SweepUnits += s.stats.SweepUnits
		sum.SweepEquivalences += s.stats.SweepEquivalences
		checkPass(t, s, f, p)
	})
	if sum.SweepUnits < 800 || sum.SweepEquivalences < 200 {
		t.Errorf("%d units, %d equivalences", sum.SweepUnits, sum.SweepEquivalences)
	}
}

// twoRuns returns the formula of two runs of an invertible function that end in the same result
// although they begin with different values. Each step adds to each of so many bits the conjunction of
// the two bits after it.
func twoRuns(bits, steps int) *dimacs.Formula {
	f := dimacs.NewFormula(2 * bits * (steps + 1))
	var differ []dimacs.Lit
	wire := func(run, step, bit int) dimacs.Lit {
		if step == steps {
			run = 0 // the results are shared
		}
		return dimacs.Lit(2 * ((2*step+run)*bits + bit))
	}
	for run := range 2 {
		for step := range steps {
			for bit := range bits - 2 {
				addSum(f, wire(run, step+1, bit), wire(run, step, bit), wire(run, step, bit+1), wire(run, step, bit+2))
			}
			for bit := bits - 2; bit < bits; bit++ {
				a, b := wire(run, step+1, bit), wire(run, step, bit)
				f.Add(a, b^1)
				f.Add(a^1, b)
			}
		}
	}
	for bit := range bits {
		d := dimacs.Lit(2 * f.Vars())
		f.Grow(f.Vars() + 1)
		f.Add(d^1, wire(0, 0, bit), wire(1, 0, bit))
		f.Add(d^1, wire(0, 0, bit)^1, wire(1, 0, bit)^1)
		differ = append(differ, d)
	}
	f.Add(differ...)
	return f
}

// addSum adds the clauses for s = a + b c modulo 2, without a variable for the conjunction.
func addSum(f *dimacs.Formula, s, a, b, c dimacs.Lit) {
	for bits := range dimacs.Lit(8) {
		x, y, z := bits&1, bits>>1&1, bits>>2&1
		sum := x ^ y&z
		f.Add(s^1^sum, a^x, b^y, c^z)
	}
}

// TestExploreChain checks that a chain of equalities is found within one pass whose budget is that
// of a few environments.
func TestExploreChain(t *testing.T) {
	for seed := range uint64(4) {
		p := dplltest.NewRecorder(seed%2 == 0)
		s := New(optionsWith(p))
		s.AddFormula(twoRuns(24, 3))
		s.propagateRoot()
		s.passes.exploring.next = uint32(rand.New(rand.NewPCG(seed, 0x64)).IntN(24))
		s.exploreEnvironments(100_000)
		if found := s.stats.SweepEquivalences; found < 24*3 {
			t.Errorf("seed %d: %d equivalences", seed, found)
		}
		if answer := s.Solve(t.Context()); answer != dimacs.Unsatisfiable || s.stats.Conflicts > 10 {
			t.Errorf("seed %d: %v after %d conflicts", seed, answer, s.stats.Conflicts)
		}
		if err := p.Verify(dimacs.Unsatisfiable, nil); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestExploreDelay checks that rounds are skipped after many environments without success.
func TestExploreDelay(t *testing.T) {
	f := dimacs.NewFormula(exploreTries)
	for v := range exploreTries {
		f.Add(dimacs.Lit(2*v), dimacs.Lit(2*((v+1)%exploreTries)+1), dimacs.Lit(2*((v+7)%exploreTries)))
	}
	checkBackoff(t, f, func(s *Solver) bool {
		before := s.stats.SweepSolved
		s.exploreEnvironments(1e9)
		return s.stats.SweepSolved > before
	})
}

// TestExploreInterrupted stops the pass at random places.
func TestExploreInterrupted(t *testing.T) {
	checkInterrupted(t, func(s *Solver) {
		s.passes.exploring.wait = 0
		s.exploreEnvironments(1e8)
	})
}
