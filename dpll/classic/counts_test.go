package classic

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// scanning contains heuristics that compute clause lengths by a scan of the formula
// at each decision. They make the same decisions as the heuristics of the same
// name.
var scanning = map[string]*Heuristic{
	"mom": {Name: "mom", choose: (*Solver).scanMom},
	"jw2": {Name: "jw2", choose: (*Solver).scanJeroslowWang},
}

func (s *Solver) scanMom() (dimacs.Lit, bool) {
	f := make([]uint64, len(s.vals))
	least := 0
	for c := range uint32(s.connected) {
		if !s.open(c) {
			continue
		}
		n := s.unassignedIn(s.at(c))
		if least == 0 || n < least {
			clear(f)
			least = n
		}
		if n == least {
			for _, l := range s.at(c) {
				if s.vals[l] == 0 {
					f[l]++
				}
			}
		}
	}
	best, most := dimacs.Lit(0), uint64(0)
	for l := 0; l < len(f); l += 2 {
		p, n := f[l], f[l+1]
		if value := (p+n)<<s.opts.MomK + p*n; value > most {
			best, most = greater(dimacs.Lit(l), p, n), value
		}
	}
	return best, least > 0
}

func (s *Solver) scanJeroslowWang() (dimacs.Lit, bool) {
	f := make([]uint64, len(s.vals))
	for c := range uint32(s.connected) {
		if s.open(c) {
			w := jeroslowWang(s.unassignedIn(s.at(c)))
			for _, l := range s.at(c) {
				f[l] += w
			}
		}
	}
	s.counts.scores = f
	return s.maxVariable()
}

// threshold draws a formula of random 3-SAT at the threshold.
func threshold(seed uint64, vars int) *dimacs.Formula {
	r := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for range vars * 426 / 100 {
		var c []dimacs.Lit
		for _, v := range r.Perm(vars)[:3] {
			c = append(c, dimacs.Lit(2*v+r.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// TestCounting checks that counting and scanning make the same trees.
func TestCounting(t *testing.T) {
	for name, h := range scanning {
		for seed := range uint64(5) {
			o := DefaultOptions()
			o.Heuristic = name
			var trees [2]Stats
			for i := range trees {
				s := New(o)
				if i == 1 {
					s.heuristic = h
				}
				s.AddFormula(threshold(seed, 70))
				s.Solve(context.Background())
				trees[i] = s.Stats()
				trees[i].Bytes = 0
			}
			if trees[0] != trees[1] || trees[0].Decisions == 0 {
				t.Errorf("%s, seed %d: %+v by counting, %+v by scanning", name, seed, trees[0], trees[1])
			}
		}
	}
}

// BenchmarkCounting compares counting and scanning on random 3-SAT.
func BenchmarkCounting(b *testing.B) {
	var fs []*dimacs.Formula
	for seed := range uint64(10) {
		fs = append(fs, threshold(seed, 150))
	}
	for _, name := range []string{"jw2", "mom"} {
		h, _ := FindHeuristic(name)
		for way, h := range map[string]*Heuristic{"counting": h, "scanning": scanning[name]} {
			b.Run(name+"/"+way, func(b *testing.B) {
				for b.Loop() {
					for _, f := range fs {
						o := DefaultOptions()
						o.Heuristic = name
						s := New(o)
						s.heuristic = h
						s.AddFormula(f)
						s.Solve(context.Background())
					}
				}
			})
		}
	}
}
