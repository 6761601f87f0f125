package cdcl

import (
	"slices"

	"sator/dimacs"
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

// implications are the binary clauses as a graph. The edges that leave l are
// those from start[l] up to start[l+1].
type implications struct {
	start []uint32 // by literal, and one more
	heads []uint32 // literals that are implied
	refs  []uint32 // references of the clauses; 0 once the clause is to go
}

// implications copies the binary clauses. It returns nil if the call is stopped.
func (s *Solver) implications() *implications {
	g := &implications{start: make([]uint32, 1, len(s.vals)+1)}
	g.heads = make([]uint32, 0, 2*s.stats.Binary)
	g.refs = make([]uint32, 0, 2*s.stats.Binary)
	for l := range s.vals {
		if s.pausing(l + 1) {
			return nil
		}
		if s.vals[l] == 0 {
			ws := s.list(dimacs.Lit(l ^ 1))
			s.stats.Ticks += 1 + int64(len(ws)>>3)
			for _, w := range ws {
				if w.binary() && s.vals[w.blocker()] == 0 {
					g.heads = append(g.heads, uint32(w.blocker()))
					g.refs = append(g.refs, w.ref())
				}
			}
		}
		g.start = append(g.start, uint32(len(g.heads)))
	}
	return g
}

// degree returns how many edges leave l. As many end in its complement.
func (g *implications) degree(l dimacs.Lit) uint32 { return g.start[l+1] - g.start[l] }

// ticks returns what it takes to look at all edges that leave l.
func (g *implications) ticks(l dimacs.Lit) int64 { return 1 + int64(g.degree(l)>>4) }

// kill marks the clause of edge i, which leaves l, as one that is to go.
func (g *implications) kill(l dimacs.Lit, i uint32) {
	h, ref := dimacs.Lit(g.heads[i]), g.refs[i]
	g.refs[i] = 0
	j := g.start[h^1]
	for g.heads[j] != uint32(l^1) || g.refs[j] != ref {
		j++
	}
	g.refs[j] = 0
}

// dropKilled takes the clauses that are to go out of the lists. Nothing may have
// been assigned and no binary clause added since the graph was made: its rows and
// the lists are walked in step.
func (s *Solver) dropKilled(g *implications) {
	for i := range s.heads {
		l := dimacs.Lit(i)
		at, end := g.start[l], g.start[l+1]
		if !slices.Contains(g.refs[at:end], 0) {
			continue
		}
		ws := s.list(l ^ 1)
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		kept := ws[:0]
		for _, w := range ws {
			b := w.blocker()
			if w.binary() && s.vals[b] == 0 {
				at++
				if g.refs[at-1] == 0 {
					if l^1 < b {
						s.dropBinary(l^1, b, w)
					}
					continue
				}
			}
			kept = append(kept, w)
		}
		s.heads[l^1].len = uint32(len(kept))
	}
}

// A unit is a literal that a pass found to be true, with the id of its clause.
type unit struct {
	lit dimacs.Lit
	id  int64
}

// deriveUnit tells the proof the unit clause of l, which follows along the chain.
func (s *Solver) deriveUnit(l dimacs.Lit) unit {
	if s.proof == nil {
		return unit{lit: l}
	}
	s.external = append(s.external[:0], l)
	return unit{l, s.proof.Learn(s.external, s.hintsOnly())}
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
func (s *Solver) deriveFailed(g *implications, nodes []reached, l dimacs.Lit, mark uint32) unit {
	end := l ^ 1
	for nodes[end^1].stamp != mark {
		nodes[end].stamp = mark
		end = nodes[end].from
	}
	l = end
	s.chain = s.chain[:0]
	for k := l ^ 1; k != l; k = nodes[k].from {
		s.chain = append(s.chain, s.refID(g.refs[nodes[k].edge]))
	}
	slices.Reverse(s.chain)
	return s.deriveUnit(l ^ 1)
}

// assignUnits assigns what a pass found, at the root, and propagates. It reports
// whether the pass may go on: the formula is not refuted and the call not
// stopped.
func (s *Solver) assignUnits(units []unit) bool {
	for _, u := range units {
		switch {
		case s.vals[u.lit] == 0:
			s.assignRoot(u.lit, u.id)
		case s.vals[u.lit] > 0: // found twice
			s.forgetUnit(u)
		default:
			s.contradict(u)
			return false
		}
	}
	if !s.propagate() {
		s.refute()
	}
	return !s.inconsistent && !s.stopped
}

// forgetUnit deletes a unit clause that the proof has twice.
func (s *Solver) forgetUnit(u unit) {
	if s.proof != nil {
		s.external = append(s.external[:0], u.lit)
		s.proof.Delete(u.id, s.external)
	}
}

// contradict derives the empty clause from a unit and its complement, which is
// true at the root.
func (s *Solver) contradict(u unit) {
	if s.proof != nil {
		s.chain = append(s.chain[:0], s.unitIDs[u.lit>>1], u.id)
		s.proof.Learn(nil, s.hintsOnly())
	}
	s.inconsistent = true
}
