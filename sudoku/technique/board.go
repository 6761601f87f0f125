package technique

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"sator/sudoku"
)

// MaxSize is the largest size of a grid: the digits of a cell and the places of a
// digit in a house are the bits of one word.
const MaxSize = 64

// A Board has the candidates of a puzzle as bit sets, in three views: the digits
// of a cell, the places of a digit in a house, and the cells of a digit. Digits
// count from 0 in all three.
type Board struct {
	rules *sudoku.Rules
	*tables

	digits []uint64 // by cell: the remaining digits
	places []uint64 // by house*size + digit: the positions in the house
	cells  []uint64 // by digit*words: the cells
	placed []bool   // by cell: the cell has its digit
	given  []bool   // by cell: its digit is a given
	open   int      // number of cells without a digit
	broken bool     // a cell has no digit left, or a digit has no place

	// Unique records that the puzzle has exactly one solution. Without it,
	// techniques that assume a unique solution find nothing. Load sets it to
	// false.
	Unique bool

	// Alone records that the givens have exactly one solution without pencil marks: then digits may be
	// exchanged that the marks exclude, and digits that were placed. Load sets it to false.
	Alone bool

	// Without has the names of techniques that find nothing.
	Without []string

	everything bool // searches find all steps, not only the easiest ones

	ctx context.Context // ends a search; see SetContext

	scratch *Board // of hints and paths, nil before the first one
}

// Tables are derived from the rules. A board and its clones share them.
type tables struct {
	rules45     []sumRule // nil before the first use
	size, words int
	peers       []uint64 // by cell*words: the peers
	spots       [][]spot // by cell: its places in houses
	related     []sudoku.Relation
	noExchange  string // why digits of a solution cannot be exchanged, see refusesExchange

	// For cages and relations, nil before their first use.
	sums    *sudoku.Candidates
	filter  *sudoku.RelationFilter
	answers map[string][]int // see remembered
	key     []byte
}

// A spot is the position of a cell in a house.
type spot struct{ house, position int }

// NewBoard returns the board of an empty grid. It panics if the grid is larger than
// [MaxSize].
func NewBoard(r *sudoku.Rules) *Board {
	n := r.Size()
	if n > MaxSize {
		panic(fmt.Sprintf("technique: size %d is larger than %d", n, MaxSize))
	}
	b := &Board{
		rules: r, tables: newTables(r),
		digits: make([]uint64, r.Cells()), places: make([]uint64, len(r.Houses())*n), placed: make([]bool, r.Cells()), given: make([]bool, r.Cells()), ctx: context.Background(),
	}
	b.cells = make([]uint64, n*b.words)
	b.clear()
	return b
}

func newTables(r *sudoku.Rules) *tables {
	t := &tables{size: r.Size(), words: (r.Cells() + 63) / 64, spots: make([][]spot, r.Cells()), related: r.Relations(), noExchange: refusesExchange(r)}
	t.peers = make([]uint64, r.Cells()*t.words)
	for cell := range r.Cells() {
		for _, peer := range r.Peers(cell) {
			t.peers[cell*t.words+peer/64] |= 1 << (peer % 64)
		}
	}
	for h, house := range r.Houses() {
		for position, cell := range house.Cells {
			t.spots[cell] = append(t.spots[cell], spot{h, position})
		}
	}
	return t
}

// clear makes all candidates possible.
func (b *Board) clear() {
	all := ^uint64(0) >> (64 - b.size)
	for cell := range b.digits {
		b.digits[cell] = all
		for d := range b.size {
			b.cells[d*b.words+cell/64] |= 1 << (cell % 64)
		}
	}
	for i := range b.places {
		b.places[i] = all
	}
	clear(b.placed)
	clear(b.given)
	b.open, b.broken, b.Unique, b.Alone = len(b.digits), false, false, false
}

