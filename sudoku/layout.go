package sudoku

// A layout is how [Candidates] of some rules lie in memory. Rules make it once,
// when it is first needed.
//
// Candidates are numbered here digit by digit: digit d-1 of cell c has the
// number (d-1)*stride + c, where the stride is the number of cells rounded up to
// whole words. So the places of a digit are a few words of a set, and what the
// placing of a digit strikes in other cells is found by operations on words.
type layout struct {
	cells, size int
	words       int // of the places of a digit

	// The groups of digit 1 in the houses of a cell; those of the others follow
	// each. All cells have the same number of houses if fixed is not 0.
	start []uint32 // by cell: where its own are in bases
	bases []uint32
	fixed int

	masks []uint64    // by cell: the set of its peers; nil for large grids
	fresh *Candidates // of an empty grid
}

// maskedSize is the largest size at which sets of peers are kept, 50 KB in all;
// beyond it lists take less room, and soon less time.
const maskedSize = 25

func newLayout(r *Rules) *layout {
	n := r.variant.Size
	l := &layout{cells: r.Cells(), size: n, words: (r.Cells() + 63) / 64, fixed: len(r.of[0])}
	for _, houses := range r.of {
		l.start = append(l.start, uint32(len(l.bases)))
		for _, h := range houses {
			l.bases = append(l.bases, uint32(l.cells+h*n))
		}
		if len(houses) != l.fixed {
			l.fixed = 0
		}
	}
	l.start = append(l.start, uint32(len(l.bases)))
	if n <= maskedSize {
		l.makeMasks(r)
	}
	l.fresh = allocate(r, l)
	l.fresh.fill()
	return l
}

func (l *layout) makeMasks(r *Rules) {
	l.masks = make([]uint64, l.cells*l.words)
	for cell, peers := range r.peers {
		mask := l.masks[cell*l.words:]
		for _, peer := range peers {
			mask[peer/64] |= 1 << (peer % 64)
		}
	}
}

// allocate returns candidates of which nothing is filled in.
func allocate(r *Rules, l *layout) *Candidates {
	c := &Candidates{
		rules:  r,
		layout: l,
		alive:  make([]uint64, l.size*l.words),
		groups: make([]uint32, r.Groups()),
		digits: make([]uint8, l.cells),
		queue:  make([]uint32, r.Groups()),
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
			x := uint32(d*l.words*64 + cell)
			c.groups[cell] = (c.groups[cell] + countOne) ^ x
			for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
				g := &c.groups[int(base)+d]
				*g = (*g + countOne) ^ x
			}
		}
	}
	c.open = l.cells
	if l.size == 1 {
		c.queue[0], c.queued = 0, 1
	}
	if c.cages != nil {
		for cage := range c.rules.variant.Cages {
			c.cages.touch(cage)
		}
	}
}
