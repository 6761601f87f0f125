package families

import (
	"math"
	"testing"

	"sator/dimacs"
)

// TestPlantedWeight measures the fraction of true literals. A clause with t of
// k literals true has the weight C(k,t) q^t, so the expected fraction is the
// weighted mean of t/k.
func TestPlantedWeight(t *testing.T) {
	for _, w := range []struct {
		k    int
		q    float64
		want float64
	}{
		{3, 1, 12.0 / 21}, // (3*1 + 3*2 + 1*3) / 3 out of 7
		{3, 0.618, 0.5},
		{3, 0.001, 1.0 / 3},
		{5, 1, 80.0 / 155},
	} {
		inst := mustMake(t, "planted", Values{"vars": 500, "k": float64(w.k), "clauses": 20_000, "q": w.q}, 3)
		hits := 0
		for _, c := range inst.Formula.Clauses() {
			for _, l := range c {
				if inst.Model.Lit(l) == dimacs.True {
					hits++
				}
			}
		}
		got := float64(hits) / float64(inst.Formula.Size())
		if math.Abs(got-w.want) > 0.01 {
			t.Errorf("k %d, q %g: %.4f of the literals are true, want %.4f", w.k, w.q, got, w.want)
		}
	}
}

// TestPlantedPositions checks that all positions in a clause are true equally
// often, because solvers initially watch the first positions.
func TestPlantedPositions(t *testing.T) {
	inst := mustMake(t, "planted", Values{"vars": 500, "clauses": 20_000}, 4)
	var hits [3]int
	for _, c := range inst.Formula.Clauses() {
		for i, l := range c {
			if inst.Model.Lit(l) == dimacs.True {
				hits[i]++
			}
		}
	}
	for i, n := range hits {
		if got := float64(n) / 20_000; math.Abs(got-12.0/21) > 0.015 {
			t.Errorf("position %d is true in %.4f of the clauses, want %.4f", i, got, 12.0/21)
		}
	}
}
