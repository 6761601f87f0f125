package sudoku

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A puzzle can be written as a formula about cells and not about candidates:
//
//	v11 != v12 * v11 != v13 * ...
//	v11 = 8 *
//	v12 = 1 + v12 = 2 + v12 = 3 + ...
//
// v12 is the digit in row 1, column 2; beyond size 9 it is v1_2. A star is "and",
// a plus is "or": the formula is a conjunction of inequalities of cells and of
// disjunctions of the digits that a cell may have, one of them if it is given.
// In this form a program of 2008 in OCaml had its puzzles ("Yet Another Sudoku
// Solver"); the text between (* and *) is a comment there, and here.
//
// The rules are in the inequalities. Read back, those of boxes of any shape,
// diagonals, windows and knight's moves are recognized. Regions are not, and
// stand in a comment that begins with the word rules. Sums of cages cannot be
// said in this language.

// formulaWidth is the length of a line of inequalities: seven at size 9.
const formulaWidth = 90

// ErrCages is the error of a puzzle with cages that is to be a formula about
// cells.
var ErrCages = errors.New("the formula cannot have cages, since it knows no sums")

// WriteCellFormula writes the puzzle as a formula about cells. With repeat, a pair
// of cells that two houses share is written for both. The error is that of w, or
// [ErrCages].
func (g *Grid) WriteCellFormula(w io.Writer, repeat bool) error {
	if len(g.Rules.variant.Cages) > 0 {
		return ErrCages
	}
	f := formulaWriter{w: bufio.NewWriter(w), g: g, repeat: repeat}
	f.inequalities()
	for cell := range g.Cells {
		f.digits(cell)
	}
	f.w.WriteString("\n")
	if g.Rules.variant.Regions != nil {
		fmt.Fprintf(f.w, "(* rules %s *)\n", g.Rules)
	}
	return f.w.Flush()
}

// A formulaWriter writes a formula about cells.
type formulaWriter struct {
	w      *bufio.Writer
	g      *Grid
	repeat bool
	column int
	buf    []byte
}

// inequalities writes all pairs of cells that differ, by houses.
func (f *formulaWriter) inequalities() {
	r := f.g.Rules
	for h, house := range r.houses {
		for i, a := range house.Cells {
			for _, b := range house.Cells[i+1:] {
				if f.repeat || r.meet(a, b) == h {
					f.differ(a, b)
				}
			}
		}
	}
	if !r.variant.AntiKnight {
		return
	}
	for a := range r.Cells() {
		for _, b := range r.knights(a) {
			if b > a && (f.repeat || r.meet(a, b) == len(r.houses)) {
				f.differ(a, b)
			}
		}
	}
}

// differ writes that two cells differ.
func (f *formulaWriter) differ(a, b int) {
	f.buf = f.cell(f.buf[:0], a)
	f.buf = append(f.buf, " != "...)
	f.buf = append(f.cell(f.buf, b), " *"...)
	switch {
	case f.column == 0:
	case f.column+len(f.buf) > formulaWidth:
		f.w.WriteByte('\n')
		f.column = 0
	default:
		f.w.WriteByte(' ')
	}
	f.column += len(f.buf) + 1
	f.w.Write(f.buf)
}

// digits writes which digits a cell may have, on a line.
func (f *formulaWriter) digits(cell int) {
	b := f.buf[:0]
	if cell > 0 {
		b = append(b, " *"...)
	}
	if cell > 0 || f.column > 0 {
		b = append(b, '\n')
	}
	if cell == 0 && f.column > 0 {
		b = append(b, '\n')
	}
	none := true
	for digit := 1; digit <= f.g.Rules.Size(); digit++ {
		if !f.g.may(cell, digit) {
			continue
		}
		if !none {
			b = append(b, " + "...)
		}
		none = false
		b = append(f.cell(b, cell), " = "...)
		b = strconv.AppendInt(b, int64(digit), 10)
	}
	if none { // which no digit can do
		b = append(f.cell(b, cell), " != "...)
		b = f.cell(b, cell)
	}
	f.w.Write(b)
	f.buf = b
}

// may reports whether the givens and marks allow a digit in a cell.
func (g *Grid) may(cell, digit int) bool {
	given := g.Cells[cell]
	return (given == 0 || given == digit) && (g.Marks == nil || g.Marks[g.Rules.Candidate(cell, digit)])
}

