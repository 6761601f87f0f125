package mus

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// randomGrouped returns a random formula of few variables and groups.
func randomGrouped(seed uint64) *dimacs.Grouped {
	r := rand.New(rand.NewPCG(seed, 1))
	groups, vars := 1+r.IntN(7), 1+r.IntN(5)
	g := &dimacs.Grouped{Formula: dimacs.NewFormula(vars), Groups: groups}
	for i := range groups * (1 + r.IntN(2)) {
		var c []dimacs.Lit
		for range r.IntN(4) + min(i, 1) {
			c = append(c, dimacs.Lit(r.IntN(2*vars)))
		}
		g.Formula.Add(c...)
		group := r.IntN(groups + 1)
		if i < groups && r.IntN(4) > 0 {
			group = i + 1
		}
		g.Group = append(g.Group, group)
	}
	return g
}

// randomOptions returns options with witnesses and, for odd seeds, random knobs.
func randomOptions(seed uint64) Options {
	o := Options{}
	o.Witnesses, o.NoRotate, o.CDCL.Seed, o.CDCL.Verify = true, seed%3 == 0, seed, seed%4 < 2
	if seed%2 == 1 {
		cdcltest.RandomKnobs(rand.New(rand.NewPCG(seed, 1)), &o.CDCL)
	}
	return o
}

// models returns by brute force which sets of groups have a model: bit i of a set is group
// i+1.
func models(g *dimacs.Grouped) []bool {
	has := make([]bool, 1<<g.Groups)
	for s := range has {
		f := dimacs.NewFormula(g.Formula.Vars())
		for i, c := range g.Formula.Clauses() {
			if group := g.Group[i]; group == 0 || s>>(group-1)&1 == 1 {
				f.Add(c...)
			}
		}
		status, _ := dplltest.Brute(f)
		has[s] = status == dimacs.Satisfiable
	}
	return has
}

// mask returns groups as bits.
func mask(groups []int) int {
	s := 0
	for _, group := range groups {
		s |= 1 << (group - 1)
	}
	return s
}

// minimal reports whether a set is unsatisfiable, and satisfiable without any one group.
func minimal(has []bool, s int) bool {
	for rest := s; rest != 0; rest &= rest - 1 {
		if !has[s&^(1<<bits.TrailingZeros(uint(rest)))] {
			return false
		}
	}
	return !has[s]
}

// correction reports whether the complement of a set is satisfiable, and not with any one
// group more.
func correction(has []bool, s int) bool {
	left := len(has) - 1 - s
	for rest := s; rest != 0; rest &= rest - 1 {
		if has[left|1<<bits.TrailingZeros(uint(rest))] {
			return false
		}
	}
	return has[left]
}

// TestSubsets compares Extract, Correct and Subsets with brute force, and verifies
// results.
func TestSubsets(t *testing.T) {
	refuted, several, rotated := 0, 0, 0
	ctx := context.Background()
	seeds := effort.Seeds(1000, 50_000)
	for _, seed := range seeds {
		g, o := randomGrouped(seed), randomOptions(seed)
		has := models(g)
		r := Extract(ctx, g, o)
		switch {
		case has[len(has)-1] != (r.Status == dimacs.Satisfiable):
			t.Fatalf("seed %d: got %v", seed, r.Status)
		case r.Status == dimacs.Unsatisfiable && (!r.Minimal || !minimal(has, mask(r.Groups))):
			t.Fatalf("seed %d: %v is not minimal (%v)", seed, r.Groups, r.Minimal)
		}
		if err := r.Verify(ctx, g); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Status == dimacs.Unsatisfiable {
			refuted++
		}
		rotated += r.Rotated
		switch c, status := Correct(ctx, g, o); {
		case has[0] != (status == dimacs.Satisfiable):
			t.Fatalf("seed %d: the correction is %v", seed, status)
		case has[0] && !correction(has, mask(c)):
			t.Fatalf("seed %d: %v is not a minimal correction set", seed, c)
		}
		if n := checkAll(t, fmt.Sprintf("seed %d", seed), g, o, has); n > 2 {
			several++
		}
	}
	if refuted < len(seeds)/4 || several < len(seeds)/8 || rotated < len(seeds)/20 {
		t.Errorf("only %d refuted, %d with several subsets, %d rotated groups", refuted, several, rotated)
	}
}

