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

// Drawings of characters. A cell is a block of characters, one line high, or
// higher if it has marks. Lines run in gaps between the cells. ASCII drawings
// have a gap only where a line of a box, region or cage runs; box drawing has
// all gaps.
//
//	┏━━━┯━━━┓        Heavy lines are borders of boxes and regions. Light lines
//	┃[1]│ 2 ┃        separate cells or cages. There is no line inside a cage,
//	┗━━━┷━━━┛        except for a dashed border of a box or region.

// Text writes the picture in ASCII characters. If the picture has found digits
// or marks, givens are in brackets; with marks, found digits are in
// parentheses.
func (p *Picture) Text(w io.Writer) error { return p.draw(w, &ascii) }

// Unicode writes the picture with box drawing characters. Givens are marked as
// in [Picture.Text].
func (p *Picture) Unicode(w io.Writer) error { return p.draw(w, &boxDrawing) }

// ANSI writes the picture with box drawing characters and the control sequences
// of terminals. Givens are bold, and found digits have a color. If the grid is wider than
// Columns, it has less space in the cells, and then letters for the digits above 9, which
// a line below the grid explains. The narrowest form is chosen if none fits.
func (p *Picture) ANSI(w io.Writer) error {
	set := terminal
	set.color = !p.NoColor
	return p.draw(w, &set)
}

// A form is a way to write digits into cells.
type form struct {
	letters bool // digits above 9 are letters
	pad     int  // blanks around a digit, at most 2; without pencil marks
}

// forms lists the forms, the widest first. Only the first one has space for brackets.
var forms = []form{{false, 2}, {false, 1}, {true, 2}, {true, 1}, {true, 0}}

// digits returns the number of characters of the largest digit.
func (f form) digits(p *Picture) int {
	if f.letters {
		return 1
	}
	return p.digits()
}

// text returns a digit of a grid as text.
func (f form) text(digit int) string {
	if f.letters && digit > 9 {
		return string(rune('A' + digit - 10))
	}
	return strconv.Itoa(digit)
}

// highestLetter is the digit that is the letter Z.
const highestLetter = 35

// formOf returns the form for a style: the first one that fits, or the narrowest.
func (p *Picture) formOf(set *charset) form {
	best := forms[0]
	if p.Columns == 0 || !set.sequenceDigits {
		return best
	}
	for _, f := range forms {
		switch size := p.Puzzle.Rules.Size(); {
		case f.letters && size > highestLetter, f.pad == 0 && len(p.Puzzle.Rules.Cages()) > 0:
			continue // no letters for all digits; no space for the sums of cages
		case f.letters && size <= 9 && f.pad > 0:
			continue // as without letters
		}
		best = f
		if newCanvas(p, set, f).width() <= p.Columns {
			break
		}
	}
	return best
}

// A charset has the characters of a style.
type charset struct {
	allGaps        bool // there is a gap between all cells
	horizontal     [lines]string
	vertical       [lines]string
	corner         func(arms [4]line) string
	sequenceDigits bool // givens have control sequences instead of brackets
	color          bool
}

