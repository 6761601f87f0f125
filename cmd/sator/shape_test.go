package main

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sator/dimacs"
)

func TestShapeOf(t *testing.T) {
	f := dimacs.NewFormula(9)
	for _, c := range [][]int{{1, 2, 3}, {-2, 1, 3, 1}, {3, 2, 1}, {4, -4}, {}, {5}, {5}, {-5, -6}, {7, -8, -8}} {
		f.AddInts(c...)
	}
	got := *shapeOf(f)
	want := shape{
		Variables: 9, Clauses: 9, Literals: 19,
		Unused: 1, Pure: 5, // the pure ones are 1, 3, -6, 7 and -8
		Empty: 1, Units: 2, Binaries: 2, Longest: 4, Horn: 6,
		Components: 4, Largest: 3,
		Tautologies: 1, Repeats: 2, Duplicates: 2,
		Sizes: []sizeCount{{0, 1}, {1, 2}, {2, 2}, {3, 3}, {4, 1}},
	}
	if !reflect.DeepEqual(got, want) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

// TestShapeOfRandom compares with slow and plain ways to count.
func TestShapeOfRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		vars := 1 + r.IntN(12)
		f := dimacs.NewFormula(vars)
		for range r.IntN(15) {
			var c []int
			for range r.IntN(4) {
				n := 1 + r.IntN(vars)
				if r.IntN(2) == 0 {
					n = -n
				}
				c = append(c, n)
			}
			f.AddInts(c...)
		}
		s := shapeOf(f)
		components, largest := slowComponents(f)
		if s.Components != components || s.Largest != largest {
			t.Errorf("seed %d: %d components up to %d, want %d up to %d", seed, s.Components, s.Largest, components, largest)
		}
		if want := slowDuplicates(f); s.Duplicates != want {
			t.Errorf("seed %d: %d duplicates, want %d", seed, s.Duplicates, want)
		}
		total := 0
		for _, c := range s.Sizes {
			total += c.Clauses
		}
		if total != f.Len() || s.Is2CNF != (s.Longest <= 2) || s.IsHorn != (s.Horn == f.Len()) {
			t.Errorf("seed %d: %+v", seed, s)
		}
	}
}

// slowComponents spreads the least variable of each clause until nothing
// changes.
func slowComponents(f *dimacs.Formula) (n, largest int) {
	least := map[dimacs.Var]dimacs.Var{}
	for changed := true; changed; {
		changed = false
		for _, c := range f.Clauses() {
			for _, l := range c {
				for _, k := range c {
					v, w := l.Var(), k.Var()
					if _, ok := least[v]; !ok {
						least[v], changed = v, true
					}
					if _, ok := least[w]; ok && least[w] < least[v] {
						least[v], changed = least[w], true
					}
				}
			}
		}
	}
	count := map[dimacs.Var]int{}
	for _, root := range least {
		count[root]++
		largest = max(largest, count[root])
	}
	return len(count), largest
}

// slowDuplicates compares each clause with all before it.
func slowDuplicates(f *dimacs.Formula) int {
	var sets [][]dimacs.Lit
	n := 0
	for _, c := range f.Clauses() {
		set := literalSet(nil, c)
		if slices.ContainsFunc(sets, func(s []dimacs.Lit) bool { return slices.Equal(s, set) }) {
			n++
		}
		sets = append(sets, set)
	}
	return n
}
