package inprocess_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// checkPlain checks the methods of a host against its formula and the proof.
func checkPlain(t *testing.T, h *inprocess.Plain, rec *dplltest.Recorder) {
	t.Helper()
	f := h.Formula()
	if err := rec.VerifySimplified(f); err != nil {
		t.Fatal(err)
	}
	fixed, edges := false, 0
	for _, c := range f.Clauses() {
		open := slices.DeleteFunc(slices.Clone(c), func(l dimacs.Lit) bool { return h.Values()[l] != 0 })
		satisfied := slices.ContainsFunc(c, func(l dimacs.Lit) bool { return h.Values()[l] > 0 })
		fixed = fixed || len(c) > 1 && len(open) < len(c)
		if !h.Refuted() && !satisfied && len(open) < 2 {
			t.Fatalf("clause %v is not propagated", c)
		}
		if len(c) == 2 && len(open) == 2 {
			edges += 2
		}
	}
	if h.FixedRemoved() == fixed {
		t.Fatalf("FixedRemoved returned %t", !fixed)
	}
	g := h.Implications(true)
	if len(g.Heads) != edges {
		t.Fatalf("%d edges, want %d", len(g.Heads), edges)
	}
	for l := range dimacs.Lit(2 * h.Vars()) {
		for i, head := range g.Row(l) {
			ref := g.Refs[int(g.Start[l])+i]
			if ref&1 == 0 || !slices.Contains(g.Row(dimacs.Lit(head^1)), uint32(l^1)) {
				t.Fatalf("edge from %v to %v with the reference %d", l, dimacs.Lit(head), ref)
			}
		}
	}
	h.EachClause(func(r uint32, lits []uint32) bool {
		if r == 0 || r&1 != 0 || len(lits) < 3 || !slices.Equal(h.Lits(r), lits) {
			t.Fatalf("clause %v with the reference %d", lits, r)
		}
		return true
	})
}

// Random formulas keep their models in a host, while units and binary clauses are added
// and assigned literals are removed. The added clauses are implied by two originals.
func TestPlain(t *testing.T) {
	for seed := range uint64(150) {
		_, c := dplltest.RandomCase(seed, 0)
		r := rand.New(rand.NewPCG(seed, 0))
		f := c.Formula
		x, y := f.NewVar().Lit(), f.NewVar().Lit()
		f.Add(x, y)
		f.Add(x, y.Not())
		rec := dplltest.NewRecorder(seed&1 == 0)
		h := inprocess.NewPlain(f, rec)
		checkPlain(t, h, rec)
		if h.Refuted() {
			continue
		}
		if z := dimacs.Lit(r.IntN(int(x) + 1)); z < x && h.Values()[z] == 0 {
			h.AddBinary(x, z, rec.Learn([]dimacs.Lit{x, z}, implicationIDs(h, x)))
		}
		checkPlain(t, h, rec)
		for range 2 { // the second unit clause is a duplicate
			id := rec.Learn([]dimacs.Lit{x}, implicationIDs(h, x))
			if !h.AddUnits([]inprocess.Unit{{Lit: x, ID: id}}) || h.Values()[x] != 1 {
				t.Fatal("unit clause was not added")
			}
			checkPlain(t, h, rec)
		}
		h.RemoveFixed()
		checkPlain(t, h, rec)
		if !h.FixedRemoved() {
			t.Fatal("assigned literals were not removed")
		}
	}
}

// implicationIDs returns the ids of the two clauses (x or y) and (x or not y), as hints
// for a clause of x.
func implicationIDs(h *inprocess.Plain, x dimacs.Lit) []int64 {
	if !h.Hints() {
		return nil
	}
	if h.Values()[x] > 0 {
		return []int64{h.UnitID(uint32(x >> 1))}
	}
	g := h.Implications(true)
	from := g.Start[x.Not()]
	return []int64{h.ClauseID(g.Refs[from]), h.ClauseID(g.Refs[from+1])}
}

// Contradictory units refute a host.
func TestPlainRefute(t *testing.T) {
	for _, units := range [][]int{{1, -1}, {-2, -3}} {
		f := dimacs.NewFormula(3)
		f.AddInts(1, 2, 3)
		f.AddInts(-1, 2, 3)
		for _, n := range units {
			f.AddInts(n)
		}
		for _, hints := range []bool{false, true} {
			rec := dplltest.NewRecorder(hints)
			if h := inprocess.NewPlain(f, rec); !h.Refuted() || h.AddUnits(nil) {
				t.Errorf("units %v: not refuted", units)
			} else if err := rec.VerifySimplified(h.Formula()); err != nil {
				t.Error(err)
			}
		}
	}
}
