// Package render draws Sudoku puzzles and their solutions as text, with Unicode
// box drawing characters, for terminals with colors, as SVG and as PNG.
//
//	picture := &render.Picture{Puzzle: puzzle, Found: solution}
//	if err := picture.Unicode(os.Stdout); err != nil {
//		return err
//	}
//	f, err := os.Create("puzzle.svg")
//	if err != nil {
//		return err
//	}
//	defer f.Close()
//	return picture.SVG(f)
//
// A [Highlight] marks the cells and candidates of a hint.
//
// All styles distinguish givens from found digits, draw borders of boxes and
// regions, and draw cages with their sums at the top left cell. SVG and PNG
// shade diagonals, windows and extra regions, and draw relations; drawings of
// characters name them below. A grid can have any size and variant; digits
// above 9 are written as numbers. [Styles] lists the styles by name.
//
// # Files
//
//   - render.go has the [Picture] and the table of styles; lines.go determines
//     the line between two neighboring cells.
//   - text.go draws with characters.
//   - scene.go lays out SVG and PNG, arrows.go the links of chains; svg.go and png.go write them.
package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"sator/sudoku"
)

// A Picture is a puzzle to be drawn, with optional found digits and pencil
// marks.
type Picture struct {
	Puzzle *sudoku.Grid // its digits are the givens

	// Found, if not nil, has the digits of other cells, 0 for an empty cell.
	Found []int

	// Marks, if not nil, reports by candidate which pencil marks are drawn in
	// cells without a digit.
	Marks []bool

	// Highlight, if not nil, marks the pattern and the conclusions of a hint. It needs Marks.
	Highlight *Highlight

	// Title is the title of an SVG document; "" for the size and rules.
	Title string

	NoColor bool // ANSI uses bold digits only, as the variable NO_COLOR requests
	Cell    int  // side of a cell in SVG and PNG in pixels; 0 selects a default by size

	// Columns is the width of the terminal for ANSI, 0 for any. A grid that is wider has
	// narrower cells, see [Picture.ANSI].
	Columns int
}

// A Highlight marks cells and candidates: in colors, and in characters by a sign before the pencil
// mark.
type Highlight struct {
	Cells      []int // cells of the pattern; shaded
	Candidates []int // candidates of the pattern: *5
	Eliminated []int // candidates that are false: -5
	Placed     []int // candidates that are true: +5

	// Strong and Weak are the links of chains, pairs of candidates. SVG and PNG have a solid arrow
	// for a strong one, a dashed one for a weak one.
	Strong, Weak [][2]int
}

// A role is the part of a candidate in a highlight.
type role uint8

const (
	noRole role = iota
	patternRole
	eliminatedRole
	placedRole
	roles
)

// roleOf returns the role of a candidate. A conclusion hides a part in the pattern.
func (p *Picture) roleOf(candidate int) role {
	switch h := p.Highlight; {
	case h == nil:
		return noRole
	case slices.Contains(h.Placed, candidate):
		return placedRole
	case slices.Contains(h.Eliminated, candidate):
		return eliminatedRole
	case slices.Contains(h.Candidates, candidate):
		return patternRole
	}
	return noRole
}

// highlighted reports whether a cell is shaded as part of a pattern.
func (p *Picture) highlighted(cell int) bool {
	return p.Highlight != nil && slices.Contains(p.Highlight.Cells, cell)
}

// A Style is a way to draw pictures.
type Style struct {
	Name      string
	Help      string
	Extension string // file name extension
	Draw      func(p *Picture, w io.Writer) error
}

// Styles lists the styles.
var Styles = []Style{
	{"text", "ASCII characters", ".txt", (*Picture).Text},
	{"unicode", "box drawing characters", ".utf8", (*Picture).Unicode},
	{"ansi", "box drawing characters with bold digits and colors for a terminal", ".ansi", (*Picture).ANSI},
	{"svg", "a vector drawing", ".svg", (*Picture).SVG},
	{"png", "an image", ".png", (*Picture).PNG},
}

// check panics if the lengths of the slices do not match the puzzle.
func (p *Picture) check() {
	r := p.Puzzle.Rules
	if p.Found != nil && len(p.Found) != r.Cells() {
		panic(fmt.Sprintf("render: %d digits found in %d cells", len(p.Found), r.Cells()))
	}
	if p.Highlight != nil && p.Marks == nil {
		panic("render: a highlight without marks")
	}
	if p.Marks != nil && len(p.Marks) != r.Cells()*r.Size() {
		panic(fmt.Sprintf("render: marks of %d candidates, not %d", len(p.Marks), r.Cells()*r.Size()))
	}
}

// digit returns the digit of a cell, or 0, and whether it is a given.
func (p *Picture) digit(cell int) (digit int, given bool) {
	switch {
	case p.Puzzle.Cells[cell] != 0:
		return p.Puzzle.Cells[cell], true
	case p.Found != nil:
		return p.Found[cell], false
	}
	return 0, false
}

// marked reports whether a pencil mark is drawn in an empty cell.
func (p *Picture) marked(cell, digit int) bool {
	return p.Marks != nil && p.Marks[p.Puzzle.Rules.Candidate(cell, digit)]
}

// digits returns the number of decimal digits of the largest number.
func (p *Picture) digits() int { return len(strconv.Itoa(p.Puzzle.Rules.Size())) }

// marksGrid returns the number of rows and columns of the marks in a cell: the
// shape of a box, or nearly a square.
func (p *Picture) marksGrid() (rows, cols int) {
	v := p.Puzzle.Rules.Variant()
	if v.BoxRows > 1 {
		return v.BoxRows, v.BoxCols
	}
	for cols = 1; cols*cols < v.Size; cols++ {
	}
	return (v.Size + cols - 1) / cols, cols
}

// tint returns how dark the background of a cell is: one step for each kind of
// house that has no lines.
func (p *Picture) tint(cell int) int {
	diagonal, window := 0, 0
	for _, h := range p.Puzzle.Rules.HousesOf(cell) {
		switch p.Puzzle.Rules.Houses()[h].Kind {
		case "diagonal":
			diagonal = 1
		case "window", "extra region":
			window = 1
		}
	}
	return diagonal + window
}
