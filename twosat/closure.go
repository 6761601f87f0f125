package twosat

import (
	"iter"
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Reachability by operations on words, as David Eppstein does it in PADS: in a
// graph without cycles, what a vertex reaches is itself and what its successors
// reach. With a row of bits for each vertex, one bit for each vertex that it may
// reach, the rows are filled in reverse topological order, each by as many "or"
// operations on rows as it has edges; and then whether one vertex reaches
// another is one bit. Cycles are no matter: the vertices are the strongly
// connected components.
//
// The components are numbered such that edges lead to lower numbers, so that
// the row of component x has only x+1 bits: the table is a triangle, and takes
// x^2/16 bytes for x components. That is 6 MB for 10,000 of them, 625 MB for
// 100,000, and 62 GB for a million. Where it exceeds a limit, no table is kept,
// and only some of its columns exist at a time: those of the targets that are
// asked for, as many as the limit has room for, and at least 64. Filling them
// takes one walk over the graph for each block of columns.
//
// The inner loop ors one row into another. Eight words a round, with the bounds
// checked once, it runs as fast as memory gives and takes words where these do
// not fit the cache. Filling a block of columns from the lowest of them on
// saves what lies below, which reaches none of them.

// A Closure answers which vertices of a graph reach which others. Every vertex
// reaches itself. A Closure does not change once it is made, and may be used by
// many goroutines.
type Closure struct {
	cond     *Condensation
	dag      *Graph // rows descend; nil if the table was made without it
	table    []uint64
	complete bool
	words    int // in a row of a block of columns
}

// NewClosure prepares answers about g. If the table of all answers fits into
// limit bytes it is made at once: for x components and e edges between them
// this takes x^2/16 bytes and at most e*x/64 operations. Otherwise answers are
// found when they are asked for, and limit bounds the memory that this takes,
// but for 8 bytes a component and what the answers themselves need.
func NewClosure(g *Graph, limit int64) *Closure {
	cond := Condense(g)
	c := &Closure{cond: cond}
	size := triangle(cond.Len())
	c.complete = size <= limit/8
	if c.complete && cond.Len() <= fewComponents {
		c.table = make([]uint64, size)
		c.fillFew()
		return c
	}
	c.dag = cond.DAG()
	if c.complete {
		c.table = make([]uint64, size)
		c.fill()
		return c
	}
	c.words = int(min(max(limit/8/int64(c.cond.Len()), 1), maxBlock))
	return c
}

// maxBlock is the widest block of columns in words: beyond some lines of memory
// for each row, width gains nothing.
const maxBlock = 64

// triangle returns how many words the first n rows of a table take: the rows of
// 64 components are equally long.
func triangle(n int) int64 {
	full, rest := int64(n)/64, int64(n)%64
	return 32*full*(full+1) + rest*(full+1)
}

// row returns the bits of what component x reaches.
func (c *Closure) row(x uint32) []uint64 {
	return c.table[triangle(int(x)):triangle(int(x)+1)]
}

// fill makes the table.
func (c *Closure) fill() {
	for x := range uint32(c.cond.Len()) {
		row := c.row(x)
		row[x/64] = 1 << (x % 64)
		for _, y := range c.dag.Row(x) {
			if row[y/64]>>(y%64)&1 == 0 { // else something nearer reaches y
				union(row, c.row(y))
			}
		}
	}
}

// fewComponents is the number of components up to which rows are so short that
// it does not pay to sort edges: for 1000 components with four edges each, that
// takes twice as long as all the rest.
const fewComponents = 2000

// fillFew makes the table without the graph of components.
func (c *Closure) fillFew() {
	g, of := c.cond.graph, c.cond.of
	for x := range uint32(c.cond.Len()) {
		row := c.row(x)
		row[x/64] = 1 << (x % 64)
		for _, v := range c.cond.Members(x) {
			for _, w := range g.Row(v) {
				if y := of[w]; row[y/64]>>(y%64)&1 == 0 {
					union(row, c.row(y))
				}
			}
		}
	}
}

// union adds the bits of src to dst, which is at least as long.
func union(dst, src []uint64) {
	dst = dst[:len(src)]
	for len(src) >= 8 && len(dst) >= 8 {
		d, s := (*[8]uint64)(dst), (*[8]uint64)(src)
		d[0] |= s[0]
		d[1] |= s[1]
		d[2] |= s[2]
		d[3] |= s[3]
		d[4] |= s[4]
		d[5] |= s[5]
		d[6] |= s[6]
		d[7] |= s[7]
		dst, src = dst[8:], src[8:]
	}
	for i, x := range src {
		dst[i] |= x
	}
}

// HasTable reports whether the table of all answers is there.
func (c *Closure) HasTable() bool { return c.complete }

// Condensation returns the components of the graph.
func (c *Closure) Condensation() *Condensation { return c.cond }

// Reaches reports whether v can be reached from u along edges. It takes constant
// time if [Closure.HasTable], and otherwise time linear in the graph: then ask
// [Closure.Query] for many answers at once.
func (c *Closure) Reaches(u, v uint32) bool {
	if c.complete {
		return c.has(c.cond.Of(u), c.cond.Of(v))
	}
	return c.Query([]Edge{{u, v}})[0]
}

// Count returns how many components can be reached from v, its own included. It
// takes time linear in them, divided by 64, and panics unless [Closure.HasTable].
func (c *Closure) Count(v uint32) int {
	if !c.complete {
		panic("twosat: no table to count in")
	}
	n := 0
	for _, word := range c.row(c.cond.Of(v)) {
		n += bits.OnesCount64(word)
	}
	return n
}

// has looks an answer up.
func (c *Closure) has(x, y uint32) bool {
	return y <= x && c.row(x)[y/64]>>(y%64)&1 != 0
}

// Query reports for each pair whether the second vertex can be reached from the
// first. It takes constant time for each if [Closure.HasTable]. Otherwise, if the
// limit has room for k words a component, it takes time linear in the graph,
// times k, for every 64*k different targets: two operations on words for each
// edge and 64 targets. Pairs in the same component, and those that the order of
// components excludes, take constant time always.
func (c *Closure) Query(pairs []Edge) []bool {
	answers := make([]bool, len(pairs))
	var open []query
	for i, p := range pairs {
		x, y := c.cond.Of(p.From), c.cond.Of(p.To)
		switch {
		case x == y:
			answers[i] = true
		case c.complete:
			answers[i] = c.has(x, y)
		case y < x:
			open = append(open, query{x, y, i})
		}
	}
	slices.SortFunc(open, func(a, b query) int { return int(int64(a.to) - int64(b.to)) })
	for len(open) > 0 {
		open = open[c.batch(open, answers):]
	}
	return answers
}

// A query is which answer is wanted of which pair of components.
type query struct {
	from, to uint32
	answer   int
}

// batch answers the first questions, sorted by targets: those about as many
// targets as a block has columns. It returns how many these are.
func (c *Closure) batch(open []query, answers []bool) int {
	targets, n, highest := []uint32{}, 0, uint32(0)
	for ; n < len(open); n++ {
		if last := len(targets) - 1; last < 0 || targets[last] != open[n].to {
			if len(targets) == 64*c.words {
				break
			}
			targets = append(targets, open[n].to)
		}
		highest = max(highest, open[n].from)
	}
	b := newBlock(c.dag, targets, highest, min(c.words, (len(targets)+63)/64))
	column := 0
	for _, q := range open[:n] {
		for targets[column] != q.to {
			column++
		}
		answers[q.answer] = b.has(q.from, column)
	}
	return n
}

// A block has some columns of the table: for the components from the lowest
// target up to the highest of interest, which of the targets they reach.
type block struct {
	low   uint32
	words int // in a row
	bits  []uint64
}

// newBlock fills the columns of the targets, which ascend, for rows up to the
// highest.
func newBlock(dag *Graph, targets []uint32, highest uint32, words int) *block {
	b := &block{low: targets[0], words: words}
	b.bits = make([]uint64, int(highest-b.low+1)*words)
	for i, y := range targets {
		if y <= highest {
			b.row(y)[i/64] |= 1 << (i % 64)
		}
	}
	for x := b.low; x <= highest; x++ {
		row := b.row(x)
		for _, y := range dag.Row(x) {
			if y < b.low {
				break
			}
			union(row, b.row(y))
		}
	}
	return b
}

func (b *block) row(x uint32) []uint64 {
	at := int(x-b.low) * b.words
	return b.bits[at : at+b.words : at+b.words]
}

func (b *block) has(x uint32, column int) bool {
	return b.row(x)[column/64]>>(column%64)&1 != 0
}

// blocks iterates over the blocks of all columns, in order, with the first
// target of each; there are 64 targets for each word of a row.
func (c *Closure) blocks() iter.Seq2[uint32, *block] {
	return func(yield func(uint32, *block) bool) {
		n := uint32(c.cond.Len())
		for first := uint32(0); first < n; first += 64 * uint32(c.words) {
			var targets []uint32
			for y := first; y < n && len(targets) < 64*c.words; y++ {
				targets = append(targets, y)
			}
			if !yield(first, newBlock(c.dag, targets, n-1, c.words)) {
				return
			}
		}
	}
}

// Pairs iterates over the transitive closure of the graph of components: the
// pairs of different components of which the first reaches the second. Those
// with the same target are not together. The time is that of making all
// columns, and linear in the pairs.
func (c *Closure) Pairs() iter.Seq[Edge] {
	if c.complete {
		return c.tablePairs
	}
	return func(yield func(Edge) bool) {
		for first, b := range c.blocks() {
			for x := b.low; x < uint32(c.cond.Len()); x++ {
				if !eachBit(b.row(x), func(i uint32) bool {
					return first+i == x || yield(Edge{x, first + i})
				}) {
					return
				}
			}
		}
	}
}

func (c *Closure) tablePairs(yield func(Edge) bool) {
	for x := range uint32(c.cond.Len()) {
		if !eachBit(c.row(x), func(y uint32) bool { return y == x || yield(Edge{x, y}) }) {
			return
		}
	}
}

// ones calls f with the number of each bit that is set until it says false.
func eachBit(row []uint64, f func(uint32) bool) bool {
	for i, word := range row {
		for ; word != 0; word &= word - 1 {
			if !f(uint32(64*i + bits.TrailingZeros64(word))) {
				return false
			}
		}
	}
	return true
}

// Reduction returns the transitive reduction of the graph of components: the
// least set of edges between components that leaves all reachability as it is.
// The time is that of making all columns.
func (c *Closure) Reduction() *Graph {
	// The rows of the DAG descend: what is nearer comes first, so that an edge
	// is superfluous exactly if one before it leads to something that reaches
	// its head.
	n, dag := uint32(c.cond.Len()), c.dag
	if dag == nil {
		dag = c.cond.DAG()
	}
	needed := make([]bool, dag.Size())
	judge := func(x uint32, acc []uint64, first, last uint32, row func(uint32) []uint64) {
		clear(acc)
		for i := dag.start[x]; i < dag.start[x+1]; i++ {
			y := dag.heads[i]
			if y < first {
				break
			}
			if column := y - first; y <= last {
				if acc[column/64]>>(column%64)&1 != 0 {
					continue
				}
				needed[i] = true
			}
			union(acc, row(y))
		}
	}
	if c.complete {
		acc := make([]uint64, (n+63)/64)
		for x := range n {
			judge(x, acc[:x/64+1], 0, n, c.row)
		}
	} else {
		acc := make([]uint64, c.words)
		for first, b := range c.blocks() {
			for x := first; x < n; x++ {
				judge(x, acc, first, first+uint32(64*c.words)-1, b.row)
			}
		}
	}
	return dag.keep(needed)
}

// keep returns the graph of those edges that are marked.
func (g *Graph) keep(needed []bool) *Graph {
	start, heads := make([]uint32, len(g.start)), []uint32{}
	for v := range g.Len() {
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if needed[i] {
				heads = append(heads, g.heads[i])
			}
		}
		start[v+1] = uint32(len(heads))
	}
	return &Graph{start, heads}
}

// Forced returns the literals that are true in every solution, by variable, for
// the implication graph of an instance that has one: those that their
// complements reach. It panics if the graph has an odd number of vertices.
// Where no table fits, [Solver.Forced] is much faster.
func (c *Closure) Forced() []dimacs.Lit {
	n := len(c.cond.of)
	if n%2 != 0 {
		panic("twosat: the vertices of the graph are not literals")
	}
	pairs := make([]Edge, n)
	for l := range uint32(n) {
		pairs[l] = Edge{l ^ 1, l}
	}
	var forced []dimacs.Lit
	for l, reaches := range c.Query(pairs) {
		if reaches {
			forced = append(forced, dimacs.Lit(l))
		}
	}
	return forced
}