// Load replaces the candidates by those that the givens and marks of a puzzle
// leave.
func (b *Board) Load(g *sudoku.Grid) {
	b.clear()
	for candidate, possible := range g.Marks {
		if !possible {
			b.remove(candidate)
		}
	}
	for cell, digit := range g.Cells {
		if digit != 0 {
			b.Place(b.rules.Candidate(cell, digit))
			b.given[cell] = g.Placed == nil || !g.Placed[cell]
		}
	}
}

// copyFrom copies the state of o. Both must have the same rules.
func (b *Board) copyFrom(o *Board) {
	copy(b.digits, o.digits)
	copy(b.places, o.places)
	copy(b.cells, o.cells)
	copy(b.placed, o.placed)
	copy(b.given, o.given)
	b.open, b.broken, b.Unique, b.Alone, b.ctx, b.Without = o.open, o.broken, o.Unique, o.Alone, o.ctx, o.Without
}

// clone returns a copy.
func (b *Board) clone() *Board {
	return &Board{
		rules: b.rules, tables: b.tables, digits: slices.Clone(b.digits), places: slices.Clone(b.places), cells: slices.Clone(b.cells), placed: slices.Clone(b.placed), given: slices.Clone(b.given),
		open: b.open, broken: b.broken, Unique: b.Unique, Alone: b.Alone, ctx: b.ctx, Without: b.Without,
	}
}

// SetContext sets a context that ends a search for steps without a result.
func (b *Board) SetContext(ctx context.Context) { b.ctx = ctx }

// Digit returns the digit of a cell, or 0 if it is open.
func (b *Board) Digit(cell int) int {
	if !b.placed[cell] {
		return 0
	}
	return bits.TrailingZeros64(b.digits[cell]) + 1
}

// grid returns a puzzle with the digits of the board as givens and the candidates left as pencil
// marks.
func (b *Board) grid() *sudoku.Grid {
	g := sudoku.NewGrid(b.rules)
	g.Marks = make([]bool, len(b.digits)*b.size)
	for cell := range g.Cells {
		g.Cells[cell] = b.Digit(cell)
		for d := range b.size {
			g.Marks[cell*b.size+d] = b.has(cell, d)
		}
	}
	return g
}

// Solved reports whether every cell has a digit without a contradiction.
func (b *Board) Solved() bool { return b.open == 0 && !b.broken }

// holds reports whether a candidate is left.
func (b *Board) holds(candidate int) bool { return b.has(candidate/b.size, candidate%b.size) }

func (b *Board) has(cell, d int) bool { return b.digits[cell]>>d&1 != 0 }

// Place puts a digit into a cell and eliminates the other digits of the cell and
// the same digit in all peers.
func (b *Board) Place(candidate int) {
	cell, d := candidate/b.size, candidate%b.size
	if !b.has(cell, d) {
		b.broken = true
		return
	}
	if !b.placed[cell] {
		b.placed[cell] = true
		b.open--
	}
	for others := b.digits[cell] &^ (1 << d); others != 0; others &= others - 1 {
		b.eliminate(cell, bits.TrailingZeros64(others))
	}
	for w := range b.words {
		for peers := b.peers[cell*b.words+w] & b.cells[d*b.words+w]; peers != 0; peers &= peers - 1 {
			b.eliminate(64*w+bits.TrailingZeros64(peers), d)
		}
	}
}

// remove eliminates a candidate.
func (b *Board) remove(candidate int) {
	if cell, d := candidate/b.size, candidate%b.size; b.has(cell, d) {
		b.eliminate(cell, d)
	}
}

func (b *Board) eliminate(cell, d int) {
	b.digits[cell] &^= 1 << d
	b.broken = b.broken || b.digits[cell] == 0
	b.cells[d*b.words+cell/64] &^= 1 << (cell % 64)
	for _, s := range b.spots[cell] {
		at := &b.places[s.house*b.size+d]
		*at &^= 1 << s.position
		b.broken = b.broken || *at == 0
	}
}

