package session_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
)

// A cutter passes steps to a writer, and cuts a segment after a number of lemmas.
type cutter struct {
	*session.Writer
	t        testing.TB
	every    int
	lemmas   int
	segments []*session.Segment
}

func (c *cutter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	if c.lemmas++; c.lemmas%c.every == 0 {
		c.cut()
	}
	return c.Writer.Learn(lits, hints)
}

func (c *cutter) cut() {
	s, err := c.Cut()
	if err != nil {
		c.t.Fatal(err)
	}
	c.segments = append(c.segments, s)
}

// TestDefinitions merges sessions whose solvers introduce variables. The segments of the
// sessions take turns, so that the definitions of one come between the steps of others.
func TestDefinitions(t *testing.T) {
	f := conquertest.Pigeons(7)
	var parts []*cutter
	rounds := 0
	for i := range 3 {
		c := &cutter{Writer: session.NewWriter(session.WriterOptions{Clauses: f.Len(), Vars: f.Vars()}), t: t, every: 20 + 30*i}
		o := cdcl.Options{}
		o.Proof, o.OneShot, o.Seed = c, true, uint64(i)
		s := cdcl.New(o)
		s.AddFormula(f)
		if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable {
			t.Fatal(got)
		}
		c.cut()
		parts = append(parts, c)
		rounds = max(rounds, len(c.segments))
	}
	base := session.Base{Clauses: f.Len(), Next: int64(f.Len()) + 1, Vars: f.Vars()}
	for _, format := range []proof.Format{proof.BinaryDRAT, proof.BinaryLRAT} {
		var out bytes.Buffer
		w := proof.NewWriter(&out, format, f.Len())
		m, err := session.NewMerger(w, f, base, session.MergeOptions{Literals: !format.Hints()})
		if err != nil {
			t.Fatal(err)
		}
		n := session.NewNumbering(base)
		checks := make([]*session.Checker, len(parts))
		fresh := make([]int, len(parts))
		for round := 0; !m.Refuted(); round++ {
			for i, p := range parts {
				if round >= len(p.segments) || round == len(p.segments)-1 && round < rounds-1 {
					continue // a last segment refutes the formula: only that of the longest session is used
				}
				if round == 0 {
					if checks[i], err = session.NewChecker(f, f.Vars(), nil); err != nil {
						t.Fatal(err)
					}
				}
				s, name := p.segments[round], fmt.Sprint(i)
				report, err := checks[i].Check(context.Background(), s.Header, s.Reader())
				if err != nil {
					t.Fatal(err)
				}
				fresh[i] += s.Fresh
				if _, err := n.Accept(name, *report); err != nil {
					t.Fatal(err)
				}
				if err := m.Segment(context.Background(), name, s.Header, s.Reader()); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range fresh {
			if fresh[i] == 0 {
				t.Fatalf("fresh variables of the sessions: %v", fresh)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		result, err := proof.Check(context.Background(), f, &out, proof.Options{Format: format})
		if err != nil || result.RAT == 0 {
			t.Fatalf("%v: %+v, %v", format, result, err)
		}
	}
}

// TestSimplification merges a simplification, two sessions of the simplified formula, and
// the proof of a last solver.
func TestSimplification(t *testing.T) {
	for seed := range uint64(3) {
		rng := newRand(seed)
		f := random3SAT(rng, 150, 740)
		addMatrix(f, 12)
		cubes := make([][]dimacs.Lit, 4) // that form no tree
		for i := range cubes {
			cubes[i] = []dimacs.Lit{dimacs.Lit(40*i + rng.IntN(40)), dimacs.Lit(200 + rng.IntN(40))}
		}
		var simple bytes.Buffer
		w := proof.NewWriter(&simple, proof.BinaryLRAT, f.Len())
		o := cdcl.Options{}
		o.Proof, o.FactorGain = w, 1
		simplified := portfolio.Simplify(context.Background(), f, cubes, 1, o)
		if err := w.Flush(); err != nil || simplified.Status != dimacs.Unknown {
			t.Fatal(err, simplified.Status)
		}
		g := simplified.Formula
		base := session.Base{Clauses: g.Len(), IDs: simplified.IDs, Next: simplified.Last + 1, Vars: g.Vars()}
		r := newRun(t, g, base, cubes, 2)
		r.conquer(rng)
		if r.coordinator.Status() != dimacs.Unknown {
			t.Fatalf("seed %d: the cubes cover everything", seed)
		}
		var ids []int64
		for _, c := range r.coordinator.Cover() {
			ids = append(ids, c.ID)
		}
		for format := proof.DRAT; format <= proof.BinaryLRAT; format++ {
			var out bytes.Buffer
			w := proof.NewWriter(&out, format, f.Len())
			m, err := session.NewMerger(w, f, base, session.MergeOptions{Literals: !format.Hints()})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Simplification(context.Background(), bytes.NewReader(simple.Bytes())); err != nil {
				t.Fatal(err)
			}
			r.mergeSegments(m)
			rest, err := m.Rest(&r.resolvents, ids)
			if err != nil {
				t.Fatal(err)
			}
			o := cdcl.Options{}
			o.Proof = rest
			s := cdcl.New(o)
			s.AddFormula(g)
			for _, c := range r.coordinator.Cover() {
				s.Add(c.Clause...)
			}
			if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable {
				t.Fatal(got)
			}
			if err := w.Flush(); err != nil || !m.Refuted() {
				t.Fatal(err, m.Refuted())
			}
			result, err := proof.Check(context.Background(), f, &out, proof.Options{Format: format, Forward: true})
			if err != nil || result.RAT == 0 {
				t.Fatalf("seed %d, %v: %+v, %v", seed, format, result, err)
			}
		}
	}
}

// addMatrix adds an n by n matrix of variables to a formula. Each row and column has
// exactly one true variable. BVA adds further variables then.
func addMatrix(f *dimacs.Formula, n int) {
	first := f.Vars()
	for i := range n {
		var row, column []dimacs.Lit
		for j := range n {
			row = append(row, dimacs.Var(first+n*i+j).Lit())
			column = append(column, dimacs.Var(first+n*j+i).Lit())
		}
		f.Add(row...)
		f.Add(column...)
		for j := range n {
			for k := range j {
				f.Add(row[j]^1, row[k]^1)
				f.Add(column[j]^1, column[k]^1)
			}
		}
	}
}

// TestForgedMerge checks that a merger refuses segments and resolvents with clauses that
// do not exist, also without a checker.
func TestForgedMerge(t *testing.T) {
	tests := []struct {
		name  string
		steps func(f *forged)
		sizes [3]int
		want  string
	}{
		{"later import", func(f *forged) { f.add(5, []int64{1}, importBase+5) }, [3]int{0, 1, 0}, "clause 5, and there is no such clause before"},
		{"hint", func(f *forged) { f.add(5, []int64{1}, 5) }, [3]int{1, 0, 0}, "hint 5, and there is no such clause"},
		{"group", func(f *forged) { f.add(5, []int64{1}, 1, -9) }, [3]int{1, 0, 0}, "hint -9, and there is no such clause"},
		{"deleted input", func(f *forged) { f.remove(4) }, [3]int{}, "clause 4 may not be deleted"},
		{"deleted twice", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.remove(5, 5)
		}, [3]int{1, 0, 0}, "clause 5 may not be deleted"},
		{"deleted export", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(5, []int64{1}, exportHint)
			f.remove(5)
		}, [3]int{1, 0, 0}, "clause 5 may not be deleted"},
		{"huge deletion", func(f *forged) { f.remove(1 << 62) }, [3]int{}, "may not be deleted"},
		{"export of an input", func(f *forged) { f.add(4, []int64{1}, exportHint) }, [3]int{}, "clause 4 may not be exported"},
		{"skipped variable", func(f *forged) { f.add(5, []int64{5}) }, [3]int{1, 0, 1}, "0 fresh variables"},
		{"other hash", func(f *forged) {}, [3]int{1, 0, 0}, "0 lemmas"},
	}
	for _, test := range tests {
		for _, literals := range []bool{false, true} {
			var f forged
			test.steps(&f)
			m := newMerger(t, literals)
			err := m.Segment(context.Background(), "a", f.seal(int64(test.sizes[0]), int64(test.sizes[1]), test.sizes[2]), bytes.NewReader(f))
			wantError(t, err, test.want)
		}
	}
	var r session.Resolvents
	r.Learn(nil, 5)
	wantError(t, newMerger(t, false).Resolvents(&r), "resolvent 1 of the tree of cubes has the hint 5")
	r = session.Resolvents{}
	r.Learn(dimacs.Lits(1), r.Learn(dimacs.Lits(1), 1, 2)+1)
	wantError(t, newMerger(t, false).Resolvents(&r), "resolvent 2 of the tree of cubes has the hint")
	_, err := newMerger(t, false).Rest(&session.Resolvents{}, []int64{5})
	wantError(t, err, "the refuting clause 5 does not exist")
	var f forged
	h := f.seal(0, 0, 0)
	h.Number = 2
	wantError(t, newMerger(t, false).Segment(context.Background(), "a", h, bytes.NewReader(f)), "segment 1 of session \"a\" must be next")
}

// newMerger returns a merger for the formula of four clauses.
func newMerger(t *testing.T, literals bool) *session.Merger {
	m, err := session.NewMerger(proof.NewWriter(io.Discard, proof.LRAT, 4), four(), session.Base{Clauses: 4, Next: 5, Vars: 3}, session.MergeOptions{Literals: literals})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestForgedSimplification checks the errors of a simplification that does not fit.
func TestForgedSimplification(t *testing.T) {
	tests := []struct {
		name  string
		steps func(f *forged)
		want  string
	}{
		{"right", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.remove(1)
			f.add(6, []int64{2}, 1, 3)
		}, "<nil>"},
		{"skipped number", func(f *forged) { f.add(6, []int64{1}, 1, 2) }, "session: lemma 6 of the simplification follows clause 4"},
		{"unknown deletion", func(f *forged) { f.remove(5) }, "session: the simplification deletes clause 5, and there is no such clause"},
		{"too short", func(f *forged) { f.add(5, []int64{1}, 1, 2) }, "session: the simplification ends with clause 5, and the sessions begin with clause 7"},
		{"deleted clause", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(6, []int64{2}, 1, 3)
			f.remove(4)
		}, "session: clause 2 of the simplified formula, number 4 of the proof, does not exist or is not unique"},
		{"cut off", func(f *forged) { *f = append(*f, 'a') }, "simplification: byte 2: the last step is not ended by 0"},
	}
	for _, test := range tests {
		var f forged
		test.steps(&f)
		base := session.Base{Clauses: 2, IDs: []int64{5, 4}, Next: 7, Vars: 3}
		m, err := session.NewMerger(proof.NewWriter(io.Discard, proof.LRAT, 4), four(), base, session.MergeOptions{Literals: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.Simplification(context.Background(), bytes.NewReader(f))); got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// TestSpill checks that a segment in a temporary file has the bytes of one in memory, and
// that Close removes the file.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	var both [2]*session.Segment
	for i, buffer := range []int{1 << 20, 100} {
		w := session.NewWriter(session.WriterOptions{Clauses: 4, Vars: 3, Dir: dir, Buffer: buffer})
		for range 3 {
			for range 100 {
				id := w.Learn(dimacs.Lits(1, 7), []int64{1, 2})
				w.Learn(dimacs.Lits(1), []int64{id, 1, -2})
				w.Delete(id, nil)
				w.Delete(1, nil)
			}
			id := w.Import(77, dimacs.Lits(3))
			w.Delete(id, nil) // is rejected at once
			id = w.Import(78, dimacs.Lits(-3))
			w.Export(w.Learn(dimacs.Lits(2), []int64{id}), dimacs.Lits(2))
			w.Delete(id, nil)
			s, err := w.Cut()
			if err != nil {
				t.Fatal(err)
			}
			if both[i] != nil {
				if err := both[i].Close(); err != nil {
					t.Fatal(err)
				}
			}
			both[i] = s
		}
	}
	if both[0].Header != both[1].Header || both[0].Bytes() == nil || both[1].Bytes() != nil {
		t.Fatalf("%+v, %+v", both[0].Header, both[1].Header)
	}
	if _, err := session.Scan(context.Background(), both[1].Header, both[1].Reader(), nil); err != nil {
		t.Fatal(err)
	}
	a, _ := io.ReadAll(both[0].Reader())
	b, _ := io.ReadAll(both[1].Reader())
	if !bytes.Equal(a, b) || int64(len(a)) != both[0].Size {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
	for _, s := range both {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestSpillFault checks the error of a temporary file that cannot be made.
func TestSpillFault(t *testing.T) {
	w := session.NewWriter(session.WriterOptions{Clauses: 4, Vars: 3, Dir: t.TempDir() + "/missing", Buffer: 10})
	for range 20 {
		w.Learn(dimacs.Lits(1), []int64{1, 2})
	}
	if _, err := w.Cut(); err == nil || w.Err() != err {
		t.Errorf("error %v, then %v", err, w.Err())
	}
}