// cell appends the name of a cell.
func (f *formulaWriter) cell(b []byte, cell int) []byte {
	n := f.g.Rules.Size()
	b = strconv.AppendInt(append(b, 'v'), int64(cell/n+1), 10)
	if n > 9 {
		b = append(b, '_')
	}
	return strconv.AppendInt(b, int64(cell%n+1), 10)
}

// IsCellFormula reports whether an input that begins with these bytes is a formula
// about cells: with a cell, or with a comment in its language.
func IsCellFormula(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 1 && (head[0] == 'v' && isDigit(head[1]) || head[0] == '(' && head[1] == '*')
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ReadCellFormula reads a puzzle that is a formula about cells. The name is for
// messages. The size is that of the greatest index or digit; a cell of which
// nothing is said may have every digit. The error is a [*dimacs.SyntaxError] or
// that of src.
func ReadCellFormula(src io.Reader, name string) (*Grid, error) {
	f := formulaReader{scan: formulaScanner{src: bufio.NewReader(src), name: name, line: 1}}
	if err := f.read(); err != nil {
		return nil, err
	}
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	return f.grid(rules), nil
}

// A place is a cell by row and column, from 1, while the size is not known.
type place struct{ row, column uint8 }

// cell returns the number of the cell in a grid of that size.
func (p place) cell(size int) int { return (int(p.row)-1)*size + int(p.column) - 1 }

// A choice is the digits that a cell may have.
type choice struct {
	place
	digits []int
	not    bool // those that it may not have
}

// A formulaReader gathers what a formula says.
type formulaReader struct {
	scan    formulaScanner
	size    int
	pairs   [][2]place
	choices []choice
}

// read reads all factors of the conjunction. The last one may have a star after
// it.
func (f *formulaReader) read() error {
	for {
		t, err := f.scan.next()
		if err != nil {
			return err
		}
		if t.kind == tokenEnd && f.size > 0 {
			return nil
		}
		if t, err = f.factor(t); err != nil {
			return err
		}
		if t.kind == tokenEnd {
			return nil
		}
		if t.kind != tokenAnd {
			return f.scan.errorf(t, "%s where * is expected", t)
		}
	}
}

// An atom is "v11 = 8", "v11 != v12" or the like.
type atom struct {
	cell, sign, value token
}

// factor reads atoms with a plus between them, the first token of which is
// given, and returns the token after them.
func (f *formulaReader) factor(t token) (token, error) {
	var atoms []atom
	for {
		if t.kind != tokenCell {
			return t, f.scan.errorf(t, "%s where a cell is expected, as v12", t)
		}
		a, err := f.atom(t)
		if err != nil {
			return t, err
		}
		atoms = append(atoms, a)
		if t, err = f.scan.next(); err != nil {
			return t, err
		}
		if t.kind != tokenOr {
			return t, f.take(atoms)
		}
		if t, err = f.scan.next(); err != nil {
			return t, err
		}
	}
}

// atom reads what stands after a cell.
func (f *formulaReader) atom(cell token) (a atom, err error) {
	a.cell = cell
	if a.sign, err = f.scan.next(); err != nil {
		return a, err
	}
	if a.sign.kind != tokenEqual && a.sign.kind != tokenDiffer {
		return a, f.scan.errorf(a.sign, "%s where = or != is expected", a.sign)
	}
	if a.value, err = f.scan.next(); err != nil {
		return a, err
	}
	if a.value.kind != tokenNumber && a.value.kind != tokenCell {
		return a, f.scan.errorf(a.value, "%s where a digit or a cell is expected", a.value)
	}
	f.grow(int(a.cell.place.row), int(a.cell.place.column), a.value.number, int(a.value.place.row), int(a.value.place.column))
	return a, nil
}

// take notes what a disjunction of atoms says.
func (f *formulaReader) take(atoms []atom) error {
	first := atoms[0]
	if len(atoms) == 1 && first.sign.kind == tokenDiffer && first.value.kind == tokenCell {
		f.pairs = append(f.pairs, [2]place{first.cell.place, first.value.place})
		return nil
	}
	c := choice{place: first.cell.place, not: first.sign.kind == tokenDiffer}
	for _, a := range atoms {
		switch {
		case a.sign.kind == tokenDiffer && len(atoms) > 1:
			return f.scan.errorf(a.sign, "an inequality cannot be part of a sum")
		case a.value.kind == tokenCell:
			return f.scan.errorf(a.value, "%s where a digit is expected; cells can be said to differ, not to be equal", a.value)
		case a.cell.place != c.place:
			return f.scan.errorf(a.cell, "%s in a sum about another cell", a.cell)
		}
		c.digits = append(c.digits, a.value.number)
	}
	f.choices = append(f.choices, c)
	return nil
}

// grow makes the grid as large as these numbers need.
func (f *formulaReader) grow(numbers ...int) {
	for _, n := range numbers {
		f.size = max(f.size, n)
	}
}

// rules recognizes the rules, or takes those of the comment.
func (f *formulaReader) rules() (*Rules, error) {
	pairs := make([]uint64, 0, len(f.pairs))
	for _, p := range f.pairs {
		a, b := p[0].cell(f.size), p[1].cell(f.size)
		if a != b {
			pairs = append(pairs, pair(a, b))
		}
	}
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	for _, v := range f.variants() {
		if len(pairs) < v.Size*v.Size*(v.Size-1) {
			break // those of rows and columns, which all rules have
		}
		if r, err := New(v); err == nil && r.differ(pairs) {
			return r, nil
		}
	}
	if f.scan.rules != nil {
		return nil, f.scan.errorf(f.scan.end(), "the inequalities are not those of the rules in the comment")
	}
	return nil, f.scan.errorf(f.scan.end(), "the inequalities are not those of rules that are known here; a comment can tell them, as in (* rules 9 boxes 3x3 *)")
}

// variants lists the rules that the inequalities may be those of.
func (f *formulaReader) variants() []Variant {
	if v := f.scan.rules; v != nil {
		if v.Size != f.size || len(v.Cages) > 0 {
			return nil
		}
		return []Variant{*v}
	}
	shapes := []Variant{Standard(f.size), Latin(f.size)}
	if shapes[0].BoxRows == 1 { // boxes that are rows
		shapes = shapes[1:]
	}
	for rows := 2; rows < f.size; rows++ {
		if f.size%rows == 0 && rows != Standard(f.size).BoxRows {
			shapes = append(shapes, Variant{Size: f.size, BoxRows: rows, BoxCols: f.size / rows})
		}
	}
	var all []Variant
	for words := range 8 {
		for _, v := range shapes {
			v.X, v.Hyper, v.AntiKnight = words&1 != 0, words&2 != 0, words&4 != 0
			all = append(all, v)
		}
	}
	return all
}

// pair returns a number for two cells in either order.
func pair(a, b int) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// differ reports whether the pairs of peers are these, which are sorted.
func (r *Rules) differ(pairs []uint64) bool {
	for cell, peers := range r.peers {
		for _, peer := range peers {
			if peer < cell {
				continue
			}
			if len(pairs) == 0 || pairs[0] != pair(cell, peer) {
				return false
			}
			pairs = pairs[1:]
		}
	}
	return len(pairs) == 0
}

// grid makes the puzzle. A cell that may have one digit only has it.
func (f *formulaReader) grid(r *Rules) *Grid {
	g := NewGrid(r)
	for _, p := range f.pairs {
		if p[0] == p[1] {
			f.choices = append(f.choices, choice{place: p[0]})
		}
	}
	for _, c := range f.choices {
		cell := c.cell(f.size)
		for digit := 1; digit <= f.size; digit++ {
			if slices.Contains(c.digits, digit) == c.not {
				g.exclude(r.Candidate(cell, digit))
			}
		}
	}
	if g.Marks == nil {
		return g
	}
	marked := false
	for cell := range g.Cells {
		left, last := 0, 0
		for digit := 1; digit <= f.size; digit++ {
			if g.Marks[r.Candidate(cell, digit)] {
				left, last = left+1, digit
			}
		}
		if left == 1 {
			g.Cells[cell] = last
		} else if left < f.size {
			marked = true
		}
	}
	if !marked {
		g.Marks = nil
	}
	return g
}
