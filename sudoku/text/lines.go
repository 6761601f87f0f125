package text

import (
	"bytes"
	"math"

	"sator/sudoku"
)

// Puzzles in one line: n*n characters, one per cell, and then other data of the
// collection. Blanks, commas, semicolons, tabs, bars and quotes separate the
// fields of a line. The puzzle is the first field that can be one. Fields
// before it are an index or a checksum; fields after it are a solution, a
// rating or a comment.

// minWholeSize is the least size at which a line is always a whole puzzle when
// it is recognized by content: 49 characters cannot be a row, because there are
// fewer than 49 symbols. Lines of 16, 25 or 36 characters without other fields
// are read by readGrid.
const minWholeSize = 7

// A codeTable maps each character of a line to its digit in the usual alphabet or 0 for a
// blank, with the flag oneToNine, or to the flag notInCode.
type codeTable [256]uint8

// The flag notInCode marks characters that need the general reader: characters that
// are no symbols, and 0 in sizes above 9, where it can be a digit. The flag oneToNine
// marks the characters 1 to 9, but no letters; a line without them can use another
// alphabet.
const (
	notInCode = 0x80
	oneToNine = 0x40
)

// fastSizes are the sizes with a code table.
var fastSizes = [...]int{9, 16, 25, 12, 20}

// codes are the tables of fastSizes.
var codes = func() (t [len(fastSizes)]codeTable) {
	for i, n := range fastSizes {
		for c := range t[i] {
			t[i][c] = notInCode
		}
		for digit := 1; digit <= n; digit++ {
			c := digitChars[digit-1]
			t[i][c] = uint8(digit)
			if c <= '9' {
				t[i][c] |= oneToNine
			} else {
				t[i][c|0x20] = uint8(digit)
			}
		}
		for _, c := range ".*_-xX" {
			t[i][c] = 0
		}
		if n == 9 {
			t[i]['0'] = 0
		}
	}
	return t
}()

// holds reports whether characters are cells in the usual alphabet. At least one is a digit from
// 1 to 9: a line without them can be part of a frame.
func (t *codeTable) holds(text []byte) bool {
	all := uint8(0)
	for _, c := range text {
		all |= t[c]
	}
	return all&notInCode == 0 && all&oneToNine != 0
}

// read sets the digits of cells to those of as many characters.
func (t *codeTable) read(cells []int, text []byte) {
	for i := range cells {
		cells[i] = int(t[text[i]] &^ oneToNine)
	}
}

// readFast reads the most common kind of line in collections of puzzles: its
// first field has n*n characters of the usual alphabet. It returns nil if the
// line needs the general reader.
func (r *Reader) readFast(l line) *Puzzle {
	if r.Zero || r.several() != nil || r.skipping || r.csv != nil || r.units.begun || r.Format != "" && r.Format != "line" {
		return nil
	}
	which, n := -1, 0
	for i, size := range fastSizes {
		if k := size * size; len(l.text) == k || len(l.text) > k && isSeparator(l.text[k]) {
			which, n = i, size
			break
		}
	}
	if which < 0 || r.size() > 0 && r.size() != n || r.zeros[n] {
		return nil
	}
	if !codes[which].holds(l.text[:n*n]) {
		return nil
	}
	p := r.newPuzzle(sudoku.NewGrid(r.rulesFor(n, 0)), "line")
	codes[which].read(p.Cells, l.text)
	p.Line, p.column = l.number, l.offset+1
	r.plain = p.Rules.Plain9() // other rules can take so long that workers should get single puzzles
	if len(l.text) > n*n {
		r.readRest(p, l, n*n)
	}
	return p
}

// A field is a range of a line.
type field struct{ from, to int }

// fields calls yield for the fields of a line from an index up to a comment,
// until yield returns false.
func fields(text []byte, from int, yield func(field) bool) {
	for i := from; i < len(text); {
		switch {
		case text[i] == '#':
			return
		case isSeparator(text[i]):
			i++
			continue
		}
		end := i
		for end < len(text) && !isSeparator(text[end]) {
			end++
		}
		if !yield(field{i, end}) {
			return
		}
		i = end
	}
}

// squareRoot returns n if the argument is n*n, else 0.
func squareRoot(cells int) int {
	n := int(math.Round(math.Sqrt(float64(cells))))
	if n*n != cells {
		return 0
	}
	return n
}

// beginsLine reports whether a field of the line is a whole puzzle.
func (r *Reader) beginsLine(l line) bool {
	_, n := r.lineField(l)
	return n > 0 || beginsHodoku(l)
}

// lineField returns the field that is the puzzle, and its size.
func (r *Reader) lineField(l line) (found field, size int) {
	return findField(l, func(f field) int {
		n := squareRoot(f.to - f.from)
		if n > 0 && n <= len(digitChars) && r.isWholePuzzle(l, f, n) && r.areCells(l.text[f.from:f.to], n) {
			return n
		}
		return 0
	})
}

// findField returns the first field for which sizeOf returns a size above 0, and
// that size.
func findField(l line, sizeOf func(field) int) (found field, size int) {
	fields(l.text, 0, func(f field) bool {
		found, size = f, sizeOf(f)
		return size == 0
	})
	return found, size
}

