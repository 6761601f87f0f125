package animate

import (
	"image/color"
	"math"
	"strconv"
)

// How things look. Everything is made of polygons, discs and text, so that it is
// drawn once, for pixels and for SVG alike.

// A canvas is what can be drawn on.
type canvas interface {
	polygon(c color.RGBA, points ...point)
	disc(c color.RGBA, x, y, radius float64)
	// text writes around or from x, upon the base line y.
	text(c color.RGBA, f face, x, y float64, text string)
}

type point struct{ x, y float64 }

// A face is how text looks.
type face struct {
	size float64
	bold bool
	left bool // it begins at x, and is not centered
}

// The colors are those of Okabe and Ito, "Color Universal Design" (2008), made
// darker where digits stand on white; they differ in brightness, too.
var (
	white      = color.RGBA{0xff, 0xff, 0xff, 0xff}
	black      = color.RGBA{0, 0, 0, 0xff}
	faint      = color.RGBA{0x77, 0x77, 0x77, 0xff}
	blue       = color.RGBA{0x00, 0x5a, 0x9e, 0xff} // decided
	vermillion = color.RGBA{0xc0, 0x45, 0x00, 0xff} // the other branch
	green      = color.RGBA{0x00, 0x73, 0x54, 0xff} // pure
	slate      = color.RGBA{0x30, 0x40, 0x58, 0xff} // propagated
)

// rise is how far the base line of digits is below their middle, in parts of
// the size of the letters.
const rise = 0.36

// A style draws what stands in the places of cells of one size around the middle
// of the cell, or of the place of a small digit.
type painter struct {
	cell       float64
	written    bool // small digits are digits
	rows, cols int  // of small digits
	digits     int  // of the largest number

	// sums is the room that the small digits leave to those of cages.
	sums float64
}

func (f *Recording) painter() *painter {
	rows, cols := f.lattice()
	n := f.Puzzle.Rules.Size()
	s := &painter{cell: float64(f.picture().Cell), written: n <= maxWrittenSize, rows: rows, cols: cols, digits: len(strconv.Itoa(n))}
	if len(f.Puzzle.Rules.Cages()) > 0 {
		s.sums = 0.16 * s.cell
	}
	return s
}

// spot returns where a small digit is, relative to the corner of its cell.
func (s *painter) markPosition(digit int) point {
	i, k := (digit-1)/s.cols, (digit-1)%s.cols
	wide, high := s.markPitch()
	room := s.cell * 0.1
	return point{room + (float64(k)+0.5)*wide, room + s.sums + (float64(i)+0.5)*high}
}

// pitch returns the distances of small digits.
func (s *painter) markPitch() (wide, high float64) {
	return s.cell * 0.8 / float64(s.cols), (s.cell*0.8 - s.sums) / float64(s.rows)
}

// mark draws a small digit around x and y.
func (s *painter) mark(cv canvas, mark uint16, digit int, x, y float64) {
	wide, high := s.markPitch()
	radius := min(0.5*min(wide, high), 0.15*s.cell)
	ink, bold, size := faint, false, 1.6*radius
	switch mark {
	case openMark:
		if !s.written {
			r := max(0.5, 0.3*radius)
			cv.polygon(faint, point{x - r, y - r}, point{x + r, y - r}, point{x + r, y + r}, point{x - r, y + r})
			return
		}
	case decidedMark:
		cv.disc(blue, x, y, radius)
		ink, bold, size = white, true, 1.3*radius
	case flippedMark:
		cv.disc(vermillion, x, y, radius)
		cv.disc(white, x, y, 0.7*radius)
		ink, bold, size = vermillion, true, 1.2*radius
	case clashMark:
		ink, bold, size = black, true, 1.9*radius
		if !s.written {
			cv.disc(black, x, y, radius)
		}
	}
	if s.written {
		cv.text(ink, face{size: size, bold: bold}, x, y+rise*size, strconv.Itoa(digit))
	}
}

// digit draws a large digit around x and y.
func (s *painter) digit(cv canvas, style, digit int, x, y float64) {
	size := s.cell * [...]float64{1: 0.62, 2: 0.5, 3: 0.36}[s.digits]
	radius := 0.39 * s.cell
	ink, bold := slate, false
	switch style {
	case decidedStyle:
		cv.disc(blue, x, y, radius)
		ink, bold, size = white, true, 0.85*size
	case flippedStyle:
		cv.disc(vermillion, x, y, radius)
		cv.disc(white, x, y, radius-max(1.5, 0.07*s.cell))
		ink, bold, size = vermillion, true, 0.85*size
	case pureStyle:
		diamond(cv, green, x, y, 1.12*radius)
		diamond(cv, white, x, y, 1.12*radius-max(1.8, 0.07*s.cell))
		ink, size = green, 0.75*size
	}
	cv.text(ink, face{size: size, bold: bold}, x, y+rise*size, strconv.Itoa(digit))
}

func diamond(cv canvas, c color.RGBA, x, y, r float64) {
	cv.polygon(c, point{x, y - r}, point{x + r, y}, point{x, y + r}, point{x - r, y})
}

// pointer draws what points at the cell around x and y. It leaves the digit
// free, and the line around the cell.
func (s *painter) pointer(cv canvas, p pointer, x, y float64) {
	r := 0.46 * s.cell
	thin, thick := max(1, s.cell/40), max(2, s.cell/14)
	switch p {
	case propagatePointer:
		corners(cv, slate, x, y, r, thin, 2*r)
	case purePointer:
		corners(cv, green, x, y, r, thin, 2*r)
	case decidePointer:
		corners(cv, blue, x, y, r, thick, 2*r)
	case backtrackPointer:
		corners(cv, vermillion, x, y, r, thick, 0.6*r)
	case conflictPointer:
		line(cv, black, x-r, y-r, x+r, y+r, thick/2)
		line(cv, black, x-r, y+r, x+r, y-r, thick/2)
		corners(cv, vermillion, x, y, r, thick/2, 2*r)
	}
}

// corners draws a square frame with half the side r, or if length is less than
// the side its corners.
func corners(cv canvas, c color.RGBA, x, y, r, width, length float64) {
	inset := r - width/2
	for _, sx := range [...]float64{-1, 1} {
		for _, sy := range [...]float64{-1, 1} {
			cornerX, cornerY := x+sx*inset, y+sy*inset
			line(cv, c, cornerX+sx*width/2, cornerY, cornerX-sx*min(length, 2*inset), cornerY, width)
			line(cv, c, cornerX, cornerY+sy*width/2, cornerX, cornerY-sy*min(length, 2*inset), width)
		}
	}
}

// line draws a straight line of a width.
func line(cv canvas, c color.RGBA, x1, y1, x2, y2, width float64) {
	dx, dy := x2-x1, y2-y1
	scale := width / 2 / math.Hypot(dx, dy)
	nx, ny := -dy*scale, dx*scale
	cv.polygon(c, point{x1 + nx, y1 + ny}, point{x2 + nx, y2 + ny}, point{x2 - nx, y2 - ny}, point{x1 - nx, y1 - ny})
}
