package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// The comparison of runs: a table with a row for each figure, and the ratio of each run to
// the first one.

// marked is the smallest difference from 1 of a ratio that is marked.
const marked = 0.1

// A comparison is a row of the table.
type comparison struct {
	Name  string
	Cells []comparedCell
}

// A comparedCell is the figure of one run.
type comparedCell struct {
	Text   string
	Ratio  string // to the first run; empty in its own column, or without figures
	Marked bool   // the ratio differs from 1 by more than a tenth
}

// compared are the figures of the table. A value that is not a number is absent.
var compared = []struct {
	name  string
	text  func(float64) string
	value func(*Figures) float64
}{
	{"time", seconds, func(f *Figures) float64 { return f.Time }},
	{"processor time", seconds, func(f *Figures) float64 { return orAbsent(f.End != nil, func() float64 { return f.End.CPU }) }},
	{"conflicts", count[float64], func(f *Figures) float64 {
		return orAbsent(f.Last != nil, func() float64 { return float64(f.Conflicts) })
	}},
	{"conflicts per second", decimal, func(f *Figures) float64 {
		return orAbsent(f.Last != nil && f.Time > 0, func() float64 { return float64(f.Conflicts) / f.Time })
	}},
	{"decisions", count[float64], ofLast(func(f *Figures) float64 { return float64(f.Last.Decisions) })},
	{"propagations", count[float64], ofLast(func(f *Figures) float64 { return float64(f.Last.Propagations) })},
	{"restarts", count[float64], ofLast(func(f *Figures) float64 { return float64(f.Last.Restarts) })},
	{"share of search", percent, func(f *Figures) float64 {
		return orAbsent(f.Group(searchGroup) > 0, func() float64 { return f.Group(searchGroup) })
	}},
	{"share of simplification", percent, func(f *Figures) float64 {
		return orAbsent(f.Group(passGroup) > 0, func() float64 { return f.Group(passGroup) })
	}},
	{"variables left", count[float64], ofLast(func(f *Figures) float64 { return float64(f.Last.Vars) })},
	{"glue in focused mode", decimal, ofLast(func(f *Figures) float64 { return positive(f.Last.Focused.Glue) })},
	{"glue in stable mode", decimal, ofLast(func(f *Figures) float64 { return positive(f.Last.Stable.Glue) })},
	{"survival of learned clauses", percent, func(f *Figures) float64 { return orAbsent(f.Reductions > 0, func() float64 { return f.Survival }) }},
	{"most learned clauses", count[float64], ofLast(func(f *Figures) float64 { return float64(f.PeakRedundant) })},
	{"resident memory", func(x float64) string { return memory(int64(x)) }, func(f *Figures) float64 { return positive(float64(f.PeakResident)) }},
}

// orAbsent returns a value, or NaN if it is absent.
func orAbsent(is bool, value func() float64) float64 {
	if !is {
		return math.NaN()
	}
	return value()
}

// positive returns a figure that is absent if it is 0.
func positive(x float64) float64 { return orAbsent(x > 0, func() float64 { return x }) }

// ofLast returns a figure of the last sample.
func ofLast(value func(*Figures) float64) func(*Figures) float64 {
	return func(f *Figures) float64 { return orAbsent(f.Last != nil, func() float64 { return value(f) }) }
}

// compare returns the table of several runs, or nil for one run.
func compare(runs []*Figures) []comparison {
	if len(runs) < 2 {
		return nil
	}
	rows := []comparison{{Name: "answer"}}
	for _, f := range runs {
		c := comparedCell{Text: status(f)}
		c.Marked = c.Text != status(runs[0])
		rows[0].Cells = append(rows[0].Cells, c)
	}
	for _, m := range compared {
		row, any, base := comparison{Name: m.name}, false, m.value(runs[0])
		for i, f := range runs {
			c, x := comparedCell{Text: "–"}, m.value(f)
			if !math.IsNaN(x) {
				any, c.Text = true, m.text(x)
			}
			if r := x / base; i > 0 && base > 0 && !math.IsNaN(r) {
				c.Ratio, c.Marked = ratio(r), math.Abs(r-1) > marked
			}
			row.Cells = append(row.Cells, c)
		}
		if any {
			rows = append(rows, row)
		}
	}
	return rows
}

// ratio returns a ratio as text.
func ratio(r float64) string {
	if r >= 100 {
		return "× " + count(r)
	}
	return fmt.Sprintf("× %.2f", r)
}

// status returns the answer of a run.
func status(f *Figures) string {
	if f.End == nil {
		return "none"
	}
	return f.End.Status
}

// options returns the options of a run that differ from the defaults, and its seed.
func options(f *Figures) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f.Run.Options)) {
		parts = append(parts, fmt.Sprintf("%s %v", name, f.Run.Options[name]))
	}
	parts = append(parts, fmt.Sprintf("seed %d", f.Run.Seed))
	return strings.Join(parts, ", ")
}

// narrateDifference returns sentences that compare the time and the effort of the second and
// later runs with the first one, as far as they differ by more than a tenth.
func narrateDifference(runs []*Figures) []string {
	var text []string
	for i, f := range runs[min(1, len(runs)):] {
		a := runs[0]
		if same, known := sameFormula(a, f); known && !same {
			text = append(text, fmt.Sprintf("Runs 1 and %d had different formulas.", i+2))
		}
		if a.End == nil || f.End == nil || a.Time <= 0 {
			continue
		}
		if a.End.Status != f.End.Status {
			text = append(text, fmt.Sprintf("Run %d ended with %s, run 1 with %s.", i+2, f.End.Status, a.End.Status))
			continue
		}
		s := fmt.Sprintf("Run %d took %.2f times the time of run 1", i+2, f.Time/a.Time)
		if math.Abs(f.Time/a.Time-1) <= marked {
			s = fmt.Sprintf("Run %d took about the time of run 1", i+2)
		}
		if a.Conflicts > 0 && f.Conflicts > 0 {
			s += fmt.Sprintf(", with %.2f times the conflicts", float64(f.Conflicts)/float64(a.Conflicts))
		}
		text = append(text, s+".")
	}
	return text
}

// sameFormula reports whether two runs had the same formula, if both recordings describe it.
func sameFormula(a, b *Figures) (same, known bool) {
	if a.Formula == nil || b.Formula == nil {
		return false, false
	}
	x, y := *a.Formula, *b.Formula
	if x.Hash == "" || y.Hash == "" {
		x.Hash, y.Hash = "", ""
	}
	return x == y, true
}
