package proof_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// newBatch returns a batch that checks often, with the clauses of f.
func newBatch(f *dimacs.Formula) *proof.Batch {
	b := proof.NewBatch(f, nil)
	b.SetLimit(1)
	for _, d := range f.Clauses() {
		b.Original(d)
	}
	return b
}

// TestBatchEngine checks an engine in batches of several sizes, in this goroutine and beside it,
// in calls with some of the clauses and with assumptions.
func TestBatchEngine(t *testing.T) {
	refuted := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0))
		_, c := dplltest.RandomCase(seed, 0)
		b := proof.NewBatch(c.Formula, nil)
		b.SetLimit(1 + r.IntN(200))
		if seed%2 == 0 {
			b.Concurrently()
		}
		o := cdcl.Options{}
		o.ReduceInterval, o.InprocessInterval = 2, 2
		o.OneShot = seed%3 == 0
		o.Proof = proof.Tee(b, proof.NewChecker())
		if seed%4 < 2 {
			o.Proof = b
		}
		s := cdcl.New(o)
		for i, d := range c.Formula.Clauses() {
			s.Add(d...)
			if last := i+1 == c.Formula.Len(); !last && (o.OneShot || r.IntN(4) > 0) {
				continue
			}
			var assumptions []dimacs.Lit
			if !o.OneShot {
				assumptions = c.Assumptions
			}
			if s.Solve(context.Background(), assumptions...) == dimacs.Unsatisfiable {
				refuted++
				if err := b.Refutes(s.Failed()); err != nil {
					t.Fatalf("seed %d, after %d clauses: %v\n%v", seed, i+1, err, c)
				}
			}
			if err := b.Err(); err != nil {
				t.Fatalf("seed %d, after %d clauses: %v\n%v", seed, i+1, err, c)
			}
		}
	}
	if refuted < 100 {
		t.Errorf("only %d refutations", refuted)
	}
}

// TestBatchDrops checks that a long run leaves lemmas out, and that others are checked.
func TestBatchDrops(t *testing.T) {
	f := random3(130, 650)
	c := proof.NewChecker()
	refute(t, f, c)
	b := proof.NewBatch(f, nil)
	b.SetLimit(20_000)
	refute(t, f, b)
	wantError(t, b.Refutes(nil), "")
	if n := b.Lemmas(); n < c.Lemmas()/20 || n > c.Lemmas()*9/10 {
		t.Errorf("%d lemmas of %d were checked", n, c.Lemmas())
	}
}

// TestBatchIsSound checks that a proof of another formula, which differs in one clause, is rejected
// if the formula has a model.
func TestBatchIsSound(t *testing.T) {
	satisfiable := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		vars := 3 + r.IntN(8)
		f := dimacs.NewFormula(vars)
		for i := 0; i < 5*vars; i++ {
			var c []dimacs.Lit
			for _, v := range r.Perm(vars)[:3] {
				c = append(c, dimacs.Var(v).Lit()^dimacs.Lit(r.IntN(2)))
			}
			f.Add(c...)
		}
		if status, _ := dplltest.Oracle(f); status != dimacs.Unsatisfiable {
			continue
		}
		changed, at := dimacs.NewFormula(vars), r.IntN(f.Len())
		for i, d := range f.Clauses() {
			if i == at {
				d = dimacs.Lits(1, -1)
			}
			changed.Add(d...)
		}
		status, _ := dplltest.Oracle(changed)
		b := proof.NewBatch(changed, nil)
		b.SetLimit(1 + r.IntN(100))
		refute(t, f, b)
		if err := b.Refutes(nil); status == dimacs.Satisfiable && err == nil {
			t.Fatalf("seed %d: accepted\n%v", seed, changed)
		} else if status == dimacs.Satisfiable {
			satisfiable++
		}
	}
	if satisfiable < 20 {
		t.Errorf("only %d formulas have a model", satisfiable)
	}
}

// TestBatchOrder checks that a clause of the formula after a RAT step is an error.
func TestBatchOrder(t *testing.T) {
	f := formula(1, 2, 0, -3, 0)
	b := proof.NewBatch(f, nil)
	b.Original(f.Clause(0))
	b.Learn(dimacs.Lits(3), nil)
	b.Original(f.Clause(1))
	b.Learn(nil, []int64{2, 3})
	wantError(t, b.Refutes(nil), "clause 3 is given after a RAT step")
}

func TestBatchFaults(t *testing.T) {
	tests := []struct {
		name  string
		steps func(b *proof.Batch)
		want  string
	}{
		{"right", func(b *proof.Batch) { b.Learn(dimacs.Lits(1), []int64{1, 2}); b.Learn(nil, []int64{5, 3, 4}) }, ""},
		{"no refutation", func(b *proof.Batch) { b.Learn(dimacs.Lits(1), []int64{1, 2}) }, "proof: the empty clause was not derived"},
		{"a wrong hint", func(b *proof.Batch) { b.Learn(dimacs.Lits(1), []int64{1, 3}); b.Learn(nil, []int64{5, 3, 4}) },
			"lemma 5: hint 2, clause 3 (-1 2), is not unit"},
		{"a wrong lemma that nothing needs", func(b *proof.Batch) {
			b.Delete(b.Learn(dimacs.Lits(2), nil), dimacs.Lits(2))
			b.Learn(dimacs.Lits(1), []int64{1, 2})
			b.Learn(nil, []int64{6, 3, 4})
		}, ""},
		{"a wrong lemma that was deleted after its use", func(b *proof.Batch) {
			id := b.Learn(dimacs.Lits(2), []int64{1})
			b.Learn(dimacs.Lits(1), []int64{id, 2})
			b.Delete(id, dimacs.Lits(2))
			b.Learn(nil, []int64{6, 3, 4})
		}, "lemma 5: the hints end without a falsified clause, and clause 4 (-1 -2) with -2 has no group of hints"},
		{"a hint that was deleted", func(b *proof.Batch) {
			id := b.Learn(dimacs.Lits(1), []int64{1, 2})
			b.Delete(id, dimacs.Lits(1))
			b.Learn(dimacs.Lits(1, 2, 7), []int64{1})
			b.Learn(nil, []int64{id, 3, 4})
		}, "lemma 7: hint 1, clause 5, was deleted"},
		{"a clause of the formula that was deleted", func(b *proof.Batch) {
			b.Delete(2, nil)
			b.Learn(dimacs.Lits(1), []int64{1, 2})
			b.Learn(nil, []int64{5, 3, 4})
		}, "lemma 5: hint 2, clause 2, was deleted"},
		{"a definition", func(b *proof.Batch) {
			b.Learn(dimacs.Lits(3, 1), nil)
			b.Learn(dimacs.Lits(-3, -1), []int64{-5})
			b.Learn(dimacs.Lits(1), []int64{1, 2})
			b.Learn(nil, []int64{7, 3, 4})
		}, ""},
		{"a definition without a group", func(b *proof.Batch) {
			b.Learn(dimacs.Lits(3, 1), nil)
			b.Learn(dimacs.Lits(-3, 2), nil)
			b.Learn(dimacs.Lits(2), []int64{6, 5, 3})
			b.Learn(dimacs.Lits(1), []int64{1, 2})
			b.Learn(nil, []int64{8, 4, 7})
		}, "lemma 6: the hints end without a falsified clause, and clause 5 (3 1) with 3 has no group of hints"},
		{"a definition on a variable of the formula", func(b *proof.Batch) {
			b.Learn(dimacs.Lits(1), nil)
			b.Learn(nil, []int64{5, 3, 4})
		}, "lemma 5: the hints end without a falsified clause, and clause 4 (-1 -2) with -1 has no group of hints"},
	}
	for _, test := range tests {
		for _, limit := range []int{1, 1000} {
			if strings.HasSuffix(test.name, "nothing needs") && limit == 1 {
				continue // the latest lemma is not dropped
			}
			t.Run(fmt.Sprint(test.name, " ", limit), func(t *testing.T) {
				b := newBatch(both())
				b.SetLimit(limit)
				test.steps(b)
				wantError(t, b.Refutes(nil), test.want)
			})
		}
	}
}

// TestBatchMemory checks that a batch without memory ends its checks, and not the engine.
func TestBatchMemory(t *testing.T) {
	f := random3(130, 650)
	for _, allowed := range []int{0, 1, 2, 5, 10} {
		for _, end := range []bool{false, true} {
			b := proof.NewBatch(f, func(n int64) bool {
				if n > 0 {
					allowed--
				}
				return allowed >= 0 || end
			})
			b.SetLimit(1000)
			if end {
				b.End()
			}
			refute(t, f, b)
			if err := b.Refutes(nil); !errors.As(err, new(*dimacs.MemoryError)) {
				t.Errorf("%d allowed, ended %v: %v", allowed, end, err)
			}
		}
	}
}

// TestCheckerSizes compares the clauses of a checker with a map, while clauses of very different
// sizes are added and deleted.
func TestCheckerSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c, want := proof.NewChecker(), map[int64][]dimacs.Lit{}
	var ids []int64
	for range 3000 {
		if len(ids) > 0 && r.IntN(9) < 4 {
			i := r.IntN(len(ids))
			c.Delete(ids[i], want[ids[i]])
			delete(want, ids[i])
			ids = slices.Delete(ids, i, i+1)
			continue
		}
		n := r.IntN(8)
		switch r.IntN(100) {
		case 0:
			n = 60_000 + r.IntN(10_000) // about the size of a block
		case 1:
			n = 150_000
		case 2, 3, 4:
			n = r.IntN(20_000)
		}
		lits := make([]dimacs.Lit, n)
		start := r.IntN(1000)
		for i := range lits {
			lits[i] = dimacs.Lit(2 * (start + i))
		}
		id := c.Original(lits)
		want[id], ids = lits, append(ids, id)
	}
	for id, lits := range want {
		if len(lits) > 0 && !c.Has(id, lits) {
			t.Errorf("clause %d of %d literals differs", id, len(lits))
		}
	}
	wantError(t, c.Err(), "")
}
