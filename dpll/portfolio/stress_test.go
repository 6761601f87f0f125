package portfolio_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// patience is longer than any wait in a test that does not fail, on any machine.
const patience = 5 * time.Minute

// goroutines fails the test if there are more goroutines at its end than now.
func goroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(patience)
		for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines, %d before the test:\n%s", n, before, stacks[:runtime.Stack(stacks, true)])
		}
	})
}

// A thousand races on small formulas run, with -short 250, several at once, and some are
// canceled. No answer may be wrong, and no goroutine may remain.
func TestManyRaces(t *testing.T) {
	goroutines(t)
	const groups = 10
	each := uint64(100)
	if testing.Short() {
		each = 25
	}
	t.Run("races", func(t *testing.T) {
		for g := range uint64(groups) {
			t.Run(fmt.Sprint(g), func(t *testing.T) {
				t.Parallel()
				for i := range each {
					if err := smallRace(g*each + i); err != nil {
						t.Fatalf("race %d: %v", g*each+i, err)
					}
				}
			})
		}
	})
}

// smallRace runs a race on a small formula, and returns an error if the answer is wrong.
func smallRace(seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 4))
	n := 8 + rng.IntN(8)
	f := conquertest.Uniform(seed, n, n*(38+rng.IntN(12))/10)
	o := portfolio.Options{Threads: 2 + rng.IntN(3), Deterministic: rng.IntN(3) == 0, Solver: eager()}
	o.Solver.Seed, o.Solver.Lucky = seed, cdcl.LuckyOff
	o.Solver.InprocessInterval = 1 + rng.IntN(10)
	o.Solver.OneShot = rng.IntN(2) == 0
	check := proof.NewChecker()
	o.Solver.Proof = check
	r := portfolio.NewRace(o)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if !r.Load(ctx, f, 0, f.Len()) {
		return errors.New("the formula was not loaded")
	}
	patient := rng.IntN(4) > 0
	if !patient {
		go func() {
			time.Sleep(time.Duration(rng.IntN(300)) * time.Microsecond)
			cancel()
		}()
	}
	want, _ := dplltest.Oracle(f)
	got := r.Solve(ctx)
	switch {
	case got == dimacs.Unknown && !patient:
		return nil
	case got != want:
		return fmt.Errorf("got %v, want %v", got, want)
	case got == dimacs.Unsatisfiable:
		return check.Refutes(nil)
	case r.Model().Falsified(f) >= 0:
		return errors.New("the model is wrong")
	}
	return check.Err()
}

// Many calls on a hard formula are canceled while a solver begins a pass of
// simplification or returns to its search, and the other solvers are anywhere. Each call
// ends, and the next one continues the search.
func TestCanceledRaces(t *testing.T) {
	goroutines(t)
	f := conquertest.Uniform(5, 500, 2250)
	calls := 40
	switch {
	case effort.Whole():
		calls = 150
	case testing.Short():
		calls = 14 // each number of activities twice
	}
	for kind := range 4 {
		var activities atomic.Int64 // left until the call is canceled
		cancel := func() {}
		o := portfolio.Options{Threads: 3, Deterministic: kind%2 == 1, Solver: eager()}
		o.Solver.OneShot, o.Solver.InprocessInterval = kind > 1, 20
		o.Activity = func(int) func(string) {
			return func(string) {
				if activities.Add(-1) == 0 {
					cancel()
				}
			}
		}
		r := portfolio.NewRace(o)
		r.Load(context.Background(), f, 0, f.Len())
		solve := func(after int) {
			var ctx context.Context
			ctx, cancel = context.WithCancel(context.Background())
			defer cancel()
			if activities.Store(int64(after)); after == 0 {
				cancel()
			}
			if got := r.Solve(ctx); got != dimacs.Unknown {
				t.Fatalf("canceled at activity %d, the answer is %v", after, got)
			}
		}
		for i := range calls {
			solve(i % 7)
		}
		// If all these calls were too short for the third solver to begin, a longer one is not.
		for after := 20; r.Stats()[2].Conflicts == 0; after *= 2 {
			if after > 1e6 {
				t.Fatalf("the third solver of race %d has no conflicts", kind)
			}
			solve(after)
		}
	}
}

// The proof files of races are right in each format.
func TestProofs(t *testing.T) {
	var imported atomic.Int64
	t.Cleanup(func() {
		if imported.Load() == 0 {
			t.Error("no clause was imported")
		}
	})
	type named struct {
		name string
		f    *dimacs.Formula
	}
	fs := []named{
		{"pigeons", conquertest.Pigeons(6)},
		{"random", conquertest.Uniform(1, 90, 450)},
		{"larger", conquertest.Uniform(2, 140, 630)},
	}
	if !effort.Whole() {
		fs = fs[:2]
	}
	for _, f := range fs {
		for _, threads := range []int{2, 4} {
			for _, format := range []proof.Format{proof.BinaryDRAT, proof.DRAT, proof.BinaryLRAT, proof.LRAT} {
				for _, once := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%d/%v/once=%v", f.name, threads, format, once), func(t *testing.T) {
						t.Parallel()
						imported.Add(testProof(t, f.f, threads, format, once))
					})
				}
			}
		}
	}
}

