package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/generate"
	"sator/sudoku/shapes"
	"sator/sudoku/text"
)

// The page of Sudokus: it reads, draws and writes puzzles. The other files sudoku_*.go solve,
// explain, generate, animate and encode them. A request contains its puzzle, so the service
// keeps no state.

// sudokuHandlers returns the operations on Sudokus.
func sudokuHandlers() Handlers {
	return Handlers{
		"sudoku.menus":    handle(sudokuMenus),
		"sudoku.read":     handle(readSudoku),
		"sudoku.blank":    handle(blankSudoku),
		"sudoku.vary":     withGrid(varySudoku),
		"sudoku.check":    withGrid(checkSudoku),
		"sudoku.marks":    withGrid(markSudoku),
		"sudoku.write":    withGrid(writeSudoku),
		"sudoku.solve":    withGrid(solveSudoku),
		"sudoku.count":    withGrid(countSudoku),
		"sudoku.unique":   withGrid(uniqueSudoku),
		"sudoku.hint":     withGrid(hintSudoku),
		"sudoku.path":     withGrid(pathSudoku),
		"sudoku.rate":     withGrid(rateSudoku),
		"sudoku.generate": handle(generateSudoku),
		"sudoku.animate":  withGrid(animateSudoku),
		"sudoku.encode":   withGrid(encodeSudoku),
		"sudoku.clauses":  withGrid(sudokuClauses),
		"sudoku.decode":   handle(decodeSudoku),
	}
}

// A sudokuRequest is a request about a puzzle, or a part of one.
type sudokuRequest struct {
	Grid SudokuGrid `json:"grid"`
}

func (in sudokuRequest) source() *SudokuGrid { return &in.Grid }

// withGrid returns a handler that decodes its arguments and the puzzle among them.
func withGrid[In interface{ source() *SudokuGrid }, Out any](f func(*Call, *sudoku.Grid, In) (Out, error)) Handler {
	return handle(func(c *Call, in In) (out Out, err error) {
		g, err := in.source().grid()
		if err != nil {
			return out, err
		}
		return f(c, g, in)
	})
}

// maxSudoku is the largest size of a grid on the page. Every digit is one character up to
// this size.
const maxSudoku = 25

// checkShown returns an error for a variant that the page cannot show.
func checkShown(v sudoku.Variant) error {
	switch {
	case v.Size > maxSudoku:
		return fmt.Errorf("size %d: the page has grids up to size %d", v.Size, maxSudoku)
	case v.Grids != nil:
		return errors.New("the page shows one grid: use sator sudoku for several")
	}
	return nil
}

// A SudokuGrid is a puzzle in a request. The zero value is invalid.
type SudokuGrid struct {
	Rules    string `json:"rules"`              // as in sudoku.ParseVariant
	Cells    []int  `json:"cells"`              // by cell, row by row: its digit, or 0
	Excluded []int  `json:"excluded,omitempty"` // candidates that pencil marks exclude: cell*size + digit-1
}

// grid returns the puzzle. Its digits are in range, but may break rules.
func (g *SudokuGrid) grid() (*sudoku.Grid, error) {
	v, err := sudoku.ParseVariant(g.Rules)
	if err != nil {
		return nil, fmt.Errorf("invalid rules: %w", err)
	}
	if err := checkShown(v); err != nil {
		return nil, err
	}
	r, err := sudoku.New(v)
	if err != nil {
		return nil, fmt.Errorf("invalid rules: %w", err)
	}
	puzzle := sudoku.NewGrid(r)
	if err := setDigits(puzzle, g.Cells); err != nil {
		return nil, err
	}
	return puzzle, exclude(puzzle, g.Excluded)
}

// setDigits puts digits into the cells of a grid where they are not 0.
func setDigits(g *sudoku.Grid, digits []int) error {
	if len(digits) != len(g.Cells) {
		return fmt.Errorf("%d cells, want %d", len(digits), len(g.Cells))
	}
	for cell, digit := range digits {
		if digit < 0 || digit > g.Rules.Size() {
			return fmt.Errorf("%s has the digit %d, want 1 to %d", g.Rules.CellName(cell), digit, g.Rules.Size())
		}
		if digit != 0 {
			g.Cells[cell] = digit
		}
	}
	return nil
}

