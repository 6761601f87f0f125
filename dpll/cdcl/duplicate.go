package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// Duplicate binary clauses. A binary clause may exist more than once: substitution maps
// different clauses to the same one, and longer clauses shrink to it. One of them is
// enough. If one is irredundant, an irredundant one is kept. Two binary clauses that
// differ in the sign of one literal imply the other literal; it is assigned as a unit.
// Propagation alone does not find it.
//
// Both cases appear in one row of the implication graph: a literal implies another one
// twice, or another one and its complement. One walk over all rows finds them in linear
// time. Its table needs no clearing, since entries of earlier rows point outside the
// current row.

// markDuplicates marks duplicate edges of the graph for deletion, and returns the units
// that it derives. If the call is stopped, it returns those of the first rows.
func (s *Solver) markDuplicates(g *inprocess.Implications) []inprocess.Unit {
	var units []inprocess.Unit
	seen := scratchTable[uint32](s, len(s.trail.vals))[:len(s.trail.vals)] // by literal: the last edge to it, plus 1
	for l := range dimacs.Lit(len(s.trail.vals)) {
		if s.pausing(int(l) + 1) {
			return units
		}
		s.stats.Ticks += g.Cost(l)
		failed := false
		for i := g.Start[l]; i < g.Start[l+1]; i++ {
			if g.Refs[i] == 0 {
				continue
			}
			h := g.Heads[i]
			if j := seen[h]; j > g.Start[l] {
				s.stats.DuplicateBinaries++
				if g.Refs[i]&2 == 0 && g.Refs[j-1]&2 != 0 {
					markEdge(g, l, j-1)
				} else {
					markEdge(g, l, i)
					continue
				}
			}
			seen[h] = i + 1
			if j := seen[h^1]; j > g.Start[l] && !failed {
				failed = true
				s.proof.chain = append(s.proof.chain[:0], s.clauses.refID(g.Refs[j-1]), s.clauses.refID(g.Refs[i]))
				units = append(units, s.proof.deriveUnit(l^1))
			}
		}
	}
	return units
}

// deleteDuplicates deletes duplicate binary clauses and assigns the units that two of
// them imply. It reports whether the pass may go on.
func (s *Solver) deleteDuplicates() bool {
	g := s.implications(true)
	if g == nil {
		return false
	}
	units := s.markDuplicates(g)
	s.deleteMarked(g)
	s.passes.releaseGraph()
	return s.assignUnits(units)
}
