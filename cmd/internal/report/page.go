package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"sator/cmd/internal/record"
	"sator/dimacs"
)

// The page: one HTML file without anything external. Narration and tables are in the HTML;
// the charts are drawn by the module [Charts] from lines of JSON in the page.
// Text of the recordings passes through html/template, and JSON escapes <, > and &.

var (
	//go:embed assets/page.html
	pageText string
	//go:embed assets/live.html
	liveText string
	//go:embed assets/page.css
	style string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"count":   anyCount,
		"seconds": seconds,
		"percent": percent,
		"share":   func(n, of int) string { return count(n) + " (" + percent(over(n, of)) + ")" },
		"width":   func(share float64) string { return fmt.Sprintf("%.1f", 100*share) },
		"mega":    func(ticks int64) string { return decimal(float64(ticks) / 1e6) },
		"change":  func(n int) string { return change(n) },
	}).Parse(pageText))

	liveTemplate = template.Must(template.New("live").Parse(liveText))
)

// A Source is a recording for the page.
type Source struct {
	Name      string // of the file
	Recording *record.Recording
	Figures   *Figures        // nil: those of the recording
	Cause     error           // why the recording is not complete; nil if it is
	Formula   *dimacs.Formula // for the picture of the communities; may be nil
	NoFormula string          // why Formula is nil, as the end of a sentence
}

// Write writes the page of one recording, or of several ones side by side. It returns the
// errors of w.
func Write(w io.Writer, sources []Source) error {
	p := &page{Title: "Run of " + titleOf(sources[0]), Style: template.CSS(style), Charts: template.JS(Charts), Class: "runs"}
	var runs []*Figures
	for _, s := range sources {
		f := s.Figures
		if f == nil {
			f = Of(s.Name, s.Recording)
		}
		runs = append(runs, f)
	}
	if len(runs) > 1 {
		p.Title = fmt.Sprintf("Comparison of %d runs", len(runs))
		p.Class = "runs several"
		p.Compared, p.Difference = compare(runs), strings.Join(narrateDifference(runs), " ")
	}
	for i, f := range runs {
		p.Runs = append(p.Runs, newView(i, f, runs[0], sources[i]))
	}
	return pageTemplate.Execute(w, p)
}

// WriteLive writes the page of a live run. Its script reads server-sent events from
// the address "events": each message is a line as [Line] returns it; an event "words" is the
// narration, a JSON array of sentences; an event "done" ends the run, with a sentence about
// its end as a JSON string. The page refers to a report at the address "report".
func WriteLive(w io.Writer, title string) error {
	return liveTemplate.Execute(w, &page{Title: title, Style: template.CSS(style), Charts: template.JS(Charts)})
}

// titleOf returns a short name of a run: its formula, or else the recording.
func titleOf(s Source) string {
	if files := s.Recording.Run.Files; len(files) > 0 {
		return strings.Join(files, ", ")
	}
	return s.Name
}

// A page is the data of the template.
type page struct {
	Title      string
	Style      template.CSS
	Charts     template.JS
	Class      string
	Compared   []comparison
	Difference string
	Runs       []*view
}

// A view is the content of the page for one run.
type view struct {
	*Figures
	ID, Label         string
	Status, Reason    string
	Diagnosis         string
	Narration         string
	Truncated, Option string
	Sizes             []sizeRow
	Matrix            template.HTML
	MatrixText        string
	NoMatrix          string
	Modes             []modeRow
	Passes            []passRow
	Tiers             []tierRow
	ReductionText     string
	Memory, Facts     []fact
	Lines             template.JS
}

// The rows of tables.
type (
	sizeRow struct {
		Size    string
		Clauses int
		Width   string // percent of the largest row
	}
	modeRow struct {
		Name string
		Spell
	}
	passRow struct {
		PassSum
		OfBudget, Literals, Counters string
		Ratio                        string // of the time to that of run 1
		Marked                       bool
	}
	tierRow struct {
		Name    string
		Clauses int
		Uses    int64
		Share   float64
	}
	fact struct{ Name, Text string }
)

func newView(i int, f, first *Figures, s Source) *view {
	v := &view{Figures: f, ID: fmt.Sprintf("run-%d", i+1), Label: fmt.Sprintf("Run %d: %s", i+1, f.Name), Status: "No answer"}
	if f.End != nil {
		v.Status, v.Reason = f.End.Status, f.End.Reason
	}
	words := func(sentences []string) string {
		return strings.ReplaceAll(strings.Join(sentences, " "), " %", "\u00a0%")
	}
	v.Diagnosis, v.Narration = words(Diagnose(f)), words(Narrate(f))
	if s.Cause != nil {
		v.Truncated = s.Cause.Error()
	}
	v.Sizes, v.Tiers, v.Facts = sizeRows(f.Formula), tierRows(f), facts(f)
	v.drawMatrix(s)
	for _, name := range slices.Sorted(maps.Keys(f.Modes)) {
		v.Modes = append(v.Modes, modeRow{name, *f.Modes[name]})
	}
	for _, p := range f.Passes {
		v.Passes = append(v.Passes, newPassRow(p, f, first))
	}
	v.ReductionText = sentence(sayReductions(f))
	for _, m := range []struct {
		name  string
		bytes int64
	}{{"resident memory of the process", f.PeakResident}, {"Go heap of the process", f.PeakHeap}, {"clauses (arena)", f.PeakArena}} {
		if m.bytes > 0 {
			v.Memory = append(v.Memory, fact{m.name, memory(m.bytes)})
		}
	}
	v.Lines = template.JS(thinned(s.Recording))
	return v
}

