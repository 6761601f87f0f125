package text

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// XML of KSudoku, a game with a puzzle and the moves of the player:
//
//	<ksudoku><game><puzzle>
//	<graph order="9" type="sudoku" specific-type="Plain"/>
//	<values>_b__d[...]</values>
//	</puzzle><history><simple-event index="3" value="5"/>[...]</history></game></ksudoku>
//
// A value is an underscore or a letter, b for 1. Cells are in the order of columns: the first n of size n
// are the first column. A graph of the type "custom" lists its houses as cliques of cells, and cages. All
// rows and columns must be among the cliques; the first others that divide the board are its
// regions. A larger board has several grids (Samurai), each with the index of its first cell; cells outside of
// them have a dot as their value. Boards of three dimensions and cages with products are errors that name them.

// A ksudokuFile has the elements that are read.
type ksudokuFile struct {
	Games []struct {
		Puzzles []struct {
			Graph    ksudokuGraph `xml:"graph"`
			Values   string       `xml:"values"`
			Solution string       `xml:"solution"`
		} `xml:"puzzle"`
		History struct {
			Events []ksudokuEvent `xml:",any"`
		} `xml:"history"`
	} `xml:"game"`
}

// A ksudokuEvent is a move: the digit or the notes of a cell, or several of them.
type ksudokuEvent struct {
	XMLName xml.Name
	Index   int            `xml:"index,attr"`
	Value   int            `xml:"value,attr"`
	Markers string         `xml:"markers,attr"`
	Parts   []ksudokuEvent `xml:"simple-event"`
}

type ksudokuGraph struct {
	Order    int    `xml:"order,attr"`
	Type     string `xml:"type,attr"`
	Specific string `xml:"specific-type,attr"`
	SizeX    int    `xml:"sizeX,attr"`
	SizeY    int    `xml:"sizeY,attr"`
	SizeZ    int    `xml:"sizeZ,attr"`
	Cliques  []struct {
		Cells string `xml:",chardata"`
	} `xml:"clique"`
	Groups []struct {
		At     int    `xml:"at,attr"`
		Blocks string `xml:"withblocks,attr"`
	} `xml:"sudokugroups"`
	Cages []struct {
		Operator int    `xml:"operator,attr"`
		Value    int    `xml:"value,attr"`
		Cells    string `xml:",chardata"`
	} `xml:"cage"`
}

// ksudokuRoot is the name of the root element, and of that of a shape without a puzzle up to a suffix.
const ksudokuRoot = "ksudoku"

// beginsKSudoku reports whether a line begins a file of KSudoku.
func (r *Reader) beginsKSudoku(l line) bool {
	text := bytes.ToLower(bytes.TrimSpace(l.text))
	return bytes.HasPrefix(text, []byte("<"+ksudokuRoot)) || bytes.HasPrefix(text, []byte("<!doctype "+ksudokuRoot))
}

// readKSudoku reads a file of KSudoku, up to the end of its root element.
func (r *Reader) readKSudoku(begin line) (*Puzzle, error) {
	r.skipRest = r.skipAll
	var text []byte
	for l, err := begin, error(nil); ; l, err = r.in.next() {
		if err == io.EOF {
			return nil, r.in.errorf(begin.number, 1, "XML of KSudoku that does not end")
		} else if err != nil {
			return nil, err
		}
		if len(text) > maxLine {
			return nil, r.in.errorf(begin.number, 1, "XML of KSudoku of more than %d bytes, too long for a puzzle", maxLine)
		}
		text = append(append(text, l.text...), '\n')
		if bytes.Contains(l.text, []byte("</"+ksudokuRoot)) {
			break
		}
	}
	r.skipRest = func() {} // the errors below are behind the puzzle
	p, err := r.ksudokuPuzzle(begin, text)
	if err != nil {
		return nil, r.in.at(begin, 0, "XML of KSudoku: %v", err)
	}
	r.skipRest = nil
	return p, nil
}

