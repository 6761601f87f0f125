package twosat

import (
	"context"
	"math/rand/v2"
)

// The searches for forced literals decide all variables of the core of the graph
// of flips (forced.go). A variable that reaches both ends of a conflict is
// unflippable, and so is every variable that reaches it. Any other variable is
// flippable, and so are all variables that it reaches. So each search decides
// other variables too.
//
// Searches from single variables come first, from variables without entering
// edges and then from the others. Each ends after at most searchSteps steps. They
// decide nearly all variables of a random instance.
//
// The undecided variables, with all variables that they reach, are the residue.
// It is condensed, since all members of a component have the same verdict; a
// component with both ends of a conflict is unflippable. Blocks of components are
// searched at a time, with a bit for each: bits propagate along the edges in
// topological order, and a component is unflippable if both ends of a conflict
// have its bit. Then verdicts propagate: a component that reaches an unflippable
// one is unflippable, and a component reached by a flippable one is flippable.
// The next block follows. A block draws its components at random from the
// undecided ones: on average, a draw decides half of the undecided components of
// its chain.

// A verdict states whether a variable can flip.
type verdict uint8

const (
	undecided verdict = iota
	flippable
	unflippable
)

// A core has the flips that are searched. The row of a variable v has 2w for an
// edge to w and 2w+1 for a conflict with w. A conflict is in the row of one of
// its ends only.
type core struct {
	g        *Graph
	original []uint32 // solver variable of each core variable
	verdicts []verdict
	entered  []bool // an edge enters the variable

	// Searches from one variable.
	found    []uint32 // start of the last search that found a variable, plus 1
	queue    []uint32
	ends     []uint32 // second ends of the conflicts that were found
	effort   int      // steps left
	searches int
	blocks   int
}

// newCore numbers the variables of the flips in the order of their first
// occurrence, and builds the graph. It overwrites flips.
func newCore(vars int, flips []flip) *core {
	c := &core{}
	if len(flips) > 0 {
		indices := make([]uint32, vars) // core variable plus 1, or 0
		for i, e := range flips {
			flips[i].from = c.index(indices, e.from)
			flips[i].to = c.index(indices, e.to>>1)<<1 | e.to&1
		}
	}
	n := len(c.original)
	c.verdicts, c.entered, c.found = make([]verdict, n), make([]bool, n), make([]uint32, n)
	b := newRowBuilder(n, len(flips))
	for _, e := range flips {
		b.count(e.from)
	}
	b.open()
	for _, e := range flips {
		b.put(e.from, e.to)
		if e.to&1 == 0 {
			c.entered[e.to>>1] = true
		}
	}
	c.g = b.graph()
	return c
}

// index returns the core variable of v. It adds a new one on the first call for v.
func (c *core) index(indices []uint32, v uint32) uint32 {
	if indices[v] == 0 {
		c.original = append(c.original, v)
		indices[v] = uint32(len(c.original))
	}
	return indices[v] - 1
}

const (
	// searchSteps bounds the steps of a search from one variable, far beyond
	// the needs of random instances except at the threshold.
	searchSteps = 200
	// searchFactor bounds the steps of all such searches, as a multiple of the
	// size of the graph, for instances in which most searches reach searchSteps.
	searchFactor = 8
)

// decide computes all verdicts. It reports false if ctx ended before.
func (c *core) decide(ctx context.Context) bool {
	c.effort = searchFactor * (c.g.Len() + c.g.Size())
	for _, entered := range []bool{false, true} {
		for v := range uint32(c.g.Len()) {
			switch {
			case c.entered[v] != entered || c.verdicts[v] != undecided:
				continue
			case c.effort < 0:
				return c.decideResidue(ctx)
			case v%1024 == 0 && ended(ctx):
				return false
			}
			c.search(v)
		}
	}
	return c.decideResidue(ctx)
}

// search decides whether v can flip, within searchSteps. If v is flippable, so
// are all variables that it reaches.
func (c *core) search(v uint32) {
	c.searches++
	c.found[v] = v + 1
	c.queue, c.ends = append(c.queue[:0], v), c.ends[:0]
	steps := 0
	for i := 0; i < len(c.queue); i++ {
		row := c.g.Row(c.queue[i])
		if steps += 1 + len(row); steps > searchSteps {
			c.effort -= steps
			return
		}
		for _, h := range row {
			w := h >> 1
			switch {
			case h&1 != 0:
				c.ends = append(c.ends, w)
			case c.verdicts[w] == unflippable:
				c.verdicts[v] = unflippable
				return
			case c.found[w] != v+1:
				c.found[w] = v + 1
				c.queue = append(c.queue, w)
			}
		}
	}
	c.effort -= steps
	for _, w := range c.ends {
		if c.found[w] == v+1 {
			c.verdicts[v] = unflippable
			return
		}
	}
	for _, w := range c.queue {
		c.verdicts[w] = flippable
	}
}

// decideResidue decides the variables that single searches left undecided.
func (c *core) decideResidue(ctx context.Context) bool {
	r := c.residue()
	if r == nil {
		return true
	}
	done := r.decide(ctx)
	c.blocks = r.blocks
	for i, v := range r.vars {
		if d := r.verdicts[r.cond.Of(uint32(i))]; c.verdicts[v] == undecided && d != undecided {
			c.verdicts[v] = d
		}
	}
	return done
}

