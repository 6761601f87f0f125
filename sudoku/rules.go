package sudoku

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"sync"
)

// MaxSize is the largest size of a grid. A candidate number then fits in 24
// bits.
const MaxSize = 255

// A Variant selects the rules of a puzzle. In every variant each row and each
// column holds every digit once.
type Variant struct {
	Size int // number of digits, rows and columns: 1 to [MaxSize]

	// BoxRows and BoxCols are the rows and columns of a box; their product is
	// Size. Both are 0 in a variant without boxes: a Latin square, or a puzzle
	// with regions.
	BoxRows, BoxCols int

	// Regions gives the region of each cell, row by row, from 0 to Size-1. Each
	// region has Size cells. Regions replace boxes ("jigsaw").
	Regions []int

	X              bool // both diagonals hold every digit once
	Hyper          bool // the windows inside the boxes hold every digit once; boxes must be square ("windoku")
	Disjoint       bool // the cells at the same place of all boxes hold every digit once
	AntiKnight     bool // cells a knight's move apart differ
	AntiKing       bool // cells a king's move apart differ
	NonConsecutive bool // cells that share a side differ by more than 1, unless a difference or ratio is given
	AllRatios      bool // of cells that share a side none is twice the other, likewise
	AllSums        bool // cells that share a side do not add up to 5 or 10, unless a sum is given

	// Grids has the first cells of several grids, which may share cells ("samurai"). One of them is in
	// the first row, and one in the first column. The rules above hold in each grid. It is nil for one.
	Grids []Place

	Cages     []Cage     // sets of cells with a given sum ("killer")
	Relations []Relation // other rules about some cells
}

// A Cage is a set of cells whose digits differ and add up to a given sum.
type Cage struct {
	Sum   int
	Cells []int // ascending
}

// Standard returns the variant of the given size with boxes that are as square
// as possible and no higher than wide: 3x3 for size 9, 2 rows by 3 columns for
// size 6. For a prime size each box is a row.
func Standard(size int) Variant {
	rows := 1
	for r := 1; r*r <= size; r++ {
		if size%r == 0 {
			rows = r
		}
	}
	return Variant{Size: size, BoxRows: rows, BoxCols: size / max(rows, 1)}
}

// Latin returns the variant of the given size without boxes: a Latin square.
func Latin(size int) Variant { return Variant{Size: size} }

// Rules are the rules of a variant with the tables derived from them: the
// houses, and the peers of each cell. Rules are immutable and can be shared
// between goroutines.
//
// Cells are numbered row by row from 0, in all grids together. A candidate is a digit in a
// cell; its number is cell*size + digit-1.
type Rules struct {
	variant  Variant
	plan     *Plan
	boxes    bool // the variant has rectangular boxes
	houses   []House
	housesOf [][]int // by cell: the indices of its houses, ascending
	peers    [][]int // by cell: its peers, ascending
	cageOf   []int   // by cell: the index of its cage, -1 without one; nil if there are no cages
	layout   func() *layout
	plain9   bool // size 9 with boxes, and no other rule

	diagrams  []*diagram
	relations [][]int // by cell: the indices of its cage and, beyond the cages, of its diagrams; nil if there are none
}

// A House is a set of cells that holds every digit once: a row, a column, a
// box, or a set of the same kind in a variant. Other texts call it a unit.
type House struct {
	Kind  string // row, column, box, region, diagonal, window, disjoint group or extra region
	Index int    // number among the houses of its kind and grid, from 0
	Grid  int    // number of its grid, from 1; 0 if there is one grid
	Cells []int  // ascending
}

// String returns the name of the house, such as "row 3" or "row 3 of grid 2".
func (h House) String() string {
	name := fmt.Sprintf("%s %d", h.Kind, h.Index+1)
	if h.Grid > 0 {
		name += fmt.Sprintf(" of grid %d", h.Grid)
	}
	return name
}

// New returns the rules of a variant. It returns an error if the variant is
// invalid.
func New(v Variant) (*Rules, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	v.Regions = slices.Clone(v.Regions)
	v.Cages = cloneCages(v.Cages)
	v.Relations = slices.Clone(v.Relations)
	v.Grids = slices.Clone(v.Grids)
	r := &Rules{variant: v, plan: v.Plan(), boxes: v.BoxRows > 0, plain9: v.Size == 9 && v.BoxRows == 3 && v.Plain()}
	r.makeHouses()
	r.makePeers()
	if err := r.makeDiagrams(); err != nil {
		return nil, err
	}
	r.layout = sync.OnceValue(func() *layout { return newLayout(r) })
	return r, nil
}

