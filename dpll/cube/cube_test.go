package cube_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"sator/dimacs"
	"sator/dpll/cube"
)

// random returns a formula of clauses of one to four literals, mostly three.
func random(r *rand.Rand, vars, clauses int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range clauses {
		c := make([]dimacs.Lit, []int{1, 2, 2, 3, 3, 3, 3, 3, 4, 4}[r.IntN(10)])
		for i := range c {
			c[i] = dimacs.Lit(r.IntN(2 * vars))
		}
		f.Add(c...)
	}
	return f
}

// someLimits draws limits of each kind.
func someLimits(r *rand.Rand) cube.Limits {
	return []cube.Limits{
		{Depth: 1 + r.IntN(5)},
		{Free: 1 + r.IntN(8)},
		{Cubes: 1 + r.IntN(20)},
		{Dynamic: true},
		{Depth: 4, Cubes: 6, Free: 2},
		{},
	}[r.IntN(6)]
}

// holds reports whether all literals are true.
func holds(m dimacs.Model, cube []dimacs.Lit) bool {
	for _, l := range cube {
		if m.Lit(l) != dimacs.True {
			return false
		}
	}
	return true
}

// TestCover checks that each model of the formula is in exactly one cube, and each
// other assignment in at most one.
func TestCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	several, refuted := 0, 0
	for round := range 400 {
		const vars = 9
		f := random(r, vars, r.IntN(36))
		limits := someLimits(r)
		s := cube.Split(context.Background(), f, limits)
		if !s.Complete {
			t.Fatalf("round %d: not complete", round)
		}
		if len(s.Cubes) > 1 {
			several++
		}
		refuted += s.Refuted
		m := make(dimacs.Model, vars)
		for bits := range 1 << vars {
			for v := range m {
				m[v] = dimacs.False + 2*dimacs.Value(bits>>v&1)
			}
			n := 0
			for _, c := range s.Cubes {
				if holds(m, c) {
					n++
				}
			}
			if n > 1 || n == 0 && m.Falsified(f) < 0 {
				t.Fatalf("round %d, %+v: an assignment is in %d cubes", round, limits, n)
			}
		}
	}
	if several < 100 || refuted < 100 {
		t.Errorf("%d formulas were split, %d leaves refuted; want 100 of each", several, refuted)
	}
}

// TestLimits checks the limits on a formula of which look-ahead refutes no leaf.
func TestLimits(t *testing.T) {
	f := dimacs.NewFormula(60)
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		c := r.Perm(60)[:3]
		f.Add(dimacs.Lit(2*c[0]), dimacs.Lit(2*c[1]+1), dimacs.Lit(2*c[2]+r.IntN(2)))
	}
	if s := cube.Split(context.Background(), f, cube.Limits{Depth: 4}); len(s.Cubes) != 16 || s.Nodes != 31 {
		t.Errorf("depth 4: %d cubes of %d nodes", len(s.Cubes), s.Nodes)
	}
	if s := cube.Split(context.Background(), f, cube.Limits{Cubes: 37}); len(s.Cubes) != 37 {
		t.Errorf("37 cubes: %d", len(s.Cubes))
	}
	s := cube.Split(context.Background(), f, cube.Limits{Free: 45})
	short, long := 60, 0
	for _, c := range s.Cubes {
		short, long = min(short, len(c)), max(long, len(c))
	}
	if long > 15 || short == long {
		t.Errorf("45 variables left: cubes of %d to %d literals", short, long)
	}
}

// TestRepeatAndStop checks that splits are deterministic, and that a canceled
// context leaves a cover.
func TestRepeatAndStop(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	f := dimacs.NewFormula(100)
	for range 420 {
		c := r.Perm(100)[:3]
		f.Add(dimacs.Lit(2*c[0]+r.IntN(2)), dimacs.Lit(2*c[1]+r.IntN(2)), dimacs.Lit(2*c[2]+r.IntN(2)))
	}
	a := cube.Split(context.Background(), f, cube.Limits{Cubes: 30})
	if b := cube.Split(context.Background(), f, cube.Limits{Cubes: 30}); !reflect.DeepEqual(a, b) {
		t.Error("two runs differ")
	}
	if a.Failed == 0 {
		t.Error("no literal failed")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s := cube.Split(ctx, f, cube.Limits{Cubes: 30}); s.Complete || len(s.Cubes) != 1 || len(s.Cubes[0]) != 0 {
		t.Errorf("canceled: %+v", s)
	}
}

// TestChoose checks that Choose returns an unassigned literal, which does not depend
// on earlier calls.
func TestChoose(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	chosen := 0
	for range 300 {
		f := random(r, 12, 10+r.IntN(20))
		a := cube.NewLookahead(f)
		for range 5 {
			c := []dimacs.Lit{dimacs.Lit(r.IntN(24)), dimacs.Lit(r.IntN(24))}
			l, ok := a.Choose(context.Background(), c)
			again, okAgain := cube.NewLookahead(f).Choose(context.Background(), c)
			if l != again || ok != okAgain {
				t.Fatalf("got %v %v, and %v %v from a new Lookahead", l, ok, again, okAgain)
			}
			if ok && (l>>1 == c[0]>>1 || l>>1 == c[1]>>1) {
				t.Fatalf("%v under %v", l, c)
			}
			if ok {
				chosen++
			}
		}
	}
	if chosen < 100 {
		t.Errorf("a literal was chosen %d times", chosen)
	}
}

func ExampleSplit() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2, 3)
	f.AddInts(-1, -2, 4)
	f.AddInts(1, -3, -4)
	for _, c := range cube.Split(context.Background(), f, cube.Limits{Depth: 1}).Cubes {
		fmt.Println(c)
	}
	// Output:
	// [-1]
	// [1]
}
