package sudoku

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/scanner"
)

// Cell formulas. A puzzle can be written as a formula about cells instead of
// candidates:
//
//	v11 != v12 * v11 != v13 * ...
//	v11 = 8 *
//	v12 = 1 + v12 = 2 + v12 = 3 + ...
//
// The variable v12 is the digit in row 1, column 2; beyond size 9 it is written
// v1_2. A star is a conjunction, a plus a disjunction. The formula is a
// conjunction of inequalities between cells and of disjunctions of the digits
// that a cell can have; a given has one digit. The format is that of an OCaml
// program of 2008 ("Yet Another Sudoku Solver"). Text between (* and *) is a
// comment.
//
// The inequalities encode the rules. The reader recognizes the inequalities of
// boxes of any shape, diagonals, windows and anti-knight constraints. It does
// not recognize regions; the writer adds them in a comment that begins with the
// word rules. The format cannot express the sums of cages.

// formulaWidth is the length of a line of inequalities. At size 9 a line holds
// seven inequalities.
const formulaWidth = 90

// ErrRelations is returned by [Grid.WriteCellFormula] for a puzzle with cages, relations or several grids.
var ErrRelations = errors.New("a formula about cells cannot express cages, relations and several grids")

// WriteCellFormula writes the puzzle as a formula about cells. With repeat, the
// inequality of two cells that share two houses is written for both houses. It
// returns [ErrRelations] for a puzzle with cages, relations or several grids, or an error of w.
func (g *Grid) WriteCellFormula(w io.Writer, repeat bool) error {
	if !g.Rules.OnlyDiffer() || g.Rules.variant.Grids != nil {
		return ErrRelations
	}
	f := formulaWriter{w: bufio.NewWriter(w), g: g, repeat: repeat}
	f.writeInequalities()
	for cell := range g.Cells {
		f.writeDomain(cell)
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

// writeInequalities writes the inequalities of all peers, house by house.
func (f *formulaWriter) writeInequalities() {
	r := f.g.Rules
	for h, house := range r.houses {
		for i, a := range house.Cells {
			for _, b := range house.Cells[i+1:] {
				if f.repeat || r.firstCommonHouse(a, b) == h {
					f.writeInequality(a, b)
				}
			}
		}
	}
	for a, b := range r.apart() {
		f.writeInequality(a, b)
	}
}

// writeInequality writes the inequality of two cells.
func (f *formulaWriter) writeInequality(a, b int) {
	f.buf = f.appendCell(f.buf[:0], a)
	f.buf = append(f.buf, " != "...)
	f.buf = append(f.appendCell(f.buf, b), " *"...)
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

// writeDomain writes the disjunction of the digits that a cell can have, on a
// line.
func (f *formulaWriter) writeDomain(cell int) {
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
		if !f.g.IsPossible(cell, digit) {
			continue
		}
		if !none {
			b = append(b, " + "...)
		}
		none = false
		b = append(f.appendCell(b, cell), " = "...)
		b = strconv.AppendInt(b, int64(digit), 10)
	}
	if none { // no digit is possible: write an unsatisfiable inequality
		b = append(f.appendCell(b, cell), " != "...)
		b = f.appendCell(b, cell)
	}
	f.w.Write(b)
	f.buf = b
}

// IsPossible reports whether the givens and marks allow a digit in a cell.
func (g *Grid) IsPossible(cell, digit int) bool {
	given := g.Cells[cell]
	return (given == 0 || given == digit) && (g.Marks == nil || g.Marks[g.Rules.Candidate(cell, digit)])
}

// appendCell appends the name of a cell.
func (f *formulaWriter) appendCell(b []byte, cell int) []byte {
	n := f.g.Rules.Size()
	b = strconv.AppendInt(append(b, 'v'), int64(cell/n+1), 10)
	if n > 9 {
		b = append(b, '_')
	}
	return strconv.AppendInt(b, int64(cell%n+1), 10)
}

// IsCellFormula reports whether an input that begins with these bytes is a
// formula about cells: it begins with a cell or with a comment of this format.
func IsCellFormula(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 1 && (head[0] == 'v' && isDigit(head[1]) || head[0] == '(' && head[1] == '*')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ReadCellFormula reads a puzzle that is written as a formula about cells.
// Error messages contain the name. The size of the grid is the greatest index
// or digit in the formula; a cell that the formula does not restrict can have
// every digit. The error is a [*dimacs.SyntaxError] or an error of src.
func ReadCellFormula(src io.Reader, name string) (*Grid, error) {
	watched := &watchedSource{src: bufio.NewReader(src)} // which ends a source that never returns anything
	f := formulaReader{scan: newFormulaScanner(watched, name)}
	err := f.readAll()
	if watched.err != nil {
		return nil, watched.err // the formula may be cut off
	}
	if err != nil {
		return nil, err
	}
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	return f.grid(rules), nil
}

// A watchedSource keeps the error of a source, except io.EOF.
type watchedSource struct {
	src io.Reader
	err error
}

// Read implements [io.Reader].
func (s *watchedSource) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// A cellRef is a cell by row and column, from 1, used until the size is known.
type cellRef struct{ row, column uint8 }

// cell returns the number of the cell in a grid of the given size.
func (p cellRef) cell(size int) int { return (int(p.row)-1)*size + int(p.column) - 1 }

// A domain is the set of digits that a cell can have.
type domain struct {
	cellRef
	digits   []int
	excluded bool // digits are the digits that the cell cannot have
}

// A formulaReader collects the inequalities and domains of a formula.
type formulaReader struct {
	scan    *formulaScanner
	size    int
	pairs   [][2]cellRef
	domains []domain
}

// readAll reads all factors of the conjunction. A star after the last factor is
// allowed.
func (f *formulaReader) readAll() error {
	for {
		t, err := f.scan.next()
		if err != nil {
			return err
		}
		if t.kind == scanner.EOF && f.size > 0 {
			return nil
		}
		if t, err = f.readFactor(t); err != nil {
			return err
		}
		if t.kind == scanner.EOF {
			return nil
		}
		if t.kind != '*' {
			return f.scan.errorf(t, "unexpected %s: want *", t)
		}
	}
}

// An atom is an equality or inequality such as "v11 = 8" or "v11 != v12".
type atom struct {
	cell, sign, value token
}

// readFactor reads a disjunction of atoms that begins with token t. It returns
// the token after it.
func (f *formulaReader) readFactor(t token) (token, error) {
	var atoms []atom
	for {
		if t.kind != tokenCell {
			return t, f.scan.errorf(t, "unexpected %s: want a cell such as v12", t)
		}
		a, err := f.readAtom(t)
		if err != nil {
			return t, err
		}
		atoms = append(atoms, a)
		if t, err = f.scan.next(); err != nil {
			return t, err
		}
		if t.kind != '+' {
			return t, f.addFactor(atoms)
		}
		if t, err = f.scan.next(); err != nil {
			return t, err
		}
	}
}

// readAtom reads the rest of an atom after its cell.
func (f *formulaReader) readAtom(cell token) (a atom, err error) {
	a.cell = cell
	if a.sign, err = f.scan.next(); err != nil {
		return a, err
	}
	if a.sign.kind != '=' && a.sign.kind != tokenDiffer {
		return a, f.scan.errorf(a.sign, "unexpected %s: want = or !=", a.sign)
	}
	if a.value, err = f.scan.next(); err != nil {
		return a, err
	}
	if a.value.kind != tokenNumber && a.value.kind != tokenCell {
		return a, f.scan.errorf(a.value, "unexpected %s: want a digit or a cell", a.value)
	}
	f.growTo(int(a.cell.place.row), int(a.cell.place.column), a.value.number, int(a.value.place.row), int(a.value.place.column))
	return a, nil
}

// addFactor records a disjunction of atoms.
func (f *formulaReader) addFactor(atoms []atom) error {
	first := atoms[0]
	if len(atoms) == 1 && first.sign.kind == tokenDiffer && first.value.kind == tokenCell {
		f.pairs = append(f.pairs, [2]cellRef{first.cell.place, first.value.place})
		return nil
	}
	c := domain{cellRef: first.cell.place, excluded: first.sign.kind == tokenDiffer}
	for _, a := range atoms {
		switch {
		case a.sign.kind == tokenDiffer && len(atoms) > 1:
			return f.scan.errorf(a.sign, "an inequality in a disjunction")
		case a.value.kind == tokenCell:
			return f.scan.errorf(a.value, "unexpected %s: want a digit; cells can differ but not be equal", a.value)
		case a.cell.place != c.cellRef:
			return f.scan.errorf(a.cell, "%s in a disjunction about another cell", a.cell)
		}
		c.digits = append(c.digits, a.value.number)
	}
	f.domains = append(f.domains, c)
	return nil
}

// growTo raises the size to the largest of the numbers.
func (f *formulaReader) growTo(numbers ...int) {
	for _, n := range numbers {
		f.size = max(f.size, n)
	}
}

// rules returns the rules that match the inequalities of the formula.
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
			break // fewer than the inequalities of rows and columns, which all variants have
		}
		if r, err := New(v); err == nil && r.hasPeerPairs(pairs) {
			return r, nil
		}
	}
	if f.scan.rules != nil {
		return nil, f.scan.errorf(f.scan.end(), "the inequalities differ from the rules in the comment")
	}
	return nil, f.scan.errorf(f.scan.end(), "the inequalities match no known rules: state the rules in a comment such as (* rules 9 boxes 3x3 *)")
}

