package formula

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sator/dimacs"
)

func TestFeaturesOf(t *testing.T) {
	f := dimacs.NewFormula(9)
	for _, c := range [][]int{{1, 2, 3}, {-2, 1, 3, 1}, {3, 2, 1}, {4, -4}, {}, {5}, {5}, {-5, -6}, {7, -8, -8}} {
		f.AddInts(c...)
	}
	got := *FeaturesOf(f)
	want := Features{
		Variables: 9, Clauses: 9, Literals: 19,
		Unused: 1, Pure: 5, // the pure ones are 1, 3, -6, 7 and -8
		Empty: 1, Units: 2, Binaries: 2, Longest: 4, Horn: 6,
		Components: 4, Largest: 3,
		Tautologies: 1, Repeats: 2, Duplicates: 2,
		Sizes: []SizeCount{{0, 1}, {1, 2}, {2, 2}, {3, 3}, {4, 1}},
	}
	if !reflect.DeepEqual(got, want) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

// TestFeaturesOfRandom compares with slow, simple algorithms.
func TestFeaturesOfRandom(t *testing.T) {
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
		s := FeaturesOf(f)
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

// slowComponents propagates the least variable of each clause to a fixpoint.
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

// slowDuplicates compares each clause with all earlier ones.
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

// TestConsequences compares with the set of all models of the short clauses.
func TestConsequences(t *testing.T) {
	var total Consequences
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		vars := 1 + r.IntN(6)
		f, short := dimacs.NewFormula(vars), dimacs.NewFormula(vars)
		for range r.IntN(2 * vars) {
			c := make([]dimacs.Lit, []int{1, 2, 2, 2, 2, 2, 2, 3}[r.IntN(8)])
			for i := range c {
				c[i] = dimacs.Lit(r.IntN(2 * vars))
			}
			f.Add(c...)
			if set := literalSet(nil, c); len(set) <= 2 {
				short.Add(set...)
			}
		}
		got, want := *ConsequencesOf(context.Background(), f), consequencesByModels(short)
		if got != want {
			t.Fatalf("seed %d: got %v, want %v:\n%v", seed, &got, &want, f)
		}
		total.Forced += got.Forced
		total.Classes += got.Classes
		total.Contradictory = total.Contradictory || got.Contradictory
	}
	if total.Forced < 100 || total.Classes < 20 || !total.Contradictory {
		t.Errorf("the formulas are too easy: %+v", total)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if c := ConsequencesOf(done, dimacs.NewFormula(1)); c != nil {
		t.Errorf("%v, although it was to stop", c)
	}
}

// consequencesByModels computes the models in which each literal is true.
func consequencesByModels(f *dimacs.Formula) (c Consequences) {
	var all, equal uint64
	in := make([]uint64, 2*f.Vars()) // models in which a literal is true
	for m := range uint64(1) << f.Vars() {
		model := make(dimacs.Model, f.Vars())
		for v := range model {
			model.Set(dimacs.Lit(2*v) | dimacs.Lit(m>>v&1))
		}
		if model.Falsified(f) >= 0 {
			continue
		}
		all |= 1 << m
		for _, l := range model.Lits() {
			in[l] |= 1 << m
		}
	}
	if all == 0 {
		return Consequences{Contradictory: true}
	}
	for l := 0; l < len(in); l += 2 {
		members := 0
		for k := 0; k < len(in); k += 2 {
			if in[k] == in[l] || in[k] == in[l+1] {
				members++
			}
		}
		switch {
		case in[l] == 0 || in[l+1] == 0:
			c.Forced++
		case members > 1 && equal>>l&1 == 0:
			c.Classes++
			c.Members += members
			for k := 0; k < len(in); k += 2 {
				if in[k] == in[l] || in[k] == in[l+1] {
					equal |= 1 << k
				}
			}
		}
	}
	return c
}
