package cdcl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestRescale checks the heap after each conflict of searches in stable mode, with the ends
// of the range of the knob decay. Scores underflow from the first time that they are
// rescaled: they begin with values over 400 powers of ten, against the order of the
// variables.
func TestRescale(t *testing.T) {
	i := slices.IndexFunc(Knobs, func(k Knob) bool { return k.Name == "decay" })
	for _, decay := range []int{Knobs[i].Min, Knobs[i].Default, Knobs[i].Max} {
		t.Run(fmt.Sprintf("decay=%d", decay), func(t *testing.T) {
			s, rescaled := searchRescaled(decay)
			if s.Solve(context.Background()) == dimacs.Unknown || *rescaled < 5 {
				t.Errorf("%d conflicts, and scores were rescaled %d times", s.stats.Conflicts, *rescaled)
			}
		})
	}
}

// searchRescaled returns a solver that checks its heap after each conflict, and the number
// of times that it has rescaled the scores. A jump of the increment every 50 conflicts
// stands for the many conflicts that rescaling takes with most values of the knob.
func searchRescaled(decay int) (s *Solver, rescaled *int) {
	rescaled = new(int)
	o := Options{}
	o.Stable, o.NoSimplify, o.Decay = StableMode, true, decay
	last := 0.0
	o.Learned = func([]dimacs.Lit) {
		s.decisions.checkHeap()
		if s.decisions.inc < last {
			*rescaled++
		}
		if s.stats.Conflicts%50 == 0 {
			s.decisions.inc = maxScore
		}
		last = s.decisions.inc
	}
	s = New(o)
	const n = 150
	for _, c := range uniform(rand.New(rand.NewPCG(1, 9)), n, 4.6) {
		s.Add(c...)
	}
	for v := range uint32(n) {
		s.decisions.heap.Score[v] = math.Pow(10, 100-400*float64(n-v)/n)
		s.decisions.heap.Raise(v)
	}
	s.decisions.inc = maxScore
	return s, rescaled
}
