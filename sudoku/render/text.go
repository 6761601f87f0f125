package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Drawings of characters. Cells are blocks of characters, one high, or as high
// as the marks need. Between them are gaps for lines: ASCII art has a gap only
// where some line of a box, region or cage runs in it, box drawing everywhere.
//
//	┏━━━┯━━━┓        Heavy lines are borders of boxes and regions, light ones
//	┃[1]│ 2 ┃        stand between cells or cages, none inside a cage, where a
//	┗━━━┷━━━┛        border that runs through one is dashed.

// Text writes the picture in ASCII characters. If there are found digits, those
// given stand in brackets.
func (p *Picture) Text(w io.Writer) error { return p.draw(w, &ascii) }

// Unicode writes the picture with box drawing characters. Digits are told apart
// as by [Picture.Text].
func (p *Picture) Unicode(w io.Writer) error { return p.draw(w, &boxDrawing) }

// ANSI writes the picture with box drawing characters and the control sequences
// of terminals: given digits are bold, those found have another color.
func (p *Picture) ANSI(w io.Writer) error {
	set := terminal
	set.color = !p.NoColor
	return p.draw(w, &set)
}

// A charset has the characters of a drawing.
type charset struct {
	full       bool // there are gaps between all cells
	horizontal [lines]string
	vertical   [lines]string
	corner     func(arms [4]line) string
	sequences  bool // digits are told apart by control sequences, not brackets
	color      bool
}

var (
	ascii = charset{
		horizontal: [lines]string{inside: " ", plain: " ", cage: ".", border: "-", broken: "- "},
		vertical:   [lines]string{inside: " ", plain: " ", cage: ":", border: "|", broken: "!"},
		corner:     asciiCorner,
	}
	boxDrawing = charset{
		full:       true,
		horizontal: [lines]string{inside: " ", plain: "─", cage: "─", border: "━", broken: "╍"},
		vertical:   [lines]string{inside: " ", plain: "│", cage: "│", border: "┃", broken: "╏"},
		corner:     boxCorner,
	}
	terminal = charset{
		full:       true,
		horizontal: boxDrawing.horizontal,
		vertical:   boxDrawing.vertical,
		corner:     boxCorner,
		sequences:  true,
	}
)

// asciiCorner returns the character where four lines meet.
func asciiCorner(arms [4]line) string {
	up, right, down, left := arms[0], arms[1], arms[2], arms[3]
	across, along := left.strong() || right.strong(), up.strong() || down.strong()
	switch {
	case across && along:
		return "+"
	case across:
		return "-"
	case along:
		return "|"
	case up == cage && down == cage && left != cage && right != cage:
		return ":"
	case up == cage || right == cage || down == cage || left == cage:
		return "."
	}
	return " "
}

