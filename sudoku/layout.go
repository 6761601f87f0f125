package sudoku

import "math/bits"

// A layout is how [Candidates] of some rules lie in memory. Rules make it once,
// when it is first needed.
//
// The candidates left lie digit by digit: the places of a digit are a few words
// of a set of cells, so that what the placing of a digit strikes in other cells
// is found by operations on words. In the words of groups a candidate is numbered
// by digit and cell, the cell in the low bits.
type layout struct {
	cells, size int
	words       int   // of a set of cells
	shift       uint8 // bits of a cell in the number of a candidate

	// The groups of digit 1 in the houses of a cell; those of the other digits
	// follow each. If all cells have three houses, they are in triples too.
	start   []uint32 // by cell: where its own are in bases
	bases   []uint32
	triples [][3]uint32

	// The cells of a house as parts of words.
	first []uint32 // by house: where its own are in spans
	spans []span

	peers []uint64 // by cell: the set of its peers; nil for large grids
	cross []int32  // by house: how many cells it has at most in common with another one

	fresh *Candidates // of an empty grid
}

// A span is some cells of a house, in a word of a set of cells.
type span struct {
	cells uint64
	word  uint32
}

// maxPeerSets is the largest size at which sets of peers are kept: 12 MB.
// Beyond it lists have to do, and there are no locked candidates.
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
	l.fresh = allocate(r, l)
	l.fresh.fill()
	return l
}

func (l *layout) makeBases(r *Rules) {
	for _, houses := range r.of {
		l.start = append(l.start, uint32(len(l.bases)))
		for _, h := range houses {
			l.bases = append(l.bases, uint32(l.cells+h*l.size))
		}
		if len(houses) == 3 {
			l.triples = append(l.triples, [3]uint32(l.bases[len(l.bases)-3:]))
		}
	}
	l.start = append(l.start, uint32(len(l.bases)))
	if len(l.triples) < l.cells {
		l.triples = nil
	}
}

func (l *layout) makeSpans(r *Rules) {
	for _, house := range r.houses {
		l.first = append(l.first, uint32(len(l.spans)))
		word := -1
		for _, cell := range house.Cells {
			if cell/64 != word {
				word = cell / 64
				l.spans = append(l.spans, span{word: uint32(word)})
			}
			l.spans[len(l.spans)-1].cells |= 1 << (cell % 64)
		}
	}
	l.first = append(l.first, uint32(len(l.spans)))
}

func (l *layout) makeCross(r *Rules) {
	l.cross = make([]int32, len(r.houses))
	common := make([]int32, len(r.houses))
	for h, house := range r.houses {
		clear(common)
		for _, cell := range house.Cells {
			for _, other := range r.of[cell] {
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

// allocate returns candidates of which nothing is filled in.
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
	if len(r.variant.Cages) > 0 {
		c.cages = newCages(r)
	}
	return c
}

// fill makes everything possible.
func (c *Candidates) fill() {
	l := c.layout
	for cell := range l.cells {
		for d := range l.size {
			c.alive[d*l.words+cell/64] |= 1 << (cell % 64)
			x := l.number(cell, d)
			c.groups[cell] = (c.groups[cell] + countOne) ^ x
			for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
				g := int(base) + d
				c.groups[g] = (c.groups[g] + countOne) ^ x
			}
		}
	}
	c.open = l.cells
	if l.size == 1 {
		c.queue[0], c.queued = 0, 1
	}
	for cage := range c.rules.variant.Cages {
		c.cages.touch(cage)
	}
}

// number returns the number of a candidate in the words of groups.
func (l *layout) number(cell, d int) uint32 { return uint32(d<<l.shift | cell) }

// split returns the cell and the digit, less one, of such a number.
func (l *layout) split(x uint32) (cell, d int) {
	return int(x & (1<<l.shift - 1)), int(x >> l.shift)
}
