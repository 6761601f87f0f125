// Package render draws Sudoku puzzles and their solutions: as text of ASCII
// characters, with Unicode's box drawing characters, for a terminal with bold
// digits and colors, as SVG and as PNG.
//
// All drawings show the same: digits that are given can be told from those that
// were found, boxes and regions have borders, cages have lines of their own and
// their sum at the top left cell. SVG and PNG shade diagonals and windows. A
// grid may have any size and variant; digits beyond 9 are written as numbers.
package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/sudoku"
)

// A Picture is what is to be drawn.
type Picture struct {
	Puzzle *sudoku.Grid // its digits are the givens

	// Found, if not nil, has digits for other cells, 0 where there is none.
	Found []int

	// Marks, if not nil, tells by candidate what is written small into the
	// cells without a digit.
	Marks []bool

	NoColor bool // ANSI makes do with bold digits, as the variable NO_COLOR asks
	Cell    int  // the side of a cell in SVG and PNG, in pixels; 0 leaves it to the size
}

// A Style is a way to draw pictures.
type Style struct {
	Name      string
	Help      string
	Extension string // how names of files in this style end
	Draw      func(p *Picture, w io.Writer) error
}

// Styles lists the ways to draw.
var Styles = []Style{
	{"text", "ASCII characters", ".txt", (*Picture).Text},
	{"unicode", "box drawing characters", ".utf8", (*Picture).Unicode},
	{"ansi", "the same, with bold digits and colors for a terminal", ".ansi", (*Picture).ANSI},
	{"svg", "a vector drawing", ".svg", (*Picture).SVG},
	{"png", "an image", ".png", (*Picture).PNG},
}

// check panics if the picture does not fit its puzzle.
func (p *Picture) check() {
	r := p.Puzzle.Rules
	if p.Found != nil && len(p.Found) != r.Cells() {
		panic(fmt.Sprintf("render: %d digits found in %d cells", len(p.Found), r.Cells()))
	}
	if p.Marks != nil && len(p.Marks) != r.Cells()*r.Size() {
		panic(fmt.Sprintf("render: marks of %d candidates, not %d", len(p.Marks), r.Cells()*r.Size()))
	}
}

// digit returns the digit of a cell, 0 for none, and whether it is given.
func (p *Picture) digit(cell int) (digit int, given bool) {
	switch {
	case p.Puzzle.Cells[cell] != 0:
		return p.Puzzle.Cells[cell], true
	case p.Found != nil:
		return p.Found[cell], false
	}
	return 0, false
}

// marked reports whether a digit is to be written small into an empty cell.
func (p *Picture) marked(cell, digit int) bool {
	return p.Marks != nil && p.Marks[p.Puzzle.Rules.Candidate(cell, digit)]
}

// digits returns how many digits the largest number has.
func (p *Picture) digits() int { return len(strconv.Itoa(p.Puzzle.Rules.Size())) }

// lattice returns in how many rows and columns the marks of a cell stand: those
// of a box, or nearly a square.
func (p *Picture) lattice() (rows, cols int) {
	v := p.Puzzle.Rules.Variant()
	if v.BoxRows > 1 {
		return v.BoxRows, v.BoxCols
	}
	for cols = 1; cols*cols < v.Size; cols++ {
	}
	return (v.Size + cols - 1) / cols, cols
}

// tint tells how dark the ground of a cell is: one step for each kind of house
// that lines do not show.
func (p *Picture) tint(cell int) int {
	diagonal, window := 0, 0
	for _, h := range p.Puzzle.Rules.HousesOf(cell) {
		switch p.Puzzle.Rules.Houses()[h].Kind {
		case "diagonal":
			diagonal = 1
		case "window":
			window = 1
		}
	}
	return diagonal + window
}

// notes returns the rules that the lines of a drawing do not show, in words.
func (p *Picture) notes() string {
	v := p.Puzzle.Rules.Variant()
	var notes []string
	for _, n := range []struct {
		on   bool
		note string
	}{
		{v.X, "both diagonals have every digit"},
		{v.Hyper, "the windows inside the boxes have every digit"},
		{v.AntiKnight, "cells a knight's move apart differ"},
	} {
		if n.on {
			notes = append(notes, n.note)
		}
	}
	return strings.Join(notes, "; ")
}