// exclude removes candidates from the marks of a grid.
func exclude(g *sudoku.Grid, candidates []int) error {
	for _, candidate := range candidates {
		if candidate < 0 || candidate >= g.Rules.Cells()*g.Rules.Size() {
			return fmt.Errorf("invalid candidate %d", candidate)
		}
		g.Exclude(candidate)
	}
	return nil
}

// A SudokuPuzzle is a puzzle in a reply, with all data for its drawing.
type SudokuPuzzle struct {
	SudokuGrid
	Size    int `json:"size"`
	BoxRows int `json:"boxRows"` // 0 without boxes
	BoxCols int `json:"boxCols"`

	Symbols []string      `json:"symbols"` // the digits, or their characters in the text
	Areas   []int         `json:"areas"`   // by cell: its box or region; nil without either
	Houses  []SudokuHouse `json:"houses"`  // diagonals and windows
	Cages   []SudokuCage  `json:"cages"`
	Peers   [][]int       `json:"peers"` // by cell: the cells that must differ

	Words     []string  `json:"words"`     // the names of the rules of the whole grid
	Notes     []string  `json:"notes"`     // what they and the relations say
	Relations [2]string `json:"relations"` // their shapes as SVG, with cells of 40 pixels: below the lines of the grid, and above
	Clues     bool      `json:"clues"`     // some are numbers in the corner of a cell, below its marks

	Format   string   `json:"format,omitempty"` // of the text that was read
	Label    string   `json:"label,omitempty"`
	Number   int      `json:"number,omitempty"` // among the puzzles of the text, from 1
	Puzzles  int      `json:"puzzles,omitempty"`
	Solution []int    `json:"solution,omitempty"` // in the text
	Warnings []string `json:"warnings,omitempty"` // of the reader
}

// A SudokuHouse is a set of cells with every digit once.
type SudokuHouse struct {
	Kind  string `json:"kind"`
	Cells []int  `json:"cells"`
}

// A SudokuCage is a set of cells with a sum.
type SudokuCage struct {
	Sum   int   `json:"sum"`
	Cells []int `json:"cells"`
}

// describe returns a puzzle for the page.
func describe(g *sudoku.Grid) *SudokuPuzzle {
	r, v := g.Rules, g.Rules.Variant()
	p := &SudokuPuzzle{
		SudokuGrid: gridOf(g), Size: v.Size, BoxRows: v.BoxRows, BoxCols: v.BoxCols,
		Houses: []SudokuHouse{}, Cages: []SudokuCage{}, Words: []string{}, Notes: append([]string{}, v.Notes()...),
	}
	for _, w := range v.Words() {
		p.Words = append(p.Words, w.Name)
	}
	drawing := shapes.New(r, 40, 0)
	p.Relations[0], p.Relations[1] = drawing.SVG()
	p.Clues = drawing.Clues
	for digit := 1; digit <= v.Size; digit++ {
		p.Symbols = append(p.Symbols, strconv.Itoa(digit))
	}
	for _, h := range r.Houses() {
		switch h.Kind {
		case "box", "region":
			if p.Areas == nil {
				p.Areas = make([]int, r.Cells())
			}
			for _, cell := range h.Cells {
				p.Areas[cell] = h.Index
			}
		case "diagonal", "window", "extra region":
			p.Houses = append(p.Houses, SudokuHouse{h.Kind, h.Cells})
		}
	}
	for _, c := range r.Cages() {
		p.Cages = append(p.Cages, SudokuCage{c.Sum, c.Cells})
	}
	for cell := range r.Cells() {
		p.Peers = append(p.Peers, r.Peers(cell))
	}
	return p
}

// gridOf returns a grid for the page.
func gridOf(g *sudoku.Grid) SudokuGrid {
	j := SudokuGrid{Rules: g.Rules.String(), Cells: g.Cells}
	for candidate, possible := range g.Marks {
		if !possible {
			j.Excluded = append(j.Excluded, candidate)
		}
	}
	return j
}

type readSudokuRequest struct {
	Text   string `json:"text"` // one or several puzzles; the attachment without it
	Number int    `json:"number,omitempty"`
}

// maxPuzzles limits the count of puzzles in a text by readSudoku.
const maxPuzzles = 10_000