// ksudokuPuzzle returns the puzzle of a file.
func (r *Reader) ksudokuPuzzle(l line, text []byte) (*Puzzle, error) {
	var file ksudokuFile
	if err := xml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if len(file.Games) != 1 || len(file.Games[0].Puzzles) != 1 {
		return nil, fmt.Errorf("%d games: want one, with a puzzle", len(file.Games))
	}
	game := &file.Games[0]
	puzzle := &game.Puzzles[0]
	n := puzzle.Graph.Order
	rules, err := r.ksudokuRules(&puzzle.Graph)
	if err != nil {
		return nil, err
	}
	if err := r.checkRules(l, rules); err != nil {
		return nil, err
	}
	board := columnOrder{rules.Plan()}
	values, err := board.values(puzzle.Values, n)
	if err != nil {
		return nil, err
	}
	symbols := make([]symbol, rules.Cells())
	for cell, digit := range values {
		symbols[cell] = l.blank()
		symbols[cell].set(digit)
	}
	var events []ksudokuEvent
	for _, e := range game.History.Events {
		switch e.XMLName.Local {
		case "simple-event":
			events = append(events, e)
		case "complex-event":
			events = append(events, e.Parts...)
		default:
			return nil, fmt.Errorf("a history with the unknown element %s", e.XMLName.Local)
		}
	}
	for _, e := range events {
		cell, ok := board.cell(e.Index)
		switch {
		case !ok || e.Value < 0 || e.Value > n:
			return nil, fmt.Errorf("an event with the value %d at the index %d", e.Value, e.Index)
		case e.Markers != "":
			r.warnOnce(l.number, playerNotes)
		case values[cell] == 0:
			symbols[cell].set(e.Value)
			symbols[cell].found = e.Value > 0
		}
	}
	p, err := r.puzzleOf(symbols, rules, "line")
	if err != nil || puzzle.Solution == "" {
		return p, err
	}
	if p.Solution, err = board.values(puzzle.Solution, n); err != nil || !isCompletion(p.Solution, p.Given()) {
		return nil, cmp.Or(err, fmt.Errorf("the solution does not contain the givens"))
	}
	return p, nil
}

// A columnOrder has the cells of a board, numbered in the order of columns.
type columnOrder struct{ *sudoku.Plan }

// cell returns the cell with an index, if there is one.
func (o columnOrder) cell(index int) (cell int, ok bool) {
	if index < 0 {
		return 0, false
	}
	cell = o.Cell(index%o.Rows, index/o.Rows)
	return cell, cell >= 0
}

// values returns the digits of a text by cell.
func (o columnOrder) values(text string, n int) ([]int, error) {
	text = strings.TrimSpace(text)
	if want := o.Rows * o.Cols; len(text) != want {
		return nil, fmt.Errorf("%d values: want %d for size %d", len(text), want, n)
	}
	values := make([]int, o.Cells())
	for i := range text {
		cell, ok := o.cell(i)
		switch digit := int(text[i]) - 'a'; {
		case !ok && text[i] == '.':
		case !ok:
			return nil, fmt.Errorf("the value %q at the index %d, outside of the grids", text[i], i)
		case text[i] == '_':
		case digit < 1 || digit > n:
			return nil, fmt.Errorf("the value %q: want an underscore or a letter from b to %c", text[i], 'a'+n)
		default:
			values[cell] = digit
		}
	}
	return values, nil
}

