package backbone

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// smallCase returns a random formula of few variables.
func smallCase(seed uint64) *dimacs.Formula {
	for {
		if _, c := dplltest.RandomCase(seed, 0); c.Formula.Vars() <= 16 {
			return c.Formula
		}
		seed += 1 << 32
	}
}

// brute returns the backbone by trying all assignments, for each literal.
func brute(f *dimacs.Formula) (dimacs.Status, []dimacs.Lit) {
	status, _ := dplltest.Brute(f)
	var backbone []dimacs.Lit
	for l := range dimacs.Lit(2 * f.Vars()) {
		if status == dimacs.Satisfiable {
			if without, _ := dplltest.Brute(f, l.Not()); without == dimacs.Unsatisfiable {
				backbone = append(backbone, l)
			}
		}
	}
	return status, backbone
}

// randomOptions returns options with random knobs and witnesses.
func randomOptions(seed uint64) Options {
	o := Options{}
	o.Witnesses, o.CDCL.Seed, o.CDCL.Verify = true, seed, seed%4 < 2
	if seed%2 == 1 {
		cdcltest.RandomKnobs(rand.New(rand.NewPCG(seed, 1)), &o.CDCL)
	}
	return o
}

// TestFind compares backbones with brute force, and verifies them.
func TestFind(t *testing.T) {
	literals, flips := 0, 0
	seeds := effort.Seeds(1500, 50_000)
	for _, seed := range seeds {
		f := smallCase(seed)
		r := Find(context.Background(), f, randomOptions(seed))
		status, want := brute(f)
		if r.Status != status || !slices.Equal(r.Backbone, want) || len(r.Open) > 0 || r.Complete() != (status == dimacs.Satisfiable) {
			t.Fatalf("seed %d: got %v %v, open %v, want %v %v\n%v", seed, r.Status, r.Backbone, r.Open, status, want, dplltest.Case{Formula: f})
		}
		if err := r.Verify(context.Background(), f); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		literals += len(want)
		for _, w := range r.Witnesses {
			flips += len(w.Flipped)
		}
	}
	if literals < len(seeds) || flips < len(seeds)/2 {
		t.Errorf("only %d backbone literals and %d flipped literals in %d formulas", literals, flips, len(seeds))
	}
}

// chain returns a formula of n variables that are all true in each model, and n that are
// free.
func chain(n int) *dimacs.Formula {
	f := dimacs.NewFormula(2 * n)
	for i := 1; i < n; i++ {
		f.AddInts(-i, i+1)
	}
	f.AddInts(1, n)
	return f
}

// TestCalls checks the number of calls where chunks, flips and fixed literals save them.
func TestCalls(t *testing.T) {
	o := Options{}
	o.CDCL.NoSimplify, o.CDCL.Lucky = true, cdcl.LuckyOff // units are not found before the search
	r := Find(context.Background(), chain(1000), o)
	if len(r.Backbone) != 1 || r.Backbone[0] != dimacs.FromInt(1000) {
		t.Fatalf("the backbone is %v", r.Backbone)
	}
	if r.Calls > 1010 {
		t.Errorf("%d calls", r.Calls)
	}
	f := chain(200)
	f.AddInts(1)
	if r = Find(context.Background(), f, o); len(r.Backbone) != 200 || r.Calls > 2 {
		t.Errorf("%d backbone literals by %d calls, want 200 by 1", len(r.Backbone), r.Calls)
	}
	free := dimacs.NewFormula(1000)
	if r = Find(context.Background(), free, o); len(r.Backbone) != 0 || r.Calls != 1 {
		t.Errorf("%d backbone literals by %d calls, want 0 by 1", len(r.Backbone), r.Calls)
	}
}

// TestLimits checks that a limited result is right as far as it goes, and that it names
// all literals that are not known.
func TestLimits(t *testing.T) {
	open := 0
	for seed := range uint64(300) {
		f := smallCase(seed)
		status, want := brute(f)
		o := randomOptions(seed)
		o.Conflicts = int64(1 + seed%5)
		ctx, cancel := context.WithCancel(context.Background())
		if seed%3 == 0 { // and canceled after a call
			o.Progress = func(p Progress) {
				if p.Calls == 2 {
					cancel()
				}
			}
		}
		r := Find(ctx, f, o)
		cancel()
		if r.Status != dimacs.Unknown && r.Status != status {
			t.Fatalf("seed %d: got %v, want %v", seed, r.Status, status)
		}
		if r.Status != dimacs.Satisfiable {
			continue
		}
		for _, l := range r.Backbone {
			if !slices.Contains(want, l) {
				t.Fatalf("seed %d: %v is not in the backbone", seed, l)
			}
		}
		for _, l := range want {
			if !slices.Contains(r.Backbone, l) && !slices.Contains(r.Open, l) {
				t.Fatalf("seed %d: %v is missing", seed, l)
			}
		}
		if err := r.Verify(context.Background(), f); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(r.Open) > 0 {
			open++
		}
	}
	if open < 10 {
		t.Errorf("only %d limited results", open)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Find(canceled, chain(5), Options{}); r.Status != dimacs.Unknown {
		t.Errorf("got %v under a canceled context", r.Status)
	}
}

// TestVerify checks that wrong results are detected.
func TestVerify(t *testing.T) {
	f := dimacs.NewFormula(3)
	f.AddInts(1)
	f.AddInts(2, 3)
	find := func() *Result {
		o := Options{}
		o.Witnesses = true
		return Find(context.Background(), f, o)
	}
	for _, tt := range []struct {
		want   string
		change func(*Result)
	}{
		{"", func(*Result) {}},
		{"no witness with -1", func(r *Result) { r.Backbone = nil }},
		{"witnesses are against 2", func(r *Result) { r.Backbone = append(r.Backbone, dimacs.FromInt(2)) }},
		{"witnesses are against -1", func(r *Result) { r.Backbone[0] ^= 1 }},
		{"a model is against the result", func(r *Result) { r.Status = dimacs.Unsatisfiable }},
		{"witness 1 is not a model", func(r *Result) { r.Witnesses[0].Model[0] = dimacs.False }},
		{"cannot be flipped, because of clause 1", func(r *Result) { r.Witnesses[0].Flipped = dimacs.Lits(1) }},
		{"the flipped literal -1 is not true", func(r *Result) { r.Witnesses[0].Flipped = dimacs.Lits(-1) }},
		{"the witnesses are against 1", func(r *Result) { r.Witnesses = nil }},
		{"a model is against the result", func(r *Result) {
			m := dimacs.Model{dimacs.True, dimacs.True, dimacs.False}
			r.Witnesses = []Witness{{Model: m}}
			r.Backbone = dimacs.Lits(1, 2, -3)
		}},
	} {
		r := find()
		tt.change(r)
		err := r.Verify(context.Background(), f)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(fmt.Errorf("enough"))
	if err := find().Verify(canceled, f); err == nil || err.Error() != "enough" {
		t.Errorf("got %v under a canceled context", err)
	}
}
