package congruence_test

import (
	"testing"

	"sator/dpll/cdcl/internal/congruence"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// Random formulas keep their models, and the proof of each result is right and deletes its
// lemmas.
func TestRun(t *testing.T) {
	var sum congruence.Stats
	for seed := range uint64(600) {
		family, c := dplltest.RandomCase(seed, 0)
		rec := dplltest.NewRecorder(seed&1 == 0)
		h := inprocess.NewPlain(c.Formula, rec)
		if h.Refuted() {
			continue
		}
		var closer congruence.Closer
		for range 2 {
			st := closer.Run(h, 1e6)
			sum.Ands += st.Ands
			sum.Ifs += st.Ifs
			sum.Majs += st.Majs
			sum.Xors += st.Xors
			sum.Merged += st.Merged
			sum.Reduced += st.Reduced
			sum.Short += st.Short
			sum.Units += st.Units
		}
		if err := rec.VerifySimplified(h.Formula()); err != nil {
			t.Fatalf("seed %d, family %s: %v", seed, family, err)
		}
	}
	if sum.Ands == 0 || sum.Ifs == 0 || sum.Xors == 0 || sum.Merged == 0 || sum.Units == 0 {
		t.Errorf("%+v: want AND, ITE and XOR gates, merged literals and units", sum)
	}
}
