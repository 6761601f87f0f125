package render

import (
	"cmp"
	"fmt"
	"image/color"
	"strconv"
)

// What SVG and PNG have in common: the same shapes at the same places, in
// pixels. They are drawn in the order of the fields.
type scene struct {
	side    int // of the whole picture, which is a square
	title   string
	areas   []area
	strokes [pens][]stroke
	labels  [inks][]label
	widths  [pens]int
	size    [inks]float64 // of the letters
}

// An area is a rectangle of one color.
type area struct {
	x, y, width, height int
	fill                color.RGBA
}

// A stroke is a line from left to right or from top to bottom.
type stroke struct{ x1, y1, x2, y2 int }

// A label is text around x, upon the base line y.
type label struct {
	x, y float64
	text string
}

// The kinds of lines, those drawn last on top.
const (
	thinPen = iota
	cagePen
	thickPen
	pens
)

// penLook tells how a kind of line looks; dash is the length of dashes and of
// the spaces between them, 0 for none.
var penLook = [pens]struct {
	width func(cell int) int
	dash  int
	color color.RGBA
}{
	thinPen:  {func(int) int { return 1 }, 0, gray(0x99)},
	cagePen:  {func(int) int { return 1 }, 3, gray(0x33)},
	thickPen: {func(cell int) int { return max(2, cell/13) }, 0, gray(0)},
}

// The kinds of text.
const (
	sumInk = iota
	markInk
	givenInk
	foundInk
	inks
)

var inkLook = [inks]struct {
	bold  bool
	color color.RGBA
}{
	sumInk:   {false, gray(0)},
	markInk:  {false, gray(0x55)},
	givenInk: {true, gray(0)},
	foundInk: {false, color.RGBA{0x15, 0x50, 0xc0, 0xff}},
}

// tints are the grounds of cells by what [Picture.tint] tells.
var tints = [...]color.RGBA{gray(0xff), gray(0xe6), gray(0xd0)}

func gray(y uint8) color.RGBA { return color.RGBA{y, y, y, 0xff} }

// rise is how far the base line of digits is below their middle, in parts of
// the size of the letters: half the height of a digit, much the same in all
// fonts without serifs.
const rise = 0.36

// The side of a cell where the picture does not say: smaller in large grids, so
// that the picture is not much larger than the most pixels, but not smaller than
// digits need to be read.
const (
	usualCell = 40
	leastCell = 20
	mostSide  = 4000
	markSide  = 13 // of the place of a mark
)

// A stage is a scene in the making.
type stage struct {
	scene
	*plan
	p            *Picture
	cell, margin int
}

func (p *Picture) scene() *scene {
	p.check()
	cell := cmp.Or(p.Cell, p.usual())
	s := &stage{plan: newPlan(p.Puzzle.Rules), p: p, cell: cell, margin: margin(cell)}
	s.side = 2*s.margin + s.rules.Size()*cell
	s.title = fmt.Sprintf("Sudoku of size %d", s.rules.Size())
	if notes := p.notes(); notes != "" {
		s.title += "; " + notes
	}
	for pen, look := range penLook {
		s.widths[pen] = look.width(cell)
	}
	s.shade()
	s.grid()
	for _, cage := range s.rules.Cages() {
		s.cage(cage.Cells, strconv.Itoa(cage.Sum))
	}
	s.digits()
	return &s.scene
}

// margin returns how much is left free around the grid.
func margin(cell int) int { return max(3, cell/5) }

// usual returns the side of a cell where the picture does not say.
func (p *Picture) usual() int {
	cell := max(leastCell, min(usualCell, mostSide/p.Puzzle.Rules.Size()))
	if p.Marks != nil {
		rows, cols := p.lattice()
		cell = max(cell, markSide*max(rows, cols*(p.digits()+1)/2)+2*padding(cell))
	}
	return cell
}

// padding is the room between the border of a cell and its marks.
func padding(cell int) int { return cell / 8 }

// corner returns where the top left corner of a cell is.
func (s *stage) corner(row, col int) (x, y int) { return s.margin + col*s.cell, s.margin + row*s.cell }

// shade darkens cells.
func (s *stage) shade() {
	n := s.rules.Size()
	s.areas = append(s.areas, area{0, 0, s.side, s.side, tints[0]})
	for cell := range n * n {
		if tint := s.p.tint(cell); tint > 0 {
			x, y := s.corner(cell/n, cell%n)
			s.areas = append(s.areas, area{x, y, s.cell, s.cell, tints[tint]})
		}
	}
}

