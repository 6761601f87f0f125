package xor_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/xor"
	"sator/internal/dplltest"
)

// addXOR adds the clauses of an XOR constraint to f.
func addXOR(f *dimacs.Formula, odd bool, vars []int) {
	for signs := range 1 << len(vars) {
		if (bits.OnesCount(uint(signs))&1 != 0) == odd {
			continue
		}
		var c []dimacs.Lit
		for i, v := range vars {
			c = append(c, dimacs.Lit(2*v|signs>>i&1))
		}
		f.Add(c...)
	}
}

// randomSystem returns the clauses of random XOR constraints of two to five variables. In
// every other formula, all clauses follow a duplicate of the first clause.
func randomSystem(r *rand.Rand) *dimacs.Formula {
	f := dimacs.NewFormula(9)
	for range 2 + r.IntN(8) {
		addXOR(f, r.IntN(2) == 0, r.Perm(f.Vars())[:2+r.IntN(4)])
	}
	g := dimacs.NewFormula(f.Vars())
	if r.IntN(2) == 0 {
		g.Add(f.Clause(0)...)
	}
	g.Append(f)
	return g
}

// Random formulas keep their models, and the proof of each result is right and deletes its
// extension variables.
func TestRun(t *testing.T) {
	var sum xor.Stats
	refuted := 0
	for seed := range uint64(500) {
		f := randomSystem(rand.New(rand.NewPCG(seed, 0)))
		if seed%4 == 0 {
			_, c := dplltest.RandomCase(seed, 0)
			f = c.Formula
		}
		rec := dplltest.NewRATRecorder(seed&1 == 0)
		h := inprocess.NewPlain(f, rec)
		if h.RemoveFixed(); h.Refuted() {
			continue
		}
		st := xor.Run(h, 1e6)
		if err := rec.VerifySimplified(h.Formula()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.Constraints += st.Constraints
		sum.Additions += st.Additions
		sum.Units += st.Units
		sum.Equivalences += st.Equivalences
		if h.Refuted() {
			refuted++
		}
	}
	if sum.Constraints == 0 || sum.Additions == 0 || sum.Units == 0 || sum.Equivalences == 0 || refuted == 0 {
		t.Errorf("%+v and %d refutations: want some of each", sum, refuted)
	}
}
