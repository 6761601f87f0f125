package families

import (
	"testing"

	"sator/dimacs"
)

// TestLeastModel compares with repeated passes over all clauses.
func TestLeastModel(t *testing.T) {
	for seed := range uint64(200) {
		v := Values{"vars": 30, "ratio": 2, "facts": 0.15, "k": float64(2 + seed%3), "goals": 5}
		f := mustMake(t, "horn", v, seed).Formula
		got, want := leastModel(f), slowLeastModel(f)
		for x := range want {
			if got[x] != want[x] {
				t.Fatalf("seed %d: variable %d is %d, want %d", seed, x+1, got[x], want[x])
			}
		}
	}
}

func slowLeastModel(f *dimacs.Formula) dimacs.Model {
	m := make(dimacs.Model, f.Vars())
	for v := range m {
		m[v] = dimacs.False
	}
	for {
		i := m.Falsified(f)
		for ; i >= 0 && i < f.Len(); i++ { // goals stay falsified: continue after them
			if head := head(f.Clause(i)); head != nil && m.Clause(f.Clause(i)) == dimacs.False {
				m.Set(*head)
				break
			}
		}
		if i < 0 || i == f.Len() {
			return m
		}
	}
}

// head returns the positive literal of a clause, or nil.
func head(c []dimacs.Lit) *dimacs.Lit {
	for i := range c {
		if !c[i].Neg() {
			return &c[i]
		}
	}
	return nil
}
