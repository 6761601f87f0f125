package text

import (
	"sator/sudoku"
)

// cellsAreMarks reports whether all cells of a grid are pencil marks: every cell has
// digits in ascending order, and at least one value is too large for a digit.
func (r *Reader) cellsAreMarks(n int) bool {
	most := 0
	for _, s := range r.symbols {
		if n > 9 || !isAscending(s, n) {
			return false
		}
		most = max(most, s.value())
	}
	return most > n
}

// marksPuzzle makes a puzzle of pencil marks. A single digit is a given, or placed if it
// is marked as found.
func (r *Reader) marksPuzzle(rules *sudoku.Rules) *Puzzle {
	g, n := sudoku.NewGrid(rules), rules.Size()
	g.Marks = make([]bool, n*n*n)
	for cell, s := range r.symbols {
		for v := s.value(); v > 0; v /= 10 {
			g.Marks[rules.Candidate(cell, v%10)] = true
		}
	}
	givensFromMarks(g)
	p := r.newPuzzle(g, "marks")
	p.setPositions(r.symbols)
	p.setPlaced(r.symbols)
	return p
}

// cubeRoot returns n if the argument is n*n*n, else 0.
func cubeRoot(marks int) int {
	for n := 1; n*n*n <= marks; n++ {
		if n*n*n == marks {
			return n
		}
	}
	return 0
}

// arePositionalMarks reports whether n*n*n characters are the pencil marks of a grid of
// size n: each is a blank or the digit of its position in its group of n, and
// there is at least one digit per group on average.
func arePositionalMarks(text []byte, n int) bool {
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

// beginsMarks reports whether a line has a field of n*n*n characters that are
// pencil marks.
func (r *Reader) beginsMarks(l line) bool {
	_, n := r.marksField(l)
	return n > 0
}

// marksField returns the field with the pencil marks, and the size of the grid.
func (r *Reader) marksField(l line) (found field, size int) {
	return findField(l, func(f field) int {
		n, known := cubeRoot(f.to-f.from), r.size()
		if (known > 0 && n == known || known == 0 && n > 3 && n <= len(digitChars)) && arePositionalMarks(l.text[f.from:f.to], n) {
			return n
		}
		return 0
	})
}

// readMarks reads a line of pencil marks. A cell with a single mark has that
// digit.
func (r *Reader) readMarks(l line) (*Puzzle, error) {
	f, n := r.marksField(l)
	g := sudoku.NewGrid(r.rulesFor(n, 0))
	g.Marks = make([]bool, n*n*n)
	for i, c := range l.text[f.from:f.to] {
		g.Marks[i] = kinds[c] != isBlank
	}
	givensFromMarks(g)
	p := r.newPuzzle(g, "marks")
	p.Line, p.positions = l.number, make([]position, n*n)
	for cell := range p.positions {
		p.positions[cell] = position{int32(l.number), int32(l.offset + f.from + cell*n + 1)}
	}
	p.addLabel(l.text[:f.from])
	p.addLabel(l.text[f.to:])
	return p, nil
}

// givensFromMarks makes the single mark of a cell its given. It removes the
// marks if they contain no more information than the givens.
func givensFromMarks(g *sudoku.Grid) {
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