// readSudoku reads puzzle Number of a text, by default the first, in any form of
// sudoku/text. The puzzles are counted, up to maxPuzzles; an invalid puzzle after the one
// that is read ends the count.
func readSudoku(c *Call, in readSudokuRequest) (*SudokuPuzzle, error) {
	src := []byte(in.Text)
	if in.Text == "" {
		src = c.Attachment
	}
	r := text.NewReader(bytes.NewReader(src), "")
	var warnings []string
	r.Warn = func(w *dimacs.SyntaxError) { warnings = append(warnings, w.Error()) }
	number := max(1, in.Number)
	var found *SudokuPuzzle
	n := 0
	for ; n < maxPuzzles; n++ {
		if c.Yield() {
			return nil, c.Ctx.Err()
		}
		p, err := r.Next()
		if err != nil && found == nil {
			return nil, readError(err, n)
		}
		if err != nil {
			break
		}
		if n+1 < number {
			continue
		}
		if n+1 == number {
			if err := checkShown(p.Rules.Variant()); err != nil {
				return nil, err
			}
			found = describe(p.Grid)
			found.Format, found.Label, found.Number, found.Solution = p.Format, p.Label, number, p.Solution
			if p.Symbols != "" {
				found.Symbols = strings.Split(p.Symbols, "")
			}
		}
	}
	found.Puzzles, found.Warnings = n, warnings
	return found, nil
}

// readError returns the error of a text with n puzzles before it.
func readError(err error, n int) error {
	switch {
	case err != io.EOF:
		return err
	case n == 0:
		return errors.New("the text has no puzzle")
	case n == 1:
		return errors.New("the text has only one puzzle")
	}
	return fmt.Errorf("the text has only %d puzzles", n)
}

type blankSudokuRequest struct {
	Size  int  `json:"size"`
	Latin bool `json:"latin"` // without boxes
}

// blankSudoku returns an empty grid.
func blankSudoku(_ *Call, in blankSudokuRequest) (*SudokuPuzzle, error) {
	if in.Size < 1 || in.Size > maxSudoku {
		return nil, fmt.Errorf("size %d: want 1 to %d", in.Size, maxSudoku)
	}
	v := sudoku.Standard(in.Size)
	if in.Latin {
		v = sudoku.Latin(in.Size)
	}
	return describe(sudoku.NewGrid(sudoku.Must(v))), nil
}

type varySudokuRequest struct {
	sudokuRequest
	Words []string `json:"words"` // the names of the rules of the whole grid
}

// varySudoku returns a puzzle with other rules of the whole grid.
func varySudoku(_ *Call, g *sudoku.Grid, in varySudokuRequest) (*SudokuPuzzle, error) {
	v := g.Rules.Variant()
	for _, w := range v.Words() {
		v.Set(w.Name, false)
	}
	for _, name := range in.Words {
		if !v.Set(name, true) {
			return nil, fmt.Errorf("unknown rule %q", name)
		}
	}
	r, err := sudoku.New(v)
	if err != nil {
		return nil, err
	}
	return describe(&sudoku.Grid{Rules: r, Cells: g.Cells, Marks: g.Marks}), nil
}

// A SudokuCheck reports the rules that the digits of a grid break.
type SudokuCheck struct {
	Cells   []int  `json:"cells"`             // all cells that break a rule
	Message string `json:"message,omitempty"` // about the first of them
	Full    bool   `json:"full"`              // every cell has a digit
}

// checkSudoku finds the cells that break rules.
func checkSudoku(_ *Call, g *sudoku.Grid, _ sudokuRequest) (*SudokuCheck, error) {
	check := &SudokuCheck{Cells: []int{}, Full: g.Full()}
	first := g.Conflict()
	if first == nil {
		return check, nil
	}
	check.Message = first.Msg
	for cell, digit := range g.Cells {
		same := func(peer int) bool { return g.Cells[peer] == digit }
		if digit != 0 && slices.ContainsFunc(g.Rules.Peers(cell), same) {
			check.Cells = append(check.Cells, cell)
		}
	}
	if len(check.Cells) == 0 { // a cage or a mark
		check.Cells = first.Cells
	}
	return check, nil
}

type marksReply struct {
	Candidates []int `json:"candidates"` // cell*size + digit-1, ascending
}

// markSudoku returns the candidates that the digits leave in the empty cells.
func markSudoku(_ *Call, g *sudoku.Grid, _ sudokuRequest) (*marksReply, error) {
	return &marksReply{openCandidates(g)}, nil
}

