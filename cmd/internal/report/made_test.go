package report

import (
	"os"
	"testing"

	"sator/cmd/internal/record"
)

// made returns a recording with these lines after a Run line with one solver.
func made(lines ...record.Line) *record.Recording {
	run := &record.Run{Version: 1, Sator: "devel", Command: []string{"solve", "f.cnf"}, Files: []string{"f.cnf"}, Engine: "cdcl", Solvers: []string{"default"}}
	r := &record.Recording{Run: run, Lines: []record.Line{run}}
	for _, l := range lines {
		r.Lines = append(r.Lines, l)
		switch l := l.(type) {
		case *record.Run:
			r.Run, r.Lines = l, []record.Line{l}
		case *record.Formula:
			r.Formula = l
		case *record.End:
			r.End = l
		}
	}
	return r
}

// sampled returns samples at the times 1, 2, ..., with the conflicts that a function gives.
func sampled(n int, conflicts func(int) int64) []record.Line {
	var all []record.Line
	for i := 1; i <= n; i++ {
		all = append(all, &record.Sample{Time: float64(i), Conflicts: conflicts(i), Mode: "focused", Vars: 90, Fixed: 10})
	}
	return all
}

// whole reads the sample of package record.
func whole(t *testing.T) *record.Recording {
	t.Helper()
	f, err := os.Open("../record/testdata/sample.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := record.Read("sample.jsonl", f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
