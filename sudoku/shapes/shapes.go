// Package shapes has the shapes of the relations of a Sudoku: thermometers, arrows, dots and the like.
// Package sator/sudoku/render draws them with the rest of a puzzle; a program with drawings of its own
// writes them as SVG:
//
//	under, over := shapes.New(puzzle.Rules, 40, 0).SVG()
package shapes

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// Relations are drawn as puzzles are printed: a line through the cells, perhaps with a bulb or a
// circle at its ends; a dot or letters between two cells; a shape in a cell; a number at the first
// cell. All but text are polygons; SVG and PNG fill them in the same way. Drawings of characters name
// the relations below the grid.

// A Polygon is a filled area of any shape, in pixels.
type Polygon struct {
	Points [][2]float64
	Fill   color.RGBA
}

// A Label is text that is centered at X on the baseline Y.
type Label struct {
	X, Y float64
	Text string
}

// A Drawing has the shapes of relations.
type Drawing struct {
	Under  []Polygon // below the lines of the grid
	Over   []Polygon // above them
	Labels []Label   // above all, in the font size [LabelSize]
	Clues  bool      // some labels are in the lower right corner of a cell; others are in its middle or on its sides

	rules        *sudoku.Rules
	cell, margin int
}

// LabelSize is the font size of labels, relative to the side of a cell.
const LabelSize = 0.24

// New returns the shapes of the relations of some rules, for a grid with cells of a side and with a
// margin, in pixels.
func New(r *sudoku.Rules, cell, margin int) *Drawing {
	d := &Drawing{rules: r, cell: cell, margin: margin}
	d.addRelations()
	return d
}

// SVG returns the shapes as elements of SVG: under has the shapes below the lines of the grid, over the
// shapes above the lines.
func (d *Drawing) SVG() (under, over string) {
	for _, p := range d.Under {
		under += p.SVG()
	}
	for _, p := range d.Over {
		over += p.SVG()
	}
	for _, l := range d.Labels {
		over += fmt.Sprintf(`<text x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`+"\n", Decimal(l.X), Decimal(l.Y), Decimal(LabelSize*float64(d.cell)), l.Text)
	}
	return under, over
}

func gray(y uint8) color.RGBA { return color.RGBA{y, y, y, 0xff} }

// relationLook is how the lines of a kind are drawn.
var relationLook = map[string]struct {
	width float64 // relative to a cell
	color color.RGBA
	bulb  float64 // radius of a disc at the first cell, relative to a cell
	both  bool    // there is one at the last cell, too
	head  bool    // the line ends in an arrow
}{
	"thermo":      {0.22, gray(0xc8), 0.36, false, false},
	"slow-thermo": {0.14, gray(0xc8), 0.36, false, false},
	"whispers":    {0.16, color.RGBA{0x9a, 0xd8, 0x9a, 0xff}, 0, false, false},
	"palindrome":  {0.16, gray(0xbb), 0, false, false},
	"between":     {0.08, gray(0x99), 0.36, true, false},
	"lockout":     {0.08, color.RGBA{0x88, 0x99, 0xdd, 0xff}, 0.30, true, false},
	"entropic":    {0.16, color.RGBA{0xff, 0xcc, 0xaa, 0xff}, 0, false, false},
	"modular":     {0.16, color.RGBA{0x99, 0xd8, 0xd8, 0xff}, 0, false, false},
	"zipper":      {0.12, color.RGBA{0xc8, 0xb0, 0xee, 0xff}, 0, false, false},
	"arrow":       {0.06, gray(0x88), 0.40, false, true},
	"renban":      {0.16, color.RGBA{0xe0, 0xa8, 0xe0, 0xff}, 0, false, false},
	"region-sum":  {0.10, color.RGBA{0x80, 0xc0, 0xf0, 0xff}, 0, false, false},
	"sum":         {0.05, color.RGBA{0xe8, 0xc0, 0x80, 0xff}, 0, false, true},
}

