package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// The binary implication graph. The clause of a and b says that the complement of a
// implies b and that the complement of b implies a. So it is two edges between
// literals, and the graph stays the same when all edges are reversed and all literals
// complemented. Its paths give equivalences (substitute.go) and redundant
// clauses (transitive.go, duplicate.go), without a look at longer clauses.
//
// The watch lists contain the edges, but mixed with watches of longer clauses, eight
// bytes each. A pass that follows edges many times first copies them: the literals
// implied by a literal are adjacent, in the order of its list. Assigned literals have
// no edges. Copying takes linear time and does not count against the budget; otherwise
// passes on large formulas would never begin.
//
// Tried: no look at the values of implied literals where all are unassigned (no gain).
//
// Five passes of a round make such a graph, 16 bytes for each binary clause. On the Go heap
// it was there until the next garbage collection, together with that of the next pass. So a
// large graph is outside the heap (reserve.go) and exists until the end of the pass, or until
// the pass makes another one.

// implications returns the implication graph, with the references of clauses or without, or nil
// if the call is stopped. The graph is valid until the next call or the end of the pass.
func (s *Solver) implications(refs bool) *inprocess.Implications {
	s.passes.releaseGraph()
	g := new(inprocess.Implications)
	g.Start, s.passes.graph[0] = populatedTable[uint32](len(s.trail.vals) + 1)
	g.Heads, s.passes.graph[1] = populatedTable[uint32](2 * s.stats.Binary)
	if refs {
		g.Refs, s.passes.graph[2] = populatedTable[uint32](2 * s.stats.Binary)
	}
	g.Start = append(g.Start, 0)
	for l := range s.trail.vals {
		if s.pausing(l + 1) {
			return nil
		}
		if s.trail.vals[l] == 0 {
			ws := s.clauses.list(dimacs.Lit(l ^ 1))
			s.stats.Ticks += 1 + int64(len(ws)>>3)
			for _, w := range ws {
				if w.binary() && s.trail.vals[w.blocker()] == 0 {
					g.Heads = append(g.Heads, uint32(w.blocker()))
					if refs {
						g.Refs = append(g.Refs, w.ref())
					}
				}
			}
		}
		g.Start = append(g.Start, uint32(len(g.Heads)))
	}
	return g
}

// markEdge marks the clause of edge i of l for deletion: both of its edges lose their
// reference.
func markEdge(g *inprocess.Implications, l dimacs.Lit, i uint32) {
	h, ref := dimacs.Lit(g.Heads[i]), g.Refs[i]
	g.Refs[i] = 0
	j := g.Start[h^1]
	for g.Heads[j] != uint32(l^1) || g.Refs[j] != ref {
		j++
	}
	g.Refs[j] = 0
}

// deleteMarked deletes the marked clauses. Since the graph was made, no literal may have
// been assigned and no binary clause added: it walks the rows of the graph and the
// lists in parallel. It does not end early when the call is stopped, since a clause must
// not stay in one of its two lists, so it polls before and after.
func (s *Solver) deleteMarked(g *inprocess.Implications) {
	s.pausing(0)
	defer s.pausing(0)
	for i := range s.clauses.watches {
		l := dimacs.Lit(i)
		at, end := g.Start[l], g.Start[l+1]
		if !slices.Contains(g.Refs[at:end], 0) {
			continue
		}
		ws := s.clauses.list(l ^ 1)
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		kept := ws[:0]
		for _, w := range ws {
			b := w.blocker()
			if w.binary() && s.trail.vals[b] == 0 {
				at++
				if g.Refs[at-1] == 0 {
					if l^1 < b {
						s.clauses.binaryDeleted(l^1, b, w)
					}
					continue
				}
			}
			kept = append(kept, w)
		}
		s.clauses.watches[l^1].len = uint32(len(kept))
	}
}

// deriveUnit logs the unit clause of l with the antecedents in p.chain.
func (p *proofLog) deriveUnit(l dimacs.Lit) inprocess.Unit {
	if p.log == nil {
		return inprocess.Unit{Lit: l}
	}
	p.scratch = append(p.scratch[:0], l)
	return inprocess.Unit{Lit: l, ID: p.log.Learn(p.scratch, p.hintChain())}
}

// A reached node stores the last search that reached a literal, and the edge and its
// tail.
type reached struct {
	stamp uint32 // of the search
	edge  uint32
	from  dimacs.Lit // tail of the edge
}

// deriveFailed derives a unit from the path by which a search from l reached its
// complement. If the path passes two other complementary literals, propagation of l
// would already conflict there, so the unit is derived from the part between these two.
// The argument mark is an unused stamp.
func (s *Solver) deriveFailed(g *inprocess.Implications, nodes []reached, l dimacs.Lit, mark uint32) inprocess.Unit {
	end := l ^ 1
	for nodes[end^1].stamp != mark {
		nodes[end].stamp = mark
		end = nodes[end].from
	}
	l = end
	s.proof.chain = s.proof.chain[:0]
	for k := l ^ 1; k != l; k = nodes[k].from {
		s.proof.chain = append(s.proof.chain, s.clauses.edgeID(g, nodes[k].edge))
	}
	slices.Reverse(s.proof.chain)
	return s.proof.deriveUnit(l ^ 1)
}

// assignUnits assigns units at the root and propagates. It reports whether the pass may
// go on: the formula is not refuted and the call not stopped.
func (s *Solver) assignUnits(units []inprocess.Unit) bool {
	for _, u := range units {
		switch {
		case s.trail.vals[u.Lit] == 0:
			s.assignRoot(u.Lit, u.ID)
		case s.trail.vals[u.Lit] > 0: // derived twice
			s.proof.deleteUnit(u)
		default:
			s.refuteByUnit(u)
			return false
		}
	}
	if !s.propagate() {
		s.refute()
	}
	return !s.inconsistent && !s.call.stopped
}

// deleteUnit logs the deletion of a duplicate unit clause.
func (p *proofLog) deleteUnit(u inprocess.Unit) {
	if p.log != nil {
		p.scratch = append(p.scratch[:0], u.Lit)
		p.log.Delete(u.ID, p.scratch)
	}
}

// refuteByUnit derives the empty clause from a unit and its complement, which is true
// at the root.
func (s *Solver) refuteByUnit(u inprocess.Unit) {
	if s.proof.log != nil {
		s.proof.chain = append(s.proof.chain[:0], s.proof.unitIDs[u.Lit>>1], u.ID)
		s.proof.log.Learn(nil, s.proof.hintChain())
	}
	s.inconsistent = true
}
