package portfolio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
	"sator/dpll/dplltest"
	"sator/dpll/portfolio"
)

// cubesOf returns cubes that follow the clauses of a formula.
func cubesOf(f *dimacs.Formula, lits [][]dimacs.Lit) (cubes []dimacs.Cube) {
	for _, c := range lits {
		cubes = append(cubes, dimacs.Cube{Lits: c, Clauses: f.Len()})
	}
	return cubes
}

// someCubes returns cubes that form a tree, a tree with a missing leaf, cubes that may
// form no tree, or no cubes.
func someCubes(rng *rand.Rand, f *dimacs.Formula) (cubes [][]dimacs.Lit, kind string) {
	split := func() [][]dimacs.Lit {
		return cube.Split(context.Background(), f, cube.Limits{Depth: 1 + rng.IntN(4)}).Cubes
	}
	switch rng.IntN(5) {
	case 0:
		return split(), "tree"
	case 1:
		return tree(rng.IntN(4), 3), "tree"
	case 2:
		cubes = tree(rng.IntN(4), 1+rng.IntN(4))
		if len(cubes) > 0 {
			i := rng.IntN(len(cubes))
			cubes = slices.Delete(cubes, i, i+1)
		}
		return cubes, "missing"
	case 3:
		for range 1 + rng.IntN(6) {
			c := make([]dimacs.Lit, rng.IntN(4))
			for i := range c {
				c[i] = dimacs.Lit(rng.IntN(2 * f.Vars()))
			}
			cubes = append(cubes, c)
		}
		return cubes, "list"
	}
	return nil, "none"
}

// tree returns all cubes over variables v to v+depth-1.
func tree(v, depth int) (cubes [][]dimacs.Lit) {
	for bits := range 1 << depth {
		var c []dimacs.Lit
		for i := range depth {
			c = append(c, dimacs.Lit(2*(v+i)+bits>>(depth-1-i)&1))
		}
		cubes = append(cubes, c)
	}
	return cubes
}

// Solvers have only the variables in clauses and cubes, however many the formula has.
func TestUnusedVariables(t *testing.T) {
	f := dimacs.NewFormula(1_000_000)
	f.AddInts(1, 2)
	f.AddInts(-1, 2)
	cubes := cubesOf(f, [][]dimacs.Lit{{4}, {5}})
	status, model, err := portfolio.Conquer(context.Background(), f, cubes, hasty(2))
	if status != dimacs.Satisfiable || err != nil || len(model) != 3 || !model.Satisfies(f) {
		t.Errorf("%v, %v and a model of %d variables, want 3 variables", status, err, len(model))
	}
}

// hasty returns options under which cubes are split often, and even small formulas are
// simplified.
func hasty(threads int) portfolio.ConquerOptions {
	o := portfolio.ConquerOptions{Threads: threads, Budget: 1, Solver: eager()}
	o.Solver.Lucky, o.Solver.InprocessInterval = 0, 3
	return o
}

// The answer of Conquer is that of the formula, with a model or a proof, whatever the
// cubes, and also if one is missing.
func TestConquer(t *testing.T) {
	goroutines(t)
	seen := map[string]int{}
	splits, known := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 8 + rng.IntN(10)
		f := uniform(seed, n, n*(36+rng.IntN(14))/10)
		lits, kind := someCubes(rng, f)
		cubes := cubesOf(f, lits)
		want, _ := dplltest.Oracle(f)

		o := hasty(1 + rng.IntN(3))
		o.Solver.Seed, o.Alone = seed, rng.IntN(2) == 0
		o.Solver.Simplify = rng.IntN(4) / 3
		check := proof.NewChecker()
		proved := rng.IntN(2) == 0
		if proved {
			o.Solver.Proof = check
		}
		var results []portfolio.Result
		o.Keep = func(r portfolio.Result) error {
			results = append(results, r)
			return nil
		}
		var last portfolio.ConquerStats
		o.Progress = func(c portfolio.ConquerStats) { last = c }
		got, m, err := portfolio.Conquer(context.Background(), f, cubes, o)
		if err != nil || got != want {
			t.Fatalf("seed %d, %s: got %v, %v; want %v", seed, kind, got, err, want)
		}
		if got == dimacs.Satisfiable && m.Falsified(f) >= 0 {
			t.Fatalf("seed %d, %s: the model is wrong", seed, kind)
		}
		if err := check.Err(); err != nil {
			t.Fatalf("seed %d, %s: %v", seed, kind, err)
		}
		if proved && got == dimacs.Unsatisfiable {
			if err := check.Refutes(nil); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, kind, err)
			}
		}
		seen[fmt.Sprint(kind, " ", got)]++
		splits += last.Splits

		// A resumed run does not solve the cubes of known results again.
		if !proved {
			part := results[:rng.IntN(len(results)+1)]
			known += resume(t, f, cubes, part, want)
			resume(t, f, cubes, results, want)
		}
	}
	for _, kind := range []string{"tree", "missing", "list", "none"} {
		for _, s := range []dimacs.Status{dimacs.Satisfiable, dimacs.Unsatisfiable} {
			if k := fmt.Sprint(kind, " ", s); seen[k] < 5 {
				t.Errorf("%s: only %d", k, seen[k])
			}
		}
	}
	if splits < 50 || known < 50 {
		t.Errorf("%d splits, %d known results", splits, known)
	}
}