// ksudokuRules returns the rules of a graph.
func (r *Reader) ksudokuRules(g *ksudokuGraph) (*sudoku.Rules, error) {
	n := g.Order
	switch {
	case n < minRow || n > 25:
		return nil, fmt.Errorf("the order %d: want 4 to 25", n)
	case g.Type == "sudoku":
		return r.rulesFor(n, 0), nil
	case g.Type != "custom" || g.SizeZ != 1 || (g.SizeX != n || g.SizeY != n) && len(g.Groups) < 2:
		return nil, fmt.Errorf("a board of the type %s with %d by %d by %d cells: want one square grid of %d, or several", cmp.Or(g.Specific, g.Type), g.SizeX, g.SizeY, g.SizeZ, n)
	}
	v := sudoku.Standard(n)
	if len(g.Groups) > 1 {
		for _, group := range g.Groups {
			v.Grids = append(v.Grids, sudoku.Place{Row: group.At % max(g.SizeY, 1), Col: group.At / max(g.SizeY, 1)})
		}
	}
	rules, err := sudoku.New(v)
	if err != nil {
		return nil, err
	}
	board := columnOrder{rules.Plan()}
	if board.Rows != g.SizeY || board.Cols != g.SizeX {
		return nil, fmt.Errorf("a board of %d by %d cells with grids in %d by %d", g.SizeX, g.SizeY, board.Cols, board.Rows)
	}
	houses, err := g.houses(board)
	if err != nil {
		return nil, err
	}
	if v.Grids == nil {
		v, err = variantOf(n, houses)
	} else {
		err = addHouses(&v, rules.Houses(), houses)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range g.Cages {
		cells, err := board.list(c.Cells)
		if err != nil {
			return nil, err
		}
		const divide, subtract, add = 1, 2, 4 // the operators; 0 is a cage of one cell
		kind := map[int]string{0: "sum", divide: "ratio", subtract: "difference", add: "sum"}[c.Operator]
		switch {
		case kind == "":
			return nil, fmt.Errorf("a cage with the unknown operator %d", c.Operator)
		case kind == "sum" && g.Specific == "KillerSudoku":
			v.Cages = append(v.Cages, sudoku.Cage{Sum: c.Value, Cells: cells})
		default:
			v.Relations = append(v.Relations, sudoku.Relation{Kind: kind, Value: c.Value, Cells: cells})
		}
	}
	return sudoku.New(v)
}

// houses returns the cells of all cliques.
func (g *ksudokuGraph) houses(board columnOrder) (all [][]int, err error) {
	for _, c := range g.Cliques {
		cells, err := board.list(c.Cells)
		if err != nil {
			return nil, err
		}
		all = append(all, cells)
	}
	for _, group := range g.Groups {
		v := sudoku.Latin(g.Order)
		if group.Blocks != "0" {
			v = sudoku.Standard(g.Order)
		}
		for _, h := range sudoku.Must(v).Houses() {
			var cells []int
			for _, cell := range h.Cells {
				at, ok := board.cell(group.At + cell%g.Order*board.Rows + cell/g.Order)
				if !ok {
					return nil, fmt.Errorf("a grid at the index %d, outside of the board", group.At)
				}
				cells = append(cells, at)
			}
			all = append(all, cells)
		}
	}
	return all, nil
}

// list returns the cells of a list of indices, ascending.
func (o columnOrder) list(text string) (cells []int, err error) {
	for _, word := range strings.Fields(text) {
		index, err := strconv.Atoi(word)
		cell, ok := o.cell(index)
		if err != nil || !ok || slices.Contains(cells, cell) {
			return nil, fmt.Errorf("the index %q of a cell", word)
		}
		cells = append(cells, cell)
	}
	slices.Sort(cells)
	return cells, nil
}

// variantOf returns the variant with these houses.
func variantOf(n int, houses [][]int) (v sudoku.Variant, err error) {
	take := func(of []sudoku.House) bool { // removes houses, unless one is missing
		rest := slices.Clone(houses)
		for _, h := range of {
			i := slices.IndexFunc(rest, func(cells []int) bool { return slices.Equal(cells, h.Cells) })
			if i < 0 {
				return false
			}
			rest = slices.Delete(rest, i, i+1)
		}
		houses = rest
		return true
	}
	v = sudoku.Latin(n)
	if !take(sudoku.Must(v).Houses()) {
		return v, fmt.Errorf("a board without all rows and columns of %d cells", n)
	}
	x := v
	x.X = true
	v.X = take(sudoku.Must(x).Houses()[2*n:])
	if boxed := sudoku.Standard(n); take(sudoku.Must(boxed).Houses()[2*n:]) {
		v.BoxRows, v.BoxCols = boxed.BoxRows, boxed.BoxCols
	} else {
		v.Regions, houses = regionsAmong(n, houses)
	}
	for _, cells := range houses {
		v.Relations = append(v.Relations, sudoku.Relation{Kind: "different", Cells: cells})
	}
	return v, nil
}

// addHouses adds relations for the houses that are not known from the grids. Those must be among them.
func addHouses(v *sudoku.Variant, known []sudoku.House, houses [][]int) error {
	for _, h := range known {
		if !slices.ContainsFunc(houses, func(cells []int) bool { return slices.Equal(cells, h.Cells) }) {
			return fmt.Errorf("grids without %s", h)
		}
	}
	for _, cells := range houses {
		if !slices.ContainsFunc(known, func(h sudoku.House) bool { return slices.Equal(cells, h.Cells) }) {
			v.Relations = append(v.Relations, sudoku.Relation{Kind: "different", Cells: cells})
		}
	}
	return nil
}

// regionsAmong returns the regions by cell if the first disjoint houses divide the grid, and the other houses.
func regionsAmong(n int, houses [][]int) (regions []int, others [][]int) {
	regions = slices.Repeat([]int{-1}, n*n)
	count := 0
	for _, cells := range houses {
		if len(cells) != n || slices.ContainsFunc(cells, func(cell int) bool { return regions[cell] >= 0 }) {
			others = append(others, cells)
			continue
		}
		for _, cell := range cells {
			regions[cell] = count
		}
		count++
	}
	if count < n {
		return nil, houses
	}
	return regions, others
}
