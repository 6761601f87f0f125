package text

import (
	"bytes"

	"sator/sudoku"
)

// Runs of plain lines.
//
// In most large collections each line is a puzzle of size 9, perhaps with its solution or a
// rating. Once a reader has read such a line, and no rules are stated, the lines after it that
// begin with 81 characters of the usual alphabet can be nothing else. So they are handed over as
// text: the goroutine that solves a puzzle also parses it, and no grid moves from the memory of
// one processor to that of another. Moving took longer than solving most puzzles.

// Lines are puzzles of size 9 in consecutive lines of a file.
type Lines struct {
	text   []byte // lines with their ends
	read   int    // text[:read] was read
	rules  *sudoku.Rules
	file   string
	line   int // number of the next line
	number int // of its puzzle
}

// Lines sets l to the lines after a puzzle of Next that are puzzles in plain lines, too: at most
// most of them, and only lines that were read from the file already, so that it never blocks. It
// uses the memory of l again. It returns false if there are no such lines, as with Adapt and
// after puzzles in other forms.
func (f *FileReader) Lines(l *Lines, most int) bool {
	if f.err != nil || f.reader == nil || f.Adapt != nil || !f.reader.plain {
		return false
	}
	in := &f.reader.in
	*l = Lines{text: l.text[:0], rules: f.reader.rulesFor(9, 0), file: f.shown, line: in.number + 1, number: f.number + 1}
	n := 0
	for ; n < most && len(in.lookedAhead) == 0 && bytes.IndexByte(in.buf[in.pos:], '\n') >= 0; n++ {
		pos := in.pos
		next, _ := in.cutLine()
		if !isPlain(next) {
			in.pos, in.number = pos, in.number-1
			break
		}
		l.text = append(append(l.text, next.text...), '\n')
	}
	f.number += n
	f.reader.puzzles += n
	return n > 0
}

// isPlain reports whether a line is a puzzle of size 9 in the usual alphabet, and nothing else than
// its solution and a label. Other fields as long as the puzzle are left to Next, which warns of them.
func isPlain(l line) bool {
	n := len(l.text)
	if n < 81 || n > 81 && !isSeparator(l.text[81]) || l.offset > 0 || !codes[0].holds(l.text[:81]) {
		return false
	}
	return n <= 2*81 || (n == 2*81+1 || isSeparator(l.text[2*81+1])) && isSolved(l.text[:81], l.text[82:])
}

// isSolved reports whether characters are the digits of a solution with the givens of a puzzle.
func isSolved(puzzle, solution []byte) bool {
	wrong := false
	for i, c := range puzzle {
		d := codes[0][c] &^ oneToNine
		wrong = wrong || solution[i]-'1' > 8 || d != 0 && d != solution[i]-'0'
	}
	return !wrong
}

// Next sets p to the next puzzle, or returns false if there is none. It uses the memory of p
// again, which must be zero or a puzzle of size 9.
func (l *Lines) Next(p *FilePuzzle) bool {
	end := bytes.IndexByte(l.text[l.read:], '\n')
	if end < 0 {
		return false
	}
	text := l.text[l.read : l.read+end]
	if p.Puzzle == nil {
		p.Puzzle = &Puzzle{Grid: sudoku.NewGrid(l.rules)}
	}
	solution := p.Solution
	p.File, p.Number, p.Rules = l.file, l.number, l.rules
	*p.Puzzle = Puzzle{Grid: p.Grid, Line: l.line, Format: "line", column: 1}
	codes[0].read(p.Cells, text)
	if text = text[81:]; len(text) > 81 {
		if len(solution) != 81 {
			solution = make([]int, 81)
		}
		codes[0].read(solution, text[1:])
		p.Solution, text = solution, text[82:]
	}
	p.addLabel(text)
	l.read, l.line, l.number = l.read+end+1, l.line+1, l.number+1
	return true
}
