package sudoku

import "math/bits"

// A layout has the tables that [Candidates] of the same rules share. It is
// computed once, on first use.
//
// The candidates are stored digit by digit: for each digit a bit set of the
// cells that it is possible in. Placing a digit then eliminates candidates of
// many peers with a few word operations. The words of groups (see Candidates.groups)
// have packed candidates: the digit, less one, above the bits of the cell. The
// other candidate numbers (see Rules.Candidate) are by cell first.
type layout struct {
	cells, size int
	words       int   // length of a bit set of cells
	shift       uint8 // number of bits of the cell in a packed candidate

	// firstBase gives, by cell, the index of its first entry in bases.
	firstBase []uint32
	// bases has for each house of a cell the group of digit 1 in that house.
	// The groups of the other digits follow it.
	bases []uint32
	// threeBases has the bases of each cell if every cell has three houses,
	// else it is nil.
	threeBases [][3]uint32

	// firstSpan gives, by house, the index of its first entry in spans.
	firstSpan []uint32
	// spans has the cells of each house as masks of words.
	spans []span

	peers []uint64 // by cell: the bit set of its peers; nil for large grids
	cross []int32  // by house: the largest number of cells shared with another house, at most maxLocked

	initial *Candidates // the candidates of an empty grid
}

// A span is the part of a house that lies in one word of a bit set of cells.
type span struct {
	cells uint64
	word  uint32
}

// maxPeerSets is the largest size with bit sets of peers; they take 12 MB at
// this size. Larger grids use lists of peers and have no locked candidates.
const maxPeerSets = 100

func newLayout(r *Rules) *layout {
	l := &layout{
		cells: r.Cells(),
		size:  r.variant.Size,
		words: (r.Cells() + 63) / 64,
		shift: uint8(bits.Len(uint(r.Cells() - 1))),
	}
	l.makeBases(r)
	l.makeSpans(r)
	l.makeCross(r)
	if l.size <= maxPeerSets {
		l.makePeers(r)
	}
	l.initial = allocate(r, l)
	l.initial.fill()
	return l
}

func (l *layout) makeBases(r *Rules) {
	for _, houses := range r.housesOf {
		l.firstBase = append(l.firstBase, uint32(len(l.bases)))
		for _, h := range houses {
			l.bases = append(l.bases, uint32(l.cells+h*l.size))
		}
		if len(houses) == 3 {
			l.threeBases = append(l.threeBases, [3]uint32(l.bases[len(l.bases)-3:]))
		}
	}
	l.firstBase = append(l.firstBase, uint32(len(l.bases)))
	if len(l.threeBases) < l.cells {
		l.threeBases = nil
	}
}

func (l *layout) makeSpans(r *Rules) {
	for _, house := range r.houses {
		l.firstSpan = append(l.firstSpan, uint32(len(l.spans)))
		word := -1
		for _, cell := range house.Cells {
			if cell/64 != word {
				word = cell / 64
				l.spans = append(l.spans, span{word: uint32(word)})
			}
			l.spans[len(l.spans)-1].cells |= 1 << (cell % 64)
		}
	}
	l.firstSpan = append(l.firstSpan, uint32(len(l.spans)))
}

func (l *layout) makeCross(r *Rules) {
	l.cross = make([]int32, len(r.houses))
	common := make([]int32, len(r.houses))
	for h, house := range r.houses {
		clear(common)
		for _, cell := range house.Cells {
			for _, other := range r.housesOf[cell] {
				common[other]++
			}
		}
		for other, cells := range common {
			if other != h {
				l.cross[h] = max(l.cross[h], min(cells, maxLocked))
			}
		}
	}
}

func (l *layout) makePeers(r *Rules) {
	l.peers = make([]uint64, l.cells*l.words)
	for cell, peers := range r.peers {
		set := l.peers[cell*l.words:]
		for _, peer := range peers {
			set[peer/64] |= 1 << (peer % 64)
		}
	}
}

// allocate returns candidates with cleared tables.
func allocate(r *Rules, l *layout) *Candidates {
	words := make([]uint32, 2*r.Groups()+len(r.houses)*l.size)
	c := &Candidates{
		rules:  r,
		layout: l,
		alive:  make([]uint64, l.size*l.words),
		groups: words[:r.Groups()],
		seen:   words[r.Groups() : len(words)-r.Groups()],
		queue:  words[len(words)-r.Groups():],
		digits: make([]uint8, l.cells),
	}
	if !r.OnlyDiffer() {
		c.relations = newRelations(r)
	}
	return c
}

// fill makes every candidate possible.
func (c *Candidates) fill() {
	l := c.layout
	for cell := range l.cells {
		for d := range l.size {
			c.alive[d*l.words+cell/64] |= 1 << (cell % 64)
			x := l.pack(cell, d)
			c.groups[cell] = (c.groups[cell] + countOne) ^ x
			for _, base := range l.bases[l.firstBase[cell]:l.firstBase[cell+1]] {
				g := int(base) + d
				c.groups[g] = (c.groups[g] + countOne) ^ x
			}
		}
	}
	c.open = l.cells
	if l.size == 1 {
		c.queue[0], c.queued = 0, 1
	}
	if c.relations != nil {
		for i := range c.relations.queued {
			c.relations.enqueue([]int{i})
		}
	}
}

// pack returns the packed candidate of digit d+1 in a cell.
func (l *layout) pack(cell, d int) uint32 { return uint32(d<<l.shift | cell) }

// unpack returns the cell and the digit, less one, of a packed candidate.
func (l *layout) unpack(x uint32) (cell, d int) {
	return int(x & (1<<l.shift - 1)), int(x >> l.shift)
}
