package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/radix"
)

// Failed literal probing. A literal fails if propagation after deciding it alone ends
// in a conflict; then its complement is a unit (Freeman, PhD thesis 1995; Le Berre,
// "Exploiting the real power of unit propagation lookahead", 2001; Lynce and
// Marques-Silva, "Probing-based preprocessing techniques for propositional
// satisfiability", ICTAI 2003).
//
// Not every literal needs a probe. If a literal does not fail, the literals that it
// implies do not fail either. So only roots of the binary implication graph are probed:
// literals that imply others by a binary clause and that no binary clause implies
// (cycles of the graph have no root, and substitute.go finds them). Literals assigned
// by a propagation without conflict need no probe until there is a new root unit: each
// literal stores the number of root units at that time. A clause learned since might
// make it fail too, but new probes for learned clauses cost more than they find.
//
// A conflict may have several unique implication points (UIPs): literals on all paths
// from the decision to the conflict. Each of them fails and is learned as a unit,
// beginning with the one next to the conflict, since assigning the complement of one
// need not imply the complements of the others. In the proof each unit follows from the
// previous one, so that no resolution step is repeated.
//
// Literals that were never probed come first, then the least recently probed ones;
// among equals, literals with more implications come first.
//
// Beside substitution, elimination and vivification, probing changes the search little. It is
// on by default since some of the larger formulas have hundreds of failed literals.

// A prober is a pass of failed literal probing.
type prober struct {
	s     *Solver
	limit int64 // end of the budget, in ticks
	units []inprocess.Unit
}

// probe looks for failed literals.
func (s *Solver) probe(budget int64) {
	s.passes.probed = lengthen(s.passes.probed, len(s.trail.vals))
	p := &prober{s: s}
	todo := p.schedule()
	p.limit = s.stats.Ticks + budget
	for _, k := range todo {
		if s.stats.Ticks >= p.limit {
			return
		}
		l := dimacs.Lit(uint32(k))
		if s.trail.vals[l] == 0 && s.passes.probed[l] != s.trail.probeMark() && !p.try(l) {
			return
		}
	}
}

// probeMark returns the mark of literals that a propagation without conflict assigned.
func (t *trail) probeMark() uint32 { return uint32(t.roots + 1) }

// schedule returns the roots to probe, sorted. The literals are in the low halves.
func (p *prober) schedule() []uint64 {
	s := p.s
	degrees := p.degrees()
	s.analysis.keys = s.analysis.keys[:0]
	for i, n := range degrees {
		if n > 0 && degrees[i^1] == 0 && s.passes.probed[i] != s.trail.probeMark() {
			s.analysis.keys = append(s.analysis.keys, uint64(^n)<<32|uint64(i))
		}
	}
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	for i, k := range s.analysis.keys {
		l := uint32(k)
		s.analysis.keys[i] = uint64(s.passes.probed[l])<<32 | uint64(l)
	}
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	return s.analysis.keys
}

// degrees returns the number of literals that each unassigned literal implies by binary
// clauses. It is incomplete if the call is stopped.
func (p *prober) degrees() []uint32 {
	s := p.s
	degrees := make([]uint32, len(s.trail.vals))
	for l := range degrees {
		if s.pausing(l + 1) {
			break
		}
		if s.trail.vals[l] != 0 {
			continue
		}
		ws := s.clauses.list(dimacs.Lit(l ^ 1))
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		for _, w := range ws {
			if w.binary() && s.trail.vals[w.blocker()] == 0 {
				degrees[l]++
			}
		}
	}
	return degrees
}

// try decides and propagates l, and learns units from a conflict. It reports whether
// the pass may go on.
func (p *prober) try(l dimacs.Lit) bool {
	s := p.s
	s.stats.Probes++
	s.decideLit(l)
	if !s.propagate() {
		return p.learnFailed()
	}
	if !s.call.stopped {
		mark := s.trail.probeMark()
		for _, k := range s.trail.lits[s.trail.levels[1].trail:] {
			s.passes.probed[k] = mark
		}
	}
	s.backtrack(0)
	return !s.call.stopped
}

// learnFailed learns units from a conflict on level 1, and backtracks to the root. It
// reports whether the pass may go on.
func (p *prober) learnFailed() bool {
	s := p.s
	p.learnUIPs()
	s.backtrack(0)
	s.stats.FailedLits += int64(len(p.units))
	return s.assignUnits(p.units)
}

// learnUIPs derives a unit from each UIP of level 1.
func (p *prober) learnUIPs() {
	s := p.s
	p.units, s.proof.chain, s.analysis.resolved = p.units[:0], s.proof.chain[:0], s.analysis.resolved[:0]
	s.analysis.recordResolved(s.conflict.ref)
	open := 0
	if c := s.conflict; c.ref&1 != 0 {
		open = s.analysis.analyzeLit(c.a, 1) + s.analysis.analyzeLit(c.b, 1)
	} else {
		open = p.seeLits(c.ref)
	}
	for at := len(s.trail.lits) - 1; ; at-- {
		l := s.trail.lits[at]
		if s.analysis.marks[l>>1]&seenMark == 0 {
			continue
		}
		if open--; open == 0 {
			p.learnUIP(l)
		}
		switch w := s.trail.vars[l>>1].reason; {
		case w == 0:
			s.analysis.unmark()
			return
		case w.binary():
			s.analysis.recordResolved(w.ref())
			open += s.analysis.analyzeLit(w.blocker(), 1)
		default:
			s.analysis.recordResolved(w.ref())
			open += p.seeLits(w.ref())
		}
	}
}

// seeLits marks the literals of the clause at ref as seen and returns how many of them
// are new and not assigned at the root. In contrast to conflict analysis of the search,
// this does not count as a use of the clause: its glue on one level means nothing.
func (p *prober) seeLits(ref uint32) int {
	s := p.s
	s.stats.Ticks++
	open := 0
	for _, w := range s.clauses.lits(ref) {
		switch {
		case s.trail.vars[w>>1].level != 0:
			open += s.analysis.analyzeLit(dimacs.Lit(w), 1)
		case s.proof.hints:
			s.analysis.scheduleVar(w >> 1)
		}
	}
	return open
}

// learnUIP derives that the UIP l is false, from the clauses resolved since the last
// UIP. The unit replaces these clauses among the antecedents of the next unit.
func (p *prober) learnUIP(l dimacs.Lit) {
	s := p.s
	for i := len(s.analysis.resolved) - 1; i >= 0; i-- {
		s.proof.chain = append(s.proof.chain, s.analysis.resolved[i])
	}
	u := s.proof.deriveUnit(l ^ 1)
	p.units = append(p.units, u)
	for _, v := range s.analysis.minimized { // the next chain may need the same root units
		s.analysis.marks[v] &^= derivedMark
	}
	s.proof.chain, s.analysis.resolved, s.analysis.minimized = s.proof.chain[:0], s.analysis.resolved[:0], s.analysis.minimized[:0]
	if s.proof.hints {
		s.analysis.resolved = append(s.analysis.resolved, u.ID)
	}
}