// bulbColor leaves digits legible.
var bulbColor = gray(0xcc)

// addRelations adds all relations. Marks between two cells are above the lines of the grid.
func (d *Drawing) addRelations() {
	for _, r := range d.rules.Variant().Relations {
		look, line := relationLook[r.Kind]
		pair := len(r.Cells) == 2 && d.distance(r.Cells[0], r.Cells[1]) < 1.5
		switch {
		case r.Kind == "difference" || r.Kind == "ratio":
			d.addDots(&r)
		case r.Kind == "sum" && pair:
			d.addSumOfTwo(&r)
		case line:
			d.addLine(&r, look.width, look.color, look.head)
			if x, y := d.center(r.Cells[0]); look.bulb > 0 {
				d.addDisc(&d.Under, x, y, look.bulb, bulbColor)
			}
			if x, y := d.center(r.Cells[len(r.Cells)-1]); look.both {
				d.addDisc(&d.Under, x, y, look.bulb, bulbColor)
			}
			if r.Kind == "sum" {
				d.addClue(&r)
			}
		case r.Kind == "contains":
			x, y := d.middle(r.Cells)
			d.addDisc(&d.Over, x, y, 0.26, gray(0x55))
			d.addDisc(&d.Over, x, y, 0.24, gray(0xff))
			d.addNote(x, y, fmt.Sprint(r.Value))
		case r.Kind == "odd" || r.Kind == "even" || r.Kind == "minimum" || r.Kind == "maximum":
			d.addCells(&r)
		case r.Kind == "sandwich" || r.Kind == "x-sum" || r.Kind == "skyscraper":
			d.addClue(&r)
		}
	}
}

// center returns the middle of a cell.
func (d *Drawing) center(cell int) (x, y float64) {
	at := func(i int) float64 { return float64(d.margin) + (float64(i)+0.5)*float64(d.cell) }
	place := d.rules.Plan().Place(cell)
	return at(place.Col), at(place.Row)
}

// middle returns the middle of some cells.
func (d *Drawing) middle(cells []int) (x, y float64) {
	for _, cell := range cells {
		cx, cy := d.center(cell)
		x, y = x+cx/float64(len(cells)), y+cy/float64(len(cells))
	}
	return x, y
}

// distance returns the distance of two cells in cells.
func (d *Drawing) distance(a, b int) float64 {
	ax, ay := d.center(a)
	bx, by := d.center(b)
	return math.Hypot(ax-bx, ay-by) / float64(d.cell)
}

// addDisc adds a disc with a radius relative to a cell.
func (d *Drawing) addDisc(to *[]Polygon, x, y, radius float64, fill color.RGBA) {
	const corners = 32
	p := Polygon{Fill: fill}
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		p.Points = append(p.Points, [2]float64{x + radius*float64(d.cell)*cos, y + radius*float64(d.cell)*sin})
	}
	*to = append(*to, p)
}

// addLine adds a line through the cells of a relation, with round joints. With a head, it begins
// behind the number of an arrow and ends in its head.
func (d *Drawing) addLine(r *sudoku.Relation, width float64, fill color.RGBA, head bool) {
	half := width * float64(d.cell) / 2
	for i, cell := range r.Cells[1:] {
		ax, ay := d.center(r.Cells[i])
		bx, by := d.center(cell)
		length := math.Hypot(bx-ax, by-ay)
		dx, dy := (bx-ax)/length, (by-ay)/length
		d.Under = append(d.Under, Polygon{[][2]float64{
			{ax - dy*half, ay + dx*half}, {bx - dy*half, by + dx*half}, {bx + dy*half, by - dx*half}, {ax + dy*half, ay - dx*half},
		}, fill})
		if head && i+2 == len(r.Cells) {
			size := 0.2 * float64(d.cell)
			d.Under = append(d.Under, Polygon{[][2]float64{
				{bx + dx*size, by + dy*size}, {bx - dy*size, by + dx*size}, {bx + dy*size, by - dx*size},
			}, fill})
			continue
		}
		d.addDisc(&d.Under, bx, by, width/2, fill)
	}
	if x, y := d.center(r.Cells[0]); !head {
		d.addDisc(&d.Under, x, y, width/2, fill)
	}
	for i := 1; r.Kind == "arrow" && i < r.Value; i++ { // the other cells of the number
		x, y := d.center(r.Cells[i])
		d.addDisc(&d.Under, x, y, 0.4, bulbColor)
	}
}

