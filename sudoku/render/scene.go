package render

import (
	"cmp"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"sator/sudoku/shapes"
)

// A scene has the shapes of SVG and PNG, which are the same, in pixels. They
// are drawn in the order of the fields.
type scene struct {
	width     int
	height    int
	title     string
	areas     []area
	strokes   [pens][]stroke
	relations *shapes.Drawing
	arrows    []shapes.Polygon
	labels    [inks][]label
	widths    [pens]int
	size      [inks]float64 // font sizes
}

// An area is a filled rectangle.
type area struct {
	x, y, width, height int
	fill                color.RGBA
}

// A stroke is a horizontal or vertical line.
type stroke struct{ x1, y1, x2, y2 int }

// A label is text that is centered at x on the baseline y.
type label struct {
	x, y float64
	text string
}

// The kinds of lines, in drawing order.
const (
	thinPen = iota
	cagePen
	thickPen
	strikePen
	pens
)

// penLook is the appearance of each kind of line. dash is the length of dashes
// and of the gaps between them, 0 for a solid line.
var penLook = [pens]struct {
	width func(cell int) int
	dash  int
	color color.RGBA
}{
	thinPen:  {func(int) int { return 1 }, 0, gray(0x99)},
	cagePen:  {func(int) int { return 1 }, 3, gray(0x33)},
	thickPen: {func(cell int) int { return max(2, cell/13) }, 0, gray(0)},

	strikePen: {func(cell int) int { return max(1, cell/40) }, 0, color.RGBA{0xd0, 0x20, 0x10, 0xff}},
}

// The kinds of text.
const (
	sumInk = iota
	markInk
	givenInk
	foundInk
	inks
)

// inkLook is the appearance of each kind of text.
var inkLook = [inks]struct {
	bold  bool
	color color.RGBA
}{
	sumInk:   {false, gray(0)},
	markInk:  {false, gray(0x55)},
	givenInk: {true, gray(0)},
	foundInk: {false, color.RGBA{0x15, 0x50, 0xc0, 0xff}},
}

// tints are the background colors by the result of [Picture.tint].
var tints = [...]color.RGBA{gray(0xff), gray(0xe6), gray(0xd0)}

// patternTint is the background color of the cells of a pattern, roleTints are those of marks by
// their role.
var (
	patternTint = color.RGBA{0xff, 0xf3, 0xb8, 0xff}
	roleTints   = [roles]color.RGBA{
		patternRole: {0xb4, 0xd4, 0xff, 0xff}, eliminatedRole: {0xff, 0xc4, 0xbc, 0xff}, placedRole: {0x98, 0xe0, 0x90, 0xff},
	}
)

func gray(y uint8) color.RGBA { return color.RGBA{y, y, y, 0xff} }

// baselineOffset is the distance from the middle of digits to their baseline,
// relative to the font size. It is half the height of a digit, which is similar
// in all sans-serif fonts.
const baselineOffset = 0.36

// The default sides of cells. Cells of large grids are smaller, so that the
// picture is not much larger than maxSide, but at least minCell, so that digits
// remain legible.
const (
	defaultCell = 40
	minCell     = 20
	maxSide     = 4000
	minMarkSide = 13 // smallest side of the space for a mark
)

// A sceneBuilder is a scene under construction.
type sceneBuilder struct {
	scene
	*borders
	p            *Picture
	cell, margin int
	sums, clues  int // heights of labels in a cell
}

func (p *Picture) scene() *scene {
	p.check()
	cell := cmp.Or(p.Cell, p.defaultCellSize())
	s := &sceneBuilder{borders: newBorders(p.Puzzle.Rules), p: p, cell: cell, margin: margin(cell)}
	s.sums, s.clues = p.labelHeights(cell)
	s.width, s.height = 2*s.margin+s.plan.Cols*cell, 2*s.margin+s.plan.Rows*cell
	s.title = p.Title
	if s.title == "" {
		s.title = fmt.Sprintf("Sudoku of size %d", s.rules.Size())
		if grids := len(s.rules.Variant().Grids); grids > 0 {
			s.title = fmt.Sprintf("%d grids of size %d", grids, s.rules.Size())
		}
		s.title = strings.Join(append([]string{s.title}, p.Puzzle.Rules.Variant().Notes()...), "; ")
	}
	for pen, look := range penLook {
		s.widths[pen] = look.width(cell)
	}
	s.addShading()
	s.addLines()
	s.relations = shapes.New(s.rules, cell, s.margin)
	s.size[sumInk] = shapes.LabelSize * float64(cell)
	for _, l := range s.relations.Labels {
		s.labels[sumInk] = append(s.labels[sumInk], label{l.X, l.Y, l.Text})
	}
	for _, cage := range s.rules.Cages() {
		s.addCage(cage.Cells, strconv.Itoa(cage.Sum))
	}
	s.addDigits()
	s.addArrows()
	return &s.scene
}

