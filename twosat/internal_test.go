package twosat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// Tests of code that small instances do not reach through the exported API.

// randomPairs returns a solver with random clauses of one or two literals.
func randomPairs(r *rand.Rand, vars, clauses int) *Solver {
	s := New(nil)
	s.Grow(vars)
	for range clauses {
		s.Add(dimacs.Lit(r.IntN(2*vars)), dimacs.Lit(r.IntN(2*vars)))
	}
	return s
}

// TestKernelCondense compares strongly connected components with propagation.
func TestKernelCondense(t *testing.T) {
	answers := map[dimacs.Status]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := randomPairs(r, 1+r.IntN(20), r.IntN(40))
		want := s.Solve(context.Background())
		k := newKernel(s.vars, slices.Clone(s.pairs))
		v, got := k.condense(context.Background())
		if got != want {
			t.Fatalf("seed %d: %v, not %v", seed, got, want)
		}
		answers[got]++
		if got == dimacs.Unsatisfiable {
			if r := k.refute(v); len(r.To) == 0 {
				t.Fatalf("seed %d: no refutation", seed)
			}
			continue
		}
		m := make(dimacs.Model, s.vars)
		k.complete(m)
		for _, p := range s.pairs {
			if m.Clause(p[:]) != dimacs.True {
				t.Fatalf("seed %d: %v does not satisfy %v", seed, m.Lits(), p)
			}
		}
	}
	if answers[dimacs.Satisfiable] < 300 || answers[dimacs.Unsatisfiable] < 300 {
		t.Errorf("answers: %v", answers)
	}
}

// TestTooManyUnassigned expects strongly connected components after too many
// failed tries: many literals lead down the same long chain to a contradiction,
// and each is tried before its complement.
func TestTooManyUnassigned(t *testing.T) {
	const length, heads = 300, 200
	s := New(nil)
	at := func(i int) dimacs.Lit { return dimacs.Var(i).Lit() }
	for h := range heads {
		head := at(h)
		s.Imply(head, at(heads))
		s.Imply(head^1, at(heads+length+h)) // two direct implications, so that the head is tried first
		s.Imply(head^1, at(heads+length+heads+h))
		s.Imply(at(heads+length+h), head^1)
		s.Imply(at(heads+length+heads+h), head^1)
	}
	for i := range length - 1 {
		s.Imply(at(heads+i), at(heads+i+1))
	}
	end := at(heads + length - 1)
	s.Add(end^1, at(heads+length+3*heads))
	s.Add(end^1, at(heads+length+3*heads)^1)
	if got := s.Solve(context.Background()); got != dimacs.Satisfiable {
		t.Fatal(got)
	}
	st := s.Stats()
	if !st.Condensed {
		t.Errorf("%+v", st)
	}
	m := s.Model()
	for _, p := range s.pairs {
		if m.Clause(p[:]) != dimacs.True {
			t.Fatalf("the model does not satisfy %v", p)
		}
	}
}

// TestBlocks compares searches in blocks with single searches, with thinning and
// without.
func TestBlocks(t *testing.T) {
	ctx := context.Background()
	forcedLits, blocks := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 1 + r.IntN(60)
		s := randomPairs(r, n, n/2+r.IntN(n))
		f, status := s.Forced(ctx)
		if status != dimacs.Satisfiable {
			continue
		}
		th := newThinner(s.model, s.pairs)
		for _, left := range [][]flip{slices.Clone(th.all), th.thin(ctx)} {
			g := &Forced{model: s.model, flips: th.all, forced: make([]bool, n)}
			c := newCore(n, left)
			c.effort = 1 << 30
			for v := range uint32(len(c.original)) { // decide some by single searches
				if c.verdicts[v] == undecided && r.IntN(3) == 0 {
					c.search(v)
				}
			}
			if !c.decideResidue(ctx) {
				t.Fatal("not decided")
			}
			for v, d := range c.verdicts {
				if len(left) == len(th.all) && (d == unflippable) != f.forced[c.original[v]] {
					t.Fatalf("seed %d: variable %d before spreading: %v", seed, c.original[v], d)
				}
			}
			g.spread(c)
			blocks += c.blocks
			if !slices.Equal(f.forced, g.forced) {
				t.Fatalf("seed %d: by searches %v, by blocks %v", seed, f.Lits(), g.Lits())
			}
		}
		forcedLits += len(f.Lits())
	}
	if forcedLits < 1000 || blocks < 1000 {
		t.Errorf("only %d forced and %d blocks", forcedLits, blocks)
	}
}

// TestFullCounts expects right results around the maximum of the one-byte counts.
func TestFullCounts(t *testing.T) {
	for n := 250; n < 262; n++ {
		for name, f := range map[string]*dimacs.Formula{"peeling": manyPeeled(n), "thinning": manyThinned(n)} {
			s, err := From(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Solve(context.Background()); got != dimacs.Satisfiable || !s.Model().Satisfies(f) {
				t.Fatalf("%s, %d clauses: %v", name, n, got)
			}
			forced, _ := s.Forced(context.Background())
			if want := NewClosure(s.Graph(), 1<<30).Forced(); !slices.Equal(forced.Lits(), want) {
				t.Fatalf("%s, %d clauses: forced %v, not %v", name, n, forced.Lits(), want)
			}
		}
	}
}

// manyPeeled returns a formula in which literal 1 loses n clauses to pure literals
// and two other clauses force it. It excludes 4, which would be tried first.
func manyPeeled(n int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for i := range n {
		f.AddInts(1, 6+i)
	}
	f.AddInts(-1, -4)
	f.AddInts(-4, 5)
	f.AddInts(4, -5)
	f.AddInts(1, 2)
	f.AddInts(1, -2)
	return f
}

// manyThinned returns a formula in which variable 1 has n edges to variables that
// reach no conflict, and two paths to a conflict. The model makes all variables
// false.
func manyThinned(n int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for i := range n {
		f.AddInts(-1, 4+i)
	}
	f.AddInts(-1, 2)
	f.AddInts(-1, 3)
	f.AddInts(-2, -3)
	for i := range n {
		f.AddInts(-4-i, -4-n-i)
	}
	return f
}

// TestTriangle compares triangle with a sum over the rows.
func TestTriangle(t *testing.T) {
	sum := int64(0)
	for n := range 1000 {
		if got := triangle(n); got != sum {
			t.Fatalf("the first %d rows take %d words, not %d", n, got, sum)
		}
		sum += int64(n/64 + 1)
	}
}

// BenchmarkUnion measures the inner loop of a Closure.
func BenchmarkUnion(b *testing.B) {
	for _, words := range []int{1, 8, 64, 512} {
		dst, src := make([]uint64, words), make([]uint64, words)
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			b.SetBytes(int64(8 * words))
			for b.Loop() {
				union(dst, src)
			}
		})
	}
}