// openCandidates returns the candidates of empty cells that no peer's digit and no mark
// excludes.
func openCandidates(g *sudoku.Grid) []int {
	open := []int{}
	for cell, digit := range g.Cells {
		if digit != 0 {
			continue
		}
		excluded := make([]bool, g.Rules.Size()+1)
		for _, peer := range g.Rules.Peers(cell) {
			excluded[g.Cells[peer]] = true
		}
		for digit := 1; digit <= g.Rules.Size(); digit++ {
			candidate := g.Rules.Candidate(cell, digit)
			if !excluded[digit] && (g.Marks == nil || g.Marks[candidate]) {
				open = append(open, candidate)
			}
		}
	}
	return open
}

type writeSudokuRequest struct {
	sudokuRequest
	Format string `json:"format"` // a name in text.OutputFormats; "" for a link
}

type textReply struct {
	Text string `json:"text"`
}

// writeSudoku writes a puzzle as text. The text for a link is the shortest form that has the
// rules and the marks.
func writeSudoku(_ *Call, g *sudoku.Grid, in writeSudokuRequest) (*textReply, error) {
	format := in.Format
	switch {
	case format == "" && g.Marks != nil:
		format = "json"
	case format == "":
		format = "line"
	}
	var b strings.Builder
	if err := text.Write(&b, g, format); err != nil {
		return nil, err
	}
	return &textReply{b.String()}, nil
}

// A SudokuMenu is an entry of a menu of the page.
type SudokuMenu struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// A SudokuMenus has the menus of the page.
type SudokuMenus struct {
	InputFormats  []SudokuMenu `json:"inputFormats"`
	OutputFormats []SudokuMenu `json:"outputFormats"`
	Encodings     []SudokuMenu `json:"encodings"`
	AtMostOnes    []SudokuMenu `json:"atMostOnes"`
	Numberings    []SudokuMenu `json:"numberings"`
	Heuristics    []SudokuMenu `json:"heuristics"`
	Symmetries    []SudokuMenu `json:"symmetries"`
	Classes       []SudokuMenu `json:"classes"`
	Pure          []string     `json:"pure"`
	MaxSize       int          `json:"maxSize"`
}

// sudokuMenus returns the menus, from the tables of the packages.
func sudokuMenus(*Call, struct{}) (*SudokuMenus, error) {
	return &SudokuMenus{
		InputFormats:  menu(text.InputFormats, func(f text.InputFormat) SudokuMenu { return SudokuMenu(f) }),
		OutputFormats: menu(text.OutputFormats, func(f text.OutputFormat) SudokuMenu { return SudokuMenu{f.Name, f.Help} }),
		Encodings:     menu(sudoku.Encodings, func(e sudoku.Encoding) SudokuMenu { return SudokuMenu{e.Name, e.Help} }),
		AtMostOnes:    menu(sudoku.AtMostOnes, func(a sudoku.AtMostOne) SudokuMenu { return SudokuMenu{a.Name, a.Help} }),
		Numberings:    menu(sudoku.Numberings, func(n sudoku.Numbering) SudokuMenu { return SudokuMenu{n.Name, n.Help} }),
		Heuristics:    menu(classic.Heuristics, func(h classic.Heuristic) SudokuMenu { return SudokuMenu{h.Name, h.Help} }),
		Symmetries:    menu(generate.Symmetries, func(s *generate.Symmetry) SudokuMenu { return SudokuMenu{s.Name, s.Help} }),
		Classes: []SudokuMenu{
			{explain.ByPropagation.String(), classHelp[explain.ByPropagation]},
			{explain.ByProbing.String(), classHelp[explain.ByProbing]},
			{explain.BySearch.String(), classHelp[explain.BySearch]},
		},
		Pure: classic.PureNames(), MaxSize: maxSudoku,
	}, nil
}

// menu returns the menu of a table.
func menu[T any](table []T, entry func(T) SudokuMenu) []SudokuMenu {
	var m []SudokuMenu
	for _, row := range table {
		m = append(m, entry(row))
	}
	return m
}

// classHelp has the meaning of each class of explain.
var classHelp = [...]string{
	explain.ByPropagation: "naked and hidden singles solve it",
	explain.ByProbing:     "failed literals solve it",
	explain.BySearch:      "it needs search",
}
