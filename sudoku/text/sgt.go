package text

import (
	"bytes"
	"fmt"

	"sator/sudoku"
)

// Game ids of Solo, from Simon Tatham's Portable Puzzle Collection:
//
//	3x3:a5b7_4c...               boxes of 3x3
//	2x3x:...                     with both diagonals
//	9j:...,afad_c_aab...         regions
//	3x3k:zzzc,aa__b...,6_19_17a  cages, which are regions with sums
//
// In "3x4" three boxes are side by side and four above each other. The cells
// are numbers, separated by _, and letters a to z for runs of 1 to 26 blanks.
//
// Regions are encoded by the walls between neighboring cells. The places for
// walls are first those to the right of each cell, row by row, then those below
// each cell, column by column. A letter is a run of places without a wall, as
// many as its number in the alphabet, followed by a wall; _ is a wall without
// such a run; z is 25 places without a wall and no wall after them. One more
// wall follows at the end. Regions and cages are connected as a consequence.
// The sum of a cage is in its first cell. A cage of one cell without a sum is
// ignored.

// beginsGame reports whether a line begins like a game id.
func (r *Reader) beginsGame(l line) bool {
	head, _, ok := bytes.Cut(bytes.TrimLeft(l.text[:min(len(l.text), 40)], " \t"), []byte(":"))
	if !ok || len(head) < 2 {
		return false
	}
	i := countDigits(head)
	return i > 0 && i < len(head) && (head[i] == 'x' || head[i] == 'j') && len(bytes.Trim(head, "0123456789abcdefghijklmnopqrstuvwxyz")) == 0
}

func countDigits(text []byte) int {
	i := 0
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}

// A game is the state of reading a game id.
type game struct {
	r      *Reader
	line   line
	pos    int
	v      sudoku.Variant
	jigsaw bool
	killer bool
}

// readGame reads a game id.
func (r *Reader) readGame(l line) (*Puzzle, error) {
	g := &game{r: r, line: l, pos: len(l.text) - len(bytes.TrimLeft(l.text, " \t"))}
	if err := g.readParams(); err != nil {
		return nil, err
	}
	n := g.v.Size
	numbers, err := g.readNumbers(n)
	if err != nil {
		return nil, err
	}
	givens := append([]symbol(nil), numbers...)
	if g.jigsaw {
		if g.v.Regions, err = g.readRegions(); err != nil {
			return nil, err
		}
	}
	if g.killer {
		if err := g.readCages(); err != nil {
			return nil, err
		}
	}
	if rest := bytes.TrimSpace(l.text[g.pos:]); len(rest) > 0 && rest[0] != '#' {
		return nil, g.errorf("unexpected %s after a game id", quoted(rest))
	}
	rules, err := r.ownRules(l, g.v.String())
	if err != nil {
		return nil, err
	}
	return r.gamePuzzle(rules, givens)
}

// gamePuzzle makes a puzzle of numbers, which need no alphabet.
func (r *Reader) gamePuzzle(rules *sudoku.Rules, givens []symbol) (*Puzzle, error) {
	g := sudoku.NewGrid(rules)
	for cell, s := range givens {
		if g.Cells[cell] = int(s.number); int(s.number) > rules.Size() {
			return nil, r.digitError(s, alphabet{size: rules.Size()})
		}
	}
	p := r.newPuzzle(g, "sgt")
	p.setPositions(givens)
	return p, nil
}

func (g *game) errorf(format string, args ...any) error {
	return g.r.in.at(g.line, g.pos, format, args...)
}

// next returns the next character without reading it, or 0 at the end.
func (g *game) next() byte {
	if g.pos == len(g.line.text) {
		return 0
	}
	return g.line.text[g.pos]
}

// number reads a number. A missing number is 0.
func (g *game) number() int {
	n := 0
	for c := g.next(); '0' <= c && c <= '9'; c = g.next() {
		n = min(10*n+int(c-'0'), 1<<20)
		g.pos++
	}
	return n
}

// readParams reads the parameters before the colon. It skips symmetry and
// difficulty, which are parameters of the puzzle generator.
func (g *game) readParams() error {
	from := g.pos
	across, down := g.number(), 1
	if g.next() == 'x' {
		g.pos++
		down = g.number()
	}
	if across*down < 1 || across*down > sudoku.MaxSize {
		g.pos = from
		return g.errorf("invalid boxes %dx%d: want a size of 1 to %d", across, down, sudoku.MaxSize)
	}
	g.v = sudoku.Variant{Size: across * down}
	for c := g.next(); c != ':'; c = g.next() {
		g.pos++
		switch c {
		case 'x':
			g.v.X = true
		case 'k':
			g.killer = true
		case 'j':
			g.jigsaw = true
		case 'd':
			if g.next() != ':' {
				g.pos++ // the letter of the difficulty
			}
		case 'r', 'm', 'a', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9': // the symmetry
		default:
			g.pos--
			return g.errorf("unknown parameter %q of a game: want x, j, k, a symmetry or a difficulty", c)
		}
	}
	g.pos++
	if across == 1 || down == 1 {
		g.jigsaw = true
	}
	if !g.jigsaw {
		g.v.BoxRows, g.v.BoxCols = across, down
	}
	if n := g.r.size(); n > 0 && n != g.v.Size {
		g.pos = from
		return g.errorf("a grid of size %d, want size %d", g.v.Size, n)
	}
	return nil
}

