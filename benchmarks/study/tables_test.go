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

// reportOf does a study and returns its report.
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
	if err := Write(p, rows, dir, "sator study "+name); err != nil {
		t.Fatal(err)
	}
	md, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(md)
}

// Two runs that were given up take the same, and no less than any other, however
// far each had come.
func TestEnded(t *testing.T) {
	run := func(backtracks int64, capped bool) *Row {
		return &Row{new(Run), Outcome{Backtracks: backtracks, Capped: capped}}
	}
	x := &Results{rows: []*Row{run(90, true), run(97, true), run(120, false), run(3, false)}}
	if got := values(x.rows, x.ended(backtracks)); !slices.Equal(got, []float64{120, 120, 120, 3}) {
		t.Errorf("they count as %v", got)
	}
}

// A formula that was not decided is none without a model.
func TestThresholdUndecided(t *testing.T) {
	md := reportOf(t, "threshold", Options{Count: 4, Conflicts: 1, Levels: map[string]string{"vars": "80", "ratio": "100,430", "engine": "first,mom"}})
	for _, want := range []string{"| 4.30 | - |\n", "| 1.00 | 1 |\n", "were given up"} {
		if !strings.Contains(md, want) {
			t.Errorf("the report does not say %q:\n%s", want, md)
		}
	}
}

// What draws is paired with what does not, whatever the seeds are.
func TestPairsOfDraws(t *testing.T) {
	md := reportOf(t, "givens", Options{Puzzles: somePuzzles(t), Levels: map[string]string{"heuristic": "mom,random", "draw": "7,9"}})
	if !strings.Contains(md, "| mom and random | 3 |") {
		t.Errorf("the report has no such pair:\n%s", md)
	}
}

// Each level of the study of passes changes one knob, from off to on or from on to
// off, and all simplifications are among them.
func TestPassLevels(t *testing.T) {
	turned := map[string]bool{}
	for _, level := range passLevels() {
		o := passOptions(level)
		if err := o.Check(); err != nil {
			t.Errorf("%s: %v", level, err)
		}
		defaults := cdcl.DefaultOptions()
		var changed []string
		for _, k := range cdcl.Knobs {
			if was, is := *k.Field(&defaults), *k.Field(&o); was != is {
				changed = append(changed, k.Name)
				if (was == 0) == (is == 0) {
					t.Errorf("%s turns %s from %d to %d", level, k.Name, was, is)
				}
			}
		}
		if level == asItIs && len(changed) == 0 {
			continue
		}
		if len(changed) != 1 || !strings.HasSuffix(level, " "+changed[0]) {
			t.Errorf("%s changes %v", level, changed)
			continue
		}
		turned[changed[0]] = true
	}
	for _, name := range []string{"backbone", "chrono", "eliminate", "probe", "restart", "simplify", "substitute", "subsume", "transitive", "vivify", "walk"} {
		if !turned[name] {
			t.Errorf("%s is not turned", name)
		}
	}
}
