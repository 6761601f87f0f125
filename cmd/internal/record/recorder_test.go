package record_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// random returns a random formula of ternary clauses at the threshold, with a chain of XOR
// constraints and some binary clauses, so that passes find something.
func random(seed uint64, vars int) *dimacs.Formula {
	r := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for f.Len() < vars*41/10 {
		var c []dimacs.Lit
		for range 3 {
			c = append(c, dimacs.Lit(r.IntN(2*vars)))
		}
		f.Add(c...)
	}
	for v := 1; v+1 < vars; v += 10 {
		f.AddInts(v, -v-1, vars+v)
		f.AddInts(-v, vars+v)
	}
	return f
}

// pigeons returns the pigeonhole formula, which takes thousands of conflicts without
// cardinality detection.
func pigeons(holes int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for p := range holes + 1 {
		var c []int
		for h := range holes {
			c = append(c, p*holes+h+1)
			for q := range p {
				f.AddInts(-(p*holes + h + 1), -(q*holes + h + 1))
			}
		}
		f.AddInts(c...)
	}
	return f
}

// meter returns a meter whose clock advances by a millisecond with each call.
func meter() record.Meter {
	now := time.Duration(0)
	return record.Meter{
		Now: func() time.Duration { now += time.Millisecond; return now },
		Read: func() record.Usage {
			return record.Usage{CPU: now / 2, Heap: 5, Resident: 7, PeakResident: 9, Counters: map[string]int64{"cycles": int64(now)}}
		},
	}
}

// recorded solves a formula and returns the recording and the statistics.
func recorded(t *testing.T, o cdcl.Options, f *dimacs.Formula) (string, cdcl.Stats) {
	var b bytes.Buffer
	r := record.NewRecorder(&b, meter())
	r.Phase("read")
	r.Run(&record.Run{Engine: "cdcl", Solvers: []string{"default"}, SampleTicks: 5000})
	r.Formula(record.Describe(f))
	o.SampleTicks = 5000
	r.Attach(&o, 0)
	s := cdcl.New(o)
	s.AddFormula(f)
	status := s.Solve(context.Background())
	r.Phase("check")
	st := s.Stats()
	r.End(&record.End{Status: status.String(), Stats: []map[string]any{record.Stats(&st)}})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String(), st
}

// options returns options with which all kinds of events take place in short runs.
func options(seed uint64) cdcl.Options {
	o := cdcl.Options{}
	o.Seed, o.InprocessInterval, o.RephaseInterval, o.ModeInterval, o.ReduceInterval = seed, 100, 50, 200, 100
	return o
}

