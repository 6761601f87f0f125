package animate

import (
	"fmt"
	"image"
	"strconv"

	"sator/cmd/internal/film"
	"sator/sudoku/render"
)

// A layout has the positions of the grid and of the panel below it. The panel has
// the caption of the frame, the path, the counters, a key of the shapes, and the
// caption of the recording.
type layout struct {
	*painter
	f             *Recording
	picture       *render.Picture
	width, height int
	grid          image.Point // the position of the picture of the grid
	panel         int         // the y coordinate of the panel
}

// The dimensions of the panel, in pixels.
const (
	minWidth     = 480
	panelHeight  = 132
	movingHeight = 84 // of the upper part, which changes
	panelMargin  = 10
)

func (f *Recording) layout() *layout {
	p := f.picture()
	last := p.CellBounds(f.Puzzle.Rules.Cells() - 1)
	side := last.Max.X + p.CellBounds(0).Min.X
	s := &layout{painter: f.painter(), f: f, picture: p, panel: side}
	s.width, s.height = max(side, minWidth), side+panelHeight
	s.grid.X = (s.width - side) / 2
	return s
}

// cellBounds returns the bounds of a cell.
func (s *layout) cellBounds(cell int) image.Rectangle { return s.picture.CellBounds(cell).Add(s.grid) }

// column returns the middle of the column of a counter.
func (s *layout) column(i int) float64 {
	wide := float64(s.width-2*panelMargin) / float64(len(film.CounterNames))
	return panelMargin + (float64(i)+0.5)*wide
}

// drawReadout draws a readout on a panel that begins at y.
func (s *layout) drawReadout(cv canvas, r film.Readout, y float64) {
	cv.text(black, face{14, true, true}, panelMargin, y+18, shortened(r.Caption, (s.width-2*panelMargin)/8))
	cv.text(slate, face{13, false, true}, panelMargin, y+39, fmt.Sprintf("level %d", r.Level))
	cv.text(slate, face{17, false, true}, panelMargin+62, y+40, r.Path)
	for i, n := range r.Counts {
		cv.text(black, face{size: 15, bold: true}, s.column(i), y+63, strconv.Itoa(n))
	}
}

// shortened returns a text with at most a number of characters.
func shortened(line string, most int) string {
	runes := []rune(line)
	if len(runes) <= most {
		return line
	}
	return string(runes[:most-1]) + "…"
}

// drawLegend draws the part of the panel that does not change.
func (s *layout) drawLegend(cv canvas) {
	y := float64(s.panel)
	for i, name := range film.CounterNames {
		cv.text(faint, face{size: 11}, s.column(i), y+78, name)
	}
	s.drawKey(cv, y+movingHeight)
}

// drawKey draws a key of the shapes, from y on.
func (s *layout) drawKey(cv canvas, y float64) {
	signs := &painter{cell: 24, digits: 1}
	entries := []struct {
		name string
		draw func(x, y float64)
	}{
		{"decision", func(x, y float64) { signs.digit(cv, film.DecidedStyle, 1, x, y) }},
		{"backtrack", func(x, y float64) { signs.digit(cv, film.FlippedStyle, 1, x, y) }},
		{"propagated", func(x, y float64) { signs.digit(cv, film.PropagatedStyle, 1, x, y) }},
		{"pure literal", func(x, y float64) { signs.digit(cv, film.PureStyle, 1, x, y) }},
		{"conflict", func(x, y float64) { signs.pointer(cv, film.ConflictPointer, x, y) }},
	}
	x := float64(panelMargin)
	for _, e := range entries {
		e.draw(x+12, y+15)
		cv.text(black, face{size: 12, left: true}, x+27, y+19, e.name)
		x += 34 + 6.2*float64(len(e.name))
	}
	cv.text(faint, face{size: 11, left: true}, panelMargin, y+40, s.f.Caption+"; a small disc: not that digit")
}
