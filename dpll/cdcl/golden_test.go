package cdcl_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/effort"
)

// goldenFormulas are formulas whose runs include both modes, all kinds of rephasing,
// reductions and collections.
var goldenFormulas = []struct {
	name string
	make func() *dimacs.Formula
	o    cdcl.Options
}{
	{"random-3sat-180", func() *dimacs.Formula { return uniform(1, 180, 767, nil) }, cdcl.Options{NoLookAhead: true}},
	{"random-3sat-220", func() *dimacs.Formula { return uniform(2, 220, 937, nil) }, cdcl.Options{NoLookAhead: true}},
	{"random-3sat-220", func() *dimacs.Formula { return uniform(2, 220, 937, nil) }, cdcl.Options{}},
	{"pigeons-8", func() *dimacs.Formula { return pigeons(8) }, cdcl.Options{}},
}

// TestGolden compares runs with recorded ones, conflict for conflict. It detects a machine
// or compiler with different rounding, and a change that was not meant to change the
// search. Update the file with UPDATE=1 after an intended change.
func TestGolden(t *testing.T) {
	effort.Comparison(t)
	var got bytes.Buffer
	for _, g := range goldenFormulas {
		s := cdcl.New(g.o)
		s.AddFormula(g.make())
		status := s.Solve(context.Background())
		st := s.Stats()
		fmt.Fprintf(&got, "%s %v conflicts %d decisions %d propagations %d ticks %d restarts %d rephases %d switches %d learned %d look-aheads %d\n",
			g.name, status, st.Conflicts, st.Decisions, st.Propagations, st.Ticks, st.Restarts, st.Rephases, st.ModeSwitches, st.LearnedLits, st.LookAheads)
	}
	const file = "testdata/golden.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("runs differ on %s/%s:\n%swant\n%s", runtime.GOOS, runtime.GOARCH, got.Bytes(), want)
	}
}
