package cli

import (
	"runtime/debug"
	"testing"
)

// TestPace checks the percentages, and that only SaveMoreMemory lets the pace change.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		live    int64
		percent int
	}{{0, 40}, {8<<20 - 1, 40}, {8 << 20, 33}, {16<<20 - 1, 33}, {16 << 20, 25}, {31 << 20, 25}, {32 << 20, 12}, {96 << 20, 12}, {255 << 20, 12}, {256 << 20, 5}, {1 << 40, 5}} {
		if got := percentFor(tt.live); got != tt.percent {
			t.Errorf("%d live bytes: %d percent, want %d", tt.live, got, tt.percent)
		}
	}

	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer func() { debug.SetGCPercent(before); pacing.Store(0) }()
	current := func() int {
		p := debug.SetGCPercent(-1)
		debug.SetGCPercent(p)
		return p
	}
	SaveMoreMemory()
	pacing.Store(1) // not the percentage for the heap of a test
	want := percentFor(readMetrics("/gc/heap/live:bytes")[0])
	if paceCollector(); current() != want || pacing.Load() != int64(want) {
		t.Errorf("the pace is %d percent, want %d", current(), want)
	}
	debug.SetGCPercent(50)
	SaveMemory()
	debug.SetGCPercent(50)
	if paceCollector(); current() != 50 {
		t.Errorf("the pace is %d percent after SaveMemory, want 50", current())
	}
	t.Setenv("GOGC", "70")
	SaveMoreMemory()
	if paceCollector(); current() != 50 {
		t.Errorf("the pace is %d percent with GOGC, want 50", current())
	}
}
