package symmetry

import (
	"cmp"
	"slices"

	"sator/dpll/cdcl/internal/inprocess"
)

// Refinement splits the cells of a partition until it is equitable: two vertices of a
// cell have equally many neighbors in each cell. Automorphisms preserve the coarsest
// equitable partition. A splitter cell is taken from a queue, the neighbors of its members
// are counted, and cells are split by these counts. When a cell that is not in the queue
// is split, its largest part need not become a splitter (Hopcroft's algorithm; Paige and
// Tarjan, "Three partition refinement algorithms", SIAM J. Comput. 1987).
//
// The order of splits depends on places and counts alone. So refinements of two partitions
// that correspond under an automorphism make the same splits. The trace of the first
// refinement records them, and the second one is compared with the trace.

// A refiner refines partitions of the vertices of a graph.
type refiner struct {
	g      *graph
	ticks  *int64
	limit  int64    // of ticks: refinement ends early
	queue  []uint32 // splitter cells
	queued []bool   // by cell: it is in the queue

	counts  []uint32 // by vertex: neighbors in the splitter
	hits    []uint32 // by cell: members with neighbors in the splitter, at its end
	touched []uint32 // cells with hits
	members []uint32 // of the splitter
	singles uint64   // combined counts of vertices in cells of one element

	trace     []uint64 // of the left partition
	compared  int      // entries that the right partition has matched
	tracing   bool     // off for the equitable partition
	comparing bool     // the right partition is refined
}

func newRefiner(g *graph, ticks *int64, limit int64) *refiner {
	n := g.vertices()
	return &refiner{
		g: g, ticks: ticks, limit: limit,
		queued: inprocess.Table[bool](g.host, n), counts: inprocess.Table[uint32](g.host, n), hits: inprocess.Table[uint32](g.host, n),
	}
}

// push appends a cell to the queue.
func (r *refiner) push(c uint32) {
	if !r.queued[c] {
		r.queued[c] = true
		r.queue = append(r.queue, c)
	}
}

// refine refines p with the splitters in the queue. It returns false if the trace
// differs from that of the left partition, or the limit is reached.
func (r *refiner) refine(p *partition) bool {
	same := true
	for i := 0; i < len(r.queue); i++ {
		c := r.queue[i]
		r.queued[c] = false
		if same = same && *r.ticks < r.limit; same {
			same = r.splitBy(p, c)
		}
	}
	r.queue = r.queue[:0]
	return same && (!r.comparing || r.compared == len(r.trace))
}

// splitBy splits all cells by the number of neighbors in cell c.
func (r *refiner) splitBy(p *partition, c uint32) bool {
	r.members = append(r.members[:0], p.members(c)...)
	if c >= r.g.literals {
		for _, v := range r.members {
			lits := r.g.clause(r.g.clauseOf(v))
			*r.ticks += 1 + int64(len(lits))
			for _, l := range lits {
				r.touch(p, l)
			}
		}
		return r.split(p)
	}
	for _, l := range r.members {
		*r.ticks += 1 + int64(len(r.g.occurrences(l)))
		r.touch(p, l^1)
	}
	if !r.split(p) {
		return false
	}
	for _, l := range r.members {
		for _, c := range r.g.occurrences(l) {
			if c >= r.g.binaries {
				break
			}
			r.touch(p, r.g.lits[2*c]^r.g.lits[2*c+1]^l)
		}
	}
	if !r.split(p) {
		return false
	}
	for _, l := range r.members {
		for _, c := range slices.Backward(r.g.occurrences(l)) {
			if c < r.g.binaries {
				break
			}
			r.touch(p, r.g.vertex(c))
		}
	}
	return r.split(p)
}

// touch counts a neighbor of v.
func (r *refiner) touch(p *partition, v uint32) {
	c := p.cell[v]
	if p.size[c] == 1 {
		r.singles += (uint64(c) + 1) * 0x9E3779B97F4A7C15
		return
	}
	if r.counts[v]++; r.counts[v] > 1 {
		return
	}
	if r.hits[c]++; r.hits[c] == 1 {
		r.touched = append(r.touched, c)
	}
	p.move(v, c+p.size[c]-r.hits[c])
}

// split splits the touched cells by the counts, and clears them.
func (r *refiner) split(p *partition) bool {
	same := r.record(r.singles)
	r.singles = 0
	slices.Sort(r.touched)
	for _, c := range r.touched {
		end := c + p.size[c]
		hit := p.elems[end-r.hits[c] : end]
		same = r.splitCell(p, c, hit) && same
		r.hits[c] = 0
		for _, v := range hit {
			r.counts[v] = 0
		}
	}
	r.touched = r.touched[:0]
	return same
}

// splitCell splits cell c, whose members with neighbors in the splitter are hit, at its end.
func (r *refiner) splitCell(p *partition, c uint32, hit []uint32) bool {
	if slices.ContainsFunc(hit, func(v uint32) bool { return r.counts[v] != r.counts[hit[0]] }) {
		slices.SortFunc(hit, func(v, w uint32) int { return cmp.Compare(r.counts[v], r.counts[w]) })
		for i, v := range hit {
			p.place[v] = c + p.size[c] - uint32(len(hit)-i)
		}
	}
	same := r.record(uint64(c)<<32 | uint64(r.counts[hit[0]]))
	first := c + p.size[c] - uint32(len(hit))
	largest, parts := c, 0
	for i, v := range hit {
		if i == 0 && first == c || i > 0 && r.counts[v] == r.counts[hit[i-1]] {
			continue
		}
		at := first + uint32(i)
		p.cut(p.cell[v], at)
		same = r.record(uint64(at)<<32|uint64(r.counts[v])) && same
		parts++
	}
	if parts == 0 {
		return same
	}
	cuts := p.log[len(p.log)-parts:]
	for _, s := range cuts {
		if p.size[s.cell] > p.size[largest] {
			largest = s.cell
		}
	}
	if r.queued[c] {
		largest = noVertex
	}
	if c != largest {
		r.push(c)
	}
	for _, s := range cuts {
		if s.cell != largest {
			r.push(s.cell)
		}
	}
	return same
}

// record appends an entry to the trace, or compares it with the trace.
func (r *refiner) record(x uint64) bool {
	switch {
	case !r.tracing:
		return true
	case !r.comparing:
		r.trace = append(r.trace, x)
		return true
	}
	if r.compared >= len(r.trace) || r.trace[r.compared] != x {
		return false
	}
	r.compared++
	return true
}

// noVertex is not the number of a vertex or a cell.
const noVertex = ^uint32(0)
