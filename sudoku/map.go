package sudoku

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
)

// A Map leads from candidates to the variables of a formula and back, and
// travels in the comments of the formula:
//
//	c sudoku rules 9 boxes 3x3
//	c sudoku encoding extended
//	c sudoku at-most-one pairs
//	c sudoku numbering dense
//
// If the encoding spends the givens, the comments have them too, then the
// other digits that follow from them, and then the candidates of each of the
// remaining cells, whose variables are numbered in this order, without gaps in
// the numbering dense:
//
//	c sudoku givens R1C1=5 R1C2=3
//	c sudoku placed R5C5=5 R7C6=7
//	c sudoku left R1C3 1 2 4
//
// So nothing has to be computed again when a model is decoded.
type Map struct {
	Rules  *Rules
	Coding Coding

	// Puzzle is what a solution is checked against: its givens and marks. It is
	// nil if they are not known.
	Puzzle *Grid

	lit    []dimacs.Lit // by candidate, noLit if it has no variable
	vars   int          // variables up to the last of a candidate
	placed []int        // by cell, the digit if the formula leaves it out; nil if it does not
}

// noLit is the literal of a candidate without a variable.
const noLit = dimacs.Lit(math.MaxUint32)

// NewMap returns the map of the formulas that rules become by a coding that
// does not spend the givens, for formulas without comments. The error is that of
// a name that is in none of the tables, or of an encoding that does.
func NewMap(r *Rules, c Coding) (*Map, error) {
	e, _, n, err := c.complete(r.Size())
	if err != nil {
		return nil, err
	}
	if e.PropagatesGivens {
		return nil, fmt.Errorf("which variables there are in the encoding %s depends on the puzzle", e.Name)
	}
	m := &Map{Rules: r, Coding: c}
	m.number(n, nil)
	return m, nil
}

// number gives variables to all candidates, or to those in left that are not
// placed.
func (m *Map) number(n Numbering, left *Candidates) {
	m.lit = make([]dimacs.Lit, m.Rules.Cells()*m.Rules.Size())
	if left != nil {
		m.placed = left.Cells()
	}
	m.assign(n, func(candidate int) bool { return left == nil || left.Has(candidate) })
}

// assign gives variables to those candidates that the function names, but not to
// cells that are placed.
func (m *Map) assign(n Numbering, open func(candidate int) bool) {
	size, compact := m.Rules.Size(), m.placed != nil && n.Name == "dense"
	for candidate := range m.lit {
		cell, digit := m.Rules.Split(candidate)
		if m.placed != nil && m.placed[cell] != 0 || !open(candidate) {
			m.lit[candidate] = noLit
			continue
		}
		number := m.vars + 1
		if !compact {
			number = n.Number(size, cell/size+1, cell%size+1, digit)
		}
		m.lit[candidate] = dimacs.Var(number - 1).Lit()
		m.vars = number
	}
}

// contradiction returns the formula of a puzzle whose givens leave nothing: the
// empty clause, without variables.
func (m *Map) contradiction() *CNF {
	m.lit = slices.Repeat([]dimacs.Lit{noLit}, m.Rules.Cells()*m.Rules.Size())
	m.placed = slices.Clone(m.Puzzle.Cells)
	f := dimacs.NewFormula(0)
	f.Add()
	return &CNF{f, m}
}

// Vars returns the number of variables up to the last of a candidate: n^3 in
// the numbering dense, if no givens are spent.
func (m *Map) Vars() int { return m.vars }

// DescribeVariables tells in words which number the variable of a candidate has.
func (m *Map) DescribeVariables() string {
	if m.placed != nil && m.Coding.Numbering == Numberings[0].Name {
		return "1 to N for the candidates left, by row, column and digit"
	}
	_, _, n, err := m.Coding.complete(m.Rules.Size())
	if err != nil {
		panic("sudoku: " + err.Error())
	}
	return n.text
}

// Lit returns the literal that says that a candidate is true. There is none for
// a candidate that the formula leaves out, since the givens decide it.
func (m *Map) Lit(candidate int) (dimacs.Lit, bool) {
	l := m.lit[candidate]
	return l, l != noLit
}

// Givens returns the literals of a puzzle's givens and, negated, of the
// candidates that its marks exclude: together with the rules they are the
// puzzle. Candidates without a variable are left out.
func (m *Map) Givens(g *Grid) []dimacs.Lit {
	var lits []dimacs.Lit
	for cell, digit := range g.Cells {
		if digit == 0 {
			continue
		}
		if l, ok := m.Lit(m.Rules.Candidate(cell, digit)); ok {
			lits = append(lits, l)
		}
	}
	for candidate, possible := range g.Marks {
		if l, ok := m.Lit(candidate); ok && !possible {
			lits = append(lits, l.Not())
		}
	}
	return lits
}

// Comments returns the lines by which [ReadMap] makes the map again. It panics
// if the map does not have the puzzle whose givens it leaves out.
func (m *Map) Comments() []string {
	lines := []string{
		"sudoku rules " + m.Rules.String(),
		"sudoku encoding " + m.Coding.Encoding,
		"sudoku at-most-one " + m.Coding.AtMostOne,
		"sudoku numbering " + m.Coding.Numbering,
	}
	if m.placed == nil {
		return lines
	}
	lines = append(lines, m.digits("givens", m.Puzzle.Cells)...)
	placed := slices.Clone(m.placed)
	for cell, digit := range m.Puzzle.Cells {
		if digit != 0 {
			placed[cell] = 0
		}
	}
	lines = append(lines, m.digits("placed", placed)...)
	return append(lines, m.left()...)
}

// lineLen is how long a line of digits gets.
const lineLen = 76