// margin returns the width of the margin around the grid.
func margin(cell int) int { return max(3, cell/5) }

// defaultCellSize returns the side of a cell for a picture that does not set
// it.
func (p *Picture) defaultCellSize() int {
	cell := max(minCell, min(defaultCell, maxSide/max(p.Puzzle.Rules.Plan().Rows, p.Puzzle.Rules.Plan().Cols)))
	if p.Marks != nil {
		rows, cols := p.marksGrid()
		cell = max(cell, minMarkSide*max(rows, cols*(p.digits()+1)/2)+2*padding(cell))
		sums, clues := p.labelHeights(cell)
		cell += sums + clues
	}
	return cell
}

// labelHeights returns the height of the sums of cages, at the top of a cell, and that of clues in its
// lower corner; 0 without them. All cells have their marks between the two.
func (p *Picture) labelHeights(cell int) (sums, clues int) {
	if len(p.Puzzle.Rules.Cages()) > 0 {
		sums = sumHeight(cell)
	}
	if shapes.New(p.Puzzle.Rules, cell, 0).Clues {
		clues = sumHeight(cell)
	}
	return sums, clues
}

// sumHeight returns the height of the sum of a cage, with its distance from the border of the cell.
func sumHeight(cell int) int { return inset(cell) + int(shapes.LabelSize*float64(cell)) }

// inset returns the distance between the border of a cell and that of a cage.
func inset(cell int) int { return max(2, cell/12) }

// padding returns the distance between the border of a cell and its marks.
func padding(cell int) int { return cell / 8 }

// corner returns the position of the top left corner of a cell.
func (s *sceneBuilder) corner(cell int) (x, y int) {
	at := s.plan.Place(cell)
	return s.margin + at.Col*s.cell, s.margin + at.Row*s.cell
}

// addShading adds the background and the shaded cells.
func (s *sceneBuilder) addShading() {
	s.areas = append(s.areas, area{0, 0, s.width, s.height, tints[0]})
	for cell := range s.plan.Cells() {
		x, y := s.corner(cell)
		if tint := s.p.tint(cell); tint > 0 {
			s.areas = append(s.areas, area{x, y, s.cell, s.cell, tints[tint]})
		}
		if s.p.highlighted(cell) {
			s.areas = append(s.areas, area{x, y, s.cell, s.cell, patternTint})
		}
	}
}

// addLines adds thin lines between all cells, and thick lines on top of them at
// the borders of boxes and regions. Thick lines are as long as possible.
func (s *sceneBuilder) addLines() {
	in := func(row, col int) bool { return s.plan.Cell(row, col) >= 0 }
	for i := range max(s.plan.Rows, s.plan.Cols) + 1 {
		s.addLinesAt(thinPen, s.margin+i*s.cell,
			func(k int) bool { return in(i-1, k) || in(i, k) },
			func(k int) bool { return in(k, i-1) || in(k, i) })
		s.addLinesAt(thickPen, s.margin+i*s.cell,
			func(k int) bool { return s.above(i, k).strong() },
			func(k int) bool { return s.before(k, i).strong() })
	}
}

// addLinesAt adds lines at a distance from the top, in the columns where across holds, and from the
// left, in the rows where down holds.
func (s *sceneBuilder) addLinesAt(pen, at int, across, down func(k int) bool) {
	for _, run := range runs(s.plan.Cols, across) {
		s.strokes[pen] = append(s.strokes[pen], stroke{s.margin + run[0]*s.cell, at, s.margin + run[1]*s.cell, at})
	}
	for _, run := range runs(s.plan.Rows, down) {
		s.strokes[pen] = append(s.strokes[pen], stroke{at, s.margin + run[0]*s.cell, at, s.margin + run[1]*s.cell})
	}
}

// runs returns the maximal intervals below n in which a condition holds.
func runs(n int, holds func(int) bool) [][2]int {
	var all [][2]int
	for i := 0; i < n; i++ {
		from := i
		for i < n && holds(i) {
			i++
		}
		if i > from {
			all = append(all, [2]int{from, i})
		}
	}
	return all
}

