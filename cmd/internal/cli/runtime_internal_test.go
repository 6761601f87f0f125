package cli

import (
	"runtime/debug"
	"testing"
	"time"
)

// TestPace checks the percentages, and that only SaveMoreMemory lets the pace change.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		live    int64
		percent int
	}{{0, 100}, {2 << 20, 40}, {8<<20 - 1, 40}, {8 << 20, 33}, {16<<20 - 1, 33}, {16 << 20, 25}, {31 << 20, 25}, {32 << 20, 12}, {96 << 20, 12}, {255 << 20, 12}, {256 << 20, 5}, {1 << 40, 5}} {
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

// TestTrim drops a table. The trimmer must return its memory, but not while the pace of garbage
// collection is fixed, nor too soon after the last time; and it waits longer and longer while
// nothing is freed.
func TestTrim(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer pacing.Store(pacing.Load())
	drop := func() {
		table := make([]byte, 32<<20)
		for i := range table {
			table[i] = 1
		}
	}
	long := time.Now().Add(-time.Hour)
	for _, tt := range []struct {
		name string
		pace int64
		trimmer
		trims bool
	}{
		{"due", 25, trimmer{at: long, wait: trimInterval}, true},
		{"grown", 25, trimmer{at: time.Now().Add(-time.Minute), held: 1, wait: time.Hour}, true},
		{"waiting", 25, trimmer{at: time.Now().Add(-time.Minute), held: 1 << 40, wait: time.Hour}, false},
		{"expensive", 25, trimmer{at: long, took: time.Minute}, false},
		{"recent", 25, trimmer{at: time.Now().Add(time.Hour)}, false},
		{"fixed pace", 0, trimmer{at: long}, false},
	} {
		drop()
		pacing.Store(tt.pace)
		x := tt.trimmer
		before := runtimeMemory()
		x.trim()
		if trims := x.at != tt.at; trims != tt.trims {
			t.Errorf("%s: trims: %v, want %v", tt.name, trims, tt.trims)
		} else if after := runtimeMemory(); trims && (after > before-(24<<20) || x.wait != trimInterval) {
			t.Errorf("%s: %d MB after %d MB, and a wait of %s", tt.name, after>>20, before>>20, x.wait)
		}
	}
	pacing.Store(25)
	x := trimmer{wait: trimInterval}
	for range 10 {
		x.at, x.took = long, 0
		x.trim()
	}
	if x.wait != trimSlowest {
		t.Errorf("a wait of %s after nothing was freed, want %s", x.wait, trimSlowest)
	}
}
