package study

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dpll/cdcl"
)

// reportOf executes a study and returns its report.
func reportOf(t *testing.T, name string, o Options) string {
	t.Helper()
	s, _ := Find(name)
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

// Each level of the study of passes toggles one knob, and all simplifications
// are among them.
func TestPassLevels(t *testing.T) {
	toggled := map[string]bool{}
	for _, level := range passLevels() {
		o := passOptions(level)
		if err := o.Check(); err != nil {
			t.Errorf("%s: %v", level, err)
		}
		defaults := cdcl.Options{}
		var changed []string
		for _, k := range cdcl.Knobs {
			if was, is := k.Get(&defaults), k.Get(&o); was != is {
				changed = append(changed, k.Name)
				if (was == 0) == (is == 0) {
					t.Errorf("%s turns %s from %d to %d", level, k.Name, was, is)
				}
			}
		}
		if level == defaultLevel && len(changed) == 0 {
			continue
		}
		if len(changed) != 1 || !strings.HasSuffix(level, " "+changed[0]) {
			t.Errorf("%s changes %v", level, changed)
			continue
		}
		toggled[changed[0]] = true
	}
	for _, name := range []string{"chrono", "eliminate", "probe", "restart", "simplify", "substitute", "subsume", "transitive", "vivify", "walk"} {
		if !toggled[name] {
			t.Errorf("%s is not toggled", name)
		}
	}
}
