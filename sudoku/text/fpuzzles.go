package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// JSON of f-puzzles, which SudokuPad reads, too:
//
//	{"size":9,"title":"...","grid":[[{"value":5,"given":true},{},...],...],"killercage":[{"cells":["R1C1"],"value":"5"}]}
//
// A value without "given" is placed by a player. Cells can have given pencil marks, and the number of
// their region. Rules of the whole grid, cages and the clues of fclues.go are read. Every other rule or clue
// is an error that names it, since without it the puzzle would be another one.

// An fPuzzle has the members that are read.
type fPuzzle struct {
	Size       int       `json:"size"`
	Title      string    `json:"title,omitempty"`
	Grid       [][]fCell `json:"grid"`
	Rising     bool      `json:"diagonal+,omitempty"`
	Falling    bool      `json:"diagonal-,omitempty"`
	AntiKnight bool      `json:"antiknight,omitempty"`
	AntiKing   bool      `json:"antiking,omitempty"`
	Disjoint   bool      `json:"disjointgroups,omitempty"`
	Apart      bool      `json:"nonconsecutive,omitempty"`
	Negative   []string  `json:"negative,omitempty"` // clues that are all given: ratio, xv
	Cages      []fCage   `json:"killercage,omitempty"`
	Solution   []int     `json:"solution,omitempty"`
}

// An fCell is a cell of its grid.
type fCell struct {
	Value  int   `json:"value,omitempty"`
	Given  bool  `json:"given,omitempty"`
	Region *int  `json:"region,omitempty"`
	Marks  []int `json:"givenPencilMarks,omitempty"`
}

// An fCage is a cage. Its sum is a number or a text.
type fCage struct {
	Cells []string        `json:"cells"`
	Value json.RawMessage `json:"value"`
}

// fCommon are members that other objects have, too. fMembers are the others that are read, or that say
// nothing of the puzzle.
var fCommon, fMembers = []string{"size", "title", "author", "grid", "solution"}, []string{
	"diagonal+", "diagonal-", "antiknight", "antiking", "disjointgroups", "nonconsecutive", "negative", "killercage",
	"highlightConflicts", "disabledlogic", "truecandidatesoptions", "successMessage",
}

// fForeign returns the members by which JSON of f-puzzles is recognized: those above other objects
// do not have, the clues, and members that are not read.
func fForeign() []string {
	members := append(slices.Clone(fMembers), "ruleset", "givenPencilMarks", "centerPencilMarks", "cornerPencilMarks", "cage", "line", "circle", "rectangle", "nabner", "doublearrow", "rowindexer", "columnindexer", "boxindexer")
	for _, k := range fClueKinds {
		members = append(members, k.member)
	}
	return members
}

// readFPuzzle reads an object of f-puzzles that begins in a line, or is in it as a code.
func (r *Reader) readFPuzzle(l line, text []byte) (*Puzzle, error) {
	var f fPuzzle
	all := make(map[string]json.RawMessage)
	if err := cmp.Or(json.Unmarshal(text, &all), json.Unmarshal(text, &f)); err != nil {
		return nil, r.in.at(l, 0, "JSON of f-puzzles: %v", err)
	}
	if err := r.checkFMembers(l, all); err != nil {
		return nil, err
	}
	return r.fPuzzle(l, &f, all, "JSON of f-puzzles")
}

// fPuzzle returns the puzzle of a format, with all members that may be clues.
func (r *Reader) fPuzzle(l line, f *fPuzzle, all map[string]json.RawMessage, format string) (*Puzzle, error) {
	n := len(f.Grid)
	if n < 1 || n > sudoku.MaxSize || f.Size != 0 && f.Size != n || slices.ContainsFunc(f.Grid, func(row []fCell) bool { return len(row) != n }) {
		return nil, r.in.at(l, 0, "%s: the grid has not as many rows and columns as its size", format)
	}
	rules, err := r.fRules(f, n, all)
	if err != nil {
		return nil, r.in.at(l, 0, "%s: %v", format, err)
	}
	if err := r.checkRules(l, rules); err != nil {
		return nil, err
	}
	return r.fGrid(l, f, rules, format)
}

