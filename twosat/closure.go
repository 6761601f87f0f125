package twosat

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Bit-parallel transitive closure, as in David Eppstein's PADS: in a directed
// acyclic graph (DAG), a vertex reaches itself and the vertices that its successors
// reach. Each vertex has a row with a bit for each vertex that it may reach. The
// rows are filled in reverse topological order, each by one "or" operation on
// rows for each of its edges. Then one bit decides whether one vertex reaches
// another. In a graph with cycles, the strongly connected components take the
// place of vertices.
//
// Edges between components lead to lower numbers, so that the row of component x
// has only x+1 bits: the table is a triangle of x^2/16 bytes for x components.
// That is 6 MB for 10,000 components, 625 MB for 100,000 and 62 GB for a million.
// If the table exceeds a limit, the closure computes only some columns at a time:
// those of the queried targets, as many as fit into the limit, and at least 64.
// Each block of columns takes one pass over the graph.
//
// The inner loop computes the "or" of two rows. With eight words an iteration and
// one bounds check, memory bandwidth is its limit if the rows exceed the cache. A
// block of columns starts at its lowest target, since the components below reach
// no target of the block.

// A Closure is the transitive closure of a graph: it decides which vertices reach
// which others. Every vertex reaches itself. A Closure is immutable, and many
// goroutines may use it.
type Closure struct {
	cond     *Condensation
	dag      *Graph // rows in descending order; nil if the table was filled without it
	table    []uint64
	complete bool
	words    int // in a row of a block of columns
}

// NewClosure returns the transitive closure of g by bit-parallel DAG reachability.
// If the table of all answers fits into limit bytes, NewClosure computes it at
// once: for x components and e edges between them this takes x^2/16 bytes and at
// most e*x/64 operations. Otherwise queries compute their answers, and limit
// bounds the memory of a query, apart from 8 bytes a component and the answers.
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

// maxBlock is the maximum width of a block of columns, in words: wider rows than
// these eight cache lines gain nothing.
const maxBlock = 64

// triangle returns the size of the first n rows of a table in words. The rows of
// 64 components each have the same length.
func triangle(n int) int64 {
	full, rest := int64(n)/64, int64(n)%64
	return 32*full*(full+1) + rest*(full+1)
}

// row returns the row of component x.
func (c *Closure) row(x uint32) []uint64 {
	return c.table[triangle(int(x)):triangle(int(x)+1)]
}

// fill computes the table.
func (c *Closure) fill() {
	for x := range uint32(c.cond.Len()) {
		row := c.row(x)
		row[x/64] = 1 << (x % 64)
		for _, y := range c.dag.Row(x) {
			if row[y/64]>>(y%64)&1 == 0 { // otherwise an earlier successor reaches y
				union(row, c.row(y))
			}
		}
	}
}

// fewComponents is the number of components up to which rows are so short that
// sorting edges does not pay: for 1000 components with four edges each, sorting
// takes twice as long as everything else.
const fewComponents = 2000

// fillFew computes the table without the graph of components.
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

// HasTable reports whether the closure has the table of all answers.
func (c *Closure) HasTable() bool { return c.complete }

// Condensation returns the components of the graph.
func (c *Closure) Condensation() *Condensation { return c.cond }

// Reaches reports whether u reaches v along edges. It takes constant time if
// [Closure.HasTable], and otherwise time linear in the graph; then
// [Closure.Query] is faster for many pairs.
func (c *Closure) Reaches(u, v uint32) bool {
	if c.complete {
		return c.has(c.cond.Of(u), c.cond.Of(v))
	}
	return c.Query([]Edge{{u, v}})[0]
}

// Count returns the number of components that v reaches, its own included. It
// takes time linear in the components, divided by 64. It panics unless
// [Closure.HasTable].
func (c *Closure) Count(v uint32) int {
	if !c.complete {
		panic("twosat: Count of a closure without a table")
	}
	n := 0
	for _, word := range c.row(c.cond.Of(v)) {
		n += bits.OnesCount64(word)
	}
	return n
}

// has reports whether component x reaches y, from the table.
func (c *Closure) has(x, y uint32) bool {
	return y <= x && c.row(x)[y/64]>>(y%64)&1 != 0
}

// Query reports for each pair whether its first vertex reaches the second. If
// [Closure.HasTable], it takes constant time a pair. Otherwise, with a limit of k
// words a component, it takes time linear in the graph, times k, for every 64*k
// different targets: two operations on words for each edge and 64 targets. Pairs
// in one component, and pairs against the order of components, always take
// constant time.
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
	slices.SortFunc(open, func(a, b query) int { return cmp.Compare(a.to, b.to) })
	for len(open) > 0 {
		open = open[c.batch(open, answers):]
	}
	return answers
}

// A query is a pair of components and the index of its answer.
type query struct {
	from, to uint32
	answer   int
}

// batch answers the first queries, which are sorted by targets: those with as many
// targets as a block has columns. It returns their number.
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

// A block is a set of columns of the table: for the components from the lowest
// target to the highest source, it has the targets that they reach.
type block struct {
	low   uint32
	words int // in a row
	bits  []uint64
}

// newBlock computes the columns of the targets, in ascending order, for rows up
// to highest.
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

// row returns the bits of component x.
func (b *block) row(x uint32) []uint64 {
	at := int(x-b.low) * b.words
	return b.bits[at : at+b.words : at+b.words]
}

// has reports whether component x reaches the target of a column.
func (b *block) has(x uint32, column int) bool {
	return b.row(x)[column/64]>>(column%64)&1 != 0
}

// blocks iterates over blocks of all columns in order, with the first target of
// each. A block has 64 targets for each word of a row.
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

// Pairs iterates over the transitive closure of the graph of components: all pairs
// of different components such that the first reaches the second. The order is by
// source if [Closure.HasTable], and otherwise unspecified. The time is that of
// computing all columns, and linear in the pairs.
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

// tablePairs is Pairs with a table.
func (c *Closure) tablePairs(yield func(Edge) bool) {
	for x := range uint32(c.cond.Len()) {
		if !eachBit(c.row(x), func(y uint32) bool { return y == x || yield(Edge{x, y}) }) {
			return
		}
	}
}

// eachBit calls f with the index of each bit that is set until f returns false.
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
// smallest set of edges between components with the same reachability. The time is
// that of computing all columns.
func (c *Closure) Reduction() *Graph {
	// The rows of the DAG are in descending order, nearer components first: an
	// edge is redundant if and only if an earlier edge of the row leads to a
	// component that reaches its head.
	n, dag := uint32(c.cond.Len()), c.dag
	if dag == nil {
		dag = c.cond.DAG()
	}
	needed := make([]bool, dag.Size())
	reduceRow := func(x uint32, acc []uint64, first, last uint32, row func(uint32) []uint64) {
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
			reduceRow(x, acc[:x/64+1], 0, n, c.row)
		}
	} else {
		acc := make([]uint64, c.words)
		for first, b := range c.blocks() {
			for x := first; x < n; x++ {
				reduceRow(x, acc, first, first+uint32(64*c.words)-1, b.row)
			}
		}
	}
	return dag.keep(needed)
}

// keep returns the graph with only the needed edges.
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

// Forced returns the literals that their complements reach. In the implication
// graph of a satisfiable formula, they are the literals that are true in every
// solution. They are in the order of their variables. Forced panics if the graph
// has an odd number of vertices. [Solver.Forced] is much faster on large graphs,
// for which the closure has no table.
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
