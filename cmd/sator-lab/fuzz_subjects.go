package main

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// fuzzSubjects returns the tested engines. Most rounds test cdcl, the most
// complex engine.
var fuzzSubjects = func() []*dplltest.Subject {
	const small = 50 // variables: dpll solves such formulas in milliseconds with any heuristic
	return []*dplltest.Subject{
		{
			Name:  "cdcl",
			New:   func(s dplltest.Setup) dplltest.Engine { return newTraced(s, testedOptions(s)) },
			Knobs: simplifiedKnobs(),
			Share: 8,
		},
		{
			Name:   "cdcl-once",
			New:    func(s dplltest.Setup) dplltest.Engine { return newTraced(s, testedOnce(s)) },
			Knobs:  simplifiedKnobs(),
			Proves: dplltest.RATProofs,
			Share:  4,
		},
		{
			Name:     "cdcl-symmetry",
			New:      func(s dplltest.Setup) dplltest.Engine { return newTraced(s, testedOnce(s)) },
			Knobs:    testedKnobs(),
			Families: dplltest.Symmetric,
			Proves:   dplltest.RATProofs,
			Share:    2,
		},
		{
			Name:   "dpll",
			New:    func(s dplltest.Setup) dplltest.Engine { return classic.New(classicOptions(s)) },
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
	o := classic.DefaultOptions()
	heuristic := slices.IndexFunc(classic.Heuristics, func(h classic.Heuristic) bool { return h.Name == o.Heuristic })
	return []dplltest.Knob{
		{Name: "heuristic", Default: heuristic, Min: 0, Max: len(classic.Heuristics) - 1},
		{Name: "mom-k", Default: o.MomK, Min: 0, Max: 30},
		{Name: "pure", Default: int(o.Pure), Min: int(classic.PureOff), Max: int(classic.PureEvery)},
	}
}

func classicOptions(setup dplltest.Setup) classic.Options {
	o := classic.DefaultOptions()
	for _, s := range setup.Settings {
		switch s.Name {
		case "heuristic":
			o.Heuristic = classic.Heuristics[s.Value].Name
		case "mom-k":
			o.MomK = s.Value
		case "pure":
			o.Pure = classic.Pure(s.Value)
		}
	}
	o.Seed, o.Proof = setup.Seed, setup.Proof
	return o
}

// oftenTested are values of knobs for half of the rounds. With them small formulas reach
// techniques for large ones. With random values alone most passes succeeded in 2 % of the
// rounds, and cardinality and factor never succeeded.
var oftenTested = map[string][]int{
	"cardinality":        {1},
	"eliminate-bound":    {0, 8, 16},
	"eliminate-raise":    {0, 1, 20},
	"factor":             {1},
	"factor-gain":        {1, 2, 10},
	"inprocess-interval": {1, 2, 5},
	"reduce-interval":    {1, 5},
	"sweep":              {0, 1},
	"symmetry":           {1},
	"symmetry-conflicts": {0, 1, 5},
}

// simplifyFirst is a knob of the tested engines alone: the number of rounds of
// cdcl.Solver.Simplify before each call of Solve. So all passes also run on formulas that
// are decided without a conflict. The program sator does not have this knob.
const simplifyFirst = "simplify-first"

// testedKnobs returns the knobs of cdcl and of the race.
func testedKnobs() []dplltest.Knob {
	var knobs []dplltest.Knob
	for _, k := range cdcl.Knobs {
		knobs = append(knobs, dplltest.Knob{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max, Often: oftenTested[k.Name]})
	}
	return knobs
}

// simplifiedKnobs returns the knobs of cdcl with simplifyFirst.
func simplifiedKnobs() []dplltest.Knob {
	return append(testedKnobs(), dplltest.Knob{Name: simplifyFirst, Min: 0, Max: 3, Often: []int{1, 2}})
}

func testedOptions(setup dplltest.Setup) cdcl.Options {
	o := cdcl.Options{}
	for _, s := range setup.Settings {
		if s.Name != simplifyFirst {
			o.Set(s.Name, s.Value)
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

// A traced solver adds the method Limit for random traces, and simplifies before it
// solves.
type traced struct {
	*cdcl.Solver
	simplify int // rounds of Simplify before each call of Solve
}

// newTraced returns a solver with options o for a setup.
func newTraced(setup dplltest.Setup, o cdcl.Options) traced {
	t := traced{Solver: cdcl.New(o)}
	for _, s := range setup.Settings {
		if s.Name == simplifyFirst {
			t.simplify = s.Value
		}
	}
	return t
}

func (t traced) Limit(conflicts, decisions, propagations int64) {
	t.SetLimits(cdcl.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}

// Solve simplifies and solves. The answer of Simplify must agree with that of Solve.
func (t traced) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	simplified := dimacs.Unknown
	if t.simplify > 0 {
		simplified = t.Simplify(ctx, t.simplify)
	}
	status := t.Solver.Solve(ctx, assumptions...)
	switch {
	case status == dimacs.Unknown || simplified == dimacs.Unknown || status == simplified:
	case simplified == dimacs.Satisfiable && len(assumptions) > 0:
	default:
		panic(fmt.Sprintf("Simplify returns %v and Solve returns %v", simplified, status))
	}
	return status
}