// checkFMembers returns an error for a member that is not read and not empty, and warns of the rules in
// words.
func (r *Reader) checkFMembers(l line, all map[string]json.RawMessage) error {
	var unknown []string
	for name, value := range all {
		empty := slices.Contains([]string{"null", "false", "0", `""`, "[]", "{}"}, string(bytes.TrimSpace(value)))
		switch {
		case empty || isDrawing(value) || slices.Contains(fCommon, name) || slices.Contains(fMembers, name) || slices.ContainsFunc(fClueKinds, func(k fClueKind) bool { return k.member == name }):
		case name == "ruleset":
			r.warnOnce(l.number, "the rules in words, which are not read: %.200s", value)
		default:
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return r.in.at(l, 0, "JSON of f-puzzles with rules or clues that are not known: %s", strings.Join(unknown, ", "))
	}
	return nil
}

// isDrawing reports whether a member has the drawings of clues in other members, and no other shapes.
func isDrawing(value json.RawMessage) bool {
	var shapes []struct{ FromConstraint string }
	return json.Unmarshal(value, &shapes) == nil && !slices.Contains(shapes, struct{ FromConstraint string }{})
}

// fRules returns the rules.
func (r *Reader) fRules(f *fPuzzle, n int, all map[string]json.RawMessage) (*sudoku.Rules, error) {
	v := sudoku.Standard(n)
	plain := r.boxRules(boxes{n, v.BoxCols})
	v.X, v.AntiKnight, v.AntiKing, v.Disjoint, v.NonConsecutive = f.Rising && f.Falling, f.AntiKnight, f.AntiKing, f.Disjoint, f.Apart
	for _, kind := range f.Negative {
		switch kind {
		case "ratio":
			v.AllRatios = true
		case "xv":
			v.AllSums = true
		default:
			return nil, fmt.Errorf("all clues of %s given is a rule that is not known", kind)
		}
	}
	var err error
	if v.Relations, err = (fNames{plain}).readClues(all); err != nil {
		return nil, err
	}
	if f.Rising != f.Falling {
		diagonals := sudoku.Must(sudoku.Variant{Size: n, X: true}).Houses()[2*n:]
		one := diagonals[0]
		if f.Rising {
			one = diagonals[1]
		}
		v.Relations = append(v.Relations, sudoku.Relation{Kind: "different", Cells: one.Cells})
	}
	for _, row := range f.Grid {
		for _, cell := range row {
			if cell.Region != nil {
				v.Regions = append(v.Regions, *cell.Region)
			}
		}
	}
	switch {
	case len(v.Regions) == n*n && areBoxes(plain, v.Regions):
		v.Regions = nil
	case v.Regions != nil:
		v.BoxRows, v.BoxCols = 0, 0
	}
	for _, cage := range f.Cages {
		if err := addCage(&v, plain, &cage); err != nil {
			return nil, err
		}
	}
	if v.Plain() {
		return r.rulesFor(n, 0), nil
	}
	return sudoku.New(v)
}

// areBoxes reports whether the regions by cell are the boxes of rules.
func areBoxes(plain *sudoku.Rules, regions []int) bool {
	boxes, seen := plain.Houses()[2*plain.Size():], make(map[int]bool)
	for _, h := range boxes {
		region := regions[h.Cells[0]]
		if seen[region] || slices.ContainsFunc(h.Cells, func(cell int) bool { return regions[cell] != region }) {
			return false
		}
		seen[region] = true
	}
	return len(boxes) > 0
}

// addCage adds a cage. One without a sum is a relation, and so is one that overlaps another.
func addCage(v *sudoku.Variant, plain *sudoku.Rules, cage *fCage) error {
	text := strings.Trim(string(cage.Value), `" `)
	sum, err := strconv.Atoi(cmp.Or(text, "0"))
	if err != nil {
		return fmt.Errorf("a cage with the sum %q is a rule that is not known", text)
	}
	c := sudoku.Cage{Sum: sum}
	for _, name := range cage.Cells {
		cell, err := plain.Cell(name)
		if err != nil {
			return err
		}
		c.Cells = append(c.Cells, cell)
	}
	slices.Sort(c.Cells)
	overlaps := slices.ContainsFunc(v.Cages, func(o sudoku.Cage) bool {
		return slices.ContainsFunc(o.Cells, func(cell int) bool { return slices.Contains(c.Cells, cell) })
	})
	if text != "" && !overlaps {
		v.Cages = append(v.Cages, c)
		return nil
	}
	if len(c.Cells) > 1 {
		v.Relations = append(v.Relations, sudoku.Relation{Kind: "different", Cells: c.Cells})
	}
	if text != "" {
		v.Relations = append(v.Relations, sudoku.Relation{Kind: "sum", Value: sum, Cells: c.Cells})
	}
	return nil
}

// fGrid returns the puzzle.
func (r *Reader) fGrid(l line, f *fPuzzle, rules *sudoku.Rules, format string) (*Puzzle, error) {
	var symbols []symbol
	for _, row := range f.Grid {
		for _, cell := range row {
			if cell.Value < 0 || cell.Value > rules.Size() {
				return nil, r.in.at(l, 0, "%s: the digit %d in a grid of size %d", format, cell.Value, rules.Size())
			}
			s := l.blank()
			s.set(cell.Value)
			s.found = cell.Value != 0 && !cell.Given
			symbols = append(symbols, s)
		}
	}
	if f.Title != "" {
		r.label = f.Title
	}
	p, err := r.puzzleOf(symbols, rules, "link")
	if err != nil {
		return nil, err
	}
	for at, cell := range slices.Concat(f.Grid...) {
		for digit := 1; len(cell.Marks) > 0 && digit <= rules.Size(); digit++ {
			if !slices.Contains(cell.Marks, digit) {
				p.Exclude(rules.Candidate(at, digit))
			}
		}
	}
	if len(f.Solution) > 0 {
		if len(f.Solution) != rules.Cells() || !isCompletion(f.Solution, p.Grid) {
			return nil, r.in.at(l, 0, "%s: the solution does not contain the givens of the grid", format)
		}
		p.Solution = f.Solution
	}
	return p, nil
}

// appendLink writes a grid as a link to f-puzzles. Its code after "load=" is also read by SudokuPad, in
// links to sudokupad.app/fpuz.
func appendLink(b []byte, g *sudoku.Grid) ([]byte, error) {
	v, n := g.Rules.Variant(), g.Rules.Size()
	standard := sudoku.Standard(n)
	switch {
	case n > maxLinkSize:
		return nil, fmt.Errorf("size %d is too large: want at most %d", n, maxLinkSize)
	case v.Hyper || v.Regions == nil && (v.BoxRows != standard.BoxRows || v.BoxCols != standard.BoxCols):
		return nil, fmt.Errorf("links cannot express the rules %s", g.Rules)
	}
	f := fPuzzle{Size: n, Rising: v.X, Falling: v.X, AntiKnight: v.AntiKnight, AntiKing: v.AntiKing, Disjoint: v.Disjoint, Apart: v.NonConsecutive}
	if v.AllRatios {
		f.Negative = append(f.Negative, "ratio")
	}
	if v.AllSums {
		f.Negative = append(f.Negative, "xv")
	}
	clues, err := fNames{g.Rules}.writeClues()
	if err != nil {
		return nil, err
	}
	for cell, digit := range g.Cells {
		c := fCell{Value: digit, Given: digit != 0}
		if v.Regions != nil {
			c.Region = &v.Regions[cell]
		}
		if marks := marksOf(g, cell); digit == 0 && len(marks) < n {
			if c.Marks = marks; len(marks) == 0 {
				return nil, fmt.Errorf("no digit is possible at %s", g.Rules.CellName(cell))
			}
		}
		if cell%n == 0 {
			f.Grid = append(f.Grid, nil)
		}
		f.Grid[cell/n] = append(f.Grid[cell/n], c)
	}
	for _, cage := range v.Cages {
		c := fCage{Value: json.RawMessage(strconv.Quote(strconv.Itoa(cage.Sum)))}
		for _, cell := range cage.Cells {
			c.Cells = append(c.Cells, g.Rules.CellName(cell))
		}
		f.Cages = append(f.Cages, c)
	}
	text, err := json.Marshal(&f)
	if more, _ := json.Marshal(clues); len(clues) > 0 { // two objects become one
		text = slices.Concat(text[:len(text)-1], []byte(","), more[1:])
	}
	return append(append(b, "https://www.f-puzzles.com/?load="...), pack(string(text))...), err
}

// maxLinkSize is the largest size of f-puzzles.
const maxLinkSize = 16