// Plain reports whether a variant has no rules but rows, columns and, perhaps, boxes.
func (v *Variant) Plain() bool {
	return v.Regions == nil && v.Grids == nil && len(v.Words()) == 0 && len(v.Cages) == 0 && len(v.Relations) == 0
}

// Plain9 reports whether the rules are those of the usual puzzle: size 9, boxes of 3x3
// cells, and no other rule.
func (r *Rules) Plain9() bool { return r.plain9 }

// Must is like [New] but panics if the variant is invalid.
func Must(v Variant) *Rules {
	r, err := New(v)
	if err != nil {
		panic("sudoku: " + err.Error())
	}
	return r
}

func cloneCages(cages []Cage) []Cage {
	var copies []Cage
	for _, c := range cages {
		cells := slices.Clone(c.Cells)
		slices.Sort(cells)
		copies = append(copies, Cage{c.Sum, cells})
	}
	return copies
}

// Variant returns the variant that the rules were made from. The caller must
// not change it.
func (r *Rules) Variant() Variant { return r.variant }

// Size returns the number of digits.
func (r *Rules) Size() int { return r.variant.Size }

// Cells returns the number of cells.
func (r *Rules) Cells() int { return r.plan.Cells() }

// Plan returns the places of the cells. The caller must not change it.
func (r *Rules) Plan() *Plan { return r.plan }

// Houses returns all houses: first the rows, grid by grid, then as many columns, then the
// others. The caller must not change them.
func (r *Rules) Houses() []House { return r.houses }

// Rows returns the number of rows among the houses.
func (r *Rules) Rows() int { return len(r.plan.corners) * r.variant.Size }

// HousesOf returns the indices of the houses that contain a cell, ascending.
func (r *Rules) HousesOf(cell int) []int { return r.housesOf[cell] }

// Peers returns the peers of a cell, ascending: the cells whose digits must differ
// from it, by a house, a cage or another rule.
func (r *Rules) Peers(cell int) []int { return r.peers[cell] }

// Cages returns the cages. The caller must not change them.
func (r *Rules) Cages() []Cage { return r.variant.Cages }

// OnlyDiffer reports whether the rules say no more than that digits differ: there are
// no cages and no relations.
func (r *Rules) OnlyDiffer() bool { return r.relations == nil }

// Related reports whether a cell is in a cage or a relation.
func (r *Rules) Related(cell int) bool { return r.relations != nil && len(r.relations[cell]) > 0 }

// Relations returns the relations between cells, each split into the parts that hold one by
// one; those of rules of the whole grid are among them. The caller must not change them.
func (r *Rules) Relations() []Relation {
	list := make([]Relation, len(r.diagrams))
	for i, d := range r.diagrams {
		list[i] = d.Relation
	}
	return list
}

// CageOf returns the index of the cage that contains a cell, or -1.
func (r *Rules) CageOf(cell int) int {
	if r.cageOf == nil {
		return -1
	}
	return r.cageOf[cell]
}

// Candidate returns the candidate number of a digit in a cell.
func (r *Rules) Candidate(cell, digit int) int { return cell*r.variant.Size + digit - 1 }

// Split returns the cell and the digit of a candidate.
func (r *Rules) Split(candidate int) (cell, digit int) {
	return candidate / r.variant.Size, candidate%r.variant.Size + 1
}

// CellName returns the name of a cell by row and column, from 1: "R3C5".
func (r *Rules) CellName(cell int) string { return r.plan.Name(cell) }

// Cell returns the cell with the given name, such as "R3C5" or "r3c5".
func (r *Rules) Cell(name string) (int, error) { return r.plan.named(name) }

// cutIndex parses a letter, in either case, and the number after it at the start
// of text. It returns the number and the rest of text.
func cutIndex(text string, letter byte) (n int, rest string, ok bool) {
	if text == "" || text[0]&^0x20 != letter {
		return 0, text, false
	}
	i := 1
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	n, err := strconv.Atoi(text[1:i])
	return n, text[i:], err == nil
}

