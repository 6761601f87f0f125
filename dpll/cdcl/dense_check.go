package cdcl

import "sator/dimacs"

// check checks the invariants of dense mode, between the eliminations of two variables.
// Builds without the tag satcheck do not link it.
func (d *dense) check() {
	s := d.s
	if s.checks++; s.checks%(1+(s.clauses.size()+len(s.trail.vars))/checkShare) != 0 {
		return
	}
	if s.trail.propagated < len(s.trail.lits) {
		fault("unit %v is not propagated in dense mode", s.trail.lits[s.trail.propagated])
	}
	for v, m := range s.analysis.marks {
		if m != 0 {
			fault("variable %d is still marked %b", v+1, m)
		}
	}
	d.checkLists(d.checkArena())
}

// checkArena checks that irredundant clauses have no assigned or removed variable. It
// returns the number of their occurrences by literal.
func (d *dense) checkArena() []uint32 {
	s := d.s
	count := make([]uint32, len(d.count))
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) != 0 {
			return true
		}
		c := d.lits(r)
		if len(c) < 3 {
			fault("clause %v of less than three literals is in the arena", s.clauses.literals(c))
		}
		for _, w := range c {
			if l := dimacs.Lit(w); d.fixedOrRemoved(l) {
				fault("clause %v has the literal %v, which is assigned or removed", s.clauses.literals(c), l)
			}
			count[w]++
		}
		return true
	})
	return count
}

// checkLists checks that the list of each literal has exactly the long irredundant
// clauses that contain it, once each, with a signature that covers their variables. It
// also checks the counts of irredundant clauses and of binary clauses.
func (d *dense) checkLists(long []uint32) {
	s := d.s
	binaries := 0
	seenIn := make([]uint32, len(s.clauses.arena)) // by reference: 1 more than the last literal whose list has the clause
	for i := range s.clauses.watches {
		l := dimacs.Lit(i)
		seen, total := uint32(0), long[l]
		for _, w := range s.clauses.list(l) {
			switch r := w.ref(); {
			case s.stale(w):
			case w.binary():
				binaries++
				if !w.redundant() {
					total++
				}
			case seenIn[r] == uint32(l)+1, s.clauses.arena[r]&redundantBit != 0, indexVar(d.lits(r), uint32(l>>1)) < 0:
				fault("clause %v is in the list of %v", s.clauses.literals(d.lits(r)), l)
			case signature(d.lits(r))&^uint32(w.blocker()) != 0:
				fault("clause %v has a wrong signature in the list of %v", s.clauses.literals(d.lits(r)), l)
			default:
				seenIn[r] = uint32(l) + 1
				seen++
			}
		}
		if !d.fixedOrRemoved(l) && (seen != long[l] || total != d.count[l]) {
			fault("literal %v is in %d long clauses, with %d in its list, and in %d irredundant ones, with %d counted",
				l, long[l], seen, total, d.count[l])
		}
	}
	if binaries != 2*s.stats.Binary {
		fault("binary clauses are in the lists %d times, with %d counted", binaries, s.stats.Binary)
	}
}