// digits writes the digits of cells on lines that begin with a key.
func (m *Map) digits(key string, cells []int) []string {
	var lines []string
	line := []byte(nil)
	for cell, digit := range cells {
		if digit == 0 {
			continue
		}
		if len(line) > lineLen-len(" R225C225=225") {
			lines, line = append(lines, string(line)), nil
		}
		if line == nil {
			line = append(line, "sudoku "+key...)
		}
		line = append(line, ' ')
		line = append(line, m.Rules.CellName(cell)...)
		line = strconv.AppendInt(append(line, '='), int64(digit), 10)
	}
	if line != nil {
		lines = append(lines, string(line))
	}
	return lines
}

// left writes the candidates of the cells that have variables.
func (m *Map) left() []string {
	var lines []string
	n := m.Rules.Size()
	for cell := range m.Rules.Cells() {
		if m.placed[cell] != 0 {
			continue
		}
		line := []byte("sudoku left " + m.Rules.CellName(cell))
		for d, l := range m.lit[cell*n : cell*n+n] {
			if l != noLit {
				line = strconv.AppendInt(append(line, ' '), int64(d+1), 10)
			}
		}
		lines = append(lines, string(line))
	}
	return lines
}

// ReadMap makes a map from the comments of a formula, in their order. Comments
// that do not begin with the word sudoku are none of its business. The error
// says what is missing or wrong.
func ReadMap(comments []string) (*Map, error) {
	r := mapReader{m: &Map{}}
	for _, line := range comments {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "sudoku ")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(rest, " ")
		if err := r.line(key, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("the comment %q: %w", abridged(line), err)
		}
	}
	return r.finish()
}

// abridged shortens a line for a message.
func abridged(line string) string {
	if len(line) > lineLen {
		return line[:lineLen] + "..."
	}
	return line
}

// A mapReader makes a map of lines.
type mapReader struct {
	m      *Map
	givens []int  // by cell
	open   []bool // by candidate: has a variable; nil before the first line about it
}

// line reads a line by its key.
func (r *mapReader) line(key, value string) error {
	m := r.m
	if key == "rules" {
		return r.rules(value)
	}
	if m.Rules == nil {
		return fmt.Errorf("it stands before the one that tells the rules")
	}
	switch key {
	case "encoding":
		return settle(&m.Coding.Encoding, value)
	case "at-most-one":
		return settle(&m.Coding.AtMostOne, value)
	case "numbering":
		return settle(&m.Coding.Numbering, value)
	case "givens":
		return r.digits(r.givens, value)
	case "placed":
		return r.digits(m.placed, value)
	case "left":
		return r.left(value)
	}
	return fmt.Errorf("%q is none of the words that can stand there", key)
}

// rules reads the rules, which may be told again: by a file of givens that
// follows one of rules.
func (r *mapReader) rules(value string) error {
	v, err := ParseVariant(value)
	if err != nil {
		return err
	}
	if r.m.Rules != nil {
		if r.m.Rules.String() != v.String() {
			return fmt.Errorf("the rules were %q before", r.m.Rules)
		}
		return nil
	}
	if r.m.Rules, err = New(v); err != nil {
		return err
	}
	r.givens = make([]int, r.m.Rules.Cells())
	r.m.placed = make([]int, r.m.Rules.Cells())
	return nil
}

// settle sets a name, which must not be another one afterwards.
func settle(name *string, value string) error {
	if *name != "" && *name != value {
		return fmt.Errorf("it was %q before", *name)
	}
	*name = value
	return nil
}

// digits reads cells with digits, as "R1C2=3".
func (r *mapReader) digits(cells []int, value string) error {
	for word := range strings.FieldsSeq(value) {
		name, number, _ := strings.Cut(word, "=")
		cell, err := r.m.Rules.Cell(name)
		if err != nil {
			return err
		}
		if cells[cell], err = r.digit(number); err != nil {
			return err
		}
	}
	return nil
}

func (r *mapReader) digit(text string) (int, error) {
	digit, err := strconv.Atoi(text)
	if err != nil || digit < 1 || digit > r.m.Rules.Size() {
		return 0, fmt.Errorf("%q is not a digit from 1 to %d", text, r.m.Rules.Size())
	}
	return digit, nil
}

// left reads a cell and its candidates.
func (r *mapReader) left(value string) error {
	if r.open == nil {
		r.open = make([]bool, r.m.Rules.Cells()*r.m.Rules.Size())
	}
	name, numbers, _ := strings.Cut(value, " ")
	cell, err := r.m.Rules.Cell(name)
	if err != nil {
		return err
	}
	for number := range strings.FieldsSeq(numbers) {
		digit, err := r.digit(number)
		if err != nil {
			return err
		}
		r.open[r.m.Rules.Candidate(cell, digit)] = true
	}
	return nil
}

// finish checks the whole and numbers the variables.
func (r *mapReader) finish() (*Map, error) {
	m := r.m
	if m.Rules == nil {
		return nil, ErrNoMap
	}
	e, _, n, err := m.Coding.complete(m.Rules.Size())
	if err != nil {
		return nil, err
	}
	m.lit = make([]dimacs.Lit, m.Rules.Cells()*m.Rules.Size())
	if !e.PropagatesGivens {
		m.placed = nil
		m.assign(n, func(int) bool { return true })
		return m, nil
	}
	m.Puzzle = NewGrid(m.Rules).With(r.givens)
	for cell, digit := range r.givens {
		if digit != 0 {
			m.placed[cell] = digit
		}
	}
	m.assign(n, func(candidate int) bool { return r.open != nil && r.open[candidate] })
	return m, nil
}
