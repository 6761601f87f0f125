package dplltest

import (
	"slices"
	"testing"

	"sator/dimacs"
)

// TestFamilies checks that every family has both answers, at small sizes and, as far as
// the oracle decides them, at large ones, and that sizes are near the requested ones.
func TestFamilies(t *testing.T) {
	for _, s := range slices.Concat(Families, Symmetric) {
		count := make(map[dimacs.Status]int)
		for seed := range uint64(200) {
			r := randomSource(seed, forCase)
			vars := 1 + r.IntN(14)
			f := s.Make(r, vars)
			if n := f.Vars(); n > 2*vars+14 {
				t.Errorf("%s, seed %d: %d variables for %d", s.Name, seed, n, vars)
			}
			status, _ := Oracle(f)
			count[status]++
		}
		if count[dimacs.Satisfiable] < 10 || count[dimacs.Unsatisfiable] < 10 || count[dimacs.Unknown] > 0 {
			t.Errorf("%s: %v", s.Name, count)
		}
		large := make(map[dimacs.Status]int)
		for seed := range uint64(8) {
			f := s.Make(randomSource(seed, forCase), 200)
			if n := f.Vars(); n < 12 || n > 400 {
				t.Errorf("%s, seed %d: %d variables for 200", s.Name, seed, n)
			}
			status, _ := Oracle(f)
			large[status]++
		}
		t.Logf("%-12s small %v, large %v", s.Name, count, large)
	}
}
