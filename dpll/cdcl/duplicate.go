package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// The same clause of two literals may be there more than once: it is learned
// again after substitution made two of different ones, or left of longer clauses.
// One of them is enough, and if one belongs to the formula that is the one that
// stays. And two clauses that differ in the sign of one literal give the unit of
// the other, which resolution would find at once but propagation does not.
//
// Both are seen in one row of the graph of binary clauses: a literal implies
// another twice, or another and its complement. One pass over all rows does it,
// in linear time, with a table that needs no cleaning since entries of other
// rows are outside the row at hand.

// markDuplicates marks what the graph has twice, and returns the units that it
// finds.
func (s *Solver) markDuplicates(g *inprocess.Implications) []inprocess.Unit {
	var units []inprocess.Unit
	seen := make([]uint32, len(s.vals)) // by literal: an edge to it, plus 1
	for l := range dimacs.Lit(len(s.vals)) {
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
				s.chain = append(s.chain[:0], s.refID(g.Refs[j-1]), s.refID(g.Refs[i]))
				units = append(units, s.deriveUnit(l^1))
			}
		}
	}
	return units
}

// dropDuplicates drops binary clauses that are there twice, and assigns the units
// that two of them give. It reports whether the pass may go on.
func (s *Solver) dropDuplicates() bool {
	g := s.implications()
	if g == nil {
		return false
	}
	units := s.markDuplicates(g)
	s.dropMarked(g)
	return s.assignUnits(units)
}
