package portfolio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// cubesOf returns cubes that follow the clauses of a formula.
func cubesOf(f *dimacs.Formula, lits [][]dimacs.Lit) (cubes []dimacs.Cube) {
	for _, c := range lits {
		cubes = append(cubes, dimacs.Cube{Lits: c, Clauses: f.Len()})
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
	o.Solver.Lucky, o.Solver.InprocessInterval = cdcl.LuckyOff, 3
	return o
}

// Attempts of Conquer keep their results in memory.
type conquerAttempts struct {
	known []portfolio.Result
	proof *storedProof
}

func (a *conquerAttempts) Solve(ctx context.Context, p conquertest.Problem) (conquertest.Answer, error) {
	o := portfolio.ConquerOptions{Threads: p.Workers, Budget: p.Budget, Alone: !p.Share, Solver: p.Solver, Known: a.known}
	if p.Proof != proof.FormatUnknown {
		a.proof = a.proof.from(p.Proof, a.known, p.Formula)
		o.Solver.Proof, o.Position = a.proof, a.proof.position
	}
	o.Keep = func(r portfolio.Result) error {
		a.known = append(a.known, r)
		return nil
	}
	var stats portfolio.ConquerStats
	for _, r := range a.known {
		if r.Status == dimacs.Unsatisfiable {
			stats.Known++
		}
	}
	o.Progress = func(s portfolio.ConquerStats) {
		stats = s
		if p.Progress != nil {
			p.Progress(s)
		}
	}
	status, model, err := portfolio.Conquer(ctx, p.Formula, cubesOf(p.Formula, p.Cubes), o)
	return conquertest.Answer{Status: status, Model: model, Stats: stats}, err
}

func (a *conquerAttempts) Proof() ([]byte, error) {
	err := a.proof.Flush()
	return a.proof.bytes.Bytes(), err
}

// Conquer passes the conformance tests of transports.
func TestConquer(t *testing.T) {
	goroutines(t)
	rounds := 240
	if effort.Whole() {
		rounds = 400
	}
	conquertest.Run(t, conquertest.Transport{
		Start:  func(*testing.T) conquertest.Attempts { return new(conquerAttempts) },
		Rounds: rounds,
	})
}

// A resumed run does not solve the cubes of known results again, whichever results are
// known.
func TestKnownResults(t *testing.T) {
	goroutines(t)
	known := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 8 + rng.IntN(10)
		f := conquertest.Uniform(seed, n, n*(36+rng.IntN(14))/10)
		lits, kind := conquertest.Cubes(rng, f)
		cubes := cubesOf(f, lits)
		want, _ := dplltest.Oracle(f)
		o := hasty(1 + rng.IntN(3))
		o.Solver.NoSimplify = rng.IntN(4) < 3
		var results []portfolio.Result
		o.Keep = func(r portfolio.Result) error {
			results = append(results, r)
			return nil
		}
		if got, _, err := portfolio.Conquer(context.Background(), f, cubes, o); err != nil || got != want {
			t.Fatalf("seed %d, %s: got %v, %v; want %v", seed, kind, got, err, want)
		}
		known += resume(t, f, cubes, results[:rng.IntN(len(results)+1)], want)
		resume(t, f, cubes, results, want)
	}
	if known < 50 {
		t.Errorf("only %d known results", known)
	}
}

// resume runs Conquer with known results, and returns the number of refuted cubes in
// them.
func resume(t *testing.T, f *dimacs.Formula, cubes []dimacs.Cube, known []portfolio.Result, want dimacs.Status) (refuted int) {
	t.Helper()
	o := hasty(2)
	o.Solver.NoSimplify = true
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

// An error of Keep ends the run, and so does a panic.
func TestConquerFails(t *testing.T) {
	goroutines(t)
	f := conquertest.Uniform(1, 90, 450)
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
	hard, easy := conquertest.Uniform(8, 600, 2700), conquertest.Pigeons(5)
	under(f, y, 3, hard) // twice: decisions begin with the first variables or the last ones
	under(f, y, 603+easy.Vars(), hard)
	under(f, x, 603, easy)
	under(f, z, 603, easy)
	sum := portfolio.Checksum(f)
	for seed := range uint64(5) {
		o := portfolio.ConquerOptions{Threads: 2, Alone: true}
		o.Solver.Seed, o.Solver.NoSimplify, o.Solver.Lucky, o.Solver.InprocessInterval = seed, true, cdcl.LuckyOff, 1e9
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
	f := conquertest.Uniform(1, 90, 450)
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
