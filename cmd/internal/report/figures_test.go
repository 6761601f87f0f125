package report

import (
	"math"
	"testing"

	"sator/cmd/internal/record"
)

func TestModes(t *testing.T) {
	f := Of("run", made(
		&record.Sample{Time: 1, Conflicts: 100, Mode: "focused"},
		&record.Event{Time: 3, Conflicts: 300, Kind: record.Mode, Mode: "stable"},
		&record.Event{Time: 4, Conflicts: 350, Kind: record.Mode, Mode: "focused"},
		&record.End{Status: "SATISFIABLE", Time: 6, Stats: []map[string]any{{"conflicts": 500.0}}},
	))
	want := map[string]Spell{"focused": {2, 450, 5}, "stable": {1, 50, 1}}
	for name, w := range want {
		if got := f.Modes[name]; got == nil || *got != w {
			t.Errorf("%s: got %v, want %v", name, got, w)
		}
	}
	if f.LastMode != "focused" || f.Conflicts != 500 || f.Time != 6 {
		t.Errorf("last mode %q, %d conflicts, %g s", f.LastMode, f.Conflicts, f.Time)
	}
}

func TestPassSums(t *testing.T) {
	n := func(x int64) *int64 { return &x }
	f := Of("run", made(
		&record.Pass{Name: "probe", Time: 1, Seconds: 0.5, Ticks: 10, Budget: 20, Before: record.Size{Vars: 9, Literals: n(30)}, After: record.Size{Vars: 7, Literals: n(20)}, Did: map[string]int64{"failed_lits": 2}},
		&record.Pass{Name: "vivify", Time: 3, Seconds: 1.5, Before: record.Size{Vars: 7}, After: record.Size{Vars: 7}},
		&record.Pass{Name: "probe", Time: 4, Seconds: 0.5, Ticks: 5, Budget: 20, Before: record.Size{Vars: 7}, After: record.Size{Vars: 7}, Did: map[string]int64{"failed_lits": 1}},
		&record.End{Time: 10, Phases: map[string]float64{"probe": 1, "vivify": 1.5, "search-stable": 5, "read": 2.5}},
	))
	if len(f.Passes) != 2 || f.Passes[0].Name != "vivify" {
		t.Fatalf("passes %v: want vivify, the longest, first", f.Passes)
	}
	p := f.Passes[1]
	if p.Runs != 2 || p.Idle != 1 || p.Seconds != 1 || p.Share != 0.1 || p.Ticks != 15 || p.Budget != 40 || p.Change.Vars != -2 || *p.Change.Literals != -10 || p.Did["failed_lits"] != 3 {
		t.Errorf("got %+v", p)
	}
	if f.Passes[0].Change.Literals != nil {
		t.Error("literals were not counted, and there is a change")
	}
	if s, p := f.Group(searchGroup), f.Group(passGroup); s != 0.5 || p != 0.25 {
		t.Errorf("search %g, passes %g", s, p)
	}
}

// TestRaceFigures checks that the figures are those of the winner.
func TestRaceFigures(t *testing.T) {
	one := 1
	f := Of("run", made(
		&record.Run{Version: 1, Solvers: []string{"a", "b"}},
		&record.Sample{Solver: 0, Time: 2, Conflicts: 900, Resident: 70},
		&record.Sample{Solver: 1, Time: 2, Conflicts: 100, Resident: 80},
		&record.Exchange{Solver: 0, Exported: 5},
		&record.Exchange{Solver: 1, Exported: 7, Imported: 5, Used: 2},
		&record.End{Status: "UNSATISFIABLE", Winner: &one, Stats: []map[string]any{{"conflicts": 950.0}, {"conflicts": 120.0}}},
	))
	if f.Solver != 1 || f.Conflicts != 120 || f.Last.Conflicts != 100 || f.Exchange.Exported != 7 || f.PeakResident != 80 {
		t.Errorf("got %+v", f)
	}
}

func TestThirds(t *testing.T) {
	f := Of("run", made(sampled(31, func(i int) int64 { return int64(min(i, 11)*100 + max(0, i-11)*10) })...))
	for i, want := range []float64{100, 10, 10} {
		if got := f.Trends.Thirds[i].PerSecond(); math.Abs(got-want) > 1e-9 {
			t.Errorf("third %d: %g conflicts per second, want %g", i, got, want)
		}
	}
	if f := Of("run", made(sampled(fewSamples-1, func(i int) int64 { return int64(i) })...)); f.Trends.Thirds != nil {
		t.Error("a rate from few samples")
	}
}

// TestGlueStep has steps up and down, after the reductions before them, and glue that changes little.
func TestGlueStep(t *testing.T) {
	run := func(glue func(i int) float64) *Step {
		var lines []record.Line
		for i := 1; i <= 40; i++ {
			if i%8 == 0 {
				lines = append(lines, &record.Event{Kind: record.Reduce, Reduce: &record.Reduction{Deleted: 1, Kept: 1}})
			}
			lines = append(lines, &record.Sample{Time: float64(i), Conflicts: int64(1000 * i), Focused: record.Averages{Glue: glue(i)}})
		}
		return Of("run", made(lines...)).Trends.Glue
	}
	step := func(at int, from, to float64) func(int) float64 {
		return func(i int) float64 {
			if i < at {
				return from
			}
			return to
		}
	}
	if got, want := run(step(32, 4, 8)), (Step{4, 8, 32, 4}); got == nil || *got != want {
		t.Errorf("a step up: got %+v, want %+v", got, want)
	}
	if got, want := run(step(7, 9, 6)), (Step{9, 6, 7, 0}); got == nil || *got != want {
		t.Errorf("a step down: got %+v, want %+v", got, want)
	}
	if got := run(step(20, 4, 4.5)); got != nil {
		t.Errorf("a small step: got %+v", got)
	}
}
