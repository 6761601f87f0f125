package animate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/dpll"
	"sator/sudoku"
	"sator/sudoku/render"
)

// A Recording is the list of events of a search.
type Recording struct {
	Puzzle  *sudoku.Grid
	Status  dimacs.Status // the answer; Unknown if the search was stopped
	Caption string        // a line with the heuristic and the encoding

	// Truncated reports whether the search was stopped at [MaxEvents].
	Truncated bool

	Frames int     // the largest number of frames, at least [MinFrames]; 0 selects the default of the format
	Speed  float64 // frames a second, more than 0 and at most [MaxSpeed]; 0 selects [DefaultSpeed]
	Cell   int     // the side of a cell in pixels; 0 selects a default by size

	formula    *dimacs.Formula
	candidates []int32 // by variable: its candidate, -1 for auxiliary variables
	decided    []bool  // by candidate: it has no variable, since the givens decide it
	solved     bool    // the model is a solution
	events     []event

	// found has the digits that follow from the givens, by cell, if the encoding
	// propagates the givens and the cell has no variables.
	found []int
}

// An event is a compact [dpll.Event].
type event struct {
	lit      dimacs.Lit
	clause   int32
	level    int32
	assigned int32
	kind     dpll.Kind
}

// MaxEvents is the largest number of events of a recording, at which the search
// ends. They take 40 MB.
const MaxEvents = 1 << 21

// Bounds and defaults of the fields of a [Recording].
const (
	MinFrames    = 10
	MaxSpeed     = 50 // GIF delays are in 1/100 s, and browsers replace delays below 2/100 s by 10/100 s
	DefaultSpeed = 8
)

// A Format is a file format for recordings.
type Format struct {
	Name      string
	Help      string
	Extension string // file name extension
	Frames    int    // default of [Recording].Frames
	Write     func(f *Recording, w io.Writer) error
}

// Formats lists the formats.
var Formats = []Format{
	{"gif", "an animated image", ".gif", defaultFrames, (*Recording).GIF},
	{"svg", "a vector drawing that a browser animates without a script", ".svg", defaultFrames, (*Recording).SVG},
	{"html", "a page with buttons and a slider, in a single file", ".html", defaultPageFrames, (*Recording).HTML},
}

// The default numbers of frames: an animation lasts about a minute, and a browser
// opens a page of this size without delay.
const (
	defaultFrames     = 300
	defaultPageFrames = 20_000
)

// A ModelError reports that a model of the engine is no solution of the puzzle,
// because of an error in the engine or the encoding.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return "the model found is no solution: " + e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// Record solves a puzzle with the engine dpll and returns a recording of the
// search. It ignores the fields Trace and Proof of the options. If ctx is done
// before the search ends, the recording has the events up to then. The error
// reports an invalid coding or invalid options, or is a [*ModelError].
func Record(ctx context.Context, g *sudoku.Grid, c sudoku.Coding, o dpll.Options) (*Recording, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	cnf, err := g.Encode(c)
	if err != nil {
		return nil, err
	}
	f := &Recording{Puzzle: g.Clone(), formula: cnf.Formula, found: make([]int, g.Rules.Cells())}
	f.Caption = fmt.Sprintf("heuristic %s, encoding %s, pure literals %v", o.Heuristic, cnf.Map.Coding.Encoding, o.Pure)
	f.mapVariables(cnf.Map)
	model := f.search(ctx, o)
	if f.Status != dimacs.Satisfiable {
		return f, nil
	}
	if _, err = cnf.Map.Decode(model); err != nil && !strings.HasPrefix(cnf.Map.Coding.Encoding, "2sat") {
		return nil, &ModelError{err}
	}
	f.solved = err == nil
	return f, nil
}

// mapVariables sets candidates, decided and found.
func (f *Recording) mapVariables(m *sudoku.Map) {
	r := f.Puzzle.Rules
	f.candidates = make([]int32, max(f.formula.Vars(), m.Vars()))
	for v := range f.candidates {
		f.candidates[v] = -1
	}
	f.decided = make([]bool, r.Cells()*r.Size())
	propagated := sudoku.NewCandidates(r)
	consistent := propagated.Load(f.Puzzle) && propagated.Singles()
	for cell := range r.Cells() {
		open := false
		for digit := 1; digit <= r.Size(); digit++ {
			candidate := r.Candidate(cell, digit)
			l, ok := m.Lit(candidate)
			if f.decided[candidate] = !ok; ok {
				f.candidates[l.Var()] = int32(candidate)
				open = true
			}
		}
		if !open && consistent && f.Puzzle.Cells[cell] == 0 {
			f.found[cell] = propagated.Digit(cell)
		}
	}
}

// search runs the engine, records its events, and returns the model.
func (f *Recording) search(ctx context.Context, o dpll.Options) dimacs.Model {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	o.Proof = nil
	o.Trace = func(e dpll.Event) {
		if len(f.events) == MaxEvents {
			f.Truncated = true
			stop()
			return
		}
		f.events = append(f.events, event{e.Lit, int32(e.Clause), int32(e.Level), int32(e.Assigned), e.Kind})
	}
	s := dpll.New(o)
	s.AddFormula(f.formula)
	if f.Status = s.Solve(searching); f.Truncated {
		f.Status = dimacs.Unknown // the engine may have answered after the last event
	}
	if f.Status != dimacs.Satisfiable {
		return nil
	}
	return s.Model()
}

// Events returns the number of events.
func (f *Recording) Events() int { return len(f.events) }

// picture returns the part of the grid that all frames share.
func (f *Recording) picture() *render.Picture {
	return &render.Picture{Puzzle: f.Puzzle, Found: f.found, Cell: cmp.Or(f.Cell, f.defaultCell())}
}

// defaultCell returns the side of a cell in pixels. A cell has space for its
// candidates, and a small grid is nearly as wide as the panel below it.
func (f *Recording) defaultCell() int {
	n := f.Puzzle.Rules.Size()
	if n <= maxWrittenSize {
		return min(80, max(52, 468/n))
	}
	rows, cols := f.lattice()
	return max(min(32, 2400/n), 4*max(rows, cols)+8)
}

// lattice returns the numbers of rows and columns in which the candidates of a
// cell are arranged: the shape of a box, or nearly a square.
func (f *Recording) lattice() (rows, cols int) {
	v := f.Puzzle.Rules.Variant()
	if v.BoxRows > 1 {
		return v.BoxRows, v.BoxCols
	}
	for cols = 1; cols*cols < v.Size; cols++ {
	}
	return (v.Size + cols - 1) / cols, cols
}

// check panics if Frames or Speed is out of bounds.
func (f *Recording) check() {
	if f.Frames != 0 && f.Frames < MinFrames {
		panic(fmt.Sprintf("animate: invalid number of frames %d; want at least %d", f.Frames, MinFrames))
	}
	if f.Speed < 0 || f.Speed > MaxSpeed {
		panic(fmt.Sprintf("animate: invalid speed %g; want at most %d frames a second", f.Speed, MaxSpeed))
	}
}
