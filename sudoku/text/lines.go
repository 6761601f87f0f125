package text

import (
	"bytes"

	"sator/sudoku"
)

// Puzzles in one line: n*n characters, one for each cell, and then what the
// collection has to say of the puzzle. A field of the line is what blanks,
// commas, semicolons, tabs, bars or quotes separate. The puzzle is the first
// field that can be one; what stands before it is an index or a checksum, and
// what stands after it a solution, a rating, a comment.

// wholeFrom is the least size of which a line can only be a whole puzzle when it
// is found by content: 49 characters are no row, for there are no 49 symbols.
// Lines of 16, 25 and 36 characters are the matter of readGrid.
const wholeFrom = 7

// nine has the digit of each character in a line of 81 in its low bits.
var nine = func() (t [256]uint8) {
	for c := range t {
		t[c] = foreign
	}
	for c := 1; c <= 9; c++ {
		t['0'+c] = uint8(c)
	}
	for _, c := range blanks + "xX" {
		t[c] = 0
	}
	return t
}()

// foreign marks what is neither a digit nor a blank.
const foreign = 0x80

// nineByNine is a puzzle of size 9 with all that belongs to it, made at once.
type nineByNine struct {
	Puzzle
	grid  sudoku.Grid
	cells [81]int
}

// fast reads a line of 81 characters, as collections of puzzles consist of. It
// returns nil if the line is anything else, or if anything is special.
func (r *Reader) fast(l line) *Puzzle {
	if len(l.text) < 81 || r.Zero || r.skipping || r.csv != nil || r.units.begun || r.Format != "" && r.Format != "line" {
		return nil
	}
	rules := r.known()
	switch {
	case rules == nil:
		rules = r.boxed(boxes{9, 3})
	case rules.Size() != 9:
		return nil
	}
	p, all := new(nineByNine), uint8(0)
	for i, c := range l.text[:81] {
		d := nine[c]
		all |= d
		p.cells[i] = int(d)
	}
	if all&foreign != 0 || all == 0 { // without a digit it may be a frame
		return nil
	}
	if len(l.text) > 81 && !separated(l.text[81]) {
		return nil
	}
	p.grid = sudoku.Grid{Rules: rules, Cells: p.cells[:]}
	p.Puzzle = Puzzle{Grid: &p.grid, Line: l.number, Format: "line", Label: r.label, column: l.before + 1}
	r.label = ""
	if len(l.text) > 81 {
		r.rest(&p.Puzzle, l, 81)
	}
	return &p.Puzzle
}

// A field is a part of a line, from one index to another.
type field struct{ from, to int }

// fields calls yield for the fields of a line up to a comment, from an index.
func fields(text []byte, from int, yield func(field) bool) {
	for i := from; i < len(text); {
		switch {
		case text[i] == '#':
			return
		case separated(text[i]):
			i++
			continue
		}
		end := i
		for end < len(text) && !separated(text[end]) {
			end++
		}
		if !yield(field{i, end}) {
			return
		}
		i = end
	}
}

// root returns n if the argument is n*n, else 0.
func root(cells int) int {
	n := 0
	for n*n < cells {
		n++
	}
	if n*n != cells {
		return 0
	}
	return n
}

// cubeRoot returns n if the argument is n*n*n, else 0.
func cubeRoot(marks int) int {
	n := 0
	for n*n*n < marks {
		n++
	}
	if n*n*n != marks {
		return 0
	}
	return n
}

// beginsLine reports whether a field of the line can be a whole puzzle and
// nothing else.
func (r *Reader) beginsLine(l line) bool {
	_, n := r.lineField(l)
	return n > 0
}

// lineField finds the field that is the puzzle and its size.
func (r *Reader) lineField(l line) (found field, size int) {
	fields(l.text, 0, func(f field) bool {
		if n := r.wholeSize(f.to - f.from); n > 0 && r.isCells(l.text[f.from:f.to], n) {
			found, size = f, n
		}
		return size == 0
	})
	return found, size
}

// wholeSize returns the size of a grid with so many cells, 0 if such a field is
// no puzzle or need not be one.
func (r *Reader) wholeSize(length int) int {
	n := root(length)
	known := r.size()
	switch {
	case known > 0:
		if n == known && n <= len(usual) {
			return n
		}
		return 0
	case n > len(usual) || n < wholeFrom && r.Format != "line":
		return 0
	}
	return n
}

// isCells reports whether characters are the cells of a grid of size n, not a
// checksum, a part of a frame, or pencil marks.
func (r *Reader) isCells(text []byte, n int) bool {
	digits, dashes := false, false
	for _, c := range text {
		if kinds[c] == isOther || n <= 9 && kinds[c] == isDigit && int(c-'0') > n {
			return false
		}
		digits = digits || kinds[c] != isBlank
		dashes = dashes || isDash(c)
	}
	if dashes && !digits {
		return false
	}
	if k := cubeRoot(len(text)); k > 0 && r.size() == 0 && areMarks(text, k) {
		return false
	}
	r.symbols = appendSymbols(r.symbols[:0], line{text: text}, field{0, len(text)})
	a := r.alphabet(r.symbols, n)
	for _, s := range r.symbols {
		if a.digit(s) > n {
			return n == 9 || n == 16
		}
	}
	return true
}

