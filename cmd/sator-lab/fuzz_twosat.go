package main

import (
	"math/rand/v2"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/twosat"
)

// twosatSubject is the engine twosat.
func twosatSubject() *dplltest.Subject {
	return &dplltest.Subject{
		Name:     "twosat",
		New:      func(s dplltest.Setup) dplltest.Engine { return twosat.New(s.Proof) },
		Families: cutShapes(),
		Takes:    twosat.Is2SAT,
	}
}

// cutShapes returns the random shapes with clauses cut to two literals, few
// enough for a model, and some signs changed. The pairs of variables that share
// clauses keep their structure.
func cutShapes() []dplltest.Family {
	shapes := make([]dplltest.Family, len(dplltest.Families))
	for i, s := range dplltest.Families {
		shapes[i] = dplltest.Family{Name: "cut " + s.Name, Make: func(r *rand.Rand, vars int) *dimacs.Formula {
			return cut(r, s.Make(r, vars))
		}}
	}
	return shapes
}

// cut returns a formula with at most two literals in each clause. Small formulas
// with 1.5 to 2 clauses per variable are satisfiable in about half of the cases.
func cut(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	wanted := float64(f.Vars()) * (1 + 1.6*r.Float64())
	share := wanted / max(1, float64(f.Len()))
	for _, c := range f.Clauses() {
		if r.Float64() > share {
			continue
		}
		c = append([]dimacs.Lit{}, c...)
		r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		if c = c[:min(len(c), 2)]; len(c) > 0 && r.IntN(8) == 0 {
			c[0] ^= 1
		}
		g.Add(c...)
	}
	return g
}
