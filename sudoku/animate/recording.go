// Package animate shows the search of the classic engine on the grid of a
// Sudoku: an animated GIF, an animated SVG, or a page of HTML with controls.
//
// A [Recording] is the record of a search, made by [Record] from the events of
// [sator/dpll]. A candidate of the grid is a variable of the formula, so every
// event but those of auxiliary variables has a place: a decision that a cell has
// a digit puts the digit there, in a filled disc; the second branch, after a
// backtrack, has a ring in place of the disc, a pure literal a diamond, and what
// propagation found stands bare. Digits that a cell may still have are written
// small, or in larger grids as dots; those that were decided not to be there have
// a small disc or ring. Cells of a falsified clause are crossed out. So the kinds
// of events differ by shape, and colors only help.
//
// What one frame shows is the matter of frames.go, what stands on the grid that
// of board.go, how it looks that of shapes.go; gif.go, svg.go and html.go write it.
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

// A Recording is the record of a search.
type Recording struct {
	Puzzle  *sudoku.Grid
	Status  dimacs.Status // the answer; Unknown if the search was stopped
	Caption string        // one line about how it was searched

	// Truncated reports whether the search was stopped at [MaxEvents].
	Truncated bool

	Frames int     // the most frames, at least [MinFrames]; 0 leaves it to the format
	Speed  float64 // frames a second, above 0 and up to [MaxSpeed]; 0 is [DefaultSpeed]
	Cell   int     // the side of a cell, in pixels; 0 leaves it to the size

	formula    *dimacs.Formula
	candidates []int32 // by variable, -1 for an auxiliary one
	decided    []bool  // by candidate: it has no variable, since the givens decide it
	found      []int   // by cell, the digits that follow from the givens where the encoding spends them
	solved     bool    // the model is a solution
	events     []event
}

// An event is a [dpll.Event] in less memory.
type event struct {
	lit      dimacs.Lit
	clause   int32
	level    int32
	assigned int32
	kind     dpll.Kind
}

// MaxEvents is how many events a film has at most. There the search ends; so many
// take 40 MB.
const MaxEvents = 1 << 21

// The bounds of what a film can be asked for.
const (
	MinFrames    = 10
	MaxSpeed     = 50 // a GIF counts time in hundredths of a second, and browsers take less than two for ten
	DefaultSpeed = 8
)

// A Format is a way to write films.
type Format struct {
	Name      string
	Help      string
	Extension string // how names of files in this format end
	Frames    int    // the most frames, if the film does not say
	Write     func(f *Recording, w io.Writer) error
}

// Formats lists the formats.
var Formats = []Format{
	{"gif", "an animated image", ".gif", defaultFrames, (*Recording).GIF},
	{"svg", "a vector drawing that moves by itself in a browser", ".svg", defaultFrames, (*Recording).SVG},
	{"html", "a page with buttons and a slider, which needs nothing beside it", ".html", defaultPageFrames, (*Recording).HTML},
}

// The most frames where the film does not say: what can be watched in a minute,
// or stepped through and stays a file that a browser opens at once.
const (
	defaultFrames     = 300
	defaultPageFrames = 20_000
)

// A ModelError says that a model of the engine is no solution of the puzzle, which
// is an error of Sator.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return "the model found is no solution: " + e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// Record solves a puzzle with the classic engine and returns the film of it. The
// fields Trace and Proof of the engine's options are not used. If ctx is done
// before there is an answer, the film ends there. An error is one of the
// coding or the options, or a [ModelError].
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

// invert finds the candidate of each variable, and the digits that need none.
func (f *Recording) mapVariables(m *sudoku.Map) {
	r := f.Puzzle.Rules
	f.candidates = make([]int32, max(f.formula.Vars(), m.Vars()))
	for v := range f.candidates {
		f.candidates[v] = -1
	}
	f.decided = make([]bool, r.Cells()*r.Size())
	settled := sudoku.NewCandidates(r)
	consistent := settled.Load(f.Puzzle) && settled.Singles()
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
			f.found[cell] = settled.Digit(cell)
		}
	}
}

// search runs the engine and keeps its events.
func (f *Recording) search(ctx context.Context, o dpll.Options) dimacs.Model {
	searching, cut := context.WithCancel(ctx)
	defer cut()
	o.Proof = nil
	o.Trace = func(e dpll.Event) {
		if len(f.events) == MaxEvents {
			f.Truncated = true
			cut()
			return
		}
		f.events = append(f.events, event{e.Lit, int32(e.Clause), int32(e.Level), int32(e.Assigned), e.Kind})
	}
	s := dpll.New(o)
	s.AddFormula(f.formula)
	if f.Status = s.Solve(searching); f.Truncated {
		f.Status = dimacs.Unknown // what came after the cut is not in the film
	}
	if f.Status != dimacs.Satisfiable {
		return nil
	}
	return s.Model()
}

// Events returns the number of events.
func (f *Recording) Events() int { return len(f.events) }

// picture returns the grid as it stays throughout.
func (f *Recording) picture() *render.Picture {
	return &render.Picture{Puzzle: f.Puzzle, Found: f.found, Cell: cmp.Or(f.Cell, f.defaultCell())}
}

// defaultCell returns the side of a cell: large enough for the candidates in it,
// and for small grids such that the panel below is not much wider.
func (f *Recording) defaultCell() int {
	n := f.Puzzle.Rules.Size()
	if n <= maxWrittenSize {
		return min(80, max(52, 468/n))
	}
	rows, cols := f.lattice()
	return max(min(32, 2400/n), 4*max(rows, cols)+8)
}

// lattice returns in how many rows and columns the candidates of a cell stand:
// those of a box, or nearly a square.
func (f *Recording) lattice() (rows, cols int) {
	v := f.Puzzle.Rules.Variant()
	if v.BoxRows > 1 {
		return v.BoxRows, v.BoxCols
	}
	for cols = 1; cols*cols < v.Size; cols++ {
	}
	return (v.Size + cols - 1) / cols, cols
}

// check panics if the film is asked for what it cannot be.
func (f *Recording) check() {
	if f.Frames != 0 && f.Frames < MinFrames {
		panic(fmt.Sprintf("animate: a film of %d frames; it needs %d", f.Frames, MinFrames))
	}
	if f.Speed < 0 || f.Speed > MaxSpeed {
		panic(fmt.Sprintf("animate: %g frames a second", f.Speed))
	}
}
