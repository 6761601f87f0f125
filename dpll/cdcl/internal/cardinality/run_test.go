package cardinality_test

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/cardinality"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
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

// A stoppingHost stops the pass at a poll.
type stoppingHost struct {
	*inprocess.Plain
	polls int // polls before the pass is stopped
}

func (h *stoppingHost) Poll() bool {
	h.polls--
	return h.Stopped()
}

func (h *stoppingHost) Stopped() bool { return h.polls < 0 }

// overfull returns the formula that each of 2 holes+1 pigeons is in a hole, and no hole has
// three pigeons.
func overfull(holes int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	at := func(pigeon, hole int) dimacs.Lit { return dimacs.Lit(2 * (pigeon*holes + hole)) }
	for a := range 2*holes + 1 {
		var c []dimacs.Lit
		for h := range holes {
			c = append(c, at(a, h))
			for b := range a {
				for d := range b {
					f.Add(at(a, h)^1, at(b, h)^1, at(d, h)^1)
				}
			}
		}
		f.Add(c...)
	}
	return f
}

// TestStopped checks that a pass that is stopped while it proves a refutation deletes what
// it derived, and that the next pass can log the same definitions.
func TestStopped(t *testing.T) {
	stopped, refuted := 0, false
	for polls := 0; !refuted; polls++ {
		rec := dplltest.NewRATRecorder(polls&1 == 0)
		h := &stoppingHost{inprocess.NewPlain(overfull(3), rec), polls}
		var d cardinality.Detector
		d.Run(h, h.Vars(), 1e6)
		if refuted = h.Refuted(); refuted {
			break
		}
		stopped++
		if err := rec.VerifySimplified(h.Formula()); err != nil {
			t.Fatalf("stopped at poll %d: %v", polls, err)
		}
		d = cardinality.Detector{}
		if d.Run(h.Plain, h.Vars(), 1e6); !h.Refuted() {
			t.Fatalf("no refutation after a stop at poll %d", polls)
		}
		if err := rec.VerifySimplified(h.Formula()); err != nil {
			t.Fatalf("refuted after a stop at poll %d: %v", polls, err)
		}
	}
	if stopped < 10 {
		t.Errorf("the pass was stopped at %d polls", stopped)
	}
}
