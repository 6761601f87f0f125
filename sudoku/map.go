package sudoku

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
)

// A Map is the bijection between candidates and variables of a formula. The
// comments of the formula contain it:
//
//	c sudoku rules 9 boxes 3x3
//	c sudoku encoding extended
//	c sudoku at-most-one pairs
//	c sudoku numbering dense
//
// If the encoding propagates the givens, the comments also contain the givens,
// the other digits that follow from them, and the candidates of each of the
// remaining cells. The variables are numbered in the order of these candidates;
// in the numbering dense they have no gaps.
//
//	c sudoku givens R1C1=5 R1C2=3
//	c sudoku placed R5C5=5 R7C6=7
//	c sudoku left R1C3 1 2 4
//
// Decoding a model therefore repeats no propagation.
type Map struct {
	Rules  *Rules
	Coding Coding

	// Puzzle has the givens and marks that a solution is checked against. It is
	// nil if they are unknown.
	Puzzle *Grid

	lit    []dimacs.Lit // by candidate: its literal, noLit without a variable
	vars   int          // number of variables up to the last one of a candidate
	placed []int        // by cell: its digit if the cell has no variables, else 0; nil if the encoding does not propagate givens
}

// noLit stands for the literal of a candidate without a variable.
const noLit = dimacs.Lit(math.MaxUint32)

// NewMap returns a map without reading it from comments. The encoding must not
// propagate the givens, because its variables would depend on the puzzle.
// NewMap returns an error for such an encoding and for an unknown name.
func NewMap(r *Rules, c Coding) (*Map, error) {
	e, _, n, err := c.complete(r.Size())
	if err != nil {
		return nil, err
	}
	if e.PropagatesGivens {
		return nil, fmt.Errorf("the variables of the encoding %s depend on the puzzle", e.Name)
	}
	m := &Map{Rules: r, Coding: c}
	m.numberCandidates(n, nil)
	return m, nil
}

// numberCandidates assigns variables to the candidates left in cells without a
// digit, or to all candidates if left is nil.
func (m *Map) numberCandidates(n Numbering, left *Candidates) {
	m.lit = make([]dimacs.Lit, m.Rules.Cells()*m.Rules.Size())
	if left != nil {
		m.placed = left.Cells()
	}
	m.numberWhere(n, func(candidate int) bool { return left == nil || left.Has(candidate) })
}

// numberWhere assigns variables to the candidates for which the function
// returns true, except in placed cells.
func (m *Map) numberWhere(n Numbering, open func(candidate int) bool) {
	plan, compact := m.Rules.plan, m.placed != nil && n.Name == "dense"
	for candidate := range m.lit {
		cell, digit := m.Rules.Split(candidate)
		if m.placed != nil && m.placed[cell] != 0 || !open(candidate) {
			m.lit[candidate] = noLit
			continue
		}
		number := m.vars + 1
		switch {
		case compact:
		case n.Name == "dense":
			number = candidate + 1 // also without gaps where several grids have them
		default:
			at := plan.Place(cell)
			number = n.Number(max(plan.Rows, plan.Cols), at.Row+1, at.Col+1, digit)
		}
		m.lit[candidate] = dimacs.Var(number - 1).Lit()
		m.vars = number
	}
}

// emptyClause returns the formula of a puzzle that propagation refutes: an empty
// clause, without variables.
func (m *Map) emptyClause() *CNF {
	m.lit = slices.Repeat([]dimacs.Lit{noLit}, m.Rules.Cells()*m.Rules.Size())
	m.placed = slices.Clone(m.Puzzle.Cells)
	f := dimacs.NewFormula(0)
	f.Add()
	return &CNF{f, m}
}

// Vars returns the number of variables up to the last one of a candidate. In
// the numbering dense it is n^3 unless the givens are propagated.
func (m *Map) Vars() int { return m.vars }

// DescribeVariables returns the numbering as text, such as an arithmetic
// expression for the variable of a candidate.
func (m *Map) DescribeVariables() string {
	if m.placed != nil && m.Coding.Numbering == Numberings[0].Name {
		return "1 to N for the candidates left, by row, column and digit"
	}
	if m.Rules.variant.Grids != nil && m.Coding.Numbering == Numberings[0].Name {
		return "size*(cell-1) + digit, with the cells of all grids numbered together by row and column"
	}
	_, _, n, err := m.Coding.complete(m.Rules.Size())
	if err != nil {
		panic("sudoku: " + err.Error())
	}
	return n.text
}

// Lit returns the literal of a candidate. The second result is false for a
// candidate without a variable, whose value follows from the givens.
func (m *Map) Lit(candidate int) (dimacs.Lit, bool) {
	l := m.lit[candidate]
	return l, l != noLit
}

// Givens returns the literals of a puzzle's givens and the negated literals of
// the candidates that its marks exclude. With the formula of the rules they
// encode the puzzle. Candidates without a variable are left out.
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

