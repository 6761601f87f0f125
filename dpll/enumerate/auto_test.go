package enumerate

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// TestTrialBlocks checks that the sets that are visited after the trial has failed
// are blocked for CDCL: DPLL does not stop at once.
func TestTrialBlocks(t *testing.T) {
	run := &trialRun{trial: trial{sets: 1}, blocked: dimacs.NewFormula(0)}
	visit := run.visitor(func(*ModelSet) bool { return true })
	for i, want := range []int{1, 1, 2, 3} {
		run.failed = i >= 2
		visit(&ModelSet{Cube: classic.Cube{Model: dimacs.Model{dimacs.True}}})
		if got := run.blocked.Len(); got != want {
			t.Errorf("after set %d: %d sets are blocked, want %d", i+1, got, want)
		}
	}
}

// TestTrialFails checks when DPLL is given up.
func TestTrialFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stats  classic.Stats
		models float64
		sets   int
		want   bool
	}{
		{"at the start", classic.Stats{}, 0, 0, false},
		{"before the end of the trial", classic.Stats{Conflicts: 9_999}, 0, 0, false},
		{"no model", classic.Stats{Conflicts: 10_000}, 0, 0, true},
		{"too few models", classic.Stats{Conflicts: 10_000}, 999, 999, true},
		{"enough models", classic.Stats{Conflicts: 10_000}, 1000, 3, false},
		{"no conflicts, no models", classic.Stats{Decisions: 200_000}, 0, 0, true},
		{"no conflicts, one model", classic.Stats{Decisions: 200_000}, 1, 1, false},
		{"many model sets", classic.Stats{Conflicts: 1e6}, 10_000, 10_000, false},
	} {
		run := &trialRun{trial: defaultTrial, clauses: 1000, models: tt.models, blocked: dimacs.NewFormula(0)}
		for range tt.sets {
			run.blocked.AddInts(1)
		}
		if got := run.fails(tt.stats); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
