package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// TestSymmetryRuns breaks symmetries in two runs of the pass with a search before each, as
// when the budget of the first run was too small. The clauses learned between the runs are
// clauses over the names of that time.
func TestSymmetryRuns(t *testing.T) {
	again, deleted := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0x5a))
		f := dplltest.Symmetric[r.IntN(len(dplltest.Symmetric))].Make(r, 20+r.IntN(40))
		p := dplltest.NewRATRecorder(seed&1 == 0)
		o := plain()
		o.OneShot, o.NoSymmetry, o.SymmetryConflicts, o.Lucky, o.Proof, o.Seed = true, false, 1e9, LuckyOff, p, seed
		if seed%5 == 0 {
			o.Proof = nil
		}
		s := New(o)
		s.AddFormula(f)
		answer := dimacs.Unknown
		search := func(conflicts int) {
			s.SetLimits(Limits{Conflicts: int64(conflicts)})
			answer = s.Solve(context.Background())
			s.reset()
			if answer == dimacs.Unknown && !s.toRoot() {
				answer = dimacs.Unsatisfiable
			}
		}
		search(1 + r.IntN(5))
		if answer == dimacs.Unknown {
			s.breakSymmetries(int64(200 << r.IntN(6)))
			broken := s.stats.Symmetries
			if search(1 + r.IntN(10)); answer == dimacs.Unknown && broken > 0 {
				s.passes.breaking.stage = breakingOff // whether a larger budget may help or not
				learned := s.stats.Redundant
				if s.breakSymmetries(1e7); s.stats.Symmetries > broken {
					again++
					if learned > 0 {
						deleted++
					}
				}
			}
		}
		if answer == dimacs.Unknown {
			s.SetLimits(Limits{})
			answer = s.Solve(context.Background())
		}
		if want, _ := dplltest.Oracle(f); want != dimacs.Unknown && answer != want {
			t.Fatalf("seed %d: %v, want %v\n%v", seed, answer, want, dplltest.Case{Formula: f})
		}
		if answer == dimacs.Satisfiable && s.call.state == satisfied && s.Model().Falsified(f) >= 0 {
			t.Fatalf("seed %d: wrong model", seed)
		}
		if err := p.Verify(answer, nil); o.Proof != nil && err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, dplltest.Case{Formula: f})
		}
	}
	t.Logf("%d second runs, %d of them with learned clauses", again, deleted)
	if again < 20 || deleted < 10 {
		t.Errorf("%d second runs, %d of them with learned clauses: too few", again, deleted)
	}
}
