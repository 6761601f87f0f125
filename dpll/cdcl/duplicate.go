package cdcl

import "sator/dimacs"

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

// killDuplicates marks what the graph has twice, and returns the units that it
// finds.
func (s *Solver) killDuplicates(g *implications) []unit {
	var units []unit
	seen := make([]uint32, len(s.vals)) // by literal: an edge to it, plus 1
	for l := range dimacs.Lit(len(s.vals)) {
		s.stats.Ticks += g.ticks(l)
		failed := false
		for i := g.start[l]; i < g.start[l+1]; i++ {
			if g.refs[i] == 0 {
				continue
			}
			h := g.heads[i]
			if j := seen[h]; j > g.start[l] {
				s.stats.DuplicateBinaries++
				if g.refs[i]&2 == 0 && g.refs[j-1]&2 != 0 {
					g.kill(l, j-1)
				} else {
					g.kill(l, i)
					continue
				}
			}
			seen[h] = i + 1
			if j := seen[h^1]; j > g.start[l] && !failed {
				failed = true
				s.chain = append(s.chain[:0], s.refID(g.refs[j-1]), s.refID(g.refs[i]))
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
	units := s.killDuplicates(g)
	s.dropKilled(g)
	return s.assignUnits(units)
}
