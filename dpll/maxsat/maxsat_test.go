package maxsat

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// randomWeighted returns a random formula of few variables, with hard and soft clauses.
func randomWeighted(seed uint64) *dimacs.Weighted {
	r := rand.New(rand.NewPCG(seed, 1))
	_, c := dplltest.RandomCase(seed, 0)
	for s := seed; c.Formula.Vars() > 10; _, c = dplltest.RandomCase(s, 0) {
		s += 1 << 32
	}
	w := dimacs.NewWeighted(c.Formula.Vars())
	hard, most := r.IntN(4), []int64{1, 3, 20, 1 << 40}[r.IntN(4)]
	soft := func(lits ...dimacs.Lit) { w.AddSoft(1+r.Int64N(most), lits...) }
	for _, clause := range c.Formula.Clauses() {
		if r.IntN(4) < hard {
			w.Hard.Add(clause...)
		} else {
			soft(clause...)
		}
	}
	for v := range c.Formula.Vars() { // literals, some of them twice or with both signs
		for range r.IntN(3) {
			soft(dimacs.Var(v).Lit() ^ dimacs.Lit(r.IntN(2)))
		}
	}
	return w
}

// brute returns the least cost of a model, by trying all assignments, or
// math.MaxInt64.
func brute(w *dimacs.Weighted) int64 {
	least := int64(math.MaxInt64)
	m := make(dimacs.Model, w.Vars())
	for bits := range 1 << w.Vars() {
		for v := range m {
			m.Set(dimacs.Var(v).Lit() ^ dimacs.Lit(bits>>v&1))
		}
		if cost, hard := w.Cost(m); hard {
			least = min(least, cost)
		}
	}
	return least
}

// randomOptions returns options with random knobs and techniques.
func randomOptions(seed uint64) Options {
	r := rand.New(rand.NewPCG(seed, 2))
	o := Options{}
	o.CDCL.Seed, o.CDCL.Verify = seed, seed%4 < 2
	if r.IntN(2) == 0 {
		o.NoStratify, o.NoHarden = r.IntN(2) == 0, r.IntN(2) == 0
		o.MinimizeConflicts = []int64{-1, 1, 1000}[r.IntN(3)]
	}
	if r.IntN(2) == 0 {
		cdcltest.RandomKnobs(r, &o.CDCL)
	}
	return o
}

// TestSolve compares optima with brute force, and verifies them.
func TestSolve(t *testing.T) {
	costly, cores := 0, 0
	seeds := effort.Seeds(600, 10_000)
	for _, seed := range seeds {
		w, o := randomWeighted(seed), randomOptions(seed)
		if len(w.Weights) > 0 && slices.Max(w.Weights) > 1000 {
			o.NoStratify = false // else a core may raise the lower bound by next to nothing
		}
		last := int64(math.MaxInt64)
		o.Improved = func(cost int64, m dimacs.Model) {
			if got, hard := w.Cost(m); cost >= last || got != cost || !hard {
				t.Fatalf("seed %d: a model of cost %d (%d, %v) after one of %d", seed, cost, got, hard, last)
			}
			last = cost
		}
		r := Solve(context.Background(), w, o)
		want := brute(w)
		switch {
		case want == math.MaxInt64 && r.Status == dimacs.Unsatisfiable:
		case r.Status != dimacs.Satisfiable || !r.Optimal || r.Cost != want || r.Lower != want || last != want:
			t.Fatalf("seed %d: got %v, optimal %v, cost %d, lower bound %d, last bound %d, want cost %d", seed, r.Status, r.Optimal, r.Cost, r.Lower, last, want)
		}
		if err := r.Verify(context.Background(), w); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Cost > 0 {
			costly++
		}
		cores += r.Cores
	}
	if costly < len(seeds)/3 || cores < len(seeds)/2 {
		t.Errorf("only %d formulas of %d with a cost, and %d cores", costly, len(seeds), cores)
	}
}

// TestLimits checks that the bounds of limited searches are right.
func TestLimits(t *testing.T) {
	limited := 0
	for seed := range uint64(200) {
		w, o := randomWeighted(seed), randomOptions(seed)
		calls := 0
		ctx, cancel := context.WithCancel(context.Background())
		o.Conflicts = int64(seed % 7)
		o.Progress = func(p Progress) {
			if calls++; calls == int(seed%5) {
				cancel()
			}
		}
		r := Solve(ctx, w, o)
		cancel()
		want := brute(w)
		switch r.Status {
		case dimacs.Unsatisfiable:
			if want < math.MaxInt64 {
				t.Fatalf("seed %d: refuted", seed)
			}
		case dimacs.Satisfiable:
			if r.Lower > want || r.Cost < want || r.Optimal != (r.Lower == r.Cost) {
				t.Fatalf("seed %d: bounds %d and %d, optimal %v, want %d", seed, r.Lower, r.Cost, r.Optimal, want)
			}
		}
		if err := r.Verify(context.Background(), w); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !r.Optimal {
			limited++
		}
	}
	if limited < 25 {
		t.Errorf("only %d limited results", limited)
	}
}

// TestVerify checks that wrong results are detected.
func TestVerify(t *testing.T) {
	w := dimacs.NewWeighted(2)
	w.Hard.AddInts(1, 2)
	w.AddSoft(5, dimacs.Lits(-1)...)
	w.AddSoft(3, dimacs.Lits(-2)...)
	right := dimacs.Model{dimacs.False, dimacs.True}
	for _, tt := range []struct {
		r    Result
		want string
	}{
		{Result{Status: dimacs.Satisfiable, Optimal: true, Model: right, Cost: 3, Lower: 3}, ""},
		{Result{Status: dimacs.Satisfiable, Model: right, Cost: 3, Lower: 1}, ""},
		{Result{}, ""},
		{Result{Status: dimacs.Satisfiable, Model: right, Cost: 2}, "the cost of the model is 3, not 2"},
		{Result{Status: dimacs.Satisfiable, Model: right, Cost: 3, Lower: 4}, "a lower bound of 4"},
		{Result{Status: dimacs.Satisfiable, Model: dimacs.Model{dimacs.False, dimacs.False}}, "falsifies a hard clause"},
		{Result{Status: dimacs.Satisfiable, Optimal: true, Model: dimacs.Model{dimacs.True, dimacs.False}, Cost: 5, Lower: 5}, "there is a better model: [-1 2]"},
		{Result{Status: dimacs.Unsatisfiable}, "there is a better model"},
	} {
		err := tt.r.Verify(context.Background(), w)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
	enough := errors.New("enough")
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(enough)
	r := Solve(context.Background(), w, Options{})
	if err := r.Verify(canceled, w); err != enough {
		t.Errorf("got %v under a canceled context", err)
	}
	if r := Solve(canceled, w, Options{}); r.Status != dimacs.Unknown {
		t.Errorf("got %v under a canceled context", r.Status)
	}
}
