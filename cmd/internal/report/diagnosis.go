package report

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The diagnosis of a run: slow or unusual figures, against recorded runs of public formulas. The
// file assets/bands.csv has the range of each figure in nine of ten runs. TestBands writes it from
// a folder of recordings.

// A figure is a number of a run, to be compared with other runs.
type figure struct {
	name  string // in the table, as in "share vivify"
	value float64
	text  string // with the number, as in "vivify took 43 % of the time"
	unit  func(float64) string
	cost  bool // a low number is no news
	minor bool // it is of a pass that took less than 2 % of the time
}

// Shorter runs say little.
const (
	leastTime      = 1    // seconds
	leastConflicts = 1000 // of the solver
)

// comparable returns the figures of a run, of the engine cdcl and long enough, in the order of
// their sentences.
func comparable(f *Figures) []figure {
	if f.Time < leastTime || f.Conflicts < leastConflicts || len(f.Run.Solvers) != 1 || f.Last == nil {
		return nil
	}
	var all []figure
	add := func(name string, value float64, unit func(float64) string, format string, args ...any) {
		if value > 0 && !math.IsInf(value, 1) {
			all = append(all, figure{name: name, value: value, text: fmt.Sprintf(format, append(args, unit(value))...), unit: unit})
		}
	}
	if t := f.Trends.Thirds; len(t) > 0 {
		add("rate", t[2].PerSecond()/t[0].PerSecond(), percent, "the rate of conflicts in the last third of the run was %s of that in the first")
	}
	add("simplification", f.Group(passGroup), percent, "simplification took %s of the time")
	for _, p := range f.Passes {
		first := len(all)
		add("share "+p.Name, p.Share, percent, "%s took %s of the time", p.Name)
		if p.Budget > 0 {
			add("budget "+p.Name, float64(p.Ticks)/float64(p.Budget), percent, "%s took %s of its budget", p.Name)
		}
		if tried := p.Did["vivify_tried"]; tried > 0 {
			add("yield "+p.Name, float64(p.Did["vivify_shortened"])/float64(tried), percent, "%s shortened %s of the clauses that it tried", p.Name)
		}
		if probes := p.Did["probes"]; probes > 0 {
			add("yield "+p.Name, float64(p.Did["failed_lits"])/float64(probes), percent, "of the probes of %s, %s failed", p.Name)
		}
		for i := range all[first:] {
			x := &all[first+i]
			x.cost, x.minor = !strings.HasPrefix(x.name, "yield"), p.Share < 0.02
		}
	}
	if f.Reductions > 0 {
		add("survival", f.Survival, percent, "of the learned clauses %s survived a reduction")
	}
	add("glue", max(f.Last.Focused.Glue, f.Last.Stable.Glue), decimal, "the average glue of learned clauses was %s")
	add("size", max(f.Last.Focused.Size, f.Last.Stable.Size), decimal, "learned clauses had %s literals on average")
	add("kept", float64(f.Last.Redundant)/float64(max(1, f.Last.Irredundant)), decimal, "there were %s learned clauses for each clause of the formula")
	add("propagations", float64(f.Last.Propagations)/float64(max(1, f.Last.Conflicts)), count[float64], "a conflict took %s propagations")
	return all
}

// A band is the range of a figure in nine of ten runs.
type band struct{ low, high float64 }

//go:embed assets/bands.csv
var bandsFile string

// bands returns the table of bands, and the number of runs behind them.
var bands = sync.OnceValues(func() (map[string]band, int) {
	r := csv.NewReader(strings.NewReader(bandsFile))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic("report: bands.csv: " + err.Error())
	}
	table, runs := make(map[string]band), 0
	for _, row := range rows[1:] {
		low, _ := strconv.ParseFloat(row[2], 64)
		high, _ := strconv.ParseFloat(row[3], 64)
		table[row[0]] = band{low, high}
		n, _ := strconv.Atoi(row[1])
		runs = max(runs, n)
	}
	return table, runs
})

// fewRuns is the number of runs below which a figure has no band.
const fewRuns = 10

// mostUnusual is the most sentences of a diagnosis.
const mostUnusual = 4

// Diagnose returns sentences about unusual figures of a run, the most unusual first. It returns
// nothing about a run that is too short, or of several solvers.
func Diagnose(f *Figures) []string {
	table, runs := bands()
	var odd []figure
	far := make(map[string]float64)
	compared := 0
	for _, x := range comparable(f) {
		b, ok := table[x.name]
		if !ok || x.minor {
			continue
		}
		compared++
		distance := x.value / b.high
		if !x.cost {
			distance = max(distance, b.low/x.value)
		}
		if distance > 1.05 {
			far[x.name], odd = distance, append(odd, x)
		}
	}
	if compared == 0 {
		return nil
	}
	if len(odd) == 0 {
		return []string{fmt.Sprintf("Nothing was unusual: %s are as in nine of ten of the %d recorded runs.", counted(compared, "figure"), runs)}
	}
	slices.SortStableFunc(odd, func(a, b figure) int { return cmp.Compare(far[b.name], far[a.name]) })
	var text []string
	for _, x := range odd[:min(len(odd), mostUnusual)] {
		b := table[x.name]
		usual := "up to " + x.unit(b.high)
		if !x.cost {
			usual = x.unit(b.low) + " to " + x.unit(b.high)
		}
		text = append(text, sentence(x.text+"; usual is "+usual))
	}
	if len(odd) > mostUnusual {
		text = append(text, fmt.Sprintf("In all %d of %d figures are unusual.", len(odd), compared))
	}
	return text
}