// isWholePuzzle reports whether a field of n*n characters is a puzzle and not a
// part of a row. For sizes up to 6 this holds if the size is known, if only
// puzzles in lines are expected, or if each other field differs in length or is
// the solution.
func (r *Reader) isWholePuzzle(l line, f field, n int) bool {
	known := r.size()
	if known > 0 || n >= minWholeSize {
		return known == 0 || known == n
	}
	if n < minRow && r.Format != "line" {
		return false // before the loop, which would take quadratic time for single digits
	}
	alone, others := true, true
	fields(l.text, 0, func(g field) bool {
		if g != f {
			alone = false
			others = others && (g.to-g.from != f.to-f.from || f.to < g.from && isSolutionOf(l, f, g, n))
		}
		return true
	})
	if alone {
		return r.Format == "line"
	}
	return others && n >= minRow
}

// isSolutionOf reports whether a field has a digit in place of each blank of
// another field and is otherwise equal to it.
func isSolutionOf(l line, puzzle, solution field, n int) bool {
	for i, c := range l.text[solution.from:solution.to] {
		given := symbol{char: l.text[puzzle.from+i]}
		if v := (symbol{char: c}).value(); v < 1 || v > n || given.value() > 0 && given.value() != v {
			return false
		}
	}
	return true
}

// areCells reports whether characters can be the cells of a grid of size n, and
// are no checksum, no part of a frame and no pencil marks.
func (r *Reader) areCells(text []byte, n int) bool {
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
	if k := cubeRoot(len(text)); k > 0 && r.size() == 0 && arePositionalMarks(text, k) {
		return false
	}
	r.ahead = appendSymbols(r.ahead[:0], line{text: text}, field{0, len(text)}) // r.symbols can be a grid before this line
	a := r.alphabet(r.ahead, n)
	for _, s := range r.ahead {
		if a.digit(s) > n {
			return n == 9 || n == 16
		}
	}
	return true
}

// appendSymbols appends the characters of a field.
func appendSymbols(to []symbol, l line, f field) []symbol {
	for i, c := range l.text[f.from:f.to] {
		to = append(to, symbol{char: c, line: int32(l.number), column: int32(l.offset + f.from + i + 1)})
	}
	return to
}

// readLine reads a line in which beginsLine has found a puzzle.
func (r *Reader) readLine(l line) (*Puzzle, error) {
	if beginsHodoku(l) {
		return r.readHodoku(l)
	}
	f, n := r.lineField(l)
	r.symbols = appendSymbols(r.symbols[:0], l, f)
	p, err := r.puzzleOf(r.symbols, r.rulesFor(n, 0), "line")
	if err != nil {
		return nil, err
	}
	if f.from > 0 {
		p.addLabel(l.text[:f.from])
	}
	r.readRest(p, l, f.to)
	return p, nil
}

// readRest reads the fields after a puzzle: its solution in the same
// characters, if present, and a label.
func (r *Reader) readRest(p *Puzzle, l line, from int) {
	label := from
	fields(l.text, from, func(f field) bool {
		if p.Solution = r.solutionIn(p, l, f); p.Solution != nil {
			p.addLabel(l.text[from:f.from])
			label = f.to
		} else if f.to-f.from == len(p.Cells) {
			r.warnOnce(l.number, "a field as long as the puzzle is no solution of it: %s is read as a label", quoted(l.text[f.from:f.to]))
		}
		return p.Solution == nil
	})
	p.addLabel(l.text[label:])
}

// solutionIn returns the digits of a field if it is a solution with the givens
// of the puzzle, else nil.
func (r *Reader) solutionIn(p *Puzzle, l line, f field) []int {
	if f.to-f.from != len(p.Cells) {
		return nil
	}
	if n := p.Rules.Size(); n == fastSizes[0] && p.Symbols == "" { // for speed; notInCode is no digit
		digits := make([]int, len(p.Cells))
		for i, c := range l.text[f.from:f.to] {
			digits[i] = int(codes[0][c] &^ oneToNine)
		}
		if !isCompletion(digits, p.Grid) {
			return nil
		}
		return digits
	}
	symbols := appendSymbols(nil, l, f)
	a := alphabet{size: p.Rules.Size(), letters: p.Symbols != "" && p.Symbols[0] == 'A'}
	if p.Symbols != "" && !a.letters {
		a.base = 1
	}
	digits := make([]int, len(symbols))
	for i, s := range symbols {
		digits[i] = a.digit(s)
	}
	if !isCompletion(digits, p.Grid) {
		return nil
	}
	return digits
}

// isCompletion reports whether digits fill all cells of a grid and contain its
// givens.
func isCompletion(digits []int, g *sudoku.Grid) bool {
	for i, d := range digits {
		if d < 1 || d > g.Rules.Size() || g.Cells[i] != 0 && g.Cells[i] != d {
			return false
		}
	}
	return true
}

// addLabel appends text to the label of the puzzle, without separators around
// it.
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

// isDash reports whether a blank is also used to draw frames.
func isDash(c byte) bool { return c == '-' || c == '*' || c == '_' }
