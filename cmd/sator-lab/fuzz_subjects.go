package main

import (
	"slices"

	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

// fuzzSubjects returns the tested engines. Most rounds test cdcl, the most
// complex engine.
var fuzzSubjects = func() []*dplltest.Subject {
	const small = 50 // variables: dpll solves such formulas in milliseconds with any heuristic
	return []*dplltest.Subject{
		{
			Name:  "cdcl",
			New:   func(s dplltest.Setup) dplltest.Engine { return traced{cdcl.New(testedOptions(s))} },
			Knobs: testedKnobs(),
			Share: 8,
		},
		{
			Name:   "cdcl-once",
			New:    func(s dplltest.Setup) dplltest.Engine { return traced{cdcl.New(testedOnce(s))} },
			Knobs:  testedKnobs(),
			Proves: dplltest.RATProofs,
			Share:  4,
		},
		{
			Name:   "dpll",
			New:    func(s dplltest.Setup) dplltest.Engine { return dpll.New(classicOptions(s)) },
			Knobs:  classicKnobs(),
			Proves: dplltest.PlainProofs,
			Vars:   small,
		},
		twosatSubject(),
		hornSubject(),
		raceSubject(),
		raceOnceSubject(),
	}
}

// classicKnobs returns the options of the engine dpll. Options with named values
// are numbered.
func classicKnobs() []dplltest.Knob {
	o := dpll.DefaultOptions()
	heuristic := slices.IndexFunc(dpll.Heuristics, func(h dpll.Heuristic) bool { return h.Name == o.Heuristic })
	return []dplltest.Knob{
		{Name: "heuristic", Default: heuristic, Min: 0, Max: len(dpll.Heuristics) - 1},
		{Name: "mom-k", Default: o.MomK, Min: 0, Max: 30},
		{Name: "pure", Default: int(o.Pure), Min: int(dpll.PureOff), Max: int(dpll.PureEvery)},
	}
}

func classicOptions(setup dplltest.Setup) dpll.Options {
	o := dpll.DefaultOptions()
	for _, s := range setup.Settings {
		switch s.Name {
		case "heuristic":
			o.Heuristic = dpll.Heuristics[s.Value].Name
		case "mom-k":
			o.MomK = s.Value
		case "pure":
			o.Pure = dpll.Pure(s.Value)
		}
	}
	o.Seed, o.Proof = setup.Seed, setup.Proof
	return o
}

func testedKnobs() []dplltest.Knob {
	var knobs []dplltest.Knob
	for _, k := range cdcl.Knobs {
		knobs = append(knobs, dplltest.Knob{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max})
	}
	return knobs
}

func testedOptions(setup dplltest.Setup) cdcl.Options {
	o := cdcl.DefaultOptions()
	for _, s := range setup.Settings {
		for _, k := range cdcl.Knobs {
			if k.Name == s.Name {
				*k.Field(&o) = s.Value
			}
		}
	}
	o.Seed, o.Proof, o.Learned = setup.Seed, setup.Proof, setup.Learned
	return o
}

// testedOnce returns the options for a single call of Solve. OneShot matters only
// with a proof; without a proof the round makes more calls.
func testedOnce(setup dplltest.Setup) cdcl.Options {
	o := testedOptions(setup)
	o.OneShot = setup.Proof != nil
	return o
}

// A traced solver adds the method Limit, which random traces call.
type traced struct{ *cdcl.Solver }

func (t traced) Limit(conflicts, decisions, propagations int64) {
	t.SetLimits(cdcl.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}