// makeHouses lists the houses, and for each cell the houses that contain it.
func (r *Rules) makeHouses() {
	v, n := r.variant, r.variant.Size
	r.addHouses("row", n, func(i, k int) Place { return Place{i, k} })
	r.addHouses("column", n, func(i, k int) Place { return Place{k, i} })
	if r.boxes {
		across := n / v.BoxCols
		r.addHouses("box", n, func(i, k int) Place {
			return Place{i/across*v.BoxRows + k/v.BoxCols, i%across*v.BoxCols + k%v.BoxCols}
		})
	}
	r.addRegions()
	if v.X {
		r.addHouses("diagonal", 2, func(i, k int) Place { return Place{k, k + i*(n-1-2*k)} })
	}
	if v.Hyper { // squares as large as a box, one cell apart from each other and one cell from the border
		b := v.BoxRows
		r.addHouses("window", (b-1)*(b-1), func(i, k int) Place {
			return Place{1 + i/(b-1)*(b+1) + k/b, 1 + i%(b-1)*(b+1) + k%b}
		})
	}
	if v.Disjoint {
		across := n / v.BoxCols
		r.addHouses("disjoint group", n, func(i, k int) Place {
			return Place{k/across*v.BoxRows + i/v.BoxCols, k%across*v.BoxCols + i%v.BoxCols}
		})
	}
	extra := 0
	for _, different := range v.Relations {
		if different.Kind == "different" && len(different.Cells) == n {
			cells := slices.Sorted(slices.Values(different.Cells))
			r.houses = append(r.houses, House{Kind: "extra region", Index: extra, Cells: cells})
			extra++
		}
	}
	r.housesOf = make([][]int, r.Cells())
	for h, house := range r.houses {
		for _, cell := range house.Cells {
			r.housesOf[cell] = append(r.housesOf[cell], h)
		}
	}
}

// addHouses adds count houses of a kind to each grid. The place of cell k of house i in a grid is
// at(i, k), ascending. Boxes that two grids share are of the first one; rows and columns are as many as
// there are in all grids.
func (r *Rules) addHouses(kind string, count int, at func(i, k int) Place) {
	known := make(map[[2]int]bool) // by first and last cell, for houses of a shape
	for g, corner := range r.plan.corners {
		for i := range count {
			h := House{Kind: kind, Index: i, Cells: make([]int, r.variant.Size)}
			for k := range h.Cells {
				place := at(i, k)
				h.Cells[k] = r.plan.Cell(corner.Row+place.Row, corner.Col+place.Col)
			}
			if r.variant.Grids != nil {
				h.Grid = g + 1
			}
			ends := [2]int{h.Cells[0], h.Cells[len(h.Cells)-1]}
			if kind == "row" || kind == "column" || !known[ends] {
				r.houses = append(r.houses, h)
			}
			known[ends] = true
		}
	}
}

// addRegions adds the regions of a jigsaw.
func (r *Rules) addRegions() {
	first, n := len(r.houses), r.variant.Size
	for cell, region := range r.variant.Regions {
		for len(r.houses) < first+n {
			r.houses = append(r.houses, House{Kind: "region", Index: len(r.houses) - first, Cells: make([]int, 0, n)})
		}
		h := &r.houses[first+region]
		h.Cells = append(h.Cells, cell)
	}
}

// makePeers lists the peers of each cell.
func (r *Rules) makePeers() {
	if len(r.variant.Cages) > 0 {
		r.cageOf = slices.Repeat([]int{-1}, r.Cells())
		for i, cage := range r.variant.Cages {
			for _, cell := range cage.Cells {
				r.cageOf[cell] = i
			}
		}
	}
	r.peers = make([][]int, r.Cells())
	set := make([]uint64, (r.Cells()+63)/64)
	for cell := range r.peers {
		add := func(cells []int) {
			for _, other := range cells {
				set[other/64] |= 1 << (other % 64)
			}
		}
		for _, h := range r.housesOf[cell] {
			add(r.houses[h].Cells)
		}
		if c := r.CageOf(cell); c >= 0 {
			add(r.variant.Cages[c].Cells)
		}
		if r.variant.AntiKnight {
			add(r.moves(cell, 1, 2))
		}
		if r.variant.AntiKing {
			add(r.moves(cell, 1, 1))
		}
		for _, different := range r.variant.Relations {
			if different.Kind == "different" && slices.Contains(different.Cells, cell) {
				add(different.Cells)
			}
		}
		set[cell/64] &^= 1 << (cell % 64)
		r.peers[cell] = takeCells(set)
	}
}