// variants lists the variants that the formula may have, the most common ones
// first.
func (f *formulaReader) variants() []Variant {
	if v := f.scan.rules; v != nil {
		if v.Size != f.size || len(v.Cages)+len(v.Relations)+len(v.Grids) > 0 {
			return nil
		}
		return []Variant{*v}
	}
	shapes := []Variant{Standard(f.size), Latin(f.size)}
	if shapes[0].BoxRows == 1 { // the boxes are rows
		shapes = shapes[1:]
	}
	for rows := 2; rows < f.size; rows++ {
		if f.size%rows == 0 && rows != Standard(f.size).BoxRows {
			shapes = append(shapes, Variant{Size: f.size, BoxRows: rows, BoxCols: f.size / rows})
		}
	}
	var all []Variant
	for set := range 1 << 5 {
		for _, v := range shapes {
			for i, w := range v.AllWords() {
				if set>>i&1 != 0 {
					*w.on = true
				}
			}
			all = append(all, v)
		}
	}
	return all
}

// pair returns a number for an unordered pair of cells.
func pair(a, b int) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// hasPeerPairs reports whether the pairs of peers are exactly the given pairs,
// which are sorted.
func (r *Rules) hasPeerPairs(pairs []uint64) bool {
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

// grid returns the puzzle. A cell with a single possible digit is a given.
func (f *formulaReader) grid(r *Rules) *Grid {
	g := NewGrid(r)
	for _, p := range f.pairs {
		if p[0] == p[1] {
			f.domains = append(f.domains, domain{cellRef: p[0]})
		}
	}
	for _, c := range f.domains {
		cell := c.cell(f.size)
		for digit := 1; digit <= f.size; digit++ {
			if slices.Contains(c.digits, digit) == c.excluded {
				g.Exclude(r.Candidate(cell, digit))
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
