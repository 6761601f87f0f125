package portfolio_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/cdcltest"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// eager returns options under which solvers share clauses even if a formula takes only
// a few conflicts.
func eager() cdcl.Options {
	o := cdcl.Options{}
	o.ExchangeInterval = 20
	return o
}

// races lists the kinds of races under test.
var races = []struct {
	name string
	opts portfolio.Options
}{
	{"one", portfolio.Options{Threads: 1}},
	{"two", portfolio.Options{Threads: 2}},
	{"four", portfolio.Options{Threads: 4}},
	{"two in step", portfolio.Options{Threads: 2, Deterministic: true}},
	{"three in step", portfolio.Options{Threads: 3, Deterministic: true}},
	{"three alone", portfolio.Options{Threads: 3, Alone: true}},
	{"two alone in step", portfolio.Options{Threads: 2, Alone: true, Deterministic: true}},
}

// racer returns a function that makes a race for a test, with opts and solver as the
// options that the test does not set.
func racer(opts portfolio.Options, solver cdcl.Options) func(dplltest.Setup) dplltest.Engine {
	return func(setup dplltest.Setup) dplltest.Engine {
		o := opts
		o.Solver = solver
		chosen := set(&o.Solver, setup.Settings)
		o.IsSet = func(knob string) bool { return chosen[knob] }
		o.Solver.Seed, o.Solver.Proof = setup.Seed, setup.Proof
		return portfolio.NewRace(o)
	}
}

// set applies settings to options, and returns the names of their knobs.
func set(o *cdcl.Options, settings []dplltest.Setting) map[string]bool {
	names := map[string]bool{}
	for _, s := range settings {
		o.Set(s.Name, s.Value)
		names[s.Name] = true
	}
	return names
}

// A race passes the conformance tests of engines, which include assumptions, clauses
// that are added between calls, and canceled calls.
func TestConformance(t *testing.T) {
	for i, race := range races {
		for _, passes := range []string{"", " and passes"} {
			t.Run(race.name+passes, func(t *testing.T) {
				t.Parallel()
				o := eager()
				if passes != "" {
					o.InprocessInterval = 1
				}
				dplltest.Run(t, racer(race.opts, o), dplltest.Config{Seed: uint64(i) * 10_000, Rounds: 20, Whole: 100})
			})
		}
	}
}

// A race passes the conformance tests with random options too.
func TestConformanceRandomOptions(t *testing.T) {
	effort.Sequential(t)
	for i, race := range races[1:5] {
		t.Run(race.name, func(t *testing.T) {
			t.Parallel()
			dplltest.Run(t, racer(race.opts, eager()), dplltest.Config{Seed: 1e6 + uint64(i)*10_000, Rounds: 50, Whole: 100, Knobs: cdcltest.Knobs()})
		})
	}
}

// A race with OneShot, in which one solver begins and the others start from its
// simplified formula, passes the conformance tests too.
func TestConformanceOneShot(t *testing.T) {
	for i, race := range races[1:5] {
		t.Run(race.name, func(t *testing.T) {
			t.Parallel()
			newRace := func(s dplltest.Setup) dplltest.Engine {
				o := eager()
				o.OneShot, o.InprocessInterval, o.FactorGain, o.Lucky = s.Proof != nil, 1, 1, cdcl.LuckyOff
				return racer(race.opts, o)(s)
			}
			dplltest.Run(t, newRace, dplltest.Config{Seed: 2e6 + uint64(i)*10_000, Rounds: 50, Whole: 400, Knobs: cdcltest.Knobs(), Proves: dplltest.RATProofs})
		})
	}
}

