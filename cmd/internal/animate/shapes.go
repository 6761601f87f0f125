package animate

import (
	"image/color"
	"math"
	"strconv"

	"sator/cmd/internal/film"
)

// The shapes of digits, marks and pointers. All shapes consist of polygons, discs
// and text, so the same code draws them as pixels and as SVG.

// A canvas is a surface for drawing, in pixels or as SVG.
type canvas interface {
	polygon(c color.RGBA, points ...point)
	disc(c color.RGBA, x, y, radius float64)
	// text writes a text with base line y, centered at x or beginning there.
	text(c color.RGBA, f face, x, y float64, text string)
}

// A point has coordinates in pixels.
type point struct{ x, y float64 }

// A face is the size, weight and alignment of a text.
type face struct {
	size float64
	bold bool
	left bool // the text begins at x; otherwise it is centered
}

// The colors are those of Okabe and Ito, "Color Universal Design" (2008), darker
// where digits stand on white. They also differ in brightness.
var (
	white      = color.RGBA{0xff, 0xff, 0xff, 0xff}
	black      = color.RGBA{0, 0, 0, 0xff}
	faint      = color.RGBA{0x77, 0x77, 0x77, 0xff}
	blue       = color.RGBA{0x00, 0x5a, 0x9e, 0xff} // decided
	vermillion = color.RGBA{0xc0, 0x45, 0x00, 0xff} // the other branch
	green      = color.RGBA{0x00, 0x73, 0x54, 0xff} // pure
	slate      = color.RGBA{0x30, 0x40, 0x58, 0xff} // propagated
)

// rise is the distance from the middle of a digit to its base line, divided by
// the size of the face.
const rise = 0.36

// A painter draws the values of slots, for cells of one size.
type painter struct {
	cell       float64 // the side of a cell
	written    bool    // marks are digits
	rows, cols int     // rows and columns of marks
	digits     int     // decimal digits of the largest number
	sums       float64 // the height above the marks for the sums of cages
}

func (f *Recording) painter() *painter {
	rows, cols := f.lattice()
	n := f.Puzzle.Rules.Size()
	s := &painter{cell: float64(f.picture().Cell), written: n <= film.MaxWrittenSize, rows: rows, cols: cols, digits: len(strconv.Itoa(n))}
	if len(f.Puzzle.Rules.Cages()) > 0 {
		s.sums = 0.16 * s.cell
	}
	return s
}

// markPosition returns the position of a mark, relative to the corner of its cell.
func (s *painter) markPosition(digit int) point {
	i, k := (digit-1)/s.cols, (digit-1)%s.cols
	wide, high := s.markPitch()
	margin := s.cell * 0.1
	return point{margin + (float64(k)+0.5)*wide, margin + s.sums + (float64(i)+0.5)*high}
}

// markPitch returns the distances between marks.
func (s *painter) markPitch() (wide, high float64) {
	return s.cell * 0.8 / float64(s.cols), (s.cell*0.8 - s.sums) / float64(s.rows)
}

// mark draws the mark of a candidate around x and y.
func (s *painter) mark(cv canvas, mark uint16, digit int, x, y float64) {
	wide, high := s.markPitch()
	radius := min(0.5*min(wide, high), 0.15*s.cell)
	ink, bold, size := faint, false, 1.6*radius
	switch mark {
	case film.OpenMark:
		if !s.written {
			r := max(0.5, 0.3*radius)
			cv.polygon(faint, point{x - r, y - r}, point{x + r, y - r}, point{x + r, y + r}, point{x - r, y + r})
			return
		}
	case film.DecidedMark:
		cv.disc(blue, x, y, radius)
		ink, bold, size = white, true, 1.3*radius
	case film.FlippedMark:
		cv.disc(vermillion, x, y, radius)
		cv.disc(white, x, y, 0.7*radius)
		ink, bold, size = vermillion, true, 1.2*radius
	case film.ClashMark:
		ink, bold, size = black, true, 1.9*radius
		if !s.written {
			cv.disc(black, x, y, radius)
		}
	}
	if s.written {
		cv.text(ink, face{size: size, bold: bold}, x, y+rise*size, strconv.Itoa(digit))
	}
}

// digit draws a digit around x and y.
func (s *painter) digit(cv canvas, style, digit int, x, y float64) {
	size := s.cell * [...]float64{1: 0.62, 2: 0.5, 3: 0.36}[s.digits]
	radius := 0.39 * s.cell
	ink, bold := slate, false
	switch style {
	case film.DecidedStyle:
		cv.disc(blue, x, y, radius)
		ink, bold, size = white, true, 0.85*size
	case film.FlippedStyle:
		cv.disc(vermillion, x, y, radius)
		cv.disc(white, x, y, radius-max(1.5, 0.07*s.cell))
		ink, bold, size = vermillion, true, 0.85*size
	case film.PureStyle:
		diamond(cv, green, x, y, 1.12*radius)
		diamond(cv, white, x, y, 1.12*radius-max(1.8, 0.07*s.cell))
		ink, size = green, 0.75*size
	}
	cv.text(ink, face{size: size, bold: bold}, x, y+rise*size, strconv.Itoa(digit))
}

func diamond(cv canvas, c color.RGBA, x, y, r float64) {
	cv.polygon(c, point{x, y - r}, point{x + r, y}, point{x, y + r}, point{x - r, y})
}

// pointer draws a pointer around the middle x and y of a cell. It covers neither the
// digit nor the lines around the cell.
func (s *painter) pointer(cv canvas, p film.Pointer, x, y float64) {
	r := 0.46 * s.cell
	thin, thick := max(1, s.cell/40), max(2, s.cell/14)
	switch p {
	case film.PropagatePointer:
		corners(cv, slate, x, y, r, thin, 2*r)
	case film.PurePointer:
		corners(cv, green, x, y, r, thin, 2*r)
	case film.DecidePointer:
		corners(cv, blue, x, y, r, thick, 2*r)
	case film.BacktrackPointer:
		corners(cv, vermillion, x, y, r, thick, 0.6*r)
	case film.ConflictPointer:
		line(cv, black, x-r, y-r, x+r, y+r, thick/2)
		line(cv, black, x-r, y+r, x+r, y-r, thick/2)
		corners(cv, vermillion, x, y, r, thick/2, 2*r)
	}
}

// corners draws a square outline whose side is 2r, or only its corners if length is
// less than the side.
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

// line draws a straight line.
func line(cv canvas, c color.RGBA, x1, y1, x2, y2, width float64) {
	dx, dy := x2-x1, y2-y1
	scale := width / 2 / math.Hypot(dx, dy)
	nx, ny := -dy*scale, dx*scale
	cv.polygon(c, point{x1 + nx, y1 + ny}, point{x2 + nx, y2 + ny}, point{x2 - nx, y2 - ny}, point{x1 - nx, y1 - ny})
}