// readNumbers reads numbers and runs of blanks for all cells.
func (g *game) readNumbers(n int) ([]symbol, error) {
	symbols := make([]symbol, 0, n*n)
	for len(symbols) < n*n {
		s := symbol{line: int32(g.line.number), column: int32(g.line.offset + g.pos + 1)}
		switch c := g.next(); {
		case 'a' <= c && c <= 'z':
			g.pos++
			for range min(int(c-'a')+1, n*n-len(symbols)+1) {
				symbols = append(symbols, s)
			}
		case c == '_':
			g.pos++
		case '0' <= c && c <= '9':
			s.number = int32(g.number())
			symbols = append(symbols, s)
		default:
			return nil, g.errorf("unexpected %s after %d of %d cells: want a number, a letter for blanks, or _", g.describeNext(), len(symbols), n*n)
		}
	}
	if len(symbols) > n*n {
		g.pos--
		return nil, g.errorf("more blanks than the %d cells", n*n)
	}
	return symbols, nil
}

// describeNext returns the next character for a message.
func (g *game) describeNext() string {
	if c := g.next(); c != 0 {
		return fmt.Sprintf("%q", c)
	}
	return "end of line"
}

// readRegions reads walls. It returns the region of each cell; regions are
// numbered in the order of their first cells.
func (g *game) readRegions() ([]int, error) {
	n := g.v.Size
	if g.next() != ',' {
		return nil, g.errorf("unexpected %s: want a comma and walls", g.describeNext())
	}
	g.pos++
	parts := newCellSets(n * n)
	edges := 2 * n * (n - 1)
	for i := 0; i <= edges; {
		c, run := g.next(), 0
		switch {
		case 'a' <= c && c <= 'z':
			run = int(c-'a') + 1
		case c != '_':
			return nil, g.errorf("unexpected %s after %d of %d places for walls: want a letter or _", g.describeNext(), i, edges)
		}
		if c == 'z' {
			run = 25
		}
		if i+run > edges {
			return nil, g.errorf("the runs exceed the %d places for walls", edges)
		}
		for range run {
			parts.join(edge(n, i))
			i++
		}
		if c != 'z' {
			i++
		}
		g.pos++
	}
	return parts.regions(), nil
}

// edge returns the cells on both sides of a place for a wall.
func edge(n, i int) (a, b int) {
	if i < n*(n-1) {
		a = i/(n-1)*n + i%(n-1)
		return a, a + 1
	}
	i -= n * (n - 1)
	a = i%(n-1)*n + i/(n-1)
	return a, a + n
}

// cellSets is a union-find structure: it maps each cell to its parent, a cell
// of the same set.
type cellSets []int

func newCellSets(n int) cellSets {
	p := make(cellSets, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// first returns the least cell of the set that contains a cell.
func (p cellSets) first(cell int) int {
	for p[cell] != cell {
		p[cell] = p[p[cell]]
		cell = p[cell]
	}
	return cell
}

// join unites the sets of two cells.
func (p cellSets) join(a, b int) {
	a, b = p.first(a), p.first(b)
	p[max(a, b)] = min(a, b)
}

// regions numbers the sets.
func (p cellSets) regions() []int {
	regions, count := make([]int, len(p)), 0
	for cell := range p {
		if first := p.first(cell); first < cell {
			regions[cell] = regions[first]
		} else {
			regions[cell] = count
			count++
		}
	}
	return regions
}

// readCages reads walls and sums.
func (g *game) readCages() error {
	regions, err := g.readRegions()
	if err != nil {
		return err
	}
	if g.next() != ',' {
		return g.errorf("unexpected %s: want a comma and sums", g.describeNext())
	}
	g.pos++
	sums, err := g.readNumbers(g.v.Size)
	if err != nil {
		return err
	}
	var cages []sudoku.Cage
	var clues []symbol
	for cell, region := range regions {
		if region == len(cages) {
			cages, clues = append(cages, sudoku.Cage{Sum: int(sums[cell].number)}), append(clues, sums[cell])
		} else if s := sums[cell]; s.number > 0 {
			return g.r.in.errorf(int(s.line), int(s.column), "a sum in a cell that is not the first of its cage")
		}
		cages[region].Cells = append(cages[region].Cells, cell)
	}
	for i, cage := range cages {
		switch {
		case cage.Sum > 0:
			g.v.Cages = append(g.v.Cages, cage)
		case len(cage.Cells) > 1:
			return g.r.in.errorf(int(clues[i].line), int(clues[i].column), "a cage of %d cells without a sum", len(cage.Cells))
		}
	}
	return nil
}