// testProof checks the proof of a race, and returns the number of imported clauses.
func testProof(t *testing.T, f *dimacs.Formula, threads int, format proof.Format, once bool) (imported int64) {
	var file bytes.Buffer
	w := proof.NewWriter(&file, format, f.Len())
	o := portfolio.Options{Threads: threads, Solver: eager()}
	o.Solver.Proof, o.Solver.OneShot = w, once
	o.Solver.InprocessInterval, o.Solver.ExchangeInterval = 20, 2000
	for _, k := range cdcl.PassKnobs() {
		if k.Min == 0 && k.Default == 0 { // so that passes add fresh variables
			o.Solver.Set(k.Name, 1)
		}
	}
	r := portfolio.NewRace(o)
	r.Load(context.Background(), f, 0, f.Len())
	if got := r.Solve(context.Background()); got != dimacs.Unsatisfiable || !once && r.Stopping() <= 0 {
		t.Fatalf("the answer is %v, and the other solvers stopped %v later", got, r.Stopping())
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, strict := range []bool{false, true} {
		if _, err := proof.Check(context.Background(), f, bytes.NewReader(file.Bytes()), proof.Options{Format: format, StrictDeletions: strict}); err != nil {
			t.Errorf("strict %v: %v", strict, err)
		}
	}
	for _, s := range r.Stats() {
		imported += s.Imported
	}
	return imported
}

// Races in lockstep have the same statistics in every run, whatever the number of
// processors, with OneShot and without.
func TestDeterministic(t *testing.T) {
	effort.Sequential(t)
	fs, procs := []*dimacs.Formula{conquertest.Uniform(6, 160, 720)}, []int{1, 2, 4}
	if effort.Whole() {
		fs, procs = append(fs, conquertest.Pigeons(7), conquertest.Uniform(4, 180, 767)), []int{1, 2, 2, 4, 1}
	}
	for _, once := range []bool{false, true} {
		for _, f := range fs {
			testDeterministic(t, f, once, procs)
		}
	}
}

// testDeterministic runs the race on each number of processors.
func testDeterministic(t *testing.T, f *dimacs.Formula, once bool, procs []int) {
	var want []cdcl.Stats
	winner := 0
	for i, procs := range procs {
		before := runtime.GOMAXPROCS(procs)
		o := portfolio.Options{Threads: 3, Deterministic: true}
		o.Solver.ExchangeInterval, o.Solver.InprocessInterval, o.Solver.Lucky = 1000, 100, cdcl.LuckyOff
		o.Solver.NoCardinality, o.Solver.NoSymmetry, o.Solver.NoLookAhead = true, true, true
		o.Solver.OneShot = once
		r := portfolio.NewRace(o)
		r.Load(context.Background(), f, 0, f.Len())
		r.Solve(context.Background())
		runtime.GOMAXPROCS(before)
		got := r.Stats()
		if i == 0 {
			want, winner = got, r.Winner()
			if got[0].Imported == 0 || got[2].ImportedUsed == 0 {
				t.Errorf("too few shared clauses: %d imported, %d used", got[0].Imported, got[2].ImportedUsed)
			}
			continue
		}
		if r.Winner() != winner || !reflect.DeepEqual(got, want) {
			t.Fatalf("run %d on %d processors: solver %d with\n%+v\nthe first run: solver %d with\n%+v", i, procs, r.Winner(), got, winner, want)
		}
	}
}

// All solvers of a canceled race stop. The formula takes each of them longer than a test
// may take.
func TestCanceledRaceStops(t *testing.T) {
	f := conquertest.Uniform(8, 600, 2700)
	ctx, cancel := context.WithCancel(context.Background())
	var begun atomic.Int64
	o := portfolio.Options{Threads: 4}
	o.Progress = func(_ int, e cdcl.Event, _ cdcl.Stats) {
		if e == cdcl.Start && begun.Add(1) == int64(o.Threads) {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}
	r := portfolio.NewRace(o)
	r.Load(context.Background(), f, 0, f.Len())
	if got := r.Solve(ctx); got != dimacs.Unknown || r.Stopping() != 0 {
		t.Errorf("%v; Stopping is %v without an answer", got, r.Stopping())
	}
}

// A panic of a solver ends the race, and the caller gets the panic with the stack of
// the solver.
func TestPanic(t *testing.T) {
	goroutines(t)
	for _, deterministic := range []bool{false, true} {
		o := portfolio.Options{Threads: 3, Deterministic: deterministic, Solver: eager()}
		o.Progress = func(solver int, e cdcl.Event, _ cdcl.Stats) {
			if solver == 1 && e == cdcl.Start {
				panic("deliberate")
			}
		}
		r := portfolio.NewRace(o)
		f := conquertest.Uniform(8, 600, 2556)
		r.Load(context.Background(), f, 0, f.Len())
		func() {
			defer func() {
				p := fmt.Sprint(recover())
				if !strings.Contains(p, "deliberate") || !strings.Contains(p, "TestPanic") {
					t.Errorf("panic %q", p)
				}
			}()
			r.Solve(context.Background())
		}()
	}
}
