package families

import (
	"testing"
)

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
