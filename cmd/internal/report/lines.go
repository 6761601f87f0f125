package report

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"sator/cmd/internal/record"
)

// mostLines is the number of samples of a solver, and of its events, in a page. A chart has
// fewer pixels; a recording of hours would make a page of hundreds of megabytes.
const mostLines = 1000

// thinned returns the lines of a recording as a JSON array for the charts, with at most
// mostLines samples, events and passes of each solver. It is safe inside of a script element.
func thinned(r *record.Recording) []byte {
	total, seen := map[lineKind]int{}, map[lineKind]int{}
	for _, l := range r.Lines {
		total[kindOf(l)]++
	}
	var text [][]byte
	for _, l := range r.Lines {
		k := kindOf(l)
		every := (total[k] + mostLines - 1) / mostLines
		if k.kind == switched {
			every = 1
		}
		if seen[k]++; seen[k]%every != 0 && seen[k] != total[k] {
			continue
		}
		text = append(text, Line(l))
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, bytes.Join(text, []byte(",\n")))
	return slices.Concat([]byte("["), safe.Bytes(), []byte("]"))
}

// switched is the kind of switches between modes. They are few, and with one of them
// missing the modes are wrong.
const switched = "event " + record.Mode

// A lineKind is the part of the lines that is thinned by itself.
type lineKind struct {
	kind   string
	solver int
}

func kindOf(l record.Line) lineKind {
	switch l := l.(type) {
	case *record.Sample:
		return lineKind{l.Type(), l.Solver}
	case *record.Event:
		return lineKind{l.Type() + " " + l.Kind, l.Solver}
	case *record.Pass:
		return lineKind{l.Type() + " " + l.Name, l.Solver}
	case *record.Exchange:
		return lineKind{l.Type(), l.Solver}
	}
	return lineKind{kind: l.Type()}
}

// slim returns the part of a line that the charts draw, with rounded numbers.
func slim(l record.Line) record.Line {
	switch l := l.(type) {
	case *record.Sample:
		s := *l
		s.HW, s.Time, s.CPU = nil, rounded(s.Time), rounded(s.CPU)
		for _, a := range []*record.Averages{&s.Focused, &s.Stable} {
			a.Glue, a.GlueFast, a.Size = rounded(a.Glue), rounded(a.GlueFast), rounded(a.Size)
			a.Trail, a.Level = rounded(a.Trail), rounded(a.Level)
		}
		return &s
	case *record.End:
		e := *l
		e.Stats, e.HW = nil, nil
		return &e
	}
	return l
}

// rounded returns a number with four decimals.
func rounded(x float64) float64 { return math.Round(1e4*x) / 1e4 }

// Line returns the JSON of a line for the charts: without the figures that they do not draw,
// and with rounded numbers.
func Line(l record.Line) []byte {
	var text bytes.Buffer
	if err := record.NewWriter(&text).Write(slim(l)); err != nil {
		panic("report: " + err.Error()) // a buffer has no errors
	}
	return bytes.TrimSpace(text.Bytes())
}
