package families

import (
	"math"
	"testing"

	"sator/dimacs"
)

// TestKSATShape counts the occurrences of literals: equal within five standard
// deviations.
func TestKSATShape(t *testing.T) {
	const vars, m, k = 50, 20_000, 4
	inst := mustMake(t, "ksat", Values{"vars": vars, "clauses": m, "k": k}, 5)
	f := inst.Formula
	if f.Vars() != vars || f.Len() != m || f.Size() != m*k {
		t.Fatalf("%d variables, %d clauses, %d literals", f.Vars(), f.Len(), f.Size())
	}
	counts := make([]int, 2*vars)
	for _, c := range f.Clauses() {
		for _, l := range c {
			counts[l]++
		}
	}
	mean := float64(m*k) / (2 * vars)
	for l, n := range counts {
		if math.Abs(float64(n)-mean) > 5*math.Sqrt(mean) {
			t.Errorf("%v occurs %d times, want about %.0f", dimacs.Lit(l), n, mean)
		}
	}
}

// TestKSATThreshold checks the default number of clauses, that of the
// threshold.
func TestKSATThreshold(t *testing.T) {
	for _, w := range []struct{ k, want int }{{2, 1000}, {3, 4267}, {4, 9931}, {5, 21117}, {6, 43370}, {7, 87790}, {8, 176599}, {10, 708936}} {
		v := Values{"vars": 1000}
		got, err := clauseCount(v, w.k)
		if err != nil || got != w.want || v["ratio"] != threshold(w.k) {
			t.Errorf("k %d: %d clauses at ratio %g, error %v; want %d", w.k, got, v["ratio"], err, w.want)
		}
	}
}
