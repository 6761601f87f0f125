package main

import (
	"math/rand/v2"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/dplltest"
)

// raceSubject is a portfolio of solvers that share clauses. Lockstep sharing
// makes failures reproducible.
func raceSubject() *dplltest.Subject {
	knobs := testedKnobs()
	for i := range knobs {
		if knobs[i].Name == "exchange-interval" {
			knobs[i].Default = 100 // rounds are short; with the default they would exchange no clauses
		}
	}
	return &dplltest.Subject{Name: "race", New: newTestedRace, Knobs: knobs, Share: 2}
}

// raceOnceSubject is a portfolio for a single call of Solve. It starts with one solver.
func raceOnceSubject() *dplltest.Subject {
	s := raceSubject()
	s.Name, s.Proves = "race-once", dplltest.RATProofs
	s.New = func(s dplltest.Setup) dplltest.Engine { return testedRace(s, testedOnce(s)) }
	return s
}

func newTestedRace(s dplltest.Setup) dplltest.Engine { return testedRace(s, testedOptions(s)) }

func testedRace(s dplltest.Setup, o cdcl.Options) dplltest.Engine {
	given := map[string]bool{"exchange-interval": true}
	for _, x := range s.Settings {
		given[x.Name] = true
	}
	if o.ExchangeInterval == 0 {
		o.ExchangeInterval = 100
	}
	return reportingRace{portfolio.NewRace(portfolio.Options{
		Threads:       2 + int(s.Seed%2),
		Deterministic: true,
		Solver:        o,
		IsSet:         func(knob string) bool { return given[knob] },
	})}
}

// signedShapes returns the families of dplltest with changed signs: each clause
// has at most one positive literal. Up to three positive unit clauses are
// added.
func signedShapes() []dplltest.Family {
	shapes := make([]dplltest.Family, len(dplltest.Families))
	for i, s := range dplltest.Families {
		shapes[i] = dplltest.Family{Name: "Horn " + s.Name, Make: func(r *rand.Rand, vars int) *dimacs.Formula {
			f := dimacs.NewFormula(vars)
			for _, c := range s.Make(r, vars).Clauses() {
				var d []dimacs.Lit
				for _, l := range c {
					d = append(d, l|1)
				}
				if len(d) > 0 && r.IntN(10) > 0 {
					d[r.IntN(len(d))] ^= 1
				}
				f.Add(d...)
			}
			for range r.IntN(4) {
				f.Add(dimacs.Lit(2 * r.IntN(vars)))
			}
			return f
		}}
	}
	return shapes
}

// hornSubject is the engine horn. Clause learning replaces it for variants of a
// formula that are not Horn.
func hornSubject() *dplltest.Subject {
	return &dplltest.Subject{
		Name:     "horn",
		Families: signedShapes(),
		Takes:    portfolio.IsHorn,
		New: dplltest.Incremental(func(f *dimacs.Formula, p dimacs.Proof) dplltest.FormulaSolver {
			if h := portfolio.NewHorn(f, p); h != nil {
				return h
			}
			o := cdcl.Options{}
			o.Proof = p
			s := cdcl.New(o)
			s.AddFormula(f)
			return s
		}),
	}
}