// grid draws a thin line between all cells, and thick ones upon them where boxes
// and regions end, each as long as can be.
func (s *stage) grid() {
	n := s.rules.Size()
	for i := range n + 1 {
		x, y := s.corner(i, i)
		end := s.margin + n*s.cell
		s.strokes[thinPen] = append(s.strokes[thinPen], stroke{s.margin, y, end, y}, stroke{x, s.margin, x, end})
		for _, run := range runs(n, func(k int) bool { return s.above(i, k).strong() }) {
			s.strokes[thickPen] = append(s.strokes[thickPen], stroke{s.margin + run[0]*s.cell, y, s.margin + run[1]*s.cell, y})
		}
		for _, run := range runs(n, func(k int) bool { return s.before(k, i).strong() }) {
			s.strokes[thickPen] = append(s.strokes[thickPen], stroke{x, s.margin + run[0]*s.cell, x, s.margin + run[1]*s.cell})
		}
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

// cage draws the border of a cage a little inside its cells, and its sum in a
// gap of the border at the first of them.
func (s *stage) cage(cells []int, sum string) {
	n, inset := s.rules.Size(), max(2, s.cell/12)
	s.size[sumInk] = float64(s.cell) * 0.24
	wide, high := int(s.size[sumInk]*(0.6*float64(len(sum))+0.3)), int(s.size[sumInk])
	with := func(row, col int) bool {
		return row >= 0 && row < n && col >= 0 && col < n && s.rules.CageOf(row*n+col) == s.rules.CageOf(cells[0])
	}
	for _, cell := range cells {
		row, col := cell/n, cell%n
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if with(row+d[0], col+d[1]) {
				continue
			}
			line := s.hem(row, col, d, inset, with)
			if cell == cells[0] && d[0] < 0 {
				line.x1 += wide
			} else if cell == cells[0] && d[1] < 0 {
				line.y1 += high
			}
			s.strokes[cagePen] = append(s.strokes[cagePen], line)
		}
	}
	x, y := s.corner(cells[0]/n, cells[0]%n)
	s.labels[sumInk] = append(s.labels[sumInk], label{
		float64(x+inset) + float64(wide)/2 - 1, float64(y+inset) + 0.65*s.size[sumInk], sum,
	})
}

// hem returns the line of a cage's border at the side d of a cell. Its ends lie
// on those of the lines that it meets: inside the cell where the border turns
// away, on the edge of the cell where it goes on, and beyond it where the border
// turns around a cell that is not in the cage.
func (s *stage) hem(row, col int, d [2]int, inset int, with func(row, col int) bool) stroke {
	end := func(step int) int { // how far from the edge of the cell, inward
		along := [2]int{step * (1 - abs(d[0])), step * (1 - abs(d[1]))}
		switch {
		case !with(row+along[0], col+along[1]):
			return inset
		case with(row+along[0]+d[0], col+along[1]+d[1]):
			return -inset
		}
		return 0
	}
	x, y := s.corner(row, col)
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

// digits writes what the cells hold.
func (s *stage) digits() {
	n, side := s.rules.Size(), float64(s.cell)
	size := side * [...]float64{1: 0.62, 2: 0.5, 3: 0.36}[s.p.digits()]
	s.size[givenInk], s.size[foundInk] = size, size
	for cell := range n * n {
		x, y := s.corner(cell/n, cell%n)
		digit, given := s.p.digit(cell)
		if digit == 0 {
			s.mark(cell, x, y)
			continue
		}
		ink := foundInk
		if given {
			ink = givenInk
		}
		s.labels[ink] = append(s.labels[ink], label{
			float64(x) + side/2, float64(y) + side/2 + rise*size, strconv.Itoa(digit),
		})
	}
}

// mark writes the candidates of a cell.
func (s *stage) mark(cell, x, y int) {
	rows, cols := s.p.lattice()
	room := padding(s.cell)
	wide := float64(s.cell-2*room) / float64(cols)
	high := float64(s.cell-2*room) / float64(rows)
	size := 0.9 * min(high, wide/(0.6*float64(s.p.digits())))
	s.size[markInk] = size
	for digit := 1; digit <= s.rules.Size(); digit++ {
		if !s.p.marked(cell, digit) {
			continue
		}
		i, k := (digit-1)/cols, (digit-1)%cols
		s.labels[markInk] = append(s.labels[markInk], label{
			float64(x+room) + (float64(k)+0.5)*wide, float64(y+room) + (float64(i)+0.5)*high + rise*size, strconv.Itoa(digit),
		})
	}
}
