//go:build satcheck

package cdcl

import "testing"

// PollDensely makes solvers poll at nearly each step until the end of the test, in builds with
// satcheck, so that contexts and callbacks stop calls anywhere in small formulas.
func PollDensely(t *testing.T) {
	steps, ticks := pauseSteps, pollTicks
	t.Cleanup(func() { pauseSteps, pollTicks = steps, ticks })
	pauseSteps, pollTicks = 2, 10
}
