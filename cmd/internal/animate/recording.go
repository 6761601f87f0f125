package animate

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"sator/cmd/internal/film"
	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/render"
)

// A Recording is a recorded search, and the choices for its drawing.
type Recording struct {
	*film.Recording

	// Frames is the largest number of frames, at least [film.MinFrames]; 0 selects the
	// default of the format. Speed is in frames a second, more than 0 and at most
	// [MaxSpeed]; 0 selects [DefaultSpeed]. If both are 0, the animation lasts at most
	// [DefaultSeconds]: the speed is up to twice the default, and then the frames are fewer.
	Frames int
	Speed  float64
	Cell   int // the side of a cell in pixels; 0 selects a default by size
}

// Record records a search for the solution of a puzzle, see [film.Record].
func Record(ctx context.Context, g *sudoku.Grid, c sudoku.Coding, o classic.Options) (*Recording, error) {
	r, err := film.Record(ctx, g, c, o)
	if err != nil {
		return nil, err
	}
	return &Recording{Recording: r}, nil
}

// Bounds and defaults of the fields of a [Recording].
const (
	MaxSpeed     = 50 // GIF delays are in 1/100 s, and browsers replace delays below 2/100 s by 10/100 s
	DefaultSpeed = 8

	DefaultSeconds = 60
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

// The default numbers of frames: an animation lasts a minute at most, and a browser
// opens a page of this size without delay.
const (
	defaultFrames     = 300
	defaultPageFrames = 20_000
)

// play returns the frames and the speed, with the number of frames that is the default of
// the format.
func (f *Recording) play(frames int) ([]film.Frame, float64) {
	limit := cmp.Or(f.Frames, frames)
	list := f.Group(limit)
	if f.Frames != 0 || f.Speed != 0 {
		return list, cmp.Or(f.Speed, DefaultSpeed)
	}
	const fastest = 2 * DefaultSpeed
	for weightOf(list) > fastest*DefaultSeconds && limit > film.MinFrames {
		// The weight is about that of the frames, and of the first and the last one.
		limit = max(film.MinFrames, min(limit-1, len(list)*fastest*DefaultSeconds/weightOf(list)))
		list = f.Group(limit)
	}
	return list, max(DefaultSpeed, float64(weightOf(list))/DefaultSeconds)
}

// weightOf returns the duration of frames, in the unit of [film.Frame].
func weightOf(frames []film.Frame) int {
	total := 0
	for _, fr := range frames {
		total += fr.Weight
	}
	return total
}

// picture returns the part of the grid that all frames share.
func (f *Recording) picture() *render.Picture {
	return &render.Picture{Puzzle: f.Puzzle, Found: f.Found(), Cell: cmp.Or(f.Cell, f.defaultCell())}
}

// defaultCell returns the side of a cell in pixels. A cell has space for its
// candidates, and a small grid is nearly as wide as the panel below it.
func (f *Recording) defaultCell() int {
	n := f.Puzzle.Rules.Size()
	if n <= film.MaxWrittenSize {
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
	if f.Frames != 0 && f.Frames < film.MinFrames {
		panic(fmt.Sprintf("animate: invalid number of frames %d; want at least %d", f.Frames, film.MinFrames))
	}
	if f.Speed < 0 || f.Speed > MaxSpeed {
		panic(fmt.Sprintf("animate: invalid speed %g; want at most %d frames a second", f.Speed, MaxSpeed))
	}
}
