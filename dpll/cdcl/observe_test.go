package cdcl_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A watcher is an observer that checks reports against each other.
type watcher struct {
	t         *testing.T
	interval  int64
	last      cdcl.Sample
	samples   int
	early     int // samples before the interval has passed: at the beginning and the end of calls
	uses      int64
	pass      string // the current one
	activity  string // the current one, if the options report it
	again     int    // passes that began again
	passes    map[string]int
	exchanges int
}

func (w *watcher) Sample(s cdcl.Sample) {
	now, before := s.Ticks+s.PassTicks, w.last.Ticks+w.last.PassTicks
	if now < before || s.Conflicts < w.last.Conflicts || s.Propagations < w.last.Propagations {
		w.t.Errorf("a sample at %d ticks, %d conflicts follows one at %d ticks, %d conflicts", now, s.Conflicts, before, w.last.Conflicts)
	}
	if w.samples > 0 && now-before < w.interval {
		w.early++
	}
	if long := s.Tiers[0] + s.Tiers[1] + s.Tiers[2]; long > s.Redundant || long < s.Redundant-s.Binary {
		w.t.Errorf("%v clauses in the tiers, and %d learned clauses, of which at most %d are binary", s.Tiers, s.Redundant, s.Binary)
	}
	if s.Assigned > s.Vars || s.Target > s.Vars || s.Best > s.Vars {
		w.t.Errorf("%d assigned, target %d, best %d of %d variables", s.Assigned, s.Target, s.Best, s.Vars)
	}
	for _, n := range s.Used {
		if n < 0 {
			w.t.Errorf("uses %v", s.Used)
		}
		w.uses += n
	}
	mode := s.Modes[0]
	if s.Stable {
		mode = s.Modes[1]
	}
	if mode.Glue != s.Glue || mode.Size != s.Size || mode.Tier1 != s.Tier1 || mode.Tier2 != s.Tier2 {
		w.t.Errorf("the state of the mode is %+v, and the statistics say %g, %g, %d, %d", mode, s.Glue, s.Size, s.Tier1, s.Tier2)
	}
	w.last = s
	w.samples++
}

func (w *watcher) BeginPass(name string) {
	switch w.pass {
	case "":
	case name:
		w.again++
	default:
		w.t.Errorf("the pass %s begins within %s", name, w.pass)
	}
	w.pass = name
}

func (w *watcher) EndPass(p cdcl.PassReport) {
	if w.pass != p.Name {
		w.t.Errorf("the pass %s ends within %q", p.Name, w.pass)
	}
	w.pass = ""
	if p.Ticks < 0 || p.Budget <= 0 || p.After.PassTicks-p.Before.PassTicks != p.Ticks || p.After.Ticks != p.Before.Ticks {
		w.t.Errorf("%s: %d of %d ticks, but the statistics change from %d, %d to %d, %d", p.Name, p.Ticks, p.Budget,
			p.Before.Ticks, p.Before.PassTicks, p.After.Ticks, p.After.PassTicks)
	}
	if p.Round != p.Before.Rounds+1 && p.Name != "lucky" {
		w.t.Errorf("%s in round %d after %d rounds", p.Name, p.Round, p.Before.Rounds)
	}
	for _, n := range []int64{p.LiteralsBefore - 2*int64(p.Before.Irredundant), p.LiteralsAfter - 2*int64(p.After.Irredundant)} {
		if n < 0 {
			w.t.Errorf("%s: the literals of the formula are too few by %d", p.Name, -n)
		}
	}
	if w.activity == "collect" && !strings.Contains(p.Name, "eliminate") && p.Name != "subsume" { // these end with a collection
		w.t.Errorf("the time of %s counts as that of the collection before it", p.Name)
	}
	if a, b := &p.Before, &p.After; p.Name == "xor" && a.XORUnits+a.XOREquivalences == b.XORUnits+b.XOREquivalences &&
		(a.Irredundant != b.Irredundant || a.Redundant != b.Redundant || a.Binary != b.Binary) {
		w.t.Errorf("a collection is credited to %s", p.Name)
	}
	w.passes[p.Name]++
}

