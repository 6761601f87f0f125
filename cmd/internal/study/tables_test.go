package study

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reportOf executes a study and returns its report.
func reportOf(t *testing.T, name string, o Options) string {
	t.Helper()
	s := Studies[slices.IndexFunc(Studies, func(s *Study) bool { return s.Name == name })]
	p, err := NewPlan(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rows, err := (&Runner{Plan: p, Dir: dir}).Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(nil, p, rows, dir, "sator-lab study "+name); err != nil {
		t.Fatal(err)
	}
	md, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(md)
}

// All runs at the conflict limit have the same rank, at least that of any other
// run.
func TestCensored(t *testing.T) {
	run := func(backtracks int64, capped bool) *Row {
		return &Row{new(Run), Outcome{Backtracks: backtracks, Capped: capped}}
	}
	x := &Results{rows: []*Row{run(90, true), run(97, true), run(120, false), run(3, false)}}
	if got := values(x.rows, x.censored(backtracks)); !slices.Equal(got, []float64{120, 120, 120, 3}) {
		t.Errorf("got %v", got)
	}
}

// An undecided formula does not count as unsatisfiable.
func TestThresholdUndecided(t *testing.T) {
	md := reportOf(t, "threshold", Options{Count: 4, Conflicts: 1, Levels: map[string]string{"vars": "80", "ratio": "100,430", "engine": "first,mom"}})
	for _, want := range []string{"| 4.30 | - |\n", "| 1.00 | 1 |\n", "reached the conflict limit"} {
		if !strings.Contains(md, want) {
			t.Errorf("the report does not contain %q:\n%s", want, md)
		}
	}
}