// Comments returns the comments from which [ReadMap] reads the map. It panics
// if the encoding propagates the givens and Puzzle is nil.
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
	lines = append(lines, m.digitLines("givens", m.Puzzle.Cells)...)
	placed := slices.Clone(m.placed)
	for cell, digit := range m.Puzzle.Cells {
		if digit != 0 {
			placed[cell] = 0
		}
	}
	lines = append(lines, m.digitLines("placed", placed)...)
	return append(lines, m.remainingLines()...)
}

// lineLen is the maximal length of a comment with digits.
const lineLen = 76

// digitLines writes the digits of cells on lines that begin with a key.
func (m *Map) digitLines(key string, cells []int) []string {
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

// remainingLines writes the candidates of each cell that has variables.
func (m *Map) remainingLines() []string {
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

// ReadMap reads a map from the comments of a formula, in their order. It skips
// comments that do not begin with the word sudoku. It returns an error if a
// comment is missing or invalid.
func ReadMap(comments []string) (*Map, error) {
	r := mapReader{m: &Map{}}
	for _, line := range comments {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "sudoku ")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(rest, " ")
		if err := r.readLine(key, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("comment %q: %w", shorten(line), err)
		}
	}
	return r.finish()
}

// shorten shortens a line for a message.
func shorten(line string) string {
	if len(line) > lineLen {
		return line[:lineLen] + "..."
	}
	return line
}

// A mapReader reads a map from comments.
type mapReader struct {
	m        *Map
	givens   []int  // by cell
	numbered []bool // by candidate: it has a variable; nil before the first line of candidates
}

// readLine reads one comment, given by its key and its value.
func (r *mapReader) readLine(key, value string) error {
	m := r.m
	if key == "rules" {
		return r.readRules(value)
	}
	if m.Rules == nil {
		return errors.New("no rules before it")
	}
	switch key {
	case "encoding":
		return setOnce(&m.Coding.Encoding, value)
	case "at-most-one":
		return setOnce(&m.Coding.AtMostOne, value)
	case "numbering":
		return setOnce(&m.Coding.Numbering, value)
	case "givens":
		return r.readDigits(r.givens, value)
	case "placed":
		return r.readDigits(m.placed, value)
	case "left":
		return r.readRemaining(value)
	}
	return fmt.Errorf("unknown key %q", key)
}

// readRules reads the rules. They can be repeated, for example by a file of
// givens that is appended to a file of rules.
func (r *mapReader) readRules(value string) error {
	v, err := ParseVariant(value)
	if err != nil {
		return err
	}
	if r.m.Rules != nil {
		if r.m.Rules.String() != v.String() {
			return fmt.Errorf("the rules are already %q", r.m.Rules)
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

// setOnce sets a name. It returns an error if the name has another value
// already.
func setOnce(name *string, value string) error {
	if *name != "" && *name != value {
		return fmt.Errorf("the value is already %q", *name)
	}
	*name = value
	return nil
}

// readDigits reads cells with digits, such as "R1C2=3".
func (r *mapReader) readDigits(cells []int, value string) error {
	for word := range strings.FieldsSeq(value) {
		name, number, _ := strings.Cut(word, "=")
		cell, err := r.m.Rules.Cell(name)
		if err != nil {
			return err
		}
		if cells[cell], err = r.parseDigit(number); err != nil {
			return err
		}
	}
	return nil
}

func (r *mapReader) parseDigit(text string) (int, error) {
	digit, err := strconv.Atoi(text)
	if err != nil || digit < 1 || digit > r.m.Rules.Size() {
		return 0, fmt.Errorf("invalid digit %q: want 1 to %d", text, r.m.Rules.Size())
	}
	return digit, nil
}

// readRemaining reads a cell and its candidates.
func (r *mapReader) readRemaining(value string) error {
	if r.numbered == nil {
		r.numbered = make([]bool, r.m.Rules.Cells()*r.m.Rules.Size())
	}
	name, numbers, _ := strings.Cut(value, " ")
	cell, err := r.m.Rules.Cell(name)
	if err != nil {
		return err
	}
	for number := range strings.FieldsSeq(numbers) {
		digit, err := r.parseDigit(number)
		if err != nil {
			return err
		}
		r.numbered[r.m.Rules.Candidate(cell, digit)] = true
	}
	return nil
}

// finish checks that the map is complete and numbers the variables.
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
		m.numberWhere(n, func(int) bool { return true })
		return m, nil
	}
	m.Puzzle = NewGrid(m.Rules).With(r.givens)
	for cell, digit := range r.givens {
		if digit != 0 {
			m.placed[cell] = digit
		}
	}
	m.numberWhere(n, func(candidate int) bool { return r.numbered != nil && r.numbered[candidate] })
	return m, nil
}
