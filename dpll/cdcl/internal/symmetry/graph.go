package symmetry

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A graph is the irredundant clauses of the formula with an index. Its vertices are the
// literals and the clauses of three and more literals. A binary clause is an edge between
// its two literals. A longer clause is adjacent to its literals, and a literal to its
// complement. An automorphism that maps literals to literals is a permutation of the
// literals that preserves the set of clauses, and the other way round.
type graph struct {
	host     inprocess.Host
	literals uint32   // number of literals; clause c is the vertex literals - binaries + c
	binaries uint32   // number of binary clauses; they are the first ones
	lits     []uint32 // literals of all clauses
	starts   []uint32 // by clause, and one more: index of its first literal
	refs     []uint32 // by clause: its reference in the host
	ids      []int64  // by clause: its proof id, or nil without a proof
	occStart []uint32 // by literal, and one more
	occs     []uint32 // clauses by literal, in ascending order
	table    []uint32 // hash table: clause plus 1, or 0
}

// newGraph returns the graph of the formula of the host, or nil if it has more than most
// literals in its clauses or the call was stopped. Fixed literals must be removed.
func newGraph(h inprocess.Host, most int) *graph {
	g := &graph{host: h, literals: uint32(2 * h.Vars())}
	z := h.Size()
	if z.Words+2*z.Binary > 2*most { // redundant clauses and headers are counted too
		return nil
	}
	g.starts = inprocess.Table[uint32](h, z.Irredundant+1)[:0]
	g.refs = inprocess.Table[uint32](h, z.Irredundant)[:0]
	g.lits = inprocess.GrowingTable[uint32](h)
	if !g.addBinaries(h, most) || !g.addLong(h, most) {
		return nil
	}
	g.starts = append(g.starts, uint32(len(g.lits)))
	g.index()
	return g
}

// addBinaries adds the irredundant binary clauses.
func (g *graph) addBinaries(h inprocess.Host, most int) bool {
	b := h.Implications(true)
	if b == nil {
		return false
	}
	for l := dimacs.Lit(0); uint32(l) < g.literals; l++ {
		for i := b.Start[l]; i < b.Start[l+1]; i++ {
			// The edge from l to k is the clause of the complement of l, and k.
			if k := b.Heads[i]; b.Refs[i]&2 == 0 && uint32(l^1) < k {
				g.add(h, b.Refs[i], uint32(l^1), k)
			}
		}
		if len(g.lits) > most {
			return false
		}
	}
	g.binaries = uint32(len(g.refs))
	return true
}

// addLong adds the longer clauses.
func (g *graph) addLong(h inprocess.Host, most int) bool {
	visited, ok := h.EachClause(func(r uint32, lits []uint32) bool {
		g.add(h, r, lits...)
		return len(g.lits) <= most
	})
	*h.Ticks() += int64(visited + len(g.lits))
	return ok && len(g.lits) <= most
}

func (g *graph) add(h inprocess.Host, ref uint32, lits ...uint32) {
	g.starts = append(g.starts, uint32(len(g.lits)))
	g.lits = append(g.lits, lits...)
	g.refs = append(g.refs, ref)
	if h.Proof() != nil {
		g.ids = append(g.ids, h.ClauseID(ref))
	}
}

// index fills the lists of the clauses of each literal.
func (g *graph) index() {
	g.occStart = inprocess.Table[uint32](g.host, int(g.literals)+1)
	for _, l := range g.lits {
		g.occStart[l+1]++
	}
	for l := range g.literals {
		g.occStart[l+1] += g.occStart[l]
	}
	g.occs = inprocess.Table[uint32](g.host, len(g.lits))
	next := slices.Clone(g.occStart)
	for c := range uint32(len(g.refs)) {
		for _, l := range g.clause(c) {
			g.occs[next[l]] = c
			next[l]++
		}
	}
}

// clause returns the literals of clause c.
func (g *graph) clause(c uint32) []uint32 { return g.lits[g.starts[c]:g.starts[c+1]] }

// occurrences returns the clauses of l.
func (g *graph) occurrences(l uint32) []uint32 { return g.occs[g.occStart[l]:g.occStart[l+1]] }

// degree returns the number of clauses with the variable of l.
func (g *graph) degree(l uint32) int { return len(g.occurrences(l)) + len(g.occurrences(l^1)) }

// vertices returns the number of vertices.
func (g *graph) vertices() int { return int(g.literals) + len(g.refs) - int(g.binaries) }

// vertex returns the vertex of a clause of three and more literals, and clauseOf the
// clause of a vertex.
func (g *graph) vertex(c uint32) uint32   { return g.literals + c - g.binaries }
func (g *graph) clauseOf(v uint32) uint32 { return v - g.literals + g.binaries }

// hash returns a hash of a set of literals that does not depend on their order.
func hash(lits []uint32) uint32 {
	sum := uint64(0)
	for _, l := range lits {
		x := (uint64(l) + 1) * 0x9E3779B97F4A7C15
		sum += (x ^ x>>29) * 0xBF58476D1CE4E5B9
	}
	return uint32(sum >> 32)
}

// fillTable makes the hash table of the clauses. It is at most half full.
func (g *graph) fillTable() {
	size := 2
	for size < 2*len(g.refs) {
		size *= 2
	}
	g.table = inprocess.Table[uint32](g.host, size)
	mask := uint32(size - 1)
	for c := range uint32(len(g.refs)) {
		i := hash(g.clause(c)) & mask
		for g.table[i] != 0 {
			i = (i + 1) & mask
		}
		g.table[i] = c + 1
	}
}

// find returns the clause with the literals in lits. No literal may be there twice.
func (g *graph) find(lits []uint32) (c uint32, ok bool) {
	mask := uint32(len(g.table) - 1)
	for i := hash(lits) & mask; g.table[i] != 0; i = (i + 1) & mask {
		if c := g.table[i] - 1; sameSet(g.clause(c), lits) {
			return c, true
		}
	}
	return 0, false
}

// sameSet reports whether a and b, each without duplicates, have the same elements.
func sameSet(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for _, l := range a {
		if !slices.Contains(b, l) {
			return false
		}
	}
	return true
}
