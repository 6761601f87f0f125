package report

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/record"
)

// TestBands reads the table of bands. With UPDATE=1 and SATOR_RECORDINGS, a folder of recordings
// of sator solve --record, it writes the table anew; SATOR_FROM describes them.
func TestBands(t *testing.T) {
	if dir := os.Getenv("SATOR_RECORDINGS"); os.Getenv("UPDATE") != "" && dir != "" {
		names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var runs []*Figures
		for _, name := range names {
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := record.Read(name, file); r != nil && len(r.Lines) > 0 {
				runs = append(runs, Of(name, r))
			} else {
				t.Log(name, err)
			}
			file.Close()
		}
		text := fmt.Sprintf("# Figures of runs of at least a second: %s\n%s", os.Getenv("SATOR_FROM"), bandTable(runs))
		if err := os.WriteFile("assets/bands.csv", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	table, runs := bands()
	if runs < fewRuns || len(table) < 10 {
		t.Errorf("%d bands of %d runs", len(table), runs)
	}
	for name, b := range table {
		if b.low > b.high || b.high <= 0 {
			t.Errorf("%s: from %v to %v", name, b.low, b.high)
		}
	}
}

// bandTable returns the table of bands of some runs, as CSV: their 5th and 95th percentiles.
func bandTable(runs []*Figures) string {
	values := make(map[string][]float64)
	for _, f := range runs {
		for _, x := range comparable(f) {
			values[x.name] = append(values[x.name], x.value)
		}
	}
	var b strings.Builder
	b.WriteString("figure,runs,low,high\n")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all := values[name]
		if slices.Sort(all); len(all) >= fewRuns {
			last := float64(len(all) - 1)
			fmt.Fprintf(&b, "%s,%d,%.3g,%.3g\n", name, len(all), all[int(0.05*last)], all[int(math.Ceil(0.95*last))])
		}
	}
	return b.String()
}

// TestBandTable computes percentiles.
func TestBandTable(t *testing.T) {
	var runs []*Figures
	for i := range 21 {
		runs = append(runs, Of("run", made(
			&record.Run{Engine: "cdcl", Solvers: []string{"default"}},
			&record.Sample{Conflicts: 2000, Redundant: i + 1, Irredundant: 10, Propagations: 2_000_000},
			&record.End{Status: "SATISFIABLE", Time: 5, Stats: []map[string]any{{"conflicts": 2000.0}}},
		)))
	}
	want := "figure,runs,low,high\nkept,21,0.2,2\npropagations,21,1e+03,1e+03\n"
	if got := bandTable(runs); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := bandTable(runs[:fewRuns-1]); got != "figure,runs,low,high\n" {
		t.Errorf("of few runs: %q", got)
	}
}

// TestDiagnose has runs within the bands, outside of them, and too short ones.
func TestDiagnose(t *testing.T) {
	table, _ := bands()
	run := func(seconds, vivify float64, glue float64) *Figures {
		return Of("run", made(
			&record.Run{Engine: "cdcl", Solvers: []string{"default"}},
			&record.Sample{Conflicts: 2000, Focused: record.Averages{Glue: glue}},
			&record.Pass{Name: "vivify", Seconds: vivify * seconds},
			&record.End{Status: "SATISFIABLE", Time: seconds, Stats: []map[string]any{{"conflicts": 2000.0}}},
		))
	}
	middle := func(name string) float64 { return (table[name].low + table[name].high) / 2 }
	if got := Diagnose(run(5, middle("share vivify"), middle("glue"))); len(got) != 1 || !strings.HasPrefix(got[0], "Nothing was unusual: 2 figures") {
		t.Errorf("within the bands: %q", got)
	}
	got := Diagnose(run(5, 0.9, 3*table["glue"].high))
	if len(got) != 2 || !strings.Contains(strings.Join(got, " "), "Vivify took 90 % of the time; usual is ") || !strings.Contains(strings.Join(got, " "), "The average glue of learned clauses was ") {
		t.Errorf("outside of the bands: %q", got)
	}
	if got := Diagnose(run(0.5, 0.9, 1)); got != nil {
		t.Errorf("a short run: %q", got)
	}
}
