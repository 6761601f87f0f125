package portfolio

import (
	"context"
	"testing"
)

// TestLockstepWinner checks that the first solver wins among those that have an answer
// in the same round, whatever the order in which they end.
func TestLockstepWinner(t *testing.T) {
	s := new(lockstep)
	s.begin(context.Background(), func() {}, 4)
	if got := s.winner(); got != -1 {
		t.Errorf("without an answer, solver %d wins", got)
	}
	for _, i := range []int{3, 1, 0, 2} {
		s.leave(i, i != 0)
	}
	if got := s.winner(); got != 1 {
		t.Errorf("solver %d wins, want 1", got)
	}
}
