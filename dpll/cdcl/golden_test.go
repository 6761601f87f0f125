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
)

// goldenFormulas make both modes, all resets of phases, reductions and
// collections happen.
var goldenFormulas = []struct {
	name string
	make func() *dimacs.Formula
}{
	{"random-3sat-180", func() *dimacs.Formula { return uniform(1, 180, 767, nil) }},
	{"random-3sat-220", func() *dimacs.Formula { return uniform(2, 220, 937, nil) }},
	{"pigeons-8", func() *dimacs.Formula { return pigeons(8) }},
}

// TestGolden pins runs down to the conflict, so that a machine or compiler that
// rounds otherwise, or a change that was meant to leave the search alone, is
// found out. Renew the file with UPDATE=1 after a change that was meant to
// change it.
func TestGolden(t *testing.T) {
	var got bytes.Buffer
	for _, g := range goldenFormulas {
		s := cdcl.New(cdcl.DefaultOptions())
		s.AddFormula(g.make())
		status := s.Solve(context.Background())
		st := s.Stats()
		fmt.Fprintf(&got, "%s %v conflicts %d decisions %d propagations %d ticks %d restarts %d rephases %d switches %d learned %d\n",
			g.name, status, st.Conflicts, st.Decisions, st.Propagations, st.Ticks, st.Restarts, st.Rephases, st.ModeSwitches, st.LearnedLits)
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