// In a race with OneShot, the first solver solves easy formulas alone. The formula of
// the other solvers has fewer variables. The events of the first solver look like those
// of one call.
func TestOneShotBeginsAlone(t *testing.T) {
	var events []cdcl.Event
	race := func(f *dimacs.Formula) *portfolio.Race {
		o := portfolio.Options{Threads: 2}
		o.Solver.OneShot, o.Solver.Lucky = true, cdcl.LuckyOff
		o.Progress = func(i int, e cdcl.Event, _ cdcl.Stats) {
			if i == 0 && (e == cdcl.Start || e == cdcl.Stopped) {
				events = append(events, e)
			}
		}
		r := portfolio.NewRace(o)
		r.Load(context.Background(), f, 0, f.Len())
		return r
	}
	r := race(conquertest.Uniform(1, 60, 300))
	if got := r.Solve(context.Background()); got != dimacs.Unsatisfiable || r.Winner() != 0 || r.Stats()[1].Vars != 0 {
		t.Errorf("%v by solver %d; the second solver has %d variables", got, r.Winner(), r.Stats()[1].Vars)
	}

	f := conquertest.Uniform(3, 260, 1040)
	for v := range f.Vars() / 2 { // defined variables, to be eliminated
		x := dimacs.Lit(2 * (260 + v))
		y, z := dimacs.Lit(4*v), dimacs.Lit(4*v+2)
		f.Add(x, y.Not(), z.Not())
		f.Add(x.Not(), y)
		f.Add(x.Not(), z)
	}
	for _, l := range []cdcl.Limits{{Conflicts: 1500}, {Conflicts: 4000}, {Time: 1}, {Time: time.Hour}, {}} {
		r, events = race(f), nil
		r.SetLimits(l)
		answer := r.Solve(context.Background())
		stats := r.Stats()
		sum := stats[0].Conflicts + stats[1].Conflicts
		if l.Conflicts > 0 && answer == dimacs.Unknown && (sum < l.Conflicts || sum > l.Conflicts+1) {
			t.Errorf("%d conflicts with a limit of %d", sum, l.Conflicts)
		}
		if want := stats[0].Rounds > 0 && l.Conflicts != 1500; want && (stats[1].Vars == 0 || stats[1].Vars >= f.Vars()) {
			t.Errorf("limits %+v: the second solver has %d of %d variables", l, stats[1].Vars, f.Vars())
		}
		if events[0] != cdcl.Start || len(events) > 1 && (events[1] != cdcl.Stopped || len(events) > 2) {
			t.Errorf("limits %+v: events %q", l, events)
		}
	}
}

// A race with OneShot panics on assumptions, and on clauses after Solve.
func TestOneShotPanics(t *testing.T) {
	for _, misuse := range []func(r *portfolio.Race){
		func(r *portfolio.Race) { r.Add(2) },
		func(r *portfolio.Race) { r.Load(context.Background(), conquertest.Pigeons(2), 0, 1) },
		func(r *portfolio.Race) { r.Solve(context.Background(), 2) },
	} {
		o := portfolio.Options{Threads: 2}
		o.Solver.OneShot, o.Solver.InprocessInterval, o.Solver.Lucky = true, 1, cdcl.LuckyOff
		r := portfolio.NewRace(o)
		f := conquertest.Uniform(3, 200, 860)
		r.Load(context.Background(), f, 0, f.Len())
		ctx, cancel := context.WithCancel(context.Background())
		r.SetLimits(cdcl.Limits{Conflicts: 100})
		r.Solve(ctx)
		cancel()
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "OneShot") {
					t.Errorf("panic %q", p)
				}
			}()
			misuse(r)
		}()
	}
}

// TestGrowth checks that adding variables one at a time to the solvers of a race takes
// linear memory.
func TestGrowth(t *testing.T) {
	effort.Sequential(t)
	for _, race := range races[:2] {
		if err := dplltest.CheckGrowth(racer(race.opts, cdcl.Options{})); err != nil {
			t.Errorf("%s: %v", race.name, err)
		}
	}
}

// TestLockstepAlone checks the proofs of a race of one solver in lockstep. At the end of a round
// the pool rejects clauses that the solver has deleted meanwhile.
func TestLockstepAlone(t *testing.T) {
	for seed := range uint64(10) {
		f := conquertest.Uniform(seed, 80, 360)
		check := proof.NewChecker()
		o := portfolio.Options{Threads: 1, Deterministic: true, Solver: eager()}
		o.Solver.Proof, o.Solver.ReduceInterval, o.Solver.InprocessInterval, o.Solver.Lucky = check, 8, 6, cdcl.LuckyOff
		r := portfolio.NewRace(o)
		r.Load(t.Context(), f, 0, f.Len())
		r.Solve(t.Context())
		if err := check.Err(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
