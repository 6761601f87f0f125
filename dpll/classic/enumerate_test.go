package classic_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// bruteModels returns all models, projected, by brute force.
func bruteModels(f *dimacs.Formula, project []dimacs.Var, assumptions []dimacs.Lit) map[string]bool {
	n := f.Vars()
	for _, l := range assumptions {
		n = max(n, int(l.Var())+1)
	}
	for _, v := range project {
		n = max(n, int(v)+1)
	}
	found := make(map[string]bool)
	m := make(dimacs.Model, n)
	for bits := range 1 << n {
		for v := range m {
			m[v] = dimacs.Value(1 - 2*(bits>>v&1))
		}
		satisfied := m.Satisfies(f)
		for _, l := range assumptions {
			satisfied = satisfied && m.Lit(l) == dimacs.True
		}
		if satisfied {
			found[projected(m, project)] = true
		}
	}
	return found
}

// projected returns the text of the model, restricted to the variables of the
// projection.
func projected(m dimacs.Model, project []dimacs.Var) string {
	if project == nil {
		return fmt.Sprint(m)
	}
	p := make(dimacs.Model, len(m))
	for _, v := range project {
		p[v] = m[v]
	}
	return fmt.Sprint(p)
}

// randomQuestion draws a small formula, a projection and assumptions.
func randomQuestion(seed uint64) (f *dimacs.Formula, project []dimacs.Var, assumptions []dimacs.Lit) {
	r := rand.New(rand.NewPCG(seed, 11))
	_, c := dplltest.RandomCase(seed, 0)
	for ; c.Formula.Vars() > 11; _, c = dplltest.RandomCase(seed, 0) {
		seed += 1 << 32
	}
	if r.IntN(2) == 0 {
		assumptions = c.Assumptions[:min(3, len(c.Assumptions))]
	}
	if r.IntN(2) == 0 {
		project = []dimacs.Var{}
		for range r.IntN(6) { // with repetitions, and variables beyond the formula
			project = append(project, dimacs.Var(r.IntN(c.Formula.Vars()+2)))
		}
	}
	return c.Formula, project, assumptions
}

// TestEnumeration compares the models and their number with brute force, under
// each heuristic.
func TestEnumeration(t *testing.T) {
	ctx := context.Background()
	rounds := uint64(1500)
	if testing.Short() {
		rounds = 300
	}
	several := 0
	for seed := range rounds {
		f, project, assumptions := randomQuestion(seed)
		want := bruteModels(f, project, assumptions)
		s := load(options(classic.Heuristics[seed%uint64(len(classic.Heuristics))].Name, classic.PureEvery), f)
		if seed%3 == 0 {
			s.Solve(ctx, assumptions...)
		}
		got := make(map[string]bool)
		for m := range s.Models(ctx, project, assumptions...) {
			x := fmt.Sprint(m)
			if got[x] || !want[x] {
				t.Fatalf("seed %d: project %v, assume %v: %v (visited before: %v) on\n%v", seed, project, assumptions, x, got[x], dplltest.Case{Formula: f})
			}
			got[x] = true
		}
		if len(got) != len(want) || !s.Exhausted() {
			t.Fatalf("seed %d: %d models of %d, exhausted %v", seed, len(got), len(want), s.Exhausted())
		}
		n, all := s.Count(ctx, project, assumptions...)
		if n.Cmp(big.NewInt(int64(len(want)))) != 0 || !all {
			t.Fatalf("seed %d: counted %v (%v) of %d", seed, n, all, len(want))
		}
		if len(want) > 1 {
			several++
		}
	}
	if several < int(rounds)/4 {
		t.Errorf("only %d formulas of %d with several models", several, rounds)
	}
}

// TestCubes checks the values and the free variables of cubes.
func TestCubes(t *testing.T) {
	s := classic.New(options("first", classic.PureEvery))
	s.Grow(6)
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-1, 3)...)
	var got []string
	for c := range s.Cubes(context.Background(), nil) {
		got = append(got, fmt.Sprint(c.Model.Lits(), c.Free))
	}
	want := []string{"[1 3] [1 3 4 5]", "[-1 2] [2 3 4 5]"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("cubes %v, want %v", got, want)
	}
	if st := s.Stats(); st.Solutions != 2 || st.Pure != 0 || st.Conflicts != 0 {
		t.Errorf("%+v", st)
	}
}

// TestEnumerationEndsEarly checks that an iteration is not exhausted after a break,
// a limit or the end of the context.
func TestEnumerationEndsEarly(t *testing.T) {
	ctx := context.Background()
	s := classic.New(classic.DefaultOptions())
	s.Add(dimacs.Lits(1, 2, 3)...)
	n := 0
	for range s.Models(ctx, nil) {
		if n++; n == 3 {
			break
		}
	}
	if s.Exhausted() || n != 3 {
		t.Errorf("left after %d models: exhausted %v", n, s.Exhausted())
	}
	s.SetLimits(classic.Limits{Decisions: 2})
	if n, all := s.Count(ctx, nil); all || n.Sign() == 0 {
		t.Errorf("counted %v under a limit: all %v", n, all)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	s.SetLimits(classic.Limits{})
	if n, all := s.Count(over, nil); all || n.Sign() != 0 {
		t.Errorf("counted %v in no time: all %v", n, all)
	}
	if n, all := s.Count(ctx, nil); !all || n.Int64() != 7 {
		t.Errorf("counted %v: all %v", n, all)
	}
	if s.Solve(ctx) != dimacs.Satisfiable {
		t.Error("no model after counting")
	}
}

// TestCountLarge counts the models of a formula with 998 free variables.
func TestCountLarge(t *testing.T) {
	s := classic.New(classic.DefaultOptions())
	s.Grow(1000)
	s.Add(dimacs.Lits(1, 2)...)
	n, all := s.Count(context.Background(), nil)
	want := new(big.Int).Mul(big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 998))
	if n.Cmp(want) != 0 || !all {
		t.Errorf("%v, want %v", n, want)
	}
	if n, _ := s.Count(context.Background(), []dimacs.Var{}); n.Int64() != 1 {
		t.Errorf("projected onto nothing: %v", n)
	}
}

// BenchmarkCount counts the 576 Latin squares of order 4, and the models of a
// random formula.
func BenchmarkCount(b *testing.B) {
	latin := dimacs.NewFormula(64)
	p := newSudoku(4)
	for i, c := range p.columns {
		if i%4 == 3 {
			continue // the boxes
		}
		latin.Add(c...)
		for j, l := range c {
			for _, k := range c[:j] {
				latin.Add(l.Not(), k.Not())
			}
		}
	}
	for _, x := range []struct {
		name string
		f    *dimacs.Formula
	}{{"latin/n=4", latin}, {"3sat/n=40/ratio=2", uniform(1, 40, 80)}} {
		b.Run(x.name, func(b *testing.B) {
			s := load(classic.DefaultOptions(), x.f)
			var n *big.Int
			for b.Loop() {
				n, _ = s.Count(context.Background(), nil)
			}
			if x.f == latin && n.Int64() != 576 {
				b.Fatalf("%v Latin squares", n)
			}
			b.ReportMetric(float64(s.Stats().Solutions)/b.Elapsed().Seconds(), "cubes/s")
		})
	}
}
