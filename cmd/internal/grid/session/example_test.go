package session_test

import (
	"bytes"
	"context"
	"fmt"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
)

// Two sessions refute a formula. The second one imports a clause of the first.
func Example() {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	f.AddInts(-1, 2)
	f.AddInts(1, -2)
	f.AddInts(-1, -2)
	numbering := session.NewNumbering(session.Base{Clauses: 4, Next: 5, Vars: 2})
	ctx := context.Background()

	// accept checks a segment of a session and gives final ids to its clauses.
	accept := func(name string, s *session.Segment) []session.Clause {
		check, err := session.NewChecker(f, 2, nil)
		if err != nil {
			panic(err)
		}
		report, err := check.Check(ctx, s.Header, s.Reader())
		if err != nil {
			panic(err)
		}
		exports, err := numbering.Accept(name, *report)
		if err != nil {
			panic(err)
		}
		return exports
	}

	// Session a learns that 2 is true, and exports the clause.
	a := session.NewWriter(session.WriterOptions{Clauses: 4, Vars: 2})
	id := a.Learn(dimacs.Lits(2), []int64{1, 2})
	a.Export(id, dimacs.Lits(2))
	first, err := a.Cut()
	if err != nil {
		panic(err)
	}
	exports := accept("a", first)
	fmt.Println("clause", exports[0].Final, "is", exports[0].Lits)

	// Session b imports the clause and learns the empty one.
	b := session.NewWriter(session.WriterOptions{Clauses: 4, Vars: 2})
	id = b.Import(exports[0].Final, exports[0].Lits)
	b.Learn(nil, []int64{id, 3, 4})
	second, err := b.Cut()
	if err != nil {
		panic(err)
	}
	accept("b", second)

	var out bytes.Buffer
	w := proof.NewWriter(&out, proof.LRAT, f.Len())
	m, err := session.NewMerger(w, f, session.Base{Clauses: 4, Next: 5, Vars: 2}, session.MergeOptions{})
	if err != nil {
		panic(err)
	}
	if err := m.Segment(ctx, "a", first.Header, first.Reader()); err != nil {
		panic(err)
	}
	if err := m.Segment(ctx, "b", second.Header, second.Reader()); err != nil {
		panic(err)
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	fmt.Print(out.String())
	// Output:
	// clause 5 is [2]
	// 5 2 0 1 2 0
	// 6 0 5 3 4 0
}
