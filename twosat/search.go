package twosat

import (
	"context"
	"math/rand/v2"
)

// What is searched is a core of flips: which of its variables lead to both ends
// of a conflict? A search from a variable that does not clears all that it
// finds; one that does is unflippable, and so is every variable that leads to it. So
// each search tells something about others.
//
// First every variable to which no edge leads is tried, then what these did not
// clear. Searches are small and give up after a index of steps: this decides
// nearly all variables of a random instance.
//
// What is left, with all that it leads to, is condensed: all members of a
// component are unflippable or none is, and one with both ends of a conflict is. The
// components are searched from many at the same time, a bit for each: bits flow
// along the edges in topological order, and where both ends of a conflict have
// the same bit, its component is unflippable. Then all is decided that leads to one
// that is unflippable, or is led to by one that is not, and the next block begins. The
// components of a block are drawn at random from those that are undecided: of a
// chain a draw decides half of what is left, on average.

// A verdict says whether a variable can flip.
type verdict uint8

const (
	undecided   verdict = iota
	flippable           // it can
	unflippable         // it can not
)

// A core has the flips that are searched. The row of a variable has those that
// flip with it, times two, and those with which it has a conflict, times two and
// one more; a conflict is in the row of one of the two.
type core struct {
	g        *Graph
	original []uint32 // of its variables, outside
	verdicts []verdict
	entered  []bool // an edge leads to the variable

	// A search from one variable.
	found    []uint32 // the variable from which this one was last found, plus 1
	queue    []uint32
	ends     []uint32 // of conflicts whose other end was found
	effort   int      // entries of rows that may yet be looked at
	searches int
	blocks   int
}

// newCore renames the variables of the flips in the order in which they occur,
// and makes the graph.
func newCore(vars int, flips []flip) *core {
	c := &core{}
	if len(flips) > 0 {
		indices := make([]uint32, vars) // of a variable in the core, plus 1
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

// index returns the index of a variable, which is new or not.
func (c *core) index(indices []uint32, v uint32) uint32 {
	if indices[v] == 0 {
		c.original = append(c.original, v)
		indices[v] = uint32(len(c.original))
	}
	return indices[v] - 1
}

const (
	// searchSteps is when a search from one variable gives up: far beyond what
	// random instances take but at the threshold.
	searchSteps = 200
	// searchFactor bounds the steps of all such searches, in times the size of
	// the graph, for instances in which most of them give up.
	searchFactor = 8
)

// decide finds all verdicts, unless ctx ends before.
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

// search decides whether v can flip, if that takes few steps. If it can, so can
// all with which it does.
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

// decideResidue decides what single searches have left open.
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

// A rest is what the undecided variables lead to: its components in topological
// order, and conflicts between them.
type residue struct {
	vars      []uint32
	cond      *Condensation
	dag       *Graph
	conflicts []Edge
	verdicts  []verdict // by component
	words     int       // for each component
	bits      []uint64
	blocks    int
}

// rest returns the graph of what is undecided, or nil if nothing is. Variables
// that are unflippable are in it, but not what they lead to.
func (c *core) residue() *residue {
	r := new(residue)
	index := c.found // of a variable in the rest, plus 1
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

// importVerdicts takes over verdicts and conflicts.
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
	// blockWords is how many words of bits a component has: a line of memory.
	blockWords = 8
	// residueWords bounds the bits of all components, where these are very many.
	residueWords = 1 << 24
)

// decide searches in blocks until no component is undecided, or ctx ends.
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

// spread decides what follows from verdicts: what leads to a unflippable component
// is unflippable, and what a flippable one leads to is flippable.
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

// block decides the components that are drawn.
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

func (r *residue) row(x uint32) []uint64 {
	at := int(x) * r.words
	return r.bits[at : at+r.words : at+r.words]
}

// zero reports whether no bit is set.
func zero(row []uint64) bool {
	any := uint64(0)
	for _, word := range row {
		any |= word
	}
	return any == 0
}