// A residue is the graph of the components that undecided variables reach.
type residue struct {
	vars      []uint32 // of the core
	cond      *Condensation
	dag       *Graph
	conflicts []Edge    // between components
	verdicts  []verdict // of components
	words     int       // of bits for each component
	bits      []uint64
	blocks    int
}

// residue returns the residue, or nil if no variable is undecided. It includes
// unflippable variables without the edges that leave them.
func (c *core) residue() *residue {
	r := new(residue)
	index := c.found // vertex of a variable plus 1, or 0
	clear(index)
	add := func(v uint32) {
		if index[v] == 0 {
			r.vars = append(r.vars, v)
			index[v] = uint32(len(r.vars))
		}
	}
	for v, d := range c.verdicts {
		if d == undecided {
			add(uint32(v))
		}
	}
	if len(r.vars) == 0 {
		return nil
	}
	start, heads := []uint32{0}, []uint32{}
	for i := 0; i < len(r.vars); i++ {
		v := r.vars[i]
		for _, h := range c.g.Row(v) {
			if h&1 == 0 && c.verdicts[v] != unflippable {
				add(h >> 1)
				heads = append(heads, index[h>>1]-1)
			}
		}
		start = append(start, uint32(len(heads)))
	}
	r.cond = Condense(&Graph{start, heads})
	r.dag = r.cond.DAG()
	r.verdicts = make([]verdict, r.cond.Len())
	r.importVerdicts(c, index)
	return r
}

// importVerdicts copies verdicts and conflicts from the core.
func (r *residue) importVerdicts(c *core, index []uint32) {
	for i, v := range r.vars {
		x := r.cond.Of(uint32(i))
		if d := c.verdicts[v]; d != undecided {
			r.verdicts[x] = d
		}
		for _, h := range c.g.Row(v) {
			if h&1 == 0 || index[h>>1] == 0 {
				continue
			}
			if y := r.cond.Of(index[h>>1] - 1); y == x {
				r.verdicts[x] = unflippable
			} else {
				r.conflicts = append(r.conflicts, Edge{x, y})
			}
		}
	}
}

const (
	// blockWords is the number of words of bits a component: a cache line.
	blockWords = 8
	// residueWords bounds the words of all components together.
	residueWords = 1 << 24
)

// decide searches in blocks until no component is undecided. It reports false if
// ctx ended before.
func (r *residue) decide(ctx context.Context) bool {
	n := r.cond.Len()
	r.words = max(1, min(blockWords, residueWords/n))
	random := rand.New(rand.NewPCG(2, uint64(n)))
	var open []uint32
	for x := range uint32(n) {
		open = append(open, x)
	}
	for {
		r.propagate()
		kept := open[:0]
		for _, x := range open {
			if r.verdicts[x] == undecided {
				kept = append(kept, x)
			}
		}
		switch open = kept; {
		case len(open) == 0:
			return true
		case ended(ctx):
			return false
		}
		drawn := min(len(open), 64*r.words)
		for i := range drawn {
			j := i + random.IntN(len(open)-i)
			open[i], open[j] = open[j], open[i]
		}
		r.decideBlock(open[:drawn])
	}
}

// propagate decides what follows from verdicts: a component with an edge to an
// unflippable one is unflippable, and a component entered from a flippable one is
// flippable.
func (r *residue) propagate() {
	for x := range uint32(len(r.verdicts)) {
		for _, y := range r.dag.Row(x) {
			if r.verdicts[y] == unflippable {
				r.verdicts[x] = unflippable
				break
			}
		}
	}
	for x := uint32(len(r.verdicts)); x > 0; x-- {
		if r.verdicts[x-1] == flippable {
			for _, y := range r.dag.Row(x - 1) {
				r.verdicts[y] = flippable
			}
		}
	}
}

// decideBlock decides the drawn components.
func (r *residue) decideBlock(drawn []uint32) {
	r.blocks++
	if r.bits == nil {
		r.bits = make([]uint64, r.cond.Len()*r.words)
	} else {
		clear(r.bits)
	}
	highest := uint32(0)
	for i, x := range drawn {
		r.row(x)[i/64] |= 1 << (i % 64)
		highest = max(highest, x)
	}
	for x := highest + 1; x > 0; x-- {
		row := r.row(x - 1)
		if zero(row) {
			continue
		}
		for _, y := range r.dag.Row(x - 1) {
			union(r.row(y), row)
		}
	}
	met := make([]uint64, r.words)
	for _, e := range r.conflicts {
		other := r.row(e.To)
		for i, word := range r.row(e.From) {
			met[i] |= word & other[i]
		}
	}
	for i, x := range drawn {
		r.verdicts[x] = flippable
		if met[i/64]>>(i%64)&1 != 0 {
			r.verdicts[x] = unflippable
		}
	}
}

// row returns the bits of a component.
func (r *residue) row(x uint32) []uint64 {
	at := int(x) * r.words
	return r.bits[at : at+r.words : at+r.words]
}

// zero reports whether all bits are 0.
func zero(row []uint64) bool {
	any := uint64(0)
	for _, word := range row {
		any |= word
	}
	return any == 0
}