func (w *watcher) Exchanged(cdcl.Stats) { w.exchanges++ }

// TestObserverChangesNothing compares runs with and without an observer.
func TestObserverChangesNothing(t *testing.T) {
	passes, restarted := map[string]int{}, 0
	for i, f := range middling() {
		for _, interval := range []int64{1, 20_000} {
			o := cdcl.Options{}
			o.InprocessInterval, o.Lucky, o.NoSweep, o.FactorGain, o.OneShot = 100, cdcl.LuckyAlways, false, 1, true
			without, trace := observedRun(o, f)
			w := &watcher{t: t, interval: interval, passes: passes}
			o.Observer, o.SampleTicks = w, interval
			with, again := observedRun(o, f)
			if without != with || trace != again {
				t.Errorf("formula %d: the statistics with an observer are\n%+v\nand without\n%+v", i, with, without)
			}
			restarted += w.again
			if last := w.last.Stats; last != with {
				t.Errorf("formula %d: the last sample has the statistics\n%+v\nof\n%+v", i, last, with)
			}
			ticks := with.Ticks + with.PassTicks
			if int64(w.samples-2) > ticks/interval || w.samples < 3 && ticks > 3*interval+20_000 || w.early > 1 {
				t.Errorf("formula %d: %d samples, %d of them early, in %d ticks", i, w.samples, w.early, ticks)
			}
			if with.Conflicts > 500 && w.uses == 0 {
				t.Errorf("formula %d: no clause was used", i)
			}
		}
	}
	if restarted == 0 {
		t.Error("no pass began again after a collection")
	}
	for _, name := range []string{"lucky", "xor", "probe", "subsume+eliminate", "vivify", "factor"} {
		if passes[name] == 0 {
			t.Errorf("no report of the pass %s: %v", name, passes)
		}
	}
}

// observedRun solves a formula and returns the statistics and the events.
func observedRun(o cdcl.Options, f *dimacs.Formula) (cdcl.Stats, string) {
	trace := ""
	if w, ok := o.Observer.(*watcher); ok {
		o.Activity = func(name string) { w.activity = name }
	}
	o.Progress = func(e cdcl.Event, st cdcl.Stats) { trace += fmt.Sprintf("%c%d ", e, st.Ticks) }
	s := load(o, f)
	s.Solve(context.Background())
	return s.Stats(), trace
}

// TestObserverCalls checks that there are samples at the beginning and at the end of every
// call, also of a clone.
func TestObserverCalls(t *testing.T) {
	w := &watcher{t: t, interval: 1 << 40, passes: map[string]int{}}
	o := cdcl.Options{}
	o.Observer, o.SampleTicks = w, w.interval
	s := load(o, uniform(1, 120, 490, nil))
	for i, call := range []func(*cdcl.Solver){
		func(s *cdcl.Solver) { s.Solve(context.Background()) },
		func(s *cdcl.Solver) { s.Solve(context.Background(), dimacs.FromInt(1)) },
		func(s *cdcl.Solver) { s.Simplify(context.Background(), 1) },
		func(s *cdcl.Solver) { s.Clone().Solve(context.Background()) },
	} {
		if call(s); w.samples != 2*(i+1) {
			t.Errorf("%d samples after %d calls", w.samples, i+1)
		}
	}
}

// TestExchangeReports checks the counter of exported clauses, and the report of an exchange.
func TestExchangeReports(t *testing.T) {
	w := &watcher{t: t, interval: 1 << 40, passes: map[string]int{}}
	b := &fakeExchange{next: []cdcl.Shared{{Lits: dimacs.Lits(1, -1)}}}
	o := cdcl.Options{}
	o.Exchange, o.ExchangeInterval, o.Observer, o.SampleTicks = b, 1000, w, w.interval
	s := load(o, uniform(1, 120, 520, nil))
	s.Solve(context.Background())
	if st := s.Stats(); int(st.Exported) != len(b.exported) || st.Exported == 0 || w.exchanges == 0 {
		t.Errorf("%d clauses are exported, the statistics say %d, with %d exchanges", len(b.exported), st.Exported, w.exchanges)
	}
}