// Models and proofs of Conquer are right for formulas of all families and with random
// options.
func TestConquerRandomOptions(t *testing.T) {
	goroutines(t)
	seen := map[dimacs.Status]int{}
	rounds := uint64(600)
	if testing.Short() {
		rounds = 200
	}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 10))
		family := dplltest.Families[rng.IntN(len(dplltest.Families))]
		f := family.Make(rng, 10+rng.IntN(60))
		var lits [][]dimacs.Lit
		if f.Vars() >= 10 {
			lits, _ = someCubes(rng, f)
		}
		o := hasty(1 + rng.IntN(3))
		o.Budget += int64(rng.IntN(40))
		var settings []dplltest.Setting
		if rng.IntN(2) == 0 {
			settings = dplltest.RandomSettings(rng, knobs())
		}
		set(&o.Solver, settings)
		check := proof.NewChecker()
		o.Solver.Seed, o.Solver.Proof = seed, check
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		got, m, err := portfolio.Conquer(ctx, f, cubesOf(f, lits), o)
		cancel()
		if err == nil {
			err = check.Err()
		}
		switch {
		case err != nil:
		case got == dimacs.Satisfiable && m.Falsified(f) >= 0:
			err = errors.New("the model is wrong")
		case got == dimacs.Unsatisfiable:
			err = check.Refutes(nil)
		}
		if err != nil {
			t.Fatalf("seed %d, %s, cubes %v, %v: %v", seed, family.Name, lits, settings, err)
		}
		seen[got]++
	}
	if seen[dimacs.Satisfiable] < 20 || seen[dimacs.Unsatisfiable] < 20 {
		t.Errorf("too few answers: %v", seen)
	}
}

// resume runs Conquer with known results, and returns the number of refuted cubes in
// them.
func resume(t *testing.T, f *dimacs.Formula, cubes []dimacs.Cube, known []portfolio.Result, want dimacs.Status) (refuted int) {
	t.Helper()
	o := hasty(2)
	o.Solver.Simplify = 0
	done := map[string]bool{}
	for _, r := range known {
		if r.Status == dimacs.Unsatisfiable {
			done[fmt.Sprint(r.Cube)] = true
			refuted++
		}
	}
	o.Known = known
	o.Keep = func(r portfolio.Result) error {
		if done[fmt.Sprint(r.Cube)] {
			t.Errorf("cube %v is solved again", r.Cube)
		}
		return nil
	}
	got, m, err := portfolio.Conquer(context.Background(), f, cubes, o)
	if err != nil || got != want || got == dimacs.Satisfiable && m.Falsified(f) >= 0 {
		t.Fatalf("with %d known results: got %v, %v; want %v", len(known), got, err, want)
	}
	return refuted
}