// addDots adds the dots of adjacent cells: white for differences, black for ratios, with a value that is
// not the usual one.
func (d *Drawing) addDots(r *sudoku.Relation) {
	for i := range r.Cells[1:] {
		x, y := d.middle(r.Cells[i : i+2])
		d.addDisc(&d.Over, x, y, 0.14, gray(0))
		if r.Kind == "difference" {
			d.addDisc(&d.Over, x, y, 0.12, gray(0xff))
		}
		kind := slices.IndexFunc(sudoku.RelationKinds, func(k sudoku.RelationKind) bool { return k.Name == r.Kind })
		if r.Value != sudoku.RelationKinds[kind].Usual(d.rules.Size()) {
			d.addDisc(&d.Over, x, y, 0.12, gray(0xff))
			d.addNote(x, y, fmt.Sprint(r.Value))
		}
	}
}

// addSumOfTwo adds an X, a V or a number between two cells.
func (d *Drawing) addSumOfTwo(r *sudoku.Relation) {
	text, known := map[int]string{5: "V", 10: "X"}[r.Value]
	if !known {
		text = fmt.Sprint(r.Value)
	}
	x, y := d.middle(r.Cells)
	d.addDisc(&d.Over, x, y, 0.13, gray(0xff))
	d.addNote(x, y, text)
}

// addCells adds a shape in each cell: a square for even, a disc for odd, a small triangle that points
// down for a minimum and up for a maximum.
func (d *Drawing) addCells(r *sudoku.Relation) {
	for _, cell := range r.Cells {
		x, y := d.center(cell)
		size := 0.36 * float64(d.cell)
		switch r.Kind {
		case "odd":
			d.addDisc(&d.Under, x, y, 0.36, gray(0xd4))
		case "even":
			d.Under = append(d.Under, Polygon{[][2]float64{{x - size, y - size}, {x + size, y - size}, {x + size, y + size}, {x - size, y + size}}, gray(0xd4)})
		default:
			up := map[string]float64{"minimum": -1, "maximum": 1}[r.Kind]
			d.Under = append(d.Under, Polygon{[][2]float64{{x - size, y + up*size}, {x + size, y + up*size}, {x, y - up*size}}, gray(0xdc)})
		}
	}
}

// addClue adds the value of a relation in the corner of its first cell.
func (d *Drawing) addClue(r *sudoku.Relation) {
	text := fmt.Sprint(r.Value)
	d.Clues = true
	x, y := d.center(r.Cells[0])
	side := float64(d.cell)
	d.Labels = append(d.Labels, Label{x + side/2 - 0.16*side*float64(len(text)), y + side/2 - 0.08*side, text})
}

// addNote adds small text at a point.
func (d *Drawing) addNote(x, y float64, text string) {
	d.Labels = append(d.Labels, Label{x, y + 0.36*LabelSize*float64(d.cell), text}) // digits are twice as high
}

// SVG returns the polygon as an element of SVG.
func (p *Polygon) SVG() string {
	var points []string
	for _, at := range p.Points {
		points = append(points, Decimal(at[0])+","+Decimal(at[1]))
	}
	return fmt.Sprintf(`<polygon points="%s" fill="%s"/>`+"\n", strings.Join(points, " "), Hex(p.Fill))
}

// Hex formats a color for SVG.
func Hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Decimal formats a number for SVG with a precision of a tenth of a pixel.
func Decimal(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }
