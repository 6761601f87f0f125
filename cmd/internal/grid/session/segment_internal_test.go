package session

import (
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// TestBounded checks that repeated hints are dropped if, and only if, the check of a lemma
// could take long.
func TestBounded(t *testing.T) {
	for _, test := range []struct {
		hints, lits, want int
	}{
		{10, 10, 10},
		{4096, 0, 4096},
		{4096, 1, 3},
		{8, 1 << 21, 3},
	} {
		step := &proof.Step{Lits: make([]dimacs.Lit, test.lits)}
		for i := range test.hints {
			step.Hints = append(step.Hints, int64(7+i%3))
		}
		got, err := new(scanner).bounded(step)
		if err != nil || len(got) != test.want || !slices.Equal(got[:3], []int64{7, 8, 9}) {
			t.Errorf("%d hints and %d literals: %d hints, %v", test.hints, test.lits, len(got), err)
		}
	}
}
