package portfolio_test

import (
	"testing"
	"time"

	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
	"sator/dpll/portfolio"
)

// eager returns options under which solvers exchange clauses even where a formula
// takes a few conflicts.
func eager() cdcl.Options {
	o := cdcl.DefaultOptions()
	o.ExchangeInterval = 20
	return o
}

// races are the kinds of races that have to be engines.
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

// racer returns what makes races for a test, with these options where that says
// nothing.
func racer(opts portfolio.Options, solver cdcl.Options) func(dplltest.Setup) dplltest.Engine {
	return func(setup dplltest.Setup) dplltest.Engine {
		o := opts
		o.Solver = solver
		set := map[string]bool{}
		for _, s := range setup.Settings {
			for _, k := range cdcl.Knobs {
				if k.Name == s.Name {
					*k.Field(&o.Solver) = s.Value
					set[k.Name] = true
				}
			}
		}
		o.IsSet = func(knob string) bool { return set[knob] }
		o.Solver.Seed, o.Solver.Proof = setup.Seed, setup.Proof
		return portfolio.NewRace(o)
	}
}

// knobs are the options of the solvers as dplltest wants them.
func knobs() []dplltest.Knob {
	var ks []dplltest.Knob
	for _, k := range cdcl.Knobs {
		ks = append(ks, dplltest.Knob{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max})
	}
	return ks
}

// A race is an engine: right answers, with evidence, also under assumptions, with
// clauses that come later, and after calls that were cancelled.
func TestConformance(t *testing.T) {
	for i, race := range races {
		for _, passes := range []string{"", " and passes"} {
			t.Run(race.name+passes, func(t *testing.T) {
				t.Parallel()
				o := eager()
				if passes != "" {
					o.InprocessInterval = 1
				}
				dplltest.Run(t, racer(race.opts, o), dplltest.Config{Seed: uint64(i) * 10_000, Rounds: 100, Budget: time.Second})
			})
		}
	}
}

// And so it is with random options.
func TestConformanceRandomOptions(t *testing.T) {
	for i, race := range races[1:5] {
		t.Run(race.name, func(t *testing.T) {
			t.Parallel()
			dplltest.Run(t, racer(race.opts, eager()), dplltest.Config{Seed: 1e6 + uint64(i)*10_000, Rounds: 100, Budget: time.Second, Knobs: knobs()})
		})
	}
}
