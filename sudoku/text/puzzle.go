package text

import "sator/sudoku"

// A Puzzle is a grid with its position, label and solution in the input.
type Puzzle struct {
	*sudoku.Grid

	Line     int    // line of its first cell, from 1
	Label    string // name, rating or other text beside or before the puzzle; may be empty
	Solution []int  // by cell: the digits of the solution in the input, or nil
	Format   string // the name of its format in [InputFormats]

	// Symbols has the characters of the digits in ascending order, if they
	// differ from 1 to 9 and A to Z.
	Symbols string

	column    int        // column of the first cell, if there are no positions
	positions []position // by cell: its position; nil if the cells are consecutive characters
}

// A position is a line and a column, from 1.
type position struct{ line, column int32 }

// Position returns the line and the column of a cell in the input, both from 1;
// columns are counted in bytes. In formats that do not write blanks it is the
// position of the number or of the run of blanks that contains the cell.
func (p *Puzzle) Position(cell int) (line, column int) {
	if p.positions == nil {
		return p.Line, p.column + cell
	}
	at := p.positions[cell]
	return int(at.line), int(at.column)
}

// puzzleOf makes a puzzle of the symbols of all cells.
func (r *Reader) puzzleOf(symbols []symbol, rules *sudoku.Rules, format string) (*Puzzle, error) {
	g := sudoku.NewGrid(rules)
	if s := symbols[0]; len(symbols) != len(g.Cells) {
		return nil, r.in.errorf(int(s.line), int(s.column), "%d cells, want %d", len(symbols), len(g.Cells))
	}
	a, err := r.digits(g.Cells, symbols, rules.Size())
	if err != nil {
		return nil, err
	}
	p := r.newPuzzle(g, format)
	p.Symbols = a.symbols()
	p.setPositions(symbols)
	p.setPlaced(symbols)
	return p, nil
}

// setPlaced sets which digits are no givens.
func (p *Puzzle) setPlaced(symbols []symbol) {
	for cell, s := range symbols {
		if s.found && p.Cells[cell] != 0 {
			if p.Placed == nil {
				p.Placed = make([]bool, len(p.Cells))
			}
			p.Placed[cell] = true
		}
	}
}

// Givens returns the number of givens.
func (p *Puzzle) Givens() int { return p.Given().Givens() }

// newPuzzle makes a puzzle of a grid and moves the stored label to it.
func (r *Reader) newPuzzle(g *sudoku.Grid, format string) *Puzzle {
	p := &Puzzle{Grid: g, Format: format, Label: r.label}
	r.label, r.declaredSize = "", 0
	return p
}

// setPositions sets the positions of all cells.
func (p *Puzzle) setPositions(symbols []symbol) {
	p.Line, p.column = int(symbols[0].line), int(symbols[0].column)
	for i, s := range symbols {
		if s.line != symbols[0].line || int(s.column) != p.column+i {
			p.positions = make([]position, len(symbols))
			break
		}
	}
	for i := range p.positions {
		p.positions[i] = position{symbols[i].line, symbols[i].column}
	}
}

// Text returns digits in one line like [Line], but with the characters that the
// puzzle has in the input.
func (p *Puzzle) Text(digits []int) string {
	if p.Symbols == "" {
		return Line(p.With(digits))
	}
	b := make([]byte, len(digits))
	for i, digit := range digits {
		if b[i] = '.'; digit > 0 {
			b[i] = p.Symbols[digit-1]
		}
	}
	return string(b)
}
