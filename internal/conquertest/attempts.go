package conquertest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
	"sator/dpll/portfolio"
	"sator/internal/dplltest"
)

// Runs that are stopped and continued. The first attempt ends after its first result, so
// that it ends before the answer on any machine; the later ones have more and more time.

// testAttempts tests that stopped attempts return Unknown, that later attempts use their
// results, and that the proof of all attempts is right.
func testAttempts(t *testing.T, tr Transport) {
	fs := []*dimacs.Formula{Uniform(2, 120, 560), Uniform(1, 140, 610)}
	if testing.Short() {
		fs = fs[:1]
	}
	for seed := range uint64(tr.Rounds / 20) {
		rng := rand.New(rand.NewPCG(seed, 11))
		family := dplltest.Families[rng.IntN(len(dplltest.Families))]
		fs = append(fs, family.Make(rng, 20+rng.IntN(60)))
	}
	stops := 0
	for i, f := range fs {
		want := answerOf(f)
		p := Problem{Formula: f, Workers: 3, Budget: 50, Share: true, Proof: formats[i%len(formats)]}
		p.Solver.ExchangeInterval = 20
		if f.Vars() >= 10 {
			p.Cubes = cube.Split(context.Background(), f, cube.Limits{Cubes: 40}).Cubes
		}
		got, n := tr.solveInParts(t, p)
		if got.Status != want {
			t.Fatalf("formula %d: got %v, want %v", i, got.Status, want)
		}
		stops += n
	}
	if stops < min(2, len(fs)) {
		t.Errorf("only %d attempts were stopped", stops)
	}
}

// answerOf returns the answer of a formula.
func answerOf(f *dimacs.Formula) dimacs.Status {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	return s.Solve(context.Background())
}

// solveInParts makes attempts until there is an answer, and checks the answer. It returns
// the number of stopped attempts.
func (tr Transport) solveInParts(t *testing.T, p Problem) (got Answer, stops int) {
	t.Helper()
	a := tr.Start(t)
	refuted := 0 // cubes that the attempts so far refuted, at least
	for wait := time.Millisecond; ; wait += wait / 2 {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		if stops == 0 {
			cancel()
			ctx, cancel = context.WithTimeout(context.Background(), patience)
		}
		first := stops == 0
		p.Progress = func(portfolio.ConquerStats) {
			if first {
				cancel()
			}
		}
		got, err := a.Solve(ctx, p)
		cancel()
		switch {
		case err != nil:
			t.Fatalf("after %d stops: %v", stops, err)
		case got.Stats.Known < refuted:
			t.Fatalf("after %d stops: %d results are known of at least %d", stops, got.Stats.Known, refuted)
		case got.Status != dimacs.Unknown:
			if err := check(a, &p, &got); err != nil {
				t.Fatalf("after %d stops: %v", stops, err)
			}
			return got, stops
		}
		refuted = got.Stats.Known + got.Stats.Refuted
		stops++
	}
}

// testCovered tests that the solver of a covered cube is stopped. Two of the four cubes
// would take hours, x y and -x y. The refutation of the next cube, x -y or -x -y, takes no
// time and covers the hard one. If the solver of the first hard cube went on, one solver
// would be left, and it would get the second hard cube.
func testCovered(t *testing.T, tr Transport) {
	x, y := dimacs.FromInt(1), dimacs.FromInt(2)
	hard, easy := Uniform(8, 600, 2700), Pigeons(5)
	f := dimacs.NewFormula(2)
	under(f, y, 2, hard) // twice: decisions begin with the first variables or the last ones
	under(f, x, 602, easy)
	under(f, x^1, 602+easy.Vars(), easy)
	under(f, y, 602+2*easy.Vars(), hard)
	for seed := range uint64(3) {
		p := Problem{Formula: f, Cubes: Tree(0, 2), Workers: 2, Proof: proof.BinaryLRAT}
		p.Solver.Seed, p.Solver.NoSimplify, p.Solver.Lucky, p.Solver.InprocessInterval = seed, true, cdcl.LuckyOff, 1e9
		got, err := tr.solve(t, p)
		if got.Status != dimacs.Unsatisfiable || err != nil {
			t.Fatalf("seed %d: %v, %v", seed, got.Status, err)
		}
		if got.Stats.Spared == 0 {
			t.Errorf("seed %d: no cube was spared", seed)
		}
	}
}

// testOtherFormula tests that an attempt is not continued with another formula.
func testOtherFormula(t *testing.T, tr Transport) {
	a := tr.Start(t)
	p := hasty(Uniform(1, 90, 450), nil, 2)
	if got, err := a.Solve(context.Background(), p); got.Status != dimacs.Unsatisfiable || err != nil {
		t.Fatalf("%v, %v", got.Status, err)
	}
	p.Formula = Uniform(2, 90, 450)
	if got, err := a.Solve(context.Background(), p); err == nil {
		t.Errorf("results of another formula are used: %v", got.Status)
	}
}