// All models of a formula are outside of the given cubes.
func TestMissingCube(t *testing.T) {
	f := pigeons(4)
	for v := range dimacs.Lit(20) {
		g := dimacs.NewFormula(21)
		for _, c := range f.Clauses() {
			g.Add(append(slices.Clone(c), dimacs.Lits(21)...)...)
		}
		cubes := [][]dimacs.Lit{{2*v ^ 1, dimacs.FromInt(-21)}, {2 * v, dimacs.FromInt(-21)}}
		for _, c := range [][][]dimacs.Lit{cubes, {cubes[0]}, {{dimacs.FromInt(-21)}}, {cubes[0], {2 * (v + 1) % 40, dimacs.FromInt(-21)}}} {
			got, m, err := portfolio.Conquer(context.Background(), g, cubesOf(g, c), hasty(2))
			if got != dimacs.Satisfiable || err != nil || m.Falsified(g) >= 0 {
				t.Fatalf("%v: %v, %v", c, got, err)
			}
		}
	}
}

// Proof files of Conquer are right in both kinds of formats.
func TestConquerProofs(t *testing.T) {
	for _, f := range []*dimacs.Formula{pigeons(6), uniform(1, 90, 450), uniform(2, 120, 560)} {
		lits := tree(7, 4)
		for _, format := range []proof.Format{proof.DRAT, proof.BinaryLRAT} {
			for _, list := range [][][]dimacs.Lit{lits, lits[1:], {{0}, {2, 4}}} {
				var file bytes.Buffer
				w := proof.NewWriter(&file, format, f.Len())
				o := hasty(3)
				o.Budget, o.Solver.Proof = 100, w
				got, _, err := portfolio.Conquer(context.Background(), f, cubesOf(f, list), o)
				if got != dimacs.Unsatisfiable || err != nil || w.Flush() != nil {
					t.Fatal(got, err)
				}
				if _, err := proof.Check(context.Background(), f, &file, proof.Options{Format: format}); err != nil {
					t.Errorf("%v: %v", format, err)
				}
			}
		}
	}
}

// A canceled run returns Unknown, keeps its results, leaves no goroutine, and can be
// resumed.
func TestConquerStops(t *testing.T) {
	goroutines(t)
	f := uniform(1, 140, 610)
	solver := cdcl.New(cdcl.DefaultOptions())
	solver.AddFormula(f)
	want := solver.Solve(context.Background())
	cubes := cubesOf(f, cube.Split(context.Background(), f, cube.Limits{Cubes: 40}).Cubes)
	var results []portfolio.Result
	stops := 0
	for wait := time.Millisecond; ; wait += wait / 2 {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		o := portfolio.ConquerOptions{Threads: 3, Budget: 50, Solver: eager(), Known: slices.Clone(results)}
		o.Keep = func(r portfolio.Result) error {
			results = append(results, r)
			if stops == 0 { // also where the machine is too busy for a timer
				cancel()
			}
			return nil
		}
		got, _, err := portfolio.Conquer(ctx, f, cubes, o)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if got != dimacs.Unknown {
			if got != want {
				t.Fatalf("got %v, want %v", got, want)
			}
			break
		}
		stops++
	}
	if stops == 0 {
		t.Error("no run was canceled")
	}
}

// An error of Keep ends the run, and so does a panic.
func TestConquerFails(t *testing.T) {
	goroutines(t)
	f := uniform(1, 90, 450)
	o := hasty(3)
	o.Keep = func(portfolio.Result) error { return fmt.Errorf("deliberate") }
	if got, _, err := portfolio.Conquer(context.Background(), f, nil, o); got != dimacs.Unknown || err == nil {
		t.Errorf("%v, %v", got, err)
	}
	o.Keep = func(portfolio.Result) error { panic("deliberate") }
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	portfolio.Conquer(context.Background(), f, nil, o)
}

// under adds clauses that apply only if a literal is true, over variables from v on.
func under(f *dimacs.Formula, l dimacs.Lit, v int, clauses *dimacs.Formula) {
	for _, c := range clauses.Clauses() {
		d := []dimacs.Lit{l ^ 1}
		for _, k := range c {
			d = append(d, k+dimacs.Lit(2*v))
		}
		f.Add(d...)
	}
}

