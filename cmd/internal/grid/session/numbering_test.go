package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
)

// reportOf returns a report for the segment of a session of a formula with four clauses.
func reportOf(number int, first, lemmas int64, fresh int, imports, exports []session.Clause) session.Report {
	h := session.Header{Number: number, First: first, Next: first + lemmas + int64(len(imports)), Lemmas: lemmas, Fresh: fresh}
	return session.Report{Header: h, Imports: imports, Exports: exports}
}

// TestNumbering checks the final ids of two sessions with imports.
func TestNumbering(t *testing.T) {
	n := session.NewNumbering(session.Base{Clauses: 4, IDs: []int64{3, 9, 11, 8}, Next: 20, Vars: 3})
	steps := []struct {
		session string
		report  session.Report
		finals  string // of all clauses of the session
	}{
		{"a", reportOf(1, 5, 3, 0, nil, []session.Clause{{ID: 6, Lits: dimacs.Lits(2, -1)}}), "[3 9 11 8 20 21 22]"},
		{"b", reportOf(1, 5, 2, 1, []session.Clause{{ID: 6, Final: 21, Lits: dimacs.Lits(-1, 2)}}, []session.Clause{{ID: 7, Lits: dimacs.Lits(3)}}), "[3 9 11 8 23 21 24]"},
		{"a", reportOf(2, 8, 0, 0, nil, nil), "[3 9 11 8 20 21 22]"},
		{"a", reportOf(3, 8, 2, 2, []session.Clause{{ID: 8, Final: 24, Lits: dimacs.Lits(3)}, {ID: 9, Final: 21, Lits: dimacs.Lits(2, -1)}}, nil), "[3 9 11 8 20 21 22 24 21 25 26]"},
		{"b", reportOf(2, 8, 1, 1, nil, nil), "[3 9 11 8 23 21 24 27]"},
	}
	for i, s := range steps {
		exports, err := n.Accept(s.session, s.report)
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		var finals []int64
		for id := int64(1); id < s.report.Next; id++ {
			final, err := n.Final(s.session, id)
			if err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			finals = append(finals, final)
		}
		if fmt.Sprint(finals) != s.finals {
			t.Errorf("step %d: final ids %v, want %s", i, finals, s.finals)
		}
		for _, e := range exports {
			if e.Final != finals[e.ID-1] {
				t.Errorf("step %d: export %v", i, e)
			}
		}
		_, err = n.Final(s.session, s.report.Next)
		wantError(t, err, "no accepted clause")
	}
	if n.Next() != 28 || n.Segments("a") != 3 || n.Segments("c") != 0 {
		t.Errorf("next id %d, %d segments of a, %d of c", n.Next(), n.Segments("a"), n.Segments("c"))
	}
	for _, id := range []int64{0, -1, math.MinInt64} {
		_, err := n.Final("a", id)
		wantError(t, err, "no accepted clause")
	}
	_, err := n.Final("c", 1)
	wantError(t, err, "no accepted clause")
}