// apply places and eliminates the candidates of a step.
func (b *Board) apply(s *Step) {
	if s.Placed >= 0 {
		b.Place(s.Placed)
	}
	for _, candidate := range s.Eliminated {
		b.remove(candidate)
	}
}

// group returns the bit set of the candidates left in a group: digits of a cell,
// or positions in a house.
func (b *Board) group(g int) uint64 {
	if g < len(b.digits) {
		return b.digits[g]
	}
	return b.places[g-len(b.digits)]
}

// candidateOf returns the candidate of a bit of a group.
func (b *Board) candidateOf(g, bit int) int {
	if g < len(b.digits) {
		return g*b.size + bit
	}
	g -= len(b.digits)
	return b.rules.Houses()[g/b.size].Cells[bit]*b.size + g%b.size
}

// members appends the candidates left in a group to buf, ascending.
func (b *Board) members(g int, buf []int) []int {
	for set := b.group(g); set != 0; set &= set - 1 {
		buf = append(buf, b.candidateOf(g, bits.TrailingZeros64(set)))
	}
	return buf
}

// groupOf returns the group of a digit in a house.
func (b *Board) groupOf(house, d int) int { return len(b.digits) + house*b.size + d }

// absent appends the candidates of a group that are not left to buf.
func (b *Board) absent(g int, buf []int) []int {
	for bit := range b.size {
		if b.group(g)>>bit&1 == 0 {
			buf = append(buf, b.candidateOf(g, bit))
		}
	}
	return buf
}

// sees reports whether two cells are peers.
func (b *Board) sees(x, y int) bool { return b.peers[x*b.words+y/64]>>(y%64)&1 != 0 }

// excludes reports whether at most one of two candidates is true.
func (b *Board) excludes(x, y int) bool {
	if x/b.size == y/b.size {
		return x != y
	}
	return x%b.size == y%b.size && b.sees(x/b.size, y/b.size)
}

// seenByAll appends the candidates of a digit in the common peers of some cells to
// buf, ascending.
func (b *Board) seenByAll(d int, cells []int, buf []int) []int {
	for w := range b.words {
		set := b.cells[d*b.words+w]
		for _, cell := range cells {
			set &= b.peers[cell*b.words+w]
		}
		for ; set != 0; set &= set - 1 {
			buf = append(buf, (64*w+bits.TrailingZeros64(set))*b.size+d)
		}
	}
	return buf
}

// cellsAt appends the cells at some positions of a house to buf.
func (b *Board) cellsAt(house int, positions uint64, buf []int) []int {
	for ; positions != 0; positions &= positions - 1 {
		buf = append(buf, b.rules.Houses()[house].Cells[bits.TrailingZeros64(positions)])
	}
	return buf
}

// line reports whether a house is a row or a column. Rows come first.
func (b *Board) line(house int) bool { return house < 2*b.rules.Rows() }

// bases returns the first houses of the sets of parallel lines: the rows of each grid, then the
// columns of each grid.
func (b *Board) bases() (bases []int) {
	for base := 0; base < 2*b.rules.Rows(); base += b.size {
		bases = append(bases, base)
	}
	return bases
}

// crossing returns the first of the lines that cross those from base on, in the same grid.
func (b *Board) crossing(base int) int {
	if rows := b.rules.Rows(); base < rows {
		return base + rows
	}
	return base - b.rules.Rows()
}

// lineThrough returns the first row or column of two cells, or -1 if there is none.
func (b *Board) lineThrough(x, y int) int {
	for _, s := range b.spots[x] {
		if b.line(s.house) && b.inHouse(y, s.house) {
			return s.house
		}
	}
	return -1
}

// digitsOf returns the digits of a bit set, counting from 1.
func digitsOf(set uint64) (digits []int) {
	for ; set != 0; set &= set - 1 {
		digits = append(digits, bits.TrailingZeros64(set)+1)
	}
	return digits
}