// addCage adds the border of a cage, a little inside its cells, and its sum in
// a gap of the border at the first cell.
func (s *sceneBuilder) addCage(cells []int, sum string) {
	inset := inset(s.cell)
	wide, high := int(s.size[sumInk]*(0.6*float64(len(sum))+0.3)), int(s.size[sumInk])
	with := func(row, col int) bool {
		other := s.plan.Cell(row, col)
		return other >= 0 && s.rules.CageOf(other) == s.rules.CageOf(cells[0])
	}
	for _, cell := range cells {
		at := s.plan.Place(cell)
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if with(at.Row+d[0], at.Col+d[1]) {
				continue
			}
			line := s.cageEdge(cell, d, inset, with)
			if cell == cells[0] && d[0] < 0 {
				line.x1 += wide
			} else if cell == cells[0] && d[1] < 0 {
				line.y1 += high
			}
			s.strokes[cagePen] = append(s.strokes[cagePen], line)
		}
	}
	x, y := s.corner(cells[0])
	s.labels[sumInk] = append(s.labels[sumInk], label{
		float64(x+inset) + float64(wide)/2 - 1, float64(y+inset) + 0.65*s.size[sumInk], sum,
	})
}

// cageEdge returns the line of a cage's border at the side d of a cell. Its
// ends meet the adjacent lines of the border: inside the cell at a convex
// corner, at the edge of the cell if the border is straight, and beyond the
// edge at a concave corner.
func (s *sceneBuilder) cageEdge(cell int, d [2]int, inset int, with func(row, col int) bool) stroke {
	from := s.plan.Place(cell)
	end := func(step int) int { // distance from the edge of the cell, inward
		along := [2]int{step * (1 - abs(d[0])), step * (1 - abs(d[1]))}
		switch {
		case !with(from.Row+along[0], from.Col+along[1]):
			return inset
		case with(from.Row+along[0]+d[0], from.Col+along[1]+d[1]):
			return -inset
		}
		return 0
	}
	x, y := s.corner(cell)
	first, last := end(-1), s.cell-end(1)
	at := inset
	if d[0]+d[1] > 0 {
		at = s.cell - inset
	}
	if d[0] != 0 {
		return stroke{x + first, y + at, x + last, y + at}
	}
	return stroke{x + at, y + first, x + at, y + last}
}

func abs(x int) int { return max(x, -x) }

// addDigits adds the digits and marks of all cells.
func (s *sceneBuilder) addDigits() {
	side := float64(s.cell)
	size := side * [...]float64{1: 0.62, 2: 0.5, 3: 0.36}[s.p.digits()]
	s.size[givenInk], s.size[foundInk] = size, size
	for cell := range s.plan.Cells() {
		x, y := s.corner(cell)
		digit, given := s.p.digit(cell)
		if digit == 0 {
			s.addMarks(cell)
			continue
		}
		ink := foundInk
		if given {
			ink = givenInk
		}
		s.labels[ink] = append(s.labels[ink], label{
			float64(x) + side/2, float64(y) + side/2 + baselineOffset*size, strconv.Itoa(digit),
		})
	}
}

// addMarks adds the marks of a cell.
func (s *sceneBuilder) addMarks(cell int) {
	for digit := 1; digit <= s.rules.Size(); digit++ {
		if !s.p.marked(cell, digit) {
			continue
		}
		candidate := s.rules.Candidate(cell, digit)
		x, y, wide, high := s.markPlace(candidate)
		if role := s.p.roleOf(candidate); role != noRole {
			s.addRole(role, int(x), int(y), int(wide), int(high))
		}
		size := 0.9 * min(high, wide/(0.6*float64(s.p.digits())))
		s.size[markInk] = size
		s.labels[markInk] = append(s.labels[markInk], label{x + wide/2, y + high/2 + baselineOffset*size, strconv.Itoa(digit)})
	}
}

// markPlace returns the place of the mark of a candidate, between the labels of the cell.
func (s *sceneBuilder) markPlace(candidate int) (x, y, wide, high float64) {
	n := s.rules.Size()
	rows, cols := s.p.marksGrid()
	pad := padding(s.cell)
	top := max(pad, s.sums)
	wide = float64(s.cell-2*pad) / float64(cols)
	high = float64(s.cell-top-max(pad, s.clues)) / float64(rows)
	cell, digit := candidate/n, candidate%n
	left, above := s.corner(cell)
	return float64(left+pad) + float64(digit%cols)*wide, float64(above+top) + float64(digit/cols)*high, wide, high
}

// addRole adds the background of a mark with a role in a highlight, and a line through one that is
// eliminated.
func (s *sceneBuilder) addRole(r role, x, y, width, height int) {
	s.areas = append(s.areas, area{x, y, width, height, roleTints[r]})
	if r == eliminatedRole {
		s.strokes[strikePen] = append(s.strokes[strikePen], stroke{x, y + height/2, x + width, y + height/2})
	}
}
