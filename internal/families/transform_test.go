package families

import (
	"math/big"
	"slices"
	"testing"

	"sator/dimacs"
)

// samples returns small formulas with both answers, and a few clauses of other shapes.
func samples(t *testing.T) []*dimacs.Formula {
	odd := dimacs.NewFormula(4) // a variable without clauses, a duplicate and a tautology
	odd.AddInts(1, 2, 1)
	odd.AddInts(-2, 3, 2)
	odd.AddInts(-1)
	empty := dimacs.NewFormula(2)
	empty.Add()
	all := []*dimacs.Formula{odd, empty, dimacs.NewFormula(3)}
	for seed := range uint64(12) {
		all = append(all, mustMake(t, "ksat", Values{"vars": 5, "k": 2, "ratio": 1.6}, seed).Formula)
	}
	return all
}

// TestShuffling checks that shuffling keeps the number of models and the lengths of the clauses,
// that models map back, and that the seed determines the result.
func TestShuffling(t *testing.T) {
	moved := 0
	for i, f := range samples(t) {
		for seed := range uint64(4) {
			s := NewShuffling(f.Vars(), seed)
			g := s.Formula(f)
			if sum(g) != sum(f) {
				moved++
			}
			if sum(NewShuffling(f.Vars(), seed).Formula(f)) != sum(g) || sum(s.Formula(f)) != sum(g) {
				t.Fatalf("formula %d, seed %d: another result", i, seed)
			}
			if a, b := lengths(f), lengths(g); g.Vars() != f.Vars() || !slices.Equal(a, b) {
				t.Fatalf("formula %d, seed %d: lengths %v, want %v", i, seed, b, a)
			}
			checkModels(t, g, f, 1, func(m dimacs.Model) dimacs.Model { return s.Restore(m) })
			if s.Restore(make(dimacs.Model, f.Vars()+1)) != nil {
				t.Error("a model of another number of variables is restored")
			}
		}
	}
	if moved < 40 {
		t.Errorf("%d of 60 formulas were changed", moved)
	}
}

func lengths(f *dimacs.Formula) []int {
	var all []int
	for _, c := range f.Clauses() {
		all = append(all, len(c))
	}
	slices.Sort(all)
	return all
}

// checkModels checks by brute force that restore maps the models of g to those of f, each
// of them occurring, and the falsifying assignments to falsifying ones. If ways is not 0,
// each model of f must come from so many models of g.
func checkModels(t *testing.T, g, f *dimacs.Formula, ways int, restore func(dimacs.Model) dimacs.Model) {
	t.Helper()
	from := map[string]int{}
	for set := range uint32(1) << g.Vars() {
		m := allFalse(g.Vars())
		for v := range m {
			if set>>v&1 != 0 {
				m[v] = dimacs.True
			}
		}
		if !m.Satisfies(g) {
			continue
		}
		back := restore(m)
		if !back.Satisfies(f) {
			t.Fatalf("the model %v becomes %v, which falsifies %v", m, back, clauses(f))
		}
		key := ""
		for _, x := range back {
			key += string(rune('b' + x))
		}
		from[key]++
	}
	if n := models(t, f); n.Cmp(big.NewInt(int64(len(from)))) != 0 {
		t.Fatalf("%d models have a preimage, want %v", len(from), n)
	}
	for key, n := range from {
		if ways != 0 && n != ways {
			t.Fatalf("%d models become %s, want %d", n, key, ways)
		}
	}
}

// TestSubstitute checks the models of substituted formulas, and the numbers of variables and
// clauses.
func TestSubstitute(t *testing.T) {
	for _, g := range Gadgets {
		for n := g.Min; n <= min(g.Max, 3); n++ {
			if g.Check(n) != nil {
				continue
			}
			k := g.vars(n)
			for i, f := range samples(t) {
				if f.Vars()*k > 12 {
					f = restricted(f, 12/k)
				}
				x, err := g.Substitute(f, n)
				if err != nil {
					t.Fatal(err)
				}
				ways := 0
				if g.Name == "xor" || g.Name == "majority" { // as many arguments for 0 as for 1
					ways = 1
					for range f.Vars() {
						ways <<= n - 1
					}
				}
				if x.Vars() != k*f.Vars() {
					t.Errorf("%s %d, formula %d: %d variables, want %d", g.Name, n, i, x.Vars(), k*f.Vars())
				}
				checkModels(t, x, f, ways, func(m dimacs.Model) dimacs.Model { return g.Restore(m, n) })
			}
		}
	}
	php := mustMake(t, "php", Values{"holes": 3}, 1).Formula // 12 variables, 4 clauses of 3, 18 of 2
	for _, s := range []struct {
		gadget           string
		n, vars, clauses int
	}{
		{"xor", 2, 24, 4*8 + 18*4},
		{"xor", 3, 36, 4*64 + 18*16},
		{"or", 2, 24, 4 + 18*4},
		{"majority", 3, 36, 4*27 + 18*9},
		{"lift", 3, 72, 12*4 + 4*27 + 18*9},
	} {
		g, ok := FindGadget(s.gadget)
		if !ok {
			t.Fatalf("no gadget %s", s.gadget)
		}
		x, err := g.Substitute(php, s.n)
		if err != nil || x.Vars() != s.vars || x.Len() != s.clauses {
			t.Fatalf("%s %d: %d variables and %d clauses, want %d and %d (%v)", s.gadget, s.n, x.Vars(), x.Len(), s.vars, s.clauses, err)
		}
		if got := decide(x); got != dimacs.Unsatisfiable {
			t.Errorf("%s %d of a pigeonhole formula is %v", s.gadget, s.n, got)
		}
	}
}

// restricted returns the clauses over the first n variables.
func restricted(f *dimacs.Formula, n int) *dimacs.Formula {
	g := dimacs.NewFormula(n)
	for _, c := range f.Clauses() {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return int(l.Var()) >= n }) {
			g.Add(c...)
		}
	}
	return g
}

// TestPebblingIsXor checks that pebbling formulas with two variables a vertex are those with
// one after substitution of XOR.
func TestPebblingIsXor(t *testing.T) {
	g, _ := FindGadget("xor")
	x, err := g.Substitute(mustMake(t, "pebbling", Values{"height": 3, "arity": 1}, 1).Formula, 2)
	if want := mustMake(t, "pebbling", Values{"height": 3, "arity": 2}, 1).Formula; err != nil || sum(x) != sum(want) {
		t.Errorf("the formulas differ (%v)", err)
	}
}

func TestSubstituteErrors(t *testing.T) {
	wide := dimacs.NewFormula(40)
	wide.Add(firstLits(40)...)
	for _, e := range []struct {
		gadget string
		f      *dimacs.Formula
		n      int
		want   string
	}{
		{"xor", wide, 11, "11 variables for xor: want 1 to 10"},
		{"majority", wide, 4, "4 variables for majority: want an odd number"},
		{"xor", wide, 2, "the formula would have 1099511627776 clauses, more than 2147483647"},
		{"or", dimacs.NewFormula(dimacs.MaxVars), 16, "the formula would have 17179869168 variables, more than 1073741823"},
	} {
		g, _ := FindGadget(e.gadget)
		if x, err := g.Substitute(e.f, e.n); err == nil || err.Error() != e.want || x != nil {
			t.Errorf("%s: error %v, want %q", e.gadget, err, e.want)
		}
	}
	g, _ := FindGadget("xor")
	if g.Restore(make(dimacs.Model, 3), 2) != nil || g.Restore(make(dimacs.Model, 2), 2) != nil {
		t.Error("a partial model, or one of another number of variables, is restored")
	}
}
