package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// The clauses of two literals are a graph: the clause of a and b says that the
// complement of a implies b, and that of b implies a. So it is two edges between
// literals, and the graph looks the same when all edges are turned round and all
// literals complemented. What its paths say follows from the formula, and asks
// for no look at longer clauses: equivalences (substitute.go), units
// (backbone.go), and clauses that others imply (transitive.go, duplicate.go).
//
// The watch lists have the edges already, but among longer clauses, and it takes
// eight bytes to see that a watch is none. A pass that walks along edges many
// times copies them first: the literals implied by one lie side by side, in the
// order of its list. Literals that are assigned have no edges. The time for that
// is linear, and on top of the budget: on large formulas a pass would never begin
// otherwise.

// implications copies the binary clauses. It returns nil if the call is stopped.
func (s *Solver) implications() *inprocess.Implications {
	g := &inprocess.Implications{Start: make([]uint32, 1, len(s.vals)+1)}
	g.Heads = make([]uint32, 0, 2*s.stats.Binary)
	g.Refs = make([]uint32, 0, 2*s.stats.Binary)
	for l := range s.vals {
		if s.pausing(l + 1) {
			return nil
		}
		if s.vals[l] == 0 {
			ws := s.list(dimacs.Lit(l ^ 1))
			s.stats.Ticks += 1 + int64(len(ws)>>3)
			for _, w := range ws {
				if w.binary() && s.vals[w.blocker()] == 0 {
					g.Heads = append(g.Heads, uint32(w.blocker()))
					g.Refs = append(g.Refs, w.ref())
				}
			}
		}
		g.Start = append(g.Start, uint32(len(g.Heads)))
	}
	return g
}

// markEdge marks the clause of edge i, which leaves l, as one that is to go.
func markEdge(g *inprocess.Implications, l dimacs.Lit, i uint32) {
	h, ref := dimacs.Lit(g.Heads[i]), g.Refs[i]
	g.Refs[i] = 0
	j := g.Start[h^1]
	for g.Heads[j] != uint32(l^1) || g.Refs[j] != ref {
		j++
	}
	g.Refs[j] = 0
}

// dropMarked takes the clauses that are to go out of the lists. Nothing may have
// been assigned and no binary clause added since the graph was made: its rows and
// the lists are walked in step.
func (s *Solver) dropMarked(g *inprocess.Implications) {
	for i := range s.watches {
		l := dimacs.Lit(i)
		at, end := g.Start[l], g.Start[l+1]
		if !slices.Contains(g.Refs[at:end], 0) {
			continue
		}
		ws := s.list(l ^ 1)
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		kept := ws[:0]
		for _, w := range ws {
			b := w.blocker()
			if w.binary() && s.vals[b] == 0 {
				at++
				if g.Refs[at-1] == 0 {
					if l^1 < b {
						s.binaryDeleted(l^1, b, w)
					}
					continue
				}
			}
			kept = append(kept, w)
		}
		s.watches[l^1].len = uint32(len(kept))
	}
}

// deriveUnit tells the proof the unit clause of l, which follows along the chain.
func (s *Solver) deriveUnit(l dimacs.Lit) inprocess.Unit {
	if s.proof == nil {
		return inprocess.Unit{Lit: l}
	}
	s.external = append(s.external[:0], l)
	return inprocess.Unit{Lit: l, ID: s.proof.Learn(s.external, s.hintChain())}
}

// reached says in which search a literal was reached last, and along which edge
// from where.
type reached struct {
	stamp uint32
	edge  uint32
	from  dimacs.Lit
}

// deriveFailed derives a unit from the path by which a search that began with l
// reached its complement. Propagation would go along it only as far as the first
// complement of a literal passed before, so that the part between such two is what
// counts. Mark is a stamp not in use.
func (s *Solver) deriveFailed(g *inprocess.Implications, nodes []reached, l dimacs.Lit, mark uint32) inprocess.Unit {
	end := l ^ 1
	for nodes[end^1].stamp != mark {
		nodes[end].stamp = mark
		end = nodes[end].from
	}
	l = end
	s.chain = s.chain[:0]
	for k := l ^ 1; k != l; k = nodes[k].from {
		s.chain = append(s.chain, s.refID(g.Refs[nodes[k].edge]))
	}
	slices.Reverse(s.chain)
	return s.deriveUnit(l ^ 1)
}

// assignUnits assigns what a pass found, at the root, and propagates. It reports
// whether the pass may go on: the formula is not refuted and the call not
// stopped.
func (s *Solver) assignUnits(units []inprocess.Unit) bool {
	for _, u := range units {
		switch {
		case s.vals[u.Lit] == 0:
			s.assignRoot(u.Lit, u.ID)
		case s.vals[u.Lit] > 0: // found twice
			s.deleteUnit(u)
		default:
			s.refuteByUnit(u)
			return false
		}
	}
	if !s.propagate() {
		s.refute()
	}
	return !s.inconsistent && !s.stopped
}

// deleteUnit deletes a unit clause that the proof has twice.
func (s *Solver) deleteUnit(u inprocess.Unit) {
	if s.proof != nil {
		s.external = append(s.external[:0], u.Lit)
		s.proof.Delete(u.ID, s.external)
	}
}

// refuteByUnit derives the empty clause from a unit and its complement, which is
// true at the root.
func (s *Solver) refuteByUnit(u inprocess.Unit) {
	if s.proof != nil {
		s.chain = append(s.chain[:0], s.unitIDs[u.Lit>>1], u.ID)
		s.proof.Learn(nil, s.hintChain())
	}
	s.inconsistent = true
}
