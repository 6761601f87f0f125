package cdcl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestStableShare checks the lengths of stable phases against those of the focused phases
// before them, in ticks.
func TestStableShare(t *testing.T) {
	for _, share := range []int{25, 100, 300} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			o := Options{}
			o.StableShare, o.ModeInterval, o.NoSimplify = share, 100, true
			begin, focused, phases := int64(0), int64(0), 0
			o.Progress = func(e Event, s Stats) {
				switch e {
				case FocusedEnd:
					focused, begin = s.Ticks-begin, s.Ticks
				case StableEnd:
					stable, want := s.Ticks-begin, focused*int64(share)/100
					if stable < want || stable > want+want/4 { // a phase ends after a conflict
						t.Errorf("a stable phase of %d ticks after a focused phase of %d", stable, focused)
					}
					begin, phases = s.Ticks, phases+1
				}
			}
			s := New(o)
			for _, c := range uniform(rand.New(rand.NewPCG(1, 9)), 180, 4.4) {
				s.Add(c...)
			}
			s.SetLimits(Limits{Conflicts: 5000})
			s.Solve(context.Background())
			if phases < 2 {
				t.Errorf("%d stable phases", phases)
			}
		})
	}
}