var (
	ascii = charset{
		horizontal: [lines]string{inside: " ", plain: " ", cage: ".", border: "-", borderInCage: "- "},
		vertical:   [lines]string{inside: " ", plain: " ", cage: ":", border: "|", borderInCage: "!"},
		corner:     asciiCorner,
	}
	boxDrawing = charset{
		allGaps:    true,
		horizontal: [lines]string{inside: " ", plain: "─", cage: "─", border: "━", borderInCage: "╍"},
		vertical:   [lines]string{inside: " ", plain: "│", cage: "│", border: "┃", borderInCage: "╏"},
		corner:     boxCorner,
	}
	terminal = charset{
		allGaps:        true,
		horizontal:     boxDrawing.horizontal,
		vertical:       boxDrawing.vertical,
		corner:         boxCorner,
		sequenceDigits: true,
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

// corners has a box drawing character for each combination of lines that meet.
// The index is a number in base 3. Its digits, most significant first, are the
// weights of the lines up, right, down and left: 0 for no line, 1 for a light
// line, 2 for a heavy line.
var corners = []rune(" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// boxCorner returns the box drawing character where four lines meet.
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

// A canvas is a drawing of characters under construction.
type canvas struct {
	*borders
	p            *Picture
	set          *charset
	across, down axis
	chars        [][]char
	found, marks bool // the picture has found digits, or marks
	form
}

// width returns the number of columns of the drawing.
func (d *canvas) width() int { return d.across.starts[d.plan.Cols] }

// An axis has the positions of rows or columns of cells and of the lines
// between them.
type axis struct {
	extent int    // size of a cell
	gaps   []bool // by cell: there is a line before it; one more entry for the line at the end
	starts []int  // by cell: its first position; one more entry for a cell after the end
}

// line returns the position of the line before cell i.
func (a *axis) line(i int) int { return a.starts[i] - 1 }

// A char is a character with the parameters of its control sequence.
type char struct {
	text     string
	sequence string
}

func (p *Picture) draw(w io.Writer, set *charset) error {
	p.check()
	d := newCanvas(p, set, p.formOf(set))
	d.drawLines()
	for cell := range p.Puzzle.Cells {
		d.drawCell(cell)
	}
	for _, c := range p.Puzzle.Rules.Cages() {
		d.drawSum(c.Cells[0], c.Sum)
	}
	return d.write(w)
}

// newCanvas returns a canvas without content.
func newCanvas(p *Picture, set *charset, f form) *canvas {
	d := &canvas{borders: newBorders(p.Puzzle.Rules), p: p, set: set, marks: p.Marks != nil, form: f}
	for cell := range p.Puzzle.Cells {
		digit, given := p.digit(cell)
		d.found = d.found || digit != 0 && !given
	}
	width, height := f.digits(p)+f.pad, 1
	if d.marks {
		rows, cols := p.marksGrid()
		width, height = cols*(f.digits(p)+1)+1, rows
		d.pad = forms[0].pad // the cells have space for it
	}
	d.across = d.axis(width, d.plan.Cols, d.plan.Rows, func(i, k int) line { return d.before(k, i) })
	d.down = d.axis(height, d.plan.Rows, d.plan.Cols, d.above)
	for range d.down.starts[d.plan.Rows] {
		d.chars = append(d.chars, slices.Repeat([]char{{text: " "}}, d.width()))
	}
	return d
}

// axis lays out n cells of the given size. The function at returns the line
// before cell i in row or column k.
func (d *canvas) axis(extent, n, rows int, at func(i, k int) line) axis {
	a := axis{extent: extent}
	place := 0
	for i := range n + 1 {
		some := d.set.allGaps || d.marks
		for k := 0; k < rows && !some; k++ {
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

// block returns the position of the block of a cell.
func (d *canvas) block(cell int) (x, y int) {
	at := d.plan.Place(cell)
	return d.across.starts[at.Col], d.down.starts[at.Row]
}

// drawLines draws all lines.
func (d *canvas) drawLines() {
	for row := range d.plan.Rows + 1 {
		for col := range d.plan.Cols + 1 {
			d.drawCorner(row, col)
			if col < d.plan.Cols && d.down.gaps[row] {
				dash := []rune(d.set.horizontal[d.above(row, col)])
				for i := range d.across.extent {
					d.chars[d.down.line(row)][d.across.starts[col]+i].text = string(dash[i%len(dash)])
				}
			}
			if row < d.plan.Rows && d.across.gaps[col] {
				for i := range d.down.extent {
					d.chars[d.down.starts[row]+i][d.across.line(col)].text = d.set.vertical[d.before(row, col)]
				}
			}
		}
	}
}

// drawCorner draws the top left corner of a cell.
func (d *canvas) drawCorner(row, col int) {
	if d.down.gaps[row] && d.across.gaps[col] {
		d.chars[d.down.line(row)][d.across.line(col)].text = d.set.corner(d.arms(row, col))
	}
}

// drawCell draws the content of a cell.
func (d *canvas) drawCell(cell int) {
	x, y := d.block(cell)
	background := ""
	if d.set.color && (d.p.tint(cell) > 0 || d.p.highlighted(cell)) {
		background = shaded
		if d.p.highlighted(cell) {
			background = patterned
		}
		for i := range d.down.extent {
			d.put(x, y+i, strings.Repeat(" ", d.across.extent), background)
		}
	}
	digit, given := d.p.digit(cell)
	if digit == 0 && d.marks {
		d.drawMarks(cell, background)
		return
	}
	text, sequence := d.digitText(digit, given, background)
	d.put(x+(d.across.extent-len(text))/2, y+(d.down.extent-1)/2, text, sequence)
}

// digitText returns the text of a digit and its control sequence.
func (d *canvas) digitText(digit int, given bool, background string) (text, sequence string) {
	text = "."
	if digit != 0 {
		text = d.form.text(digit)
	}
	text = fmt.Sprintf("%*s", d.form.digits(d.p), text)
	before, after := strings.Repeat(" ", (d.pad+1)/2), strings.Repeat(" ", d.pad/2)
	switch {
	case digit == 0:
		return before + text + after, background
	case d.set.sequenceDigits && given:
		return before + text + after, join(background, bold)
	case d.set.color:
		return before + text + after, join(background, cmp.Or(colorOn[background], colored))
	case given && (d.found || d.marks) && !d.set.sequenceDigits:
		return "[" + text + "]", background
	case d.marks:
		return "(" + text + ")", background
	}
	return before + text + after, background
}

// The parameters of control sequences (ECMA-48, SGR). Shaded cells set the
// color of both background and digits, because the background of the terminal
// is unknown.
const (
	bold    = "1"
	colored = "36"
	shaded  = "30;48;5;252"

	patterned = "30;48;5;229"
)

// roleSign and roleColor are the sign before a pencil mark by its role, and its color.
var (
	roleSign  = [roles]string{"", "*", "-", "+"}
	roleColor = [roles]string{"", "34", "31", "1;32"}
)

// colorOn is the color of found digits on other backgrounds.
var colorOn = map[string]string{shaded: "34", patterned: "34"}

// join joins the parameters of two control sequences.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ";" + b
}

// drawMarks draws the marks of a cell.
func (d *canvas) drawMarks(cell int, background string) {
	x, y := d.block(cell)
	_, cols := d.p.marksGrid()
	for digit := 1; digit <= d.rules.Size(); digit++ {
		if d.p.marked(cell, digit) {
			role := d.p.roleOf(d.rules.Candidate(cell, digit))
			text := fmt.Sprintf("%*s", d.form.digits(d.p)+1, roleSign[role]+d.form.text(digit))
			sequence := background
			if d.set.color {
				sequence = join(background, roleColor[role])
			}
			d.put(x+(digit-1)%cols*(d.form.digits(d.p)+1), y+(digit-1)/cols, text, sequence)
		}
	}
}

// drawSum writes the sum of a cage into the line above its first cell.
func (d *canvas) drawSum(cell, sum int) {
	x, y := d.block(cell)
	d.put(x, y-1, strconv.Itoa(sum), "")
}

// put writes ASCII text.
func (d *canvas) put(x, y int, text, sequence string) {
	for i := range len(text) {
		d.chars[y][x+i] = char{text[i : i+1], sequence}
	}
}

// write writes the canvas without trailing blanks.
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
	for _, note := range d.rules.Variant().Notes() {
		fmt.Fprintf(b, "# %s\n", note)
	}
	if n := d.rules.Size(); d.letters && n > 9 {
		fmt.Fprintf(b, "# letters are the digits from A for 10 to %s for %d\n", d.form.text(n), n)
	}
	return b.Flush()
}
