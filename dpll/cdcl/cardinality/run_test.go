package cardinality_test

import (
	"testing"

	"sator/dpll/cdcl/cardinality"
	"sator/dpll/cdcl/inprocess"
	"sator/dpll/dplltest"
)

// Random formulas keep their models, and each refutation has a proof.
func TestRun(t *testing.T) {
	refuted := 0
	for seed := range uint64(600) {
		family, c := dplltest.RandomCase(seed, 0)
		rec := dplltest.NewRATRecorder(seed&1 == 0)
		h := inprocess.NewPlain(c.Formula, rec)
		if h.Refuted() {
			continue
		}
		var d cardinality.Detector
		st := d.Run(h, h.Vars()-len(h.Trail()), 1e6)
		if err := rec.VerifySimplified(h.Formula()); err != nil {
			t.Fatalf("seed %d, family %s: %v", seed, family, err)
		}
		if h.Refuted() != (st.Pigeonholes == 1) {
			t.Fatalf("seed %d, family %s: %+v, but refuted: %t", seed, family, st, h.Refuted())
		}
		if h.Refuted() {
			refuted++
		}
	}
	if refuted == 0 {
		t.Error("no refutation")
	}
}