// A solver works on a cube that would take hours, while another solver refutes the
// parent of that cube. The first solver must be stopped, since the run ends only when
// no cube is running.
func TestConquerStopsCovered(t *testing.T) {
	goroutines(t)
	x, y, z := dimacs.FromInt(1), dimacs.FromInt(2), dimacs.FromInt(3)
	f := dimacs.NewFormula(3)
	hard, easy := uniform(8, 600, 2700), pigeons(5)
	under(f, y, 3, hard) // twice: decisions begin with the first variables or the last ones
	under(f, y, 603+easy.Vars(), hard)
	under(f, x, 603, easy)
	under(f, z, 603, easy)
	sum := portfolio.Checksum(f)
	for seed := range uint64(5) {
		o := portfolio.ConquerOptions{Threads: 2, Alone: true, Solver: cdcl.DefaultOptions()}
		o.Solver.Seed, o.Solver.Simplify, o.Solver.Lucky, o.Solver.InprocessInterval = seed, 0, 0, 1e9
		check := proof.NewChecker()
		o.Solver.Proof = check
		// The cubes form no tree, so their refutation does not end the run. One is split.
		cubes := cubesOf(f, [][]dimacs.Lit{{x}, {z}})
		o.Known = []portfolio.Result{{Formula: sum, Cube: portfolio.Literals{x}, Split: portfolio.Literals{y}}}
		var kept []string
		o.Keep = func(r portfolio.Result) error {
			kept = append(kept, fmt.Sprintf("%v %v", r.Cube, r.Status))
			return nil
		}
		var last portfolio.ConquerStats
		o.Progress = func(c portfolio.ConquerStats) { last = c }
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		got, m, err := portfolio.Conquer(ctx, f, cubes, o)
		cancel()
		if got != dimacs.Satisfiable || err != nil || m.Falsified(f) >= 0 {
			t.Fatalf("seed %d: %v, %v", seed, got, err)
		}
		if err := check.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := []string{"[1 -2] UNSATISFIABLE", "[3] UNSATISFIABLE"}
		if last.Spared != 1 || last.Running != 0 || !slices.Equal(kept, want) {
			t.Errorf("seed %d: %d cubes spared, %d running, results %q", seed, last.Spared, last.Running, kept)
		}
	}
}

// Known results that do not fit are errors.
func TestConquerRefuses(t *testing.T) {
	f := uniform(1, 90, 450)
	sum := portfolio.Checksum(f)
	for _, r := range []portfolio.Result{
		{Formula: "another", Status: dimacs.Unsatisfiable},
		{Formula: sum, Cube: portfolio.Literals{4}, Status: dimacs.Unsatisfiable},
		{Formula: sum, Status: dimacs.Unsatisfiable, Failed: portfolio.Literals{4}},
		{Formula: sum, Split: portfolio.Literals{400}},
		{Formula: sum, Split: portfolio.Literals{2, 4}},
	} {
		o := hasty(1)
		o.Known = []portfolio.Result{r}
		if got, _, err := portfolio.Conquer(context.Background(), f, nil, o); err == nil || got != dimacs.Unknown {
			t.Errorf("%+v: %v, %v", r, got, err)
		}
	}
}

// Tasks and results do not change when they are encoded as JSON and decoded.
func TestWorkAsJSON(t *testing.T) {
	task := portfolio.Task{Formula: "f", Cube: dimacs.Lits(1, -2), Budget: 7}
	result := portfolio.Result{Formula: "f", Cube: dimacs.Lits(1, -2), Status: dimacs.Unsatisfiable,
		Failed: dimacs.Lits(-2), Conflicts: 3, Seconds: 0.5, Clause: 4, Proof: &portfolio.ProofPosition{Bytes: 5, Last: 6}}
	var sameTask portfolio.Task
	var sameResult portfolio.Result
	for _, x := range []struct{ from, to any }{{&task, &sameTask}, {&result, &sameResult}} {
		b, err := json.Marshal(x.from)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, x.to); err != nil || !reflect.DeepEqual(x.from, x.to) {
			t.Errorf("%s: %v, %+v", b, err, x.to)
		}
	}
	for _, text := range []string{`{"cube":[0]}`, `{"cube":[1073741824]}`, `{"cube":["1"]}`} {
		if err := json.Unmarshal([]byte(text), &sameTask); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