// appendSymbols appends the characters of a field.
func appendSymbols(to []symbol, l line, f field) []symbol {
	for i, c := range l.text[f.from:f.to] {
		to = append(to, symbol{char: c, line: int32(l.number), column: int32(l.before + f.from + i + 1)})
	}
	return to
}

// readLine reads a line in which beginsLine has found a puzzle.
func (r *Reader) readLine(l line) (*Puzzle, error) {
	f, n := r.lineField(l)
	r.symbols = appendSymbols(r.symbols[:0], l, f)
	p, err := r.finish(r.symbols, r.rules(n, 0), "line")
	if err != nil {
		return nil, err
	}
	if f.from > 0 {
		p.addLabel(l.text[:f.from])
	}
	r.rest(p, l, f.to)
	return p, nil
}

// rest reads what stands in a line behind a puzzle: its solution in the same
// characters, if there is one, and a label.
func (r *Reader) rest(p *Puzzle, l line, from int) {
	label := from
	fields(l.text, from, func(f field) bool {
		if p.Solution = r.solution(p, l, f); p.Solution != nil {
			p.addLabel(l.text[from:f.from])
			label = f.to
		}
		return p.Solution == nil
	})
	p.addLabel(l.text[label:])
}

// solution returns the digits of a field if it is full and agrees with the
// puzzle, else nil.
func (r *Reader) solution(p *Puzzle, l line, f field) []int {
	if f.to-f.from != len(p.Cells) {
		return nil
	}
	symbols := appendSymbols(nil, l, f)
	a := alphabet{size: p.Rules.Size(), only: p.Symbols != "" && p.Symbols[0] == 'A'}
	if p.Symbols != "" && !a.only {
		a.base = 1
	}
	digits := make([]int, len(symbols))
	for i, s := range symbols {
		digits[i] = a.digit(s)
	}
	if !completes(digits, p.Grid) {
		return nil
	}
	return digits
}

// completes reports whether digits are those of a full grid which has those of
// another one.
func completes(digits []int, g *sudoku.Grid) bool {
	for i, d := range digits {
		if d < 1 || d > g.Rules.Size() || g.Cells[i] != 0 && g.Cells[i] != d {
			return false
		}
	}
	return true
}

// addLabel adds what stands beside a puzzle to its label, without what
// separates it.
func (p *Puzzle) addLabel(text []byte) {
	const around = " \t,;|\"#"
	text = bytes.Trim(text, around)
	switch {
	case len(text) == 0:
	case p.Label == "":
		p.Label = string(text)
	default:
		p.Label += " " + string(text)
	}
}

// areMarks reports whether n*n*n characters are the pencil marks of a grid of
// size n: each a blank or the digit of its place in its group of n, and at
// least one in each group on average.
func areMarks(text []byte, n int) bool {
	marks := 0
	for i, c := range text {
		switch {
		case kinds[c] == isBlank:
		case (symbol{char: c}).value() == i%n+1:
			marks++
		default:
			return false
		}
	}
	return marks >= n*n
}

// beginsMarks reports whether a line is a field of n*n*n characters that are
// pencil marks.
func (r *Reader) beginsMarks(l line) bool {
	_, n := r.marksField(l)
	return n > 0
}

func (r *Reader) marksField(l line) (found field, size int) {
	fields(l.text, 0, func(f field) bool {
		n := cubeRoot(f.to - f.from)
		known := r.size()
		if n > 3 && n <= len(usual) && known == 0 || known > 0 && n == known {
			if areMarks(l.text[f.from:f.to], n) {
				found, size = f, n
			}
		}
		return size == 0
	})
	return found, size
}

// readMarks reads a line of pencil marks. A cell with a single mark has that
// digit.
func (r *Reader) readMarks(l line) (*Puzzle, error) {
	f, n := r.marksField(l)
	g := sudoku.NewGrid(r.rules(n, 0))
	g.Marks = make([]bool, n*n*n)
	for i, c := range l.text[f.from:f.to] {
		g.Marks[i] = kinds[c] != isBlank
	}
	settle(g)
	p := r.puzzle(g, "marks")
	p.Line, p.places = l.number, make([]place, n*n)
	for cell := range p.places {
		p.places[cell] = place{int32(l.number), int32(l.before + f.from + cell*n + 1)}
	}
	p.addLabel(l.text[:f.from])
	p.addLabel(l.text[f.to:])
	return p, nil
}

// settle makes the single mark of a cell its digit, and drops marks that say no
// more than the digits.
func settle(g *sudoku.Grid) {
	n := g.Rules.Size()
	needed := false
	for cell := range g.Cells {
		marks := g.Marks[cell*n : cell*n+n]
		count, last := 0, 0
		for i, on := range marks {
			if on {
				count, last = count+1, i+1
			}
		}
		if count == 1 {
			g.Cells[cell] = last
		}
		needed = needed || count != 1 && count != n
	}
	if !needed {
		g.Marks = nil
	}
}

// isDash reports whether a blank is one that frames are drawn with.
func isDash(c byte) bool { return c == '-' || c == '*' || c == '_' }
