package service

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
)

// A Sudoku as a formula for other solvers, and their models.

// A SudokuCoding selects an encoding.
type SudokuCoding struct {
	Encoding  string `json:"encoding,omitempty"`  // a name in sudoku.Encodings; "" is extended
	AtMostOne string `json:"atMostOne,omitempty"` // a name in sudoku.AtMostOnes; "" is that of the encoding
	Numbering string `json:"numbering,omitempty"` // a name in sudoku.Numberings
	Repeat    bool   `json:"repeat,omitempty"`    // count a pair of cells in two houses twice, as the literature does
}

func (c SudokuCoding) coding() sudoku.Coding { return sudoku.Coding(c) }

type encodeSudokuRequest struct {
	sudokuRequest
	Coding SudokuCoding `json:"coding"`
	Notes  bool         `json:"notes,omitempty"` // with a comment before each kind of clauses
	Text   bool         `json:"text,omitempty"`  // attach the formula in DIMACS
}

// A SudokuFormula has the size of a formula.
type SudokuFormula struct {
	Coding   SudokuCoding `json:"coding"` // with the names of the defaults
	Vars     int          `json:"vars"`
	Clauses  int          `json:"clauses"`
	Literals int          `json:"literals"`
}

// encodeSudoku encodes a puzzle. The comments of the attached text suffice to decode a model
// without the puzzle.
func encodeSudoku(c *Call, g *sudoku.Grid, in encodeSudokuRequest) (*SudokuFormula, error) {
	cnf, notes, err := encodeNotes(c, g, in)
	if err != nil {
		return nil, err
	}
	f := cnf.Formula
	if in.Text {
		var b bytes.Buffer
		if err := dimacs.WriteNotes(&b, f, notes, cnf.Map.Comments()...); err != nil {
			return nil, err
		}
		c.Attach(b.Bytes())
	}
	return &SudokuFormula{SudokuCoding(cnf.Map.Coding), f.Vars(), f.Len(), f.Size()}, nil
}

// encodeNotes encodes a puzzle, with notes if the request asks for them.
func encodeNotes(c *Call, g *sudoku.Grid, in encodeSudokuRequest) (*sudoku.CNF, []dimacs.Note, error) {
	if in.Notes {
		return g.EncodeNotes(c.Context(), in.Coding.coding())
	}
	cnf, err := g.EncodeContext(c.Context(), in.Coding.coding())
	return cnf, nil, err
}

type sudokuClausesRequest struct {
	sudokuRequest
	Coding SudokuCoding `json:"coding"`
	Cell   int          `json:"cell"`
}

// CellClauses are the clauses about a cell of one kind, of which the first ones are listed.
type CellClauses struct {
	Text    string       `json:"text"`
	Count   int          `json:"count"`
	Clauses []CellClause `json:"clauses"`
}

// A CellClause is a clause in words, and the cells that it is about.
type CellClause struct {
	Text  string `json:"text"`
	Cells []int  `json:"cells"`
}

// maxCellClauses is the largest number of clauses of a kind in the list.
const maxCellClauses = 12

// sudokuClauses returns the clauses about a cell.
func sudokuClauses(c *Call, g *sudoku.Grid, in sudokuClausesRequest) ([]CellClauses, error) {
	if in.Cell < 0 || in.Cell >= g.Rules.Cells() {
		return nil, fmt.Errorf("no cell %d", in.Cell)
	}
	kinds, err := g.EncodeCell(c.Context(), in.Coding.coding(), in.Cell)
	if err != nil {
		return nil, err
	}
	list := []CellClauses{}
	for _, k := range kinds {
		part := CellClauses{Text: k.Text, Count: len(k.Clauses)}
		for _, clause := range k.Clauses[:min(len(k.Clauses), maxCellClauses)] {
			part.Clauses = append(part.Clauses, CellClause(clause))
		}
		list = append(list, part)
	}
	return list, nil
}

type decodeSudokuRequest struct {
	Grid    SudokuGrid   `json:"grid"`
	Coding  SudokuCoding `json:"coding"`
	Formula string       `json:"formula,omitempty"` // in DIMACS; instead of grid and coding
	Model   string       `json:"model"`
}