// takeCells returns the cells of a bit set, ascending, and clears the set.
func takeCells(set []uint64) []int {
	count := 0
	for _, word := range set {
		count += bits.OnesCount64(word)
	}
	cells := make([]int, 0, count)
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			cells = append(cells, 64*i+bits.TrailingZeros64(word))
		}
		set[i] = 0
	}
	return cells
}

// moves returns the cells a steps from the given cell in one direction and b in the other.
func (r *Rules) moves(cell, a, b int) []int {
	from := r.plan.Place(cell)
	var cells []int
	for _, d := range [8][2]int{{-b, -a}, {-b, a}, {-a, -b}, {-a, b}, {a, -b}, {a, b}, {b, -a}, {b, a}} {
		if to := r.plan.Cell(from.Row+d[0], from.Col+d[1]); to >= 0 {
			cells = append(cells, to)
		}
	}
	return cells
}

// apart yields the pairs of peers in no common house and no common cage, ascending.
func (r *Rules) apart() iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		v := &r.variant
		if !v.AntiKnight && !v.AntiKing && !slices.ContainsFunc(v.Relations, func(rel Relation) bool { return rel.Kind == "different" }) {
			return
		}
		for a, peers := range r.peers {
			for _, b := range peers {
				caged := r.CageOf(a) >= 0 && r.CageOf(a) == r.CageOf(b)
				if a < b && !caged && r.firstCommonHouse(a, b) == len(r.houses) && !yield(a, b) {
					return
				}
			}
		}
	}
}

// makeDiagrams makes the diagrams of all relations.
func (r *Rules) makeDiagrams() error {
	v := &r.variant
	for _, rel := range v.Relations {
		for _, p := range kindOf(rel.Kind).parts(&rel, r) {
			d, err := newDiagram(&rel, p, v.Size)
			if err != nil {
				return fmt.Errorf("%w %s", err, rel.Text(r.plan))
			}
			r.diagrams = append(r.diagrams, d)
		}
	}
	same := make(map[string]*diagram) // by rule of the whole grid: all pairs have one diagram
	for _, rel := range r.neighborRelations() {
		first := same[rel.Kind]
		if first == nil {
			var err error
			if first, err = newDiagram(&rel, neighborKinds[rel.Kind](&rel, r)[0], v.Size); err != nil {
				return fmt.Errorf("%w %s", err, rel.Text(r.plan))
			}
			same[rel.Kind] = first
		}
		d := *first
		d.Relation.Cells, d.part.cells = rel.Cells, rel.Cells
		r.diagrams = append(r.diagrams, &d)
	}
	if len(v.Cages)+len(r.diagrams) == 0 {
		return nil
	}
	r.relations = make([][]int, r.Cells())
	for i, cage := range v.Cages {
		for _, cell := range cage.Cells {
			r.relations[cell] = append(r.relations[cell], i)
		}
	}
	for i, d := range r.diagrams {
		for _, cell := range d.part.cells {
			r.relations[cell] = append(r.relations[cell], len(v.Cages)+i)
		}
	}
	return nil
}

// firstCommonHouse returns the first house that contains both cells, or the
// number of houses if there is no such house.
func (r *Rules) firstCommonHouse(a, b int) int {
	for _, h := range r.housesOf[a] {
		for _, k := range r.housesOf[b] {
			if h == k {
				return h
			}
		}
	}
	return len(r.houses)
}

// isDuplicateHouse reports whether an earlier house has the same cells. In a
// grid of prime size, for example, the boxes are the rows.
func (r *Rules) isDuplicateHouse(house int) bool {
	cells := r.houses[house].Cells
	for _, h := range r.housesOf[cells[0]] {
		if h == house {
			break
		}
		if r.containedIn(cells, h) {
			return true
		}
	}
	return false
}

// containedIn reports whether a house contains all the given cells.
func (r *Rules) containedIn(cells []int, house int) bool {
	for _, cell := range cells {
		if !slices.Contains(r.housesOf[cell], house) {
			return false
		}
	}
	return true
}

// inOneHouse reports whether some house contains all the given cells.
func (r *Rules) inOneHouse(cells []int) bool {
	for _, h := range r.housesOf[cells[0]] {
		if r.containedIn(cells, h) {
			return true
		}
	}
	return false
}