// checkAll compares all subsets with brute force, and returns their number.
func checkAll(t *testing.T, where string, g *dimacs.Grouped, o Options, has []bool) int {
	t.Helper()
	found := map[string]bool{}
	e := NewEnumerator(g, o)
	for s := range e.Subsets(context.Background()) {
		name := fmt.Sprint(s)
		right := minimal(has, mask(s.Groups))
		if s.Correction {
			right = correction(has, mask(s.Groups))
		}
		if !right || found[name] || !slices.IsSorted(s.Groups) {
			t.Fatalf("%s: subset %s, seen before: %v", where, name, found[name])
		}
		found[name] = true
	}
	want := 0
	for s := range has {
		if minimal(has, s) {
			want++
		}
		if correction(has, s) {
			want++
		}
	}
	if len(found) != want || !e.Exhausted() || e.Calls() == 0 {
		t.Fatalf("%s: %d subsets, want %d, exhausted %v", where, len(found), want, e.Exhausted())
	}
	return want
}

// pigeons returns the pigeonhole formula with so many holes, and as many free clauses.
func pigeons(holes int) *dimacs.Formula {
	x := func(pigeon, hole int) int { return pigeon*holes + hole + 1 }
	f := new(dimacs.Formula)
	for p := range holes + 1 {
		var c []int
		for h := range holes {
			c = append(c, x(p, h))
			for q := range p {
				f.AddInts(-x(p, h), -x(q, h))
			}
		}
		f.AddInts(c...)
		f.AddInts(x(p, 0), 1000+p)
	}
	return f
}

// TestLimits checks that limited subsets are unsatisfiable, and necessary groups right.
func TestLimits(t *testing.T) {
	limited := 0
	for seed := range uint64(60) {
		o := randomOptions(seed)
		o.Conflicts = 1 + int64(seed)*3
		g := Clauses(pigeons(4))
		r := Extract(context.Background(), g, o)
		if r.Status == dimacs.Unknown {
			continue
		}
		if err := r.Verify(context.Background(), g); r.Status != dimacs.Unsatisfiable || err != nil {
			t.Fatalf("seed %d: %v, %v", seed, r.Status, err)
		}
		if !r.Minimal {
			limited++
		} else if len(r.Groups) != 45 {
			t.Fatalf("seed %d: %d clauses", seed, len(r.Groups))
		}
	}
	if limited < 5 {
		t.Errorf("only %d limited results", limited)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	g := Clauses(pigeons(3))
	if r := Extract(canceled, g, Options{}); r.Status != dimacs.Unknown {
		t.Errorf("got %v under a canceled context", r.Status)
	}
	if _, status := Correct(canceled, g, Options{}); status != dimacs.Unknown {
		t.Errorf("the correction is %v under a canceled context", status)
	}
	e := NewEnumerator(g, Options{})
	for s := range e.Subsets(canceled) {
		t.Errorf("%v under a canceled context", s)
	}
	for range e.Subsets(context.Background()) {
		break
	}
	if e.Exhausted() {
		t.Error("exhausted after one subset")
	}
}

// TestVerify checks that wrong results are detected.
func TestVerify(t *testing.T) {
	f := new(dimacs.Formula)
	f.AddInts(1)
	f.AddInts(-1)
	f.AddInts(2)
	g := Clauses(f)
	extract := func() *Result {
		o := Options{}
		o.Witnesses = true
		return Extract(context.Background(), g, o)
	}
	for _, tt := range []struct {
		want   string
		change func(*Result)
	}{
		{"", func(*Result) {}},
		{"groups that are not necessary", func(r *Result) { r.Groups = []int{1, 2, 3} }},
		{"no witness for group 3", func(r *Result) { r.Groups, r.Necessary = []int{1, 2, 3}, []int{1, 2, 3} }},
		{"no witness for group 1", func(r *Result) { r.Witnesses = nil }},
		{"the subset has a model", func(r *Result) { r.Groups, r.Necessary = []int{1}, []int{1} }},
		{"the witness for group 1 falsifies clause 2", func(r *Result) { r.Witnesses[1] = dimacs.Model{dimacs.True, dimacs.True} }},
	} {
		r := extract()
		tt.change(r)
		err := r.Verify(context.Background(), g)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
	enough := errors.New("enough")
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(enough)
	if err := extract().Verify(canceled, g); err != enough {
		t.Errorf("got %v under a canceled context", err)
	}
}