// TestRefusedReports checks that a numbering refuses reports that contradict the accepted
// segments, and that a refusal changes nothing.
func TestRefusedReports(t *testing.T) {
	exported := []session.Clause{{ID: 5, Lits: dimacs.Lits(1, 2)}}
	imported := func(id, final int64, lits ...int) []session.Clause {
		return []session.Clause{{ID: id, Final: final, Lits: dimacs.Lits(lits...)}}
	}
	tests := []struct {
		name    string
		session string
		report  session.Report
		want    string
	}{
		{"without its predecessor", "a", reportOf(3, 6, 1, 0, nil, nil), "segment 2 must be next"},
		{"again", "a", reportOf(1, 5, 1, 0, nil, nil), "segment 2 must be next"},
		{"skipped clause", "a", reportOf(2, 7, 1, 0, nil, nil), "segment 2 must be next, with clause 6"},
		{"without the first segment", "b", reportOf(2, 5, 1, 0, nil, nil), "segment 1 must be next"},
		{"unknown import", "b", reportOf(1, 5, 1, 0, imported(5, 6, 1, 2), nil), "it imports clause 6"},
		{"import of the formula", "b", reportOf(1, 5, 1, 0, imported(5, 1, 1, 2), nil), "it imports clause 1"},
		{"import with other literals", "b", reportOf(1, 5, 1, 0, imported(5, 5, 1), nil), "it imports clause 5"},
		{"import with more literals", "b", reportOf(1, 5, 1, 0, imported(5, 5, 1, 2, 2), nil), "it imports clause 5"},
		{"import out of order", "b", reportOf(1, 5, 1, 0, imported(4, 5, 1, 2), nil), "import 4 is out of order"},
		{"import after the end", "b", reportOf(1, 5, 1, 0, imported(7, 5, 1, 2), nil), "import 7 is out of order"},
		{"import twice", "b", reportOf(1, 5, 1, 0, append(imported(5, 5, 1, 2), imported(5, 5, 1, 2)...), nil), "import 5 is out of order"},
		{"import of its own segment", "b", reportOf(1, 5, 1, 0, imported(6, 6, 1), []session.Clause{{ID: 5, Lits: dimacs.Lits(1)}}), "it imports clause 6"},
		{"wrong count", "b", session.Report{Header: session.Header{Number: 1, First: 5, Next: 7, Lemmas: 1}}, "1 lemmas and 0 imports, and clauses 5 to 6"},
		{"export of an input", "b", reportOf(1, 5, 1, 0, nil, []session.Clause{{ID: 4, Lits: dimacs.Lits(1)}}), "it exports clause 4"},
		{"export of a later clause", "b", reportOf(1, 5, 1, 0, nil, []session.Clause{{ID: 6, Lits: dimacs.Lits(1)}}), "it exports clause 6"},
		{"export of an import", "b", reportOf(1, 5, 1, 0, imported(5, 5, 1, 2), []session.Clause{{ID: 5, Lits: dimacs.Lits(1, 2)}}), "it exports clause 5"},
		{"export with a fresh variable", "b", reportOf(1, 5, 1, 1, nil, []session.Clause{{ID: 5, Lits: dimacs.Lits(4)}}), "it exports clause 5"},
		{"too many lemmas", "b", reportOf(1, 5, importBase-6, 0, nil, nil), "too many lemmas"},
		{"too many variables", "b", reportOf(1, 5, 1, dimacs.MaxVars-2, nil, nil), "too many lemmas or variables"},
		{"negative lemmas", "b", reportOf(1, 5, -1, 0, nil, nil), "invalid"},
	}
	n := session.NewNumbering(session.Base{Clauses: 4, Next: 5, Vars: 3})
	if _, err := n.Accept("a", reportOf(1, 5, 1, 0, nil, exported)); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := n.Accept(test.session, test.report)
			wantError(t, err, test.want)
			if n.Next() != 6 || n.Segments("a") != 1 || n.Segments("b") != 0 {
				t.Errorf("then next id %d, %d segments of a, %d of b", n.Next(), n.Segments("a"), n.Segments("b"))
			}
		})
	}
	if _, err := n.Accept("b", reportOf(1, 5, 1, 0, imported(6, 5, 2, 1), nil)); err != nil {
		t.Error(err)
	}
}

// TestAcceptSeveral checks that several segments are accepted together or not at all.
func TestAcceptSeveral(t *testing.T) {
	n := session.NewNumbering(session.Base{Clauses: 4, Next: 5, Vars: 3})
	first := reportOf(1, 5, 2, 0, nil, []session.Clause{{ID: 6, Lits: dimacs.Lits(1)}})
	_, err := n.Accept("a", first, reportOf(2, 7, 0, 0, []session.Clause{{ID: 7, Final: 6, Lits: dimacs.Lits(1)}}, nil))
	wantError(t, err, "it imports clause 6") // final ids of its own result do not exist yet
	_, err = n.Accept("a", first, reportOf(3, 7, 1, 0, nil, nil))
	wantError(t, err, "segment 2 must be next")
	if n.Next() != 5 || n.Segments("a") != 0 {
		t.Fatalf("then next id %d and %d segments", n.Next(), n.Segments("a"))
	}
	exports, err := n.Accept("a", first, reportOf(2, 7, 3, 1, nil, []session.Clause{{ID: 9, Lits: dimacs.Lits(2)}}))
	if err != nil || len(exports) != 2 || exports[0].Final != 6 || exports[1].Final != 9 || n.Segments("a") != 2 || n.Next() != 10 {
		t.Errorf("%v, %v, %d segments, next id %d", exports, err, n.Segments("a"), n.Next())
	}
}

// TestReplay checks that the stored reports of a run give the same numbers again, in JSON
// too.
func TestReplay(t *testing.T) {
	rng := newRand(7)
	f := random3SAT(rng, 120, 560)
	r := newRun(t, f, plain(f), allCubes(4), 3)
	r.conquer(rng)
	again := session.NewNumbering(r.base)
	checks := map[string]*session.Checker{}
	var shared []session.Clause
	for _, a := range r.accepted {
		if checks[a.session] == nil {
			c, err := session.NewChecker(f, f.Vars(), nil)
			if err != nil {
				t.Fatal(err)
			}
			checks[a.session] = c
		}
		report, err := checks[a.session].Check(context.Background(), a.segment.Header, a.segment.Reader())
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		var back session.Report
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(&back); err != nil {
			t.Fatal(err)
		}
		exports, err := again.Accept(a.session, back)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range exports {
			if len(e.Lits) == 1 || len(e.Lits) == 2 {
				shared = append(shared, e)
			}
		}
	}
	if again.Next() != r.numbering.Next() || !slices.EqualFunc(shared, r.shared, func(a, b session.Clause) bool { return a.Final == b.Final && slices.Equal(a.Lits, b.Lits) }) {
		t.Errorf("next id %d and %d shared clauses, then %d and %d", r.numbering.Next(), len(r.shared), again.Next(), len(shared))
	}
}