// Options returns the options of the run for the comparison.
func (v *view) Options() string { return options(v.Figures) }

// drawMatrix draws the communities, or sets the reason why there are none to draw.
func (v *view) drawMatrix(s Source) {
	if v.NoMatrix = cmp.Or(s.NoFormula, "the formula was not read"); s.Formula == nil {
		return
	}
	p, err := Communities(s.Formula)
	if err != nil {
		v.NoMatrix = err.Error()
		return
	}
	if v.NoMatrix, v.Matrix = "no clause has two to "+count(longClause)+" literals", p.Matrix(); v.Matrix == "" {
		return
	}
	v.MatrixText = fmt.Sprintf("The variables in the order of their communities, as rows and columns: a cell is the stronger, the more clauses have variables of both. "+
		"There are %s, the largest with %s; the modularity is %.2f (%s).",
		communities(len(p.Sizes)), counted(p.Sizes[0], "variable"), p.Modularity, structure(p.Modularity))
}

// structure describes a modularity. Newman and Girvan call 0.3 to 0.7 a strong structure
// ("Finding and evaluating community structure in networks", 2004). Sparse random graphs
// reach about 0.3, too.
func structure(q float64) string {
	switch {
	case q < 0.3:
		return "little structure"
	case q < 0.6:
		return "some structure"
	}
	return "strong structure"
}

func sizeRows(f *record.Formula) []sizeRow {
	if f == nil {
		return nil
	}
	most := max(1, slices.Max(f.Sizes[:]))
	var rows []sizeRow
	for n, clauses := range f.Sizes {
		if clauses == 0 {
			continue
		}
		size := fmt.Sprint(n)
		if n == len(f.Sizes)-1 {
			size += "+"
		}
		rows = append(rows, sizeRow{size, clauses, fmt.Sprintf("%.1f", 100*over(clauses, most))})
	}
	return rows
}

func newPassRow(p PassSum, f, first *Figures) passRow {
	r := passRow{PassSum: p, OfBudget: "–", Literals: "–"}
	if p.Budget > 0 {
		r.OfBudget = percent(float64(p.Ticks) / float64(p.Budget))
	}
	if p.Change.Literals != nil {
		r.Literals = change(*p.Change.Literals)
	}
	var did []string
	for _, name := range slices.Sorted(maps.Keys(p.Did)) {
		did = append(did, strings.ReplaceAll(name, "_", " ")+" "+count(p.Did[name]))
	}
	r.Counters = strings.Join(did, ", ")
	i := slices.IndexFunc(first.Passes, func(q PassSum) bool { return q.Name == p.Name })
	if f != first && i >= 0 && first.Passes[i].Seconds > 0 {
		x := p.Seconds / first.Passes[i].Seconds
		r.Ratio, r.Marked = ratio(x), x > 1+marked || x < 1-marked
	}
	return r
}

// tierRows returns the sizes of the tiers at the last sample, and their uses in all samples.
func tierRows(f *Figures) []tierRow {
	if f.Last == nil {
		return nil
	}
	all := max(1, f.Uses[0]+f.Uses[1]+f.Uses[2])
	var rows []tierRow
	for i, n := range []int{f.Last.Tier1, f.Last.Tier2, f.Last.Tier3} {
		rows = append(rows, tierRow{fmt.Sprint(i + 1), n, f.Uses[i], float64(f.Uses[i]) / float64(all)})
	}
	return rows
}

// facts returns how and where a run was made.
func facts(f *Figures) []fact {
	r := f.Run
	m := r.Machine
	all := []fact{
		{"recording", f.Name},
		{"command", "sator " + strings.Join(r.Command, " ")},
		{"version", r.Sator},
		{"started", r.Start},
		{"engine", strings.Trim(r.Engine+": "+r.Why, ": ")},
		{"options", options(f)},
		{"system", m.OS + "/" + m.Arch + ", " + m.Go},
		{"processors", strings.TrimPrefix(fmt.Sprintf("%s, %d available", m.CPU, m.CPUs), ", ")},
	}
	if m.Memory > 0 {
		all = append(all, fact{"memory limit", memory(m.Memory)})
	}
	if len(r.Solvers) > 1 {
		all = append(all, fact{"solvers", strings.Join(r.Solvers, ", ")})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Counters)) {
		text := cmp.Or(r.Counters[name], "recorded")
		if f.End != nil && f.End.HW[name] > 0 {
			text = count(f.End.HW[name])
		}
		all = append(all, fact{strings.ReplaceAll(name, "_", " "), text})
	}
	return all
}

func anyCount(n any) string {
	switch n := n.(type) {
	case int:
		return count(n)
	case int64:
		return count(n)
	}
	panic(fmt.Sprintf("report: count of %T", n))
}

// change returns a growth with its sign; 0 is a dash.
func change[N int | int64](n N) string {
	switch {
	case n > 0:
		return "+" + count(n)
	case n < 0:
		return count(n)
	}
	return "–"
}

func over(n, of int) float64 { return float64(n) / float64(max(1, of)) }