// A DecodedSudoku is the solution in a model, with its puzzle.
type DecodedSudoku struct {
	Puzzle   *SudokuPuzzle `json:"puzzle"`
	Solution []int         `json:"solution"`
}

// decodeSudoku decodes the model of another solver and checks it. The meaning of the
// variables is taken from the formula of the request if there is one, else from comments of
// the model, else from the puzzle and the coding of the request.
func decodeSudoku(c *Call, in decodeSudokuRequest) (*DecodedSudoku, error) {
	s, comments, err := sudoku.ReadModel(strings.NewReader(in.Model), "")
	switch {
	case err != nil:
		return nil, inText("the model", err)
	case s.Status == dimacs.Unsatisfiable:
		return nil, errors.New("the solver reports that there is no solution")
	case !s.HasModel:
		return nil, errors.New("the text has no model: want lines that begin with v, or a list of literals")
	}
	m, err := in.variables(c, comments)
	if err != nil {
		return nil, err
	}
	g, err := m.Decode(s.Model)
	switch {
	case err != nil && strings.HasPrefix(m.Coding.Encoding, "2sat"):
		return nil, fmt.Errorf("the model is no solution: %w; not every model of the encoding %s is a solution", err, m.Coding.Encoding)
	case err != nil:
		return nil, fmt.Errorf("the model is no solution: %w", err)
	}
	if m.Puzzle == nil {
		m.Puzzle = sudoku.NewGrid(m.Rules)
	}
	return &DecodedSudoku{describe(m.Puzzle), g.Cells}, nil
}

// inText returns an error of one of several texts. A syntax error keeps its position.
func inText(name string, err error) error {
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		return &dimacs.SyntaxError{Line: syntax.Line, Col: syntax.Col, Msg: name + ": " + syntax.Msg}
	}
	return fmt.Errorf("%s: %w", name, err)
}

// variables returns the meaning of the variables, with the puzzle.
func (in *decodeSudokuRequest) variables(c *Call, comments []string) (*sudoku.Map, error) {
	if in.Formula != "" {
		m, err := formulaVariables(in.Formula)
		if err != nil {
			return nil, inText("the formula", err)
		}
		return m, nil
	}
	g, err := in.Grid.grid()
	if err != nil {
		return nil, err
	}
	m, err := sudoku.ReadMap(comments)
	switch {
	case errors.Is(err, sudoku.ErrNoMap):
		cnf, err := g.EncodeContext(c.Context(), in.Coding.coding())
		if err != nil {
			return nil, err
		}
		m = cnf.Map
	case err != nil:
		return nil, fmt.Errorf("the comments of the model: %w", err)
	case m.Rules.String() != g.Rules.String():
		return nil, fmt.Errorf("the model is about a puzzle with the rules %q, not %q", m.Rules, g.Rules)
	}
	m.Puzzle = g
	return m, nil
}

// formulaVariables reads the meaning of the variables and the puzzle from a formula in DIMACS
// or a formula about cells.
func formulaVariables(formula string) (*sudoku.Map, error) {
	src := bufio.NewReader(strings.NewReader(formula))
	if head, _ := src.Peek(256); sudoku.IsCellFormula(head) {
		g, err := sudoku.ReadCellFormula(src, "")
		if err != nil {
			return nil, err
		}
		m, err := sudoku.NewMap(g.Rules, sudoku.Coding{})
		if err == nil {
			m.Puzzle = g
		}
		return m, err
	}
	var f dimacs.Formula
	r := &dimacs.Reader{Relaxed: true, Keep: sudoku.CommentWord}
	if err := r.ReadInto(&f, src); err != nil {
		return nil, err
	}
	m, err := sudoku.ReadMap(r.Kept)
	if err != nil {
		return nil, err
	}
	if err := checkShown(m.Rules.Variant()); err != nil {
		return nil, err
	}
	m.Puzzle, err = m.Units(&f)
	return m, err
}