// TestRecorder compares the lines of recordings with the statistics at the end of the runs.
func TestRecorder(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(6) {
		f := random(seed, 160)
		text, st := recorded(t, options(seed), f)
		if again, _ := recorded(t, options(seed), f); again != text {
			t.Errorf("seed %d: two recordings differ", seed)
		}
		all, err := record.Read("", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		got := count(t, all, seen)
		want := counts{
			modes: st.ModeSwitches, reductions: st.Reductions, rephasings: st.Rephases, collections: got.collections,
			deleted: st.ReducedClauses, flips: st.WalkFlips, passTicks: st.PassTicks - got.walkTicks, walkTicks: got.walkTicks,
			vivified: st.VivifyTried, eliminated: st.Eliminated, conflicts: st.Conflicts, samples: got.samples,
		}
		if got != want {
			t.Errorf("seed %d: the lines count\n%+v\nand the statistics\n%+v", seed, got, want)
		}
		if int64(got.samples) > (st.Ticks+st.PassTicks)/5000+2 || got.samples < 3 {
			t.Errorf("seed %d: %d samples in %d ticks", seed, got.samples, st.Ticks+st.PassTicks)
		}
		if got := all.End.Stats[0]["conflicts"]; got != float64(st.Conflicts) {
			t.Errorf("seed %d: the last line counts %v conflicts, not %d", seed, got, st.Conflicts)
		}
	}
	for _, kind := range []string{"start", "mode", "reduce", "collect", "rephase", "answer", "walk", "read", "check", "search-focused", "search-stable", "vivify"} {
		if !seen[kind] {
			t.Errorf("no recording has the event or phase %s", kind)
		}
	}
}

// counts are sums over the lines of a recording.
type counts struct {
	modes, reductions, rephasings, collections int64
	deleted, flips, passTicks, walkTicks       int64
	vivified, eliminated, conflicts            int64
	samples                                    int
}

// count sums the lines of a recording and checks each.
func count(t *testing.T, all *record.Recording, seen map[string]bool) (n counts) {
	now := 0.0
	later := func(l record.Line, time float64) {
		if time <= now {
			t.Errorf("%s at %g s after a line at %g s", l.Type(), time, now)
		}
		now = time
	}
	sample := &record.Sample{}
	for _, l := range all.Lines {
		switch l := l.(type) {
		case *record.Sample:
			later(l, l.Time)
			n.samples++
			n.conflicts = l.Conflicts
			if l.Vars+l.Fixed+l.Removed < all.Formula.Vars || l.Heap != 5 || l.Resident != 7 || l.HW["cycles"] == 0 || l.CPU <= 0 {
				t.Errorf("sample %+v", l)
			}
			n.walkTicks = l.PassTicks - n.passTicks
			sample = l
		case *record.Event:
			later(l, l.Time)
			seen[l.Kind] = true
			n.event(t, l, seen)
		case *record.Pass:
			later(l, l.Time)
			n.passTicks += l.Ticks
			n.vivified += l.Did["vivify_tried"]
			n.eliminated += l.Did["eliminated"]
			if l.Seconds <= 0 || l.Seconds > l.Time || l.Before.Literals == nil || l.After.Literals == nil {
				t.Errorf("pass %+v", l)
			}
			if l.Name == "vivify" && l.Did["vivify_tried"] == 0 && l.Did["decisions"] > 0 {
				t.Errorf("pass %+v", l)
			}
		case *record.End:
			later(l, l.Time)
			sum := 0.0
			for name, seconds := range l.Phases {
				seen[name] = true
				sum += seconds
			}
			if sum > l.Time || sum < l.Time/2 || l.PeakResident != 9 || l.HW["cycles"] == 0 || sample.Time > l.Time {
				t.Errorf("end %+v, phases of %g s", l, sum)
			}
		}
	}
	return n
}

// event counts an event.
func (n *counts) event(t *testing.T, l *record.Event, seen map[string]bool) {
	switch l.Kind {
	case record.Mode:
		n.modes++
	case record.Reduce:
		n.reductions++
		n.deleted += l.Reduce.Deleted
	case record.Collect:
		n.collections++
	case record.Rephase:
		n.rephasings++
		if w := l.Rephase.Walk; w != nil {
			seen["walk"] = true
			n.flips += w.Flips
			if l.Rephase.Kind != "walk" || w.After > w.Before {
				t.Errorf("rephasing %s with a walk %+v", l.Rephase.Kind, w)
			}
		}
	}
}

// TestRecordingChangesNothing compares the statistics of runs with and without a recorder.
func TestRecordingChangesNothing(t *testing.T) {
	for seed := range uint64(6) {
		f := random(seed, 150)
		_, with := recorded(t, options(seed), f)
		s := cdcl.New(options(seed))
		s.AddFormula(f)
		s.Solve(context.Background())
		if without := s.Stats(); with != without {
			t.Errorf("seed %d: with a recorder\n%+v\nand without\n%+v", seed, with, without)
		}
	}
}

// TestRecordRace records a race of two solvers, freely and in lockstep.
func TestRecordRace(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		var b bytes.Buffer
		r := record.NewRecorder(&b, meter())
		o := portfolio.Options{
			Threads:       2,
			Deterministic: deterministic,
			Solver:        options(1),
			Observer:      r.Observer,
			Progress:      r.Progress,
			Activity:      func(i int) func(string) { return func(name string) { r.Activity(i, name) } },
		}
		o.Solver.NoCardinality = true
		o.Solver.SampleTicks, o.Solver.ExchangeInterval = 5000, 5000
		race := portfolio.NewRace(o)
		r.Run(&record.Run{Engine: "cdcl", Solvers: race.Names(), SampleTicks: 5000})
		f := pigeons(8)
		race.Load(context.Background(), f, 0, f.Len())
		status := race.Solve(context.Background())
		winner := race.Winner()
		r.End(&record.End{Status: status.String(), Winner: &winner})
		all, err := record.Read("", &b)
		if err != nil {
			t.Fatal(err)
		}
		now := 0.0
		var got, want [2]record.Exchange
		lines := map[string]int{}
		for _, l := range all.Lines {
			lines[l.Type()]++
			v := reflect.ValueOf(l).Elem()
			if f := v.FieldByName("Time"); f.IsValid() {
				if f.Float() <= now {
					t.Errorf("%s at %g s after a line at %g s", l.Type(), f.Float(), now)
				}
				now = f.Float()
			}
			if x, is := l.(*record.Exchange); is {
				n := &got[x.Solver]
				n.Exported, n.Imported, n.Rejected = n.Exported+x.Exported, n.Imported+x.Imported, n.Rejected+x.Rejected
			}
			if x, is := l.(*record.Sample); is {
				lines[fmt.Sprint("sample", x.Solver)]++
			}
		}
		for i, st := range race.Stats() {
			want[i] = record.Exchange{Exported: st.Exported, Imported: st.Imported, Rejected: st.ImportsRejected}
			if got[i].Imported != want[i].Imported || got[i].Rejected != want[i].Rejected || got[i].Exported > want[i].Exported || deterministic && got[i].Exported == 0 {
				t.Errorf("solver %d: exchanges %+v, statistics %+v", i, got[i], want[i])
			}
		}
		if deterministic && min(lines["sample0"], lines["sample1"]) < 3 || lines["pass"] == 0 || *all.End.Winner != winner {
			t.Errorf("lines %v", lines)
		}
	}
}

func TestRecorderMisuse(t *testing.T) {
	r := record.NewRecorder(&bytes.Buffer{}, meter())
	r.Run(&record.Run{Solvers: []string{"a"}})
	for _, i := range []int{-1, 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for solver %d of 1", i)
				}
			}()
			r.Observer(i)
		}()
	}
}

func TestName(t *testing.T) {
	for field, want := range map[string]string{
		"Conflicts": "conflicts", "ReusedTrails": "reused_trails", "XORs": "xors", "XORUnits": "xor_units",
		"CongruenceXors": "congruence_xors", "Tier1": "tier1",
	} {
		if got := record.Name(field); got != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}
