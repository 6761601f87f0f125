package portfolio_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/cdcltest"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// mirrored returns random clauses of three literals, and their images under the exchange of
// variables 1 and 2, 3 and 4, and so on.
func mirrored(seed uint64, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for _, c := range conquertest.Uniform(seed, vars, vars*21/10).Clauses() {
		image := make([]dimacs.Lit, len(c))
		for i, l := range c {
			image[i] = l ^ 2
		}
		f.Add(c...)
		f.Add(image...)
	}
	return f
}

// symmetricRace runs a race with OneShot on a formula with symmetries, which the first solver
// breaks after a few conflicts. It returns an error if the answer, the model or the proof is
// wrong.
func symmetricRace(seed uint64) (stats []cdcl.Stats, err error) {
	rng := rand.New(rand.NewPCG(seed, 6))
	family := dplltest.Symmetric[rng.IntN(len(dplltest.Symmetric))]
	f := family.Make(rng, 6+rng.IntN(35))
	if rng.IntN(2) == 0 {
		f = mirrored(seed, 40+2*rng.IntN(20))
	}
	o := portfolio.Options{Threads: 2 + rng.IntN(2), Deterministic: seed%4 > 0, Solver: eager()}
	if rng.IntN(2) == 0 {
		cdcltest.RandomKnobs(rng, &o.Solver)
	}
	o.Solver.OneShot, o.Solver.NoSymmetry, o.Solver.NoSimplify, o.Solver.Lucky = true, false, false, cdcl.LuckyOff
	o.Solver.SymmetryConflicts, o.Solver.ExchangeInterval = rng.IntN(6)-1, 1+rng.IntN(100)
	o.Solver.InprocessInterval = 1 + rng.IntN(10)
	var file bytes.Buffer
	format := []proof.Format{proof.LRAT, proof.DRAT}[seed%2]
	w := proof.NewWriter(&file, format, f.Len())
	check := proof.NewChecker()
	switch {
	case seed%5 == 0:
	case format == proof.LRAT:
		o.Solver.Proof = proof.Tee(check, w)
	default:
		o.Solver.Proof = w
	}
	r := portfolio.NewRace(o)
	r.Load(context.Background(), f, 0, f.Len())
	got := r.Solve(context.Background())
	stats = r.Stats()
	want, _ := dplltest.Oracle(f)
	switch {
	case want != dimacs.Unknown && got != want:
		return stats, fmt.Errorf("%s: %v, want %v", family.Name, got, want)
	case got == dimacs.Satisfiable && r.Model().Falsified(f) >= 0:
		return stats, fmt.Errorf("%s: wrong model", family.Name)
	case check.Err() != nil:
		return stats, fmt.Errorf("%s: %w", family.Name, check.Err())
	case got == dimacs.Satisfiable || o.Solver.Proof == nil:
		return stats, nil
	}
	if err := w.Flush(); err != nil {
		return stats, err
	}
	_, err = proof.Check(context.Background(), f, &file, proof.Options{Format: format})
	return stats, err
}

// TestSymmetries checks races in which the first solver has broken symmetries: the others
// search for models of its formula, share clauses with it, and continue its proof.
func TestSymmetries(t *testing.T) {
	races, later := 0, 0
	seeds := effort.Seeds(100, 2000)
	for _, seed := range seeds {
		stats, err := symmetricRace(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, s := range stats {
			if i > 0 && s.Symmetries > 0 {
				t.Fatalf("seed %d: solver %d broke %d symmetries", seed, i, s.Symmetries)
			}
		}
		if stats[0].Symmetries > 0 {
			if races++; stats[1].Conflicts > 0 {
				later++
			}
		}
	}
	t.Logf("%d of %d races broke symmetries; in %d the others had conflicts", races, len(seeds), later)
	if races < len(seeds)/2 || later < len(seeds)/5 {
		t.Errorf("symmetries were broken in %d of %d races, and in %d the others had conflicts: too few", races, len(seeds), later)
	}
}
