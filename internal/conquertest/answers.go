package conquertest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
)

// Answers, models and proofs. The answer does not depend on the cubes, which need not
// cover all assignments.

// formats are the formats of the proofs that the random tests ask for.
var formats = []proof.Format{proof.FormatUnknown, proof.LRAT, proof.BinaryDRAT}

// testAnswers tests answers on small uniform formulas with all kinds of cubes.
func testAnswers(t *testing.T, tr Transport) {
	seen := map[string]int{}
	splits := 0
	for seed := range uint64(tr.Rounds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 8 + rng.IntN(10)
		f := Uniform(seed, n, n*(36+rng.IntN(14))/10)
		cubes, kind := Cubes(rng, f)
		p := hasty(f, cubes, 1+rng.IntN(3))
		p.Solver.Seed, p.Share = seed, rng.IntN(2) == 0
		p.Solver.NoSimplify = rng.IntN(4) < 3
		p.Proof = formats[rng.IntN(len(formats))]
		got, err := tr.solve(t, p)
		if want, _ := dplltest.Oracle(f); err != nil || got.Status != want {
			t.Fatalf("seed %d, %s, %v: got %v, %v; want %v", seed, kind, p.Proof, got.Status, err, want)
		}
		seen[fmt.Sprint(kind, " ", got.Status)]++
		splits += got.Stats.Splits
	}
	for _, kind := range []string{"tree", "missing", "list", "none"} {
		for _, s := range []dimacs.Status{dimacs.Satisfiable, dimacs.Unsatisfiable} {
			if k := fmt.Sprint(kind, " ", s); seen[k] < tr.Rounds/80 {
				t.Errorf("%s: only %d", k, seen[k])
			}
		}
	}
	if splits < tr.Rounds/8 {
		t.Errorf("only %d splits", splits)
	}
}

// testOptions tests answers on formulas of all families with random options.
func testOptions(t *testing.T, tr Transport) {
	seen := map[dimacs.Status]int{}
	for seed := range uint64(tr.Rounds) {
		rng := rand.New(rand.NewPCG(seed, 10))
		family := dplltest.Families[rng.IntN(len(dplltest.Families))]
		f := family.Make(rng, 10+rng.IntN(60))
		var cubes [][]dimacs.Lit
		if f.Vars() >= 10 {
			cubes, _ = Cubes(rng, f)
		}
		p := hasty(f, cubes, 1+rng.IntN(3))
		p.Budget += int64(rng.IntN(40))
		var settings []dplltest.Setting
		if rng.IntN(2) == 0 {
			settings = cdcltest.RandomKnobs(rng, &p.Solver)
		}
		p.Solver.Seed, p.Share = seed, true
		p.Proof = []proof.Format{proof.BinaryLRAT, proof.DRAT}[rng.IntN(2)]
		got, err := tr.solve(t, p)
		if err != nil || got.Status == dimacs.Unknown {
			t.Fatalf("seed %d, %s, cubes %v, %v: %v, %v", seed, family.Name, cubes, settings, got.Status, err)
		}
		seen[got.Status]++
	}
	if least := tr.Rounds / 15; seen[dimacs.Satisfiable] < least || seen[dimacs.Unsatisfiable] < least {
		t.Errorf("too few answers: %v", seen)
	}
}

// testMissing tests formulas with all models outside of the given cubes.
func testMissing(t *testing.T, tr Transport) {
	const vars = 20
	f := Pigeons(4)
	x := dimacs.FromInt(vars + 1)
	step := max(1, vars*4/tr.Rounds)
	for v := dimacs.Lit(0); v < vars; v += dimacs.Lit(step) {
		g := dimacs.NewFormula(vars + 1)
		for _, c := range f.Clauses() {
			g.Add(append(slices.Clone(c), x)...)
		}
		cubes := [][]dimacs.Lit{{2*v ^ 1, x ^ 1}, {2 * v, x ^ 1}}
		for _, c := range [][][]dimacs.Lit{cubes, {cubes[0]}, {{x ^ 1}}, {cubes[0], {2 * (v + 1) % (2 * vars), x ^ 1}}} {
			got, err := tr.solve(t, hasty(g, c, 2))
			if got.Status != dimacs.Satisfiable || err != nil {
				t.Fatalf("%v: %v, %v", c, got.Status, err)
			}
		}
	}
}

// testProofs tests proofs in both kinds of formats, of formulas that take some hundred
// conflicts.
func testProofs(t *testing.T, tr Transport) {
	fs := []*dimacs.Formula{Pigeons(6), Uniform(1, 90, 450), Uniform(2, 120, 560)}
	if testing.Short() {
		fs = fs[:2]
	}
	cubes := Tree(7, 4)
	for _, f := range fs {
		for _, format := range []proof.Format{proof.DRAT, proof.BinaryLRAT} {
			for _, list := range [][][]dimacs.Lit{cubes, cubes[1:], {{0}, {2, 4}}} {
				p := hasty(f, list, 3)
				p.Budget, p.Proof, p.Share = 100, format, true
				if got, err := tr.solve(t, p); got.Status != dimacs.Unsatisfiable || err != nil {
					t.Errorf("%d variables, %v, %d cubes: %v, %v", f.Vars(), format, len(list), got.Status, err)
				}
			}
		}
	}
}
