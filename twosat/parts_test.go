package twosat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// Tests of parts that small instances do not get to from outside.

func randomPairs(r *rand.Rand, vars, clauses int) *Solver {
	s := New(nil)
	s.Grow(vars)
	for range clauses {
		s.Add(dimacs.Lit(r.IntN(2*vars)), dimacs.Lit(r.IntN(2*vars)))
	}
	return s
}

// Components decide as propagation does.
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

// Where propagation wastes too much, components take over: here many literals
// lead down the same long chain into a contradiction, and each is tried before
// its complement.
func TestTooManyTakenBack(t *testing.T) {
	const length, heads = 300, 200
	s := New(nil)
	at := func(i int) dimacs.Lit { return dimacs.Var(i).Lit() }
	for h := range heads {
		head := at(h)
		s.Imply(head, at(heads))
		s.Imply(head^1, at(heads+length+h)) // two, so that the head is tried first
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

// Blocks decide as single searches do, with thinning before and without.
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
			for v := range uint32(len(c.original)) { // searches have decided some
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

// Counts of occurrences end at 255 without doing harm, where fewer or more of
// them are counted down.
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

// manyPeeled has a literal, 1, that loses n clauses to pure literals and is
// forced by two others. It excludes 4, which would be tried first.
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

// manyThinned has a variable, 1, with n edges to others that lead nowhere, and
// two ways to a conflict. All is false in the model.
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

func TestTriangle(t *testing.T) {
	sum := int64(0)
	for n := range 1000 {
		if got := triangle(n); got != sum {
			t.Fatalf("the first %d rows take %d words, not %d", n, got, sum)
		}
		sum += int64(n/64 + 1)
	}
}

// BenchmarkUnion is the inner loop of a Closure.
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
