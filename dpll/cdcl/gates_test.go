package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// gatesOf1 are definitions of variable 1, which is first in each clause.
var gatesOf1 = []struct {
	name    string
	clauses [][]int
}{
	{"equivalence", [][]int{{1, -2}, {-1, 2}}},
	{"and", [][]int{{1, -2, -3, 4}, {-1, 2}, {-1, 3}, {-1, -4}}},
	{"or", [][]int{{-1, 2, 3}, {1, -2}, {1, -3}}},
	{"if-then-else", [][]int{{1, -2, -3}, {-1, -2, 3}, {1, 2, 4}, {-1, 2, -4}}},
	{"if-then-else upside down", [][]int{{-1, 5, 3}, {-1, -5, 4}, {1, -5, -4}, {1, 5, -3}}},
	{"xor", [][]int{{1, 2, 3}, {1, -2, -3}, {-1, 2, -3}, {-1, -2, 3}}},
	{"xor of three", [][]int{
		{1, 2, 3, 4}, {1, 2, -3, -4}, {1, -2, 3, -4}, {1, -2, -3, 4},
		{-1, -2, 3, 4}, {-1, 2, -3, 4}, {-1, 2, 3, -4}, {-1, -2, -3, -4},
	}},
}

// gathered returns an eliminator that has gathered the clauses of variable 1.
func gathered(t *testing.T, clauses [][]int) *eliminator {
	var cs [][]dimacs.Lit
	for _, c := range clauses {
		cs = append(cs, dimacs.Lits(c...))
	}
	d := loaded(Options{}, cs).enterDense(1e9)
	if d == nil {
		t.Fatal("stopped")
	}
	e := &eliminator{dense: d}
	if !e.gather(0) {
		t.Fatal("too many clauses")
	}
	e.findGate(0)
	return e
}

// TestGates checks that each kind of gate is found among other clauses, in any order of
// clauses and literals, and is not found when one of its clauses is missing or has a
// complemented literal.
func TestGates(t *testing.T) {
	others := [][]int{{1, 6}, {1, 7, 8}, {-1, 7, -8, 9}, {1, -6, 2}, {-1, 9}, {-1, 2, 8, 9}}
	for _, g := range gatesOf1 {
		for seed := range uint64(50) {
			rng := rand.New(rand.NewPCG(seed, 12))
			var clauses [][]int
			for _, c := range append(slices.Clone(others), g.clauses...) {
				c = slices.Clone(c)
				rng.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
				clauses = append(clauses, c)
			}
			rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
			e := gathered(t, clauses)
			if got, want := e.gate(), sorted(g.clauses); !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("%s, seed %d: found %v, want %v", g.name, seed, got, want)
			}
			for v, m := range e.s.analysis.marks {
				if m != 0 {
					t.Fatalf("%s, seed %d: variable %d is still marked %b", g.name, seed, v+1, m)
				}
			}
		}
		for i := range g.clauses {
			if e := gathered(t, slices.Delete(slices.Clone(g.clauses), i, i+1)); len(e.gate()) > 0 {
				t.Errorf("%s without %v: found %v", g.name, g.clauses[i], e.gate())
			}
			for j := 1; j < len(g.clauses[i]); j++ { // the literal of variable 1 is the first
				other := slices.Clone(g.clauses)
				other[i] = slices.Clone(other[i])
				other[i][j] *= -1
				if e := gathered(t, other); len(e.gate()) > 0 {
					t.Errorf("%s with %v: found %v", g.name, other[i], e.gate())
				}
			}
		}
	}
}

// TestXORGrowth checks that the output of an XOR gate is eliminated only if the resolvents
// have no more literals than the clauses that they replace, and that this limit is for XOR
// gates alone. All eliminations replace clauses by as many, or by fewer.
func TestXORGrowth(t *testing.T) {
	for _, c := range []struct {
		name   string
		gate   int // index in gatesOf1
		others [][]int
		fits   bool
	}{
		{"xor in an xor", 5, [][]int{{1, 6, 7}, {1, -6, -7}, {-1, 6, -7}, {-1, -6, 7}}, false},    // 24 to 32
		{"xor in a long clause", 5, [][]int{{1, 6, 7, 8, 9, 10, 11, 12}}, true},                   // 20 to 18
		{"xor in two long clauses", 5, [][]int{{1, 6, 7, 8, 9, 10}, {1, -6, 7, 8, 9, 10}}, false}, // 24 to 28
		{"xor in two clauses", 5, [][]int{{1, 6}, {-1, 7, 8}}, true},                              // 17 to 14
		{"if-then-else in two long clauses", 3, [][]int{{1, 6, 7, 8, 9, 10}, {1, -6, 7, 8, 9, 10}}, true},
		{"if-then-else in an xor", 3, [][]int{{1, 6, 7}, {1, -6, -7}, {-1, 6, -7}, {-1, -6, 7}}, false}, // the output of both
	} {
		e := gathered(t, append(slices.Clone(gatesOf1[c.gate].clauses), c.others...))
		if ok, changed := e.fits(0); ok != c.fits || changed {
			t.Errorf("%s: fits returned %v, %v, want %v, false", c.name, ok, changed, c.fits)
		}
	}
}

// gate returns the clauses of the gate that was found, sorted.
func (e *eliminator) gate() [][]dimacs.Lit {
	var found [][]int
	for i, ws := range [][]watch{e.pos[:e.posGate], e.neg[:e.negGate]} {
		for _, w := range ws {
			var c []int
			for _, k := range e.clauseOf(dimacs.Lit(i), w) {
				c = append(c, dimacs.Lit(k).Int())
			}
			found = append(found, c)
		}
	}
	return sorted(found)
}

// sorted returns the clauses sorted, with sorted literals.
func sorted(clauses [][]int) [][]dimacs.Lit {
	var cs [][]dimacs.Lit
	for _, c := range clauses {
		d := dimacs.Lits(c...)
		slices.Sort(d)
		cs = append(cs, d)
	}
	slices.SortFunc(cs, slices.Compare)
	return cs
}
