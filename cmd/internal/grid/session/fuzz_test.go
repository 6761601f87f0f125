package session_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/fuzztest"
)

// satisfiable is a formula of four clauses with models. Variable 4 does not occur.
func satisfiable() *dimacs.Formula {
	f := dimacs.NewFormula(4)
	f.AddInts(1, 2)
	f.AddInts(1, -2, 3)
	f.AddInts(-1, 2, 3)
	f.AddInts(-1, -3, 2)
	return f
}

// FuzzSegment checks segments with arbitrary steps. If the checker accepts a segment
// without imports, the formula implies each lemma without fresh variables, and the merged
// proof is right. Headers fit their segments, as far
// as possible, so that the steps are reached.
func FuzzSegment(f *testing.F) {
	var seeds [][]byte
	for _, steps := range []func(s *forged){
		func(s *forged) {},
		func(s *forged) {
			s.add(5, []int64{2, 3}, 1, 3)
			s.add(6, []int64{2, 1}, 1)
			s.add(6, []int64{2, 1}, exportHint)
			s.remove(5)
		},
		func(s *forged) { s.add(5, []int64{2}, 1, 3, 4) },
		func(s *forged) {
			s.add(5, []int64{5, 1})
			s.add(6, []int64{5, -4})
			s.add(7, []int64{-5, -1, 4}, -5, -6)
			s.remove(5, 6)
		},
		func(s *forged) {
			s.add(5, []int64{4}, importBase+7)
			s.add(6, []int64{-4}, importBase+8)
			s.add(7, nil, 5, 6)
		},
		func(s *forged) { s.add(5, []int64{4}) },
	} {
		var s forged
		steps(&s)
		seeds = append(seeds, s)
	}
	var export, big forged
	export.list(exportHint)
	big.list(importBase+1, 1<<62)
	words := []string{"a", "d", "\x00", "a\x0a", "a\x0c", "a\x0e", "\x02", "\x03", "\x04", "\x05", "\x08", "\x09", "\x0a", "\x0b", "\x0c", "\x0d", "\x02\x06\x08\x00", string(export), string(big[:6]), string(big[6:])}
	formula := satisfiable()
	models := modelsOf(formula)
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		h := headerOf(in)
		check, err := session.NewChecker(formula, 4, nil)
		if err != nil {
			t.Fatal(err)
		}
		report, err := check.Check(context.Background(), h, bytes.NewReader(in))
		for _, literals := range []bool{false, true} {
			mergeAny(t, formula, h, in, literals, err == nil && len(report.Imports) == 0)
		}
		if err != nil {
			return
		}
		if scanned, err := session.Scan(context.Background(), h, bytes.NewReader(in), nil); err != nil || fmt.Sprint(scanned) != fmt.Sprint(report) {
			t.Fatalf("scanned: %v, %v, checked: %v", scanned, err, report)
		}
		_, err = session.NewNumbering(session.Base{Clauses: 4, Next: 5, Vars: 4}).Accept("a", *report)
		if (err == nil) != (len(report.Imports) == 0) {
			t.Fatalf("%d imports, and the numbering returns %v", len(report.Imports), err)
		}
		if len(report.Imports) == 0 {
			wantImplied(t, models, in)
		}
	})
}

// headerOf returns a header that fits the steps as far as they are readable.
func headerOf(in []byte) session.Header {
	sum := sha256.Sum256(in)
	h := session.Header{Number: 1, First: 5, Next: 5, Size: int64(len(in)), SHA256: hex.EncodeToString(sum[:])}
	fresh := map[dimacs.Var]bool{}
	for r := proof.NewReader(bytes.NewReader(in), "", proof.BinaryLRAT); ; {
		s, err := r.Next()
		switch {
		case err != nil:
			h.Fresh = len(fresh)
			return h
		case s.Delete || len(s.Hints) == 1 && s.Hints[0] == exportHint:
			continue
		case len(s.Hints) != 1 || s.Hints[0] <= importBase || s.Hints[0] >= exportHint:
			h.Lemmas++
		}
		h.Next++
		for _, l := range s.Lits {
			if l.Var() >= 4 {
				fresh[l.Var()] = true
			}
		}
	}
}

// mergeAny merges a segment that may be wrong. If it is right, the proof in LRAT and DRAT
// must be so too.
func mergeAny(t testing.TB, f *dimacs.Formula, h session.Header, in []byte, literals, right bool) {
	var to dimacs.Proof = proof.NewWriter(io.Discard, proof.LRAT, f.Len())
	check := proof.NewChecker()
	if literals {
		to = check
	}
	m, err := session.NewMerger(to, f, session.Base{Clauses: 4, Next: 5, Vars: 4}, session.MergeOptions{Literals: literals})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Segment(context.Background(), "a", h, bytes.NewReader(in))
	if err != nil && right {
		t.Fatalf("the merger refuses a segment that the checker accepts: %v", err)
	}
	if err == nil {
		m.EndSession("a")
	}
	if err := check.Err(); err != nil && right {
		t.Fatalf("the merged proof is wrong: %v", err)
	}
	if m.Refuted() && right {
		t.Fatal("a satisfiable formula is refuted")
	}
}

// modelsOf returns all models of a formula.
func modelsOf(f *dimacs.Formula) (models []dimacs.Model) {
	for i := range 1 << f.Vars() {
		m := make(dimacs.Model, f.Vars())
		for v := range f.Vars() {
			m.Set(dimacs.Var(v).Lit() | dimacs.Lit(i>>v&1))
		}
		if m.Falsified(f) < 0 {
			models = append(models, m)
		}
	}
	return models
}

// wantImplied checks that all models satisfy the lemmas without fresh variables.
func wantImplied(t testing.TB, models []dimacs.Model, in []byte) {
	for r := proof.NewReader(bytes.NewReader(in), "", proof.BinaryLRAT); ; {
		s, err := r.Next()
		if err != nil {
			return
		}
		g := dimacs.NewFormula(4)
		if !s.Delete {
			g.Add(s.Lits...)
		}
		if g.Vars() > 4 {
			continue
		}
		for _, m := range models {
			if m.Falsified(g) >= 0 {
				t.Fatalf("the formula does not imply the lemma %v", s.Lits)
			}
		}
	}
}
