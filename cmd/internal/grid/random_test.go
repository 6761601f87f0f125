package grid

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// Random runs: formulas of all families, cubes that need not be clean, options of the run
// and of the solvers, workers, checkers and coordinators that are killed. The answer is
// compared with the oracle, models are evaluated, and proofs are checked in their format.

// randomCubes returns cubes for a formula. Some have repeated or complementary literals.
func randomCubes(rng *rand.Rand, f *dimacs.Formula) (cubes [][]dimacs.Lit) {
	switch {
	case f.Vars() >= 10:
		cubes, _ = conquertest.Cubes(rng, f)
	case f.Vars() > 0:
		for range rng.IntN(5) {
			var c []dimacs.Lit
			for range rng.IntN(3) {
				c = append(c, dimacs.Lit(rng.IntN(2*f.Vars())))
			}
			cubes = append(cubes, c)
		}
	}
	for i, c := range cubes {
		if len(c) > 0 && rng.IntN(8) == 0 {
			cubes[i] = append(slices.Clone(c), c[rng.IntN(len(c))]^dimacs.Lit(rng.IntN(8)/7))
		}
	}
	if len(cubes) > 0 && rng.IntN(4) == 0 {
		cubes = append(cubes, cubes[rng.IntN(len(cubes))])
	}
	return cubes
}

// randomOptions returns the options of a run, and a text that describes them.
func randomOptions(rng *rand.Rand) (o ServeOptions, text string) {
	family := dplltest.Families[rng.IntN(len(dplltest.Families))]
	o.Formula = family.Make(rng, 1+rng.IntN(70))
	if rng.IntN(4) == 0 { // takes more cubes than others
		n := 50 + rng.IntN(50)
		o.Formula = conquertest.Uniform(rng.Uint64(), n, n*(42+rng.IntN(6))/10)
	}
	o.Cubes = randomCubes(rng, o.Formula)
	o.Budget, o.Share = 1+int64(rng.IntN(50)), rng.IntN(3) > 0
	o.Trust, o.Prove = rng.IntN(3) == 0, rng.IntN(2) == 0
	o.Solver = cdcl.Options{}
	o.Solver.ExchangeInterval, o.Solver.Lucky, o.Solver.InprocessInterval = 20, cdcl.LuckyOff, 3
	o.Solver.NoSweep = rng.IntN(4) > 0 // it answers many of these formulas before there are cubes
	var settings []dplltest.Setting
	if rng.IntN(2) == 0 {
		settings = cdcltest.RandomKnobs(rng, &o.Solver)
	}
	o.Solver.Seed = rng.Uint64()
	text = fmt.Sprintf("%s, cubes %v, budget %d, share %v, trust %v, prove %v, %v", family.Name, o.Cubes, o.Budget, o.Share, o.Trust, o.Prove, settings)
	return o, text
}

// answerAfter returns the answer of the run. Before, it kills up to n processes.
func (r *killedRun) answerAfter(n int) *Answer {
	r.t.Helper()
	timeout := time.After(patience)
	for {
		var pause <-chan time.Time
		if n > 0 {
			pause = time.After(time.Duration(r.rng.IntN(40)) * time.Millisecond)
		}
		select {
		case a := <-r.answer:
			return a
		case <-timeout:
			r.t.Fatal("the run does not end")
		case <-pause:
			n--
			r.killOne(false)
		}
	}
}

// solveRandom solves a random problem.
func solveRandom(t *testing.T, s *testServer, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 12))
	o, text := randomOptions(rng)
	remote := 0
	if o.Checkers = 1; !o.Trust {
		remote = rng.IntN(3)
		o.Checkers = max(rng.IntN(2), 1-remote)
	}
	workers, kills := 1+rng.IntN(4), max(0, rng.IntN(8)-3)
	t.Logf("%s; %d workers, %d and %d checkers, %d kills", text, workers, o.Checkers, remote, kills)
	o.AckWait = 500 * time.Millisecond
	r := newKilledRun(t, s, seed, workers, o)
	for len(r.checkers) < remote {
		r.checkers = append(r.checkers, r.startChecker())
	}
	a := r.answerAfter(kills)
	if rng.IntN(4) == 0 { // a run that has ended has the same answer and a proof once more
		r.coord.kill()
		r.startCoordinator()
		a = r.answerAfter(0)
	}
	want, _ := dplltest.Oracle(o.Formula)
	if want == dimacs.Unknown {
		want = answerOf(o.Formula)
	}
	format := []proof.Format{proof.DRAT, proof.BinaryDRAT, proof.LRAT, proof.BinaryLRAT}[rng.IntN(4)]
	if a.Status == dimacs.Unsatisfiable && o.segments() {
		checkProofIn(t, a, o.Formula, format)
	}
	r.check(a, want)
}

// checkProofIn checks the proof of an answer in a format.
func checkProofIn(t *testing.T, a *Answer, f *dimacs.Formula, format proof.Format) {
	t.Helper()
	var file bytes.Buffer
	w := proof.NewWriter(&file, format, f.Len())
	if err := a.WriteProof(context.Background(), w); err != nil {
		t.Fatalf("%v: %v", format, err)
	}
	must(t, w.Flush())
	if _, err := proof.Check(context.Background(), f, &file, proof.Options{Format: format}); err != nil {
		t.Errorf("%v: %v", format, err)
	}
}

// TestSmallestFormulas solves formulas without variables, without clauses, and with the
// empty clause.
func TestSmallestFormulas(t *testing.T) {
	s := startServer(t)
	for _, text := range []string{
		"p cnf 0 0\n", "p cnf 3 0\n", "p cnf 0 1\n0\n", "p cnf 2 2\n1 0\n0\n", "p cnf 1 1\n1 0\n", "p cnf 1 2\n1 0\n-1 0\n", "p cnf 5 1\n1 2 0\n",
	} {
		f, err := (&dimacs.Reader{}).Read(strings.NewReader(text))
		must(t, err)
		for _, cubes := range [][][]dimacs.Lit{nil, {{}}, {{dimacs.FromInt(4)}}, {{dimacs.FromInt(1)}, {dimacs.FromInt(-1), dimacs.FromInt(5)}}, {{dimacs.FromInt(1), dimacs.FromInt(-1)}}} {
			r := serve(t, s, ServeOptions{Formula: f, Cubes: cubes, Checkers: 1})
			r.work()
			a := r.wait()
			want, _ := dplltest.Oracle(f)
			if a.Status != want {
				t.Errorf("%q, cubes %v: %v, want %v", text, cubes, a.Status, want)
			}
			if a.Status == dimacs.Satisfiable && a.Model.Falsified(f) >= 0 {
				t.Errorf("%q, cubes %v: the model is wrong", text, cubes)
			}
			if a.Status == dimacs.Unsatisfiable {
				for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
					checkProofIn(t, a, f, format)
				}
			}
		}
	}
}

// TestRandomRuns solves random problems.
func TestRandomRuns(t *testing.T) {
	s := startServer(t)
	for _, seed := range effort.Seeds(12, 150) {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { solveRandom(t, s, seed) }) {
			return
		}
	}
}
