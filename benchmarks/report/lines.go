package report

import (
	"bytes"
	"encoding/json"
	"math"

	"sator/dpll/record"
)

// mostLines is the number of samples of a solver, and of its events, in a page. A chart has
// fewer pixels; a recording of hours would make a page of hundreds of megabytes.
const mostLines = 1000

// thinned returns the lines of a recording as a JSON array for the charts, with at most
// mostLines samples, events and passes of each solver. It is safe inside of a script element.
func thinned(r *record.Recording) ([]byte, error) {
	total, seen := map[lineKind]int{}, map[lineKind]int{}
	for _, l := range r.Lines {
		total[kindOf(l)]++
	}
	var text bytes.Buffer
	w := record.NewWriter(&text)
	for _, l := range r.Lines {
		k := kindOf(l)
		every := (total[k] + mostLines - 1) / mostLines
		if seen[k]++; seen[k]%every != 0 && seen[k] != total[k] {
			continue
		}
		if err := w.Write(slim(l)); err != nil {
			return nil, err
		}
	}
	rows := bytes.Split(bytes.TrimSpace(text.Bytes()), []byte("\n"))
	var safe bytes.Buffer
	json.HTMLEscape(&safe, bytes.Join(rows, []byte(",\n")))
	return append(append([]byte("["), safe.Bytes()...), ']'), nil
}

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
		return lineKind{l.Type() + l.Kind, l.Solver}
	case *record.Pass:
		return lineKind{l.Type() + l.Name, l.Solver}
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