// corners has a box drawing character for each way in which lines can meet:
// those up, right, down and left are the digits, from the most significant one,
// of a number to base 3; 0 is no line, 1 a light, 2 a heavy one.
var corners = []rune(" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

func boxCorner(arms [4]line) string {
	index := 0
	for _, arm := range arms {
		weight := 1
		switch {
		case arm == inside:
			weight = 0
		case arm.strong():
			weight = 2
		}
		index = index*3 + weight
	}
	return string(corners[index])
}

// A canvas is a drawing of characters in the making.
type canvas struct {
	*plan
	p            *Picture
	set          *charset
	across, down axis
	chars        [][]char
	found, marks bool // there are any
}

// An axis says where the cells of a row, or of a column, are and where lines run
// between them.
type axis struct {
	extent int    // of a cell
	gaps   []bool // is there a line before cell i? the last is that at the end
	starts []int  // where cell i begins; the last is where one beyond the end would
}

// line returns where the line before cell i is.
func (a *axis) line(i int) int { return a.starts[i] - 1 }

// A char is a character and the parameters of its control sequence.
type char struct {
	text     string
	sequence string
}

func (p *Picture) draw(w io.Writer, set *charset) error {
	p.check()
	d := newCanvas(p, set)
	d.rule()
	for cell := range p.Puzzle.Cells {
		d.fill(cell)
	}
	for _, c := range p.Puzzle.Rules.Cages() {
		d.sum(c.Cells[0], c.Sum)
	}
	return d.write(w)
}

func newCanvas(p *Picture, set *charset) *canvas {
	d := &canvas{plan: newPlan(p.Puzzle.Rules), p: p, set: set, marks: p.Marks != nil}
	for cell := range p.Puzzle.Cells {
		digit, given := p.digit(cell)
		d.found = d.found || digit != 0 && !given
	}
	width, height := p.digits()+2, 1
	if d.marks {
		rows, cols := p.lattice()
		width, height = cols*(p.digits()+1)+1, rows
	}
	d.across = d.axis(width, func(i, k int) line { return d.before(k, i) })
	d.down = d.axis(height, d.above)
	n := d.rules.Size()
	for range d.down.starts[n] {
		d.chars = append(d.chars, slices.Repeat([]char{{text: " "}}, d.across.starts[n]))
	}
	return d
}

// axis lays out cells of that extent; at returns the line before cell i of row
// or column k.
func (d *canvas) axis(extent int, at func(i, k int) line) axis {
	n := d.rules.Size()
	a := axis{extent: extent}
	place := 0
	for i := range n + 1 {
		some := d.set.full || d.marks
		for k := 0; k < n && !some; k++ {
			some = at(i, k) >= cage
		}
		if some {
			place++
		}
		a.gaps = append(a.gaps, some)
		a.starts = append(a.starts, place)
		place += extent
	}
	return a
}

// block returns where the block of a cell begins.
func (d *canvas) block(cell int) (x, y int) {
	n := d.rules.Size()
	return d.across.starts[cell%n], d.down.starts[cell/n]
}

// rule draws the lines.
func (d *canvas) rule() {
	n := d.rules.Size()
	for row := range n + 1 {
		for col := range n + 1 {
			d.corner(row, col)
			if col < n && d.down.gaps[row] {
				dash := []rune(d.set.horizontal[d.above(row, col)])
				for i := range d.across.extent {
					d.chars[d.down.line(row)][d.across.starts[col]+i].text = string(dash[i%len(dash)])
				}
			}
			if row < n && d.across.gaps[col] {
				for i := range d.down.extent {
					d.chars[d.down.starts[row]+i][d.across.line(col)].text = d.set.vertical[d.before(row, col)]
				}
			}
		}
	}
}

// corner draws what is at the top left of a cell.
func (d *canvas) corner(row, col int) {
	if d.down.gaps[row] && d.across.gaps[col] {
		d.chars[d.down.line(row)][d.across.line(col)].text = d.set.corner(d.arms(row, col))
	}
}

// fill draws a cell.
func (d *canvas) fill(cell int) {
	x, y := d.block(cell)
	ground := ""
	if d.set.color && d.p.tint(cell) > 0 {
		ground = shaded
		for i := range d.down.extent {
			d.put(x, y+i, strings.Repeat(" ", d.across.extent), ground)
		}
	}
	digit, given := d.p.digit(cell)
	if digit == 0 && d.marks {
		d.mark(cell, ground)
		return
	}
	text, sequence := d.digit(digit, given, ground)
	d.put(x+(d.across.extent-len(text))/2, y+(d.down.extent-1)/2, text, sequence)
}

// digit returns how the digit of a cell looks.
func (d *canvas) digit(digit int, given bool, ground string) (text, sequence string) {
	text = "."
	if digit != 0 {
		text = strconv.Itoa(digit)
	}
	text = fmt.Sprintf("%*s", d.p.digits(), text)
	switch {
	case digit == 0:
		return " " + text + " ", ground
	case d.set.sequences && given:
		return " " + text + " ", join(ground, bold)
	case d.set.color:
		return " " + text + " ", join(ground, cmp.Or(colorOn[ground], colored))
	case given && (d.found || d.marks) && !d.set.sequences:
		return "[" + text + "]", ground
	case d.marks:
		return "(" + text + ")", ground
	}
	return " " + text + " ", ground
}

// The parameters of control sequences (ECMA-48, SGR). Shaded cells say the color
// of both ground and digits, since nobody knows that of the terminal.
const (
	bold    = "1"
	colored = "36"
	shaded  = "30;48;5;252"
)

// colorOn has the color of digits that were found on other grounds.
var colorOn = map[string]string{shaded: "34"}

// join makes one control sequence of two.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ";" + b
}

// mark writes the candidates of a cell.
func (d *canvas) mark(cell int, ground string) {
	x, y := d.block(cell)
	_, cols := d.p.lattice()
	for digit := 1; digit <= d.rules.Size(); digit++ {
		if d.p.marked(cell, digit) {
			text := fmt.Sprintf("%*d", d.p.digits(), digit)
			d.put(x+1+(digit-1)%cols*(d.p.digits()+1), y+(digit-1)/cols, text, ground)
		}
	}
}

// sum writes the sum of a cage into the line above its first cell.
func (d *canvas) sum(cell, sum int) {
	x, y := d.block(cell)
	d.put(x, y-1, strconv.Itoa(sum), "")
}

// put writes ASCII text.
func (d *canvas) put(x, y int, text, sequence string) {
	for i := range len(text) {
		d.chars[y][x+i] = char{text[i : i+1], sequence}
	}
}

// write writes the canvas, without blanks at the ends of lines.
func (d *canvas) write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, chars := range d.chars {
		for len(chars) > 0 && chars[len(chars)-1] == (char{text: " "}) {
			chars = chars[:len(chars)-1]
		}
		sequence := ""
		for _, c := range chars {
			if c.sequence != sequence {
				sequence = c.sequence
				b.WriteString("\x1b[" + join("0", sequence) + "m")
			}
			b.WriteString(c.text)
		}
		if sequence != "" {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	if notes := d.p.notes(); notes != "" {
		fmt.Fprintf(b, "# %s\n", notes)
	}
	return b.Flush()
}
