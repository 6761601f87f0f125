package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
)

// newChecker returns a checker with the clauses of f.
func newChecker(f *dimacs.Formula) *proof.Checker {
	c := proof.NewChecker()
	for _, d := range f.Clauses() {
		c.Original(d)
	}
	return c
}

// wantError compares the text of an error with want, which is empty for no
// error.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
		t.Errorf("got error %q, want %q", got, want)
	}
}

func TestChecker(t *testing.T) {
	c := newChecker(both())
	if !c.Hints() {
		t.Error("Hints is false")
	}
	wantError(t, c.Refutes(nil), "proof: the empty clause was not derived")
	if id := c.Learn(dimacs.Lits(1), []int64{1, 2}); id != 5 {
		t.Errorf("id %d", id)
	}
	c.Delete(2, dimacs.Lits(-2, 1))
	wantError(t, c.Refutes(nil), "proof: the empty clause was not derived")
	wantError(t, c.Refutes(dimacs.Lits(2, -1)), "")
	wantError(t, c.Refutes(dimacs.Lits(1, 2)), "")
	wantError(t, c.Refutes(dimacs.Lits(1, 3)), "proof: no clause refutes the assumptions")
	wantError(t, c.Refutes(dimacs.Lits(3, 4, -3)), "")
	c.Learn(nil, []int64{5, 3, 4})
	wantError(t, c.Refutes(nil), "")
	wantError(t, c.Refutes(dimacs.Lits(1)), "")
	wantError(t, c.Err(), "")
	if n := c.Lemmas(); n != 2 {
		t.Errorf("%d lemmas", n)
	}
}

// TestCheckerLatest checks that Refutes accepts the latest clause even if it
// was deleted.
func TestCheckerLatest(t *testing.T) {
	c := newChecker(formula(-1, -2, 3, 0, -3, 0))
	id := c.Learn(dimacs.Lits(-2, -1), []int64{2, 1})
	c.Delete(id, dimacs.Lits(-1, -2))
	wantError(t, c.Refutes(dimacs.Lits(1, 2)), "")
	c.Learn(dimacs.Lits(-2, -1, 5), []int64{2, 1})
	wantError(t, c.Refutes(dimacs.Lits(1, 2)), "proof: no clause refutes the assumptions")
}

func TestCheckerFaults(t *testing.T) {
	tests := []struct {
		name  string
		steps func(c *proof.Checker)
		want  string
	}{
		{"a wrong hint", func(c *proof.Checker) { c.Learn(dimacs.Lits(1), []int64{1, 3}) },
			"lemma 5: hint 2, clause 3 (-1 2), is not unit"},
		{"no hints", func(c *proof.Checker) { c.Learn(nil, nil) },
			"lemma 5: the hints end without a falsified clause"},
		{"the first fault is kept", func(c *proof.Checker) { c.Learn(nil, nil); c.Delete(9, nil); c.Learn(nil, []int64{7}); c.Original(nil) },
			"lemma 5: the hints end without a falsified clause"},
		{"deleted twice", func(c *proof.Checker) { c.Delete(1, dimacs.Lits(1, 2)); c.Delete(1, dimacs.Lits(1, 2)) },
			"cannot delete clause 1: it was deleted"},
		{"deletes what is not there", func(c *proof.Checker) { c.Delete(5, dimacs.Lits(1)) },
			"cannot delete clause 5: it does not exist"},
		{"deletes another", func(c *proof.Checker) { c.Delete(1, dimacs.Lits(1, -2)) },
			"cannot delete clause 1 with these literals: it is (1 2)"},
		{"deletes a longer one", func(c *proof.Checker) { c.Delete(1, dimacs.Lits(1, 2, 3)) },
			"cannot delete clause 1 with these literals: it is (1 2)"},
		{"a clause after a RAT step", func(c *proof.Checker) { c.Learn(dimacs.Lits(3), nil); c.Original(dimacs.Lits(-3)) },
			"clause 6 is given after a RAT step"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newChecker(both())
			test.steps(c)
			wantError(t, c.Err(), test.want)
			wantError(t, c.Refutes(nil), test.want)
			wantError(t, c.Refutes(dimacs.Lits(1, -1)), test.want)
		})
	}
}

// TestCheckerAssumedPivot checks that Refutes rejects assumptions on the
// complement of a RAT pivot.
func TestCheckerAssumedPivot(t *testing.T) {
	c := newChecker(formula(2, 3, 0))
	c.Learn(dimacs.Lits(-1), nil)
	wantError(t, c.Err(), "")
	wantError(t, c.Refutes(dimacs.Lits(1)), "proof: 1 is assumed, and a RAT step was made on its complement")
}

// random3 returns a random formula with three literals a clause.
func random3(vars, clauses int) *dimacs.Formula {
	r := rand.New(rand.NewPCG(1, 1))
	f := dimacs.NewFormula(vars)
	for range clauses {
		var c []dimacs.Lit
		for _, v := range r.Perm(vars)[:3] {
			c = append(c, dimacs.Var(v).Lit()^dimacs.Lit(r.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// refute runs an engine that refutes f and logs to p.
func refute(t testing.TB, f *dimacs.Formula, p dimacs.Proof) {
	t.Helper()
	opts := cdcl.Options{}
	opts.ReduceInterval = 20
	opts.Proof = p
	s := cdcl.New(opts)
	s.AddFormula(f)
	if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable {
		t.Fatal(got)
	}
}

// TestCheckerMoves runs an engine with enough deletions for the arena to be
// compacted many times.
func TestCheckerMoves(t *testing.T) {
	c := proof.NewChecker()
	refute(t, random3(130, 650), c)
	wantError(t, c.Refutes(nil), "")
	if n := c.Lemmas(); n < 500 {
		t.Errorf("only %d lemmas", n)
	}
}

// BenchmarkLRAT measures the time of a hint, including the reader.
func BenchmarkLRAT(b *testing.B) {
	f := random3(180, 860)
	for _, format := range []proof.Format{proof.LRAT, proof.BinaryLRAT} {
		var file bytes.Buffer
		w := proof.NewWriter(&file, format, f.Len())
		refute(b, f, w)
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		hints := 0
		for _, s := range newTape(file.Bytes(), format).steps {
			hints += len(s.Hints)
		}
		for _, trim := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/trim=%v", format, trim), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(file.Len()))
				for b.Loop() {
					_, err := proof.Check(context.Background(), f, bytes.NewReader(file.Bytes()), proof.Options{Format: format, Trim: trim})
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*hints), "ns/hint")
			})
		}
	}
}
