package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
	"sator/dpll/cdcl/radix"
)

// A literal fails if propagation after deciding it alone ends in a conflict: its
// complement is a unit then (Freeman, PhD thesis 1995; Le Berre, "Exploiting the
// real power of unit propagation lookahead", 2001; Lynce and Marques-Silva,
// "Probing-based preprocessing techniques for propositional satisfiability",
// ICTAI 2003).
//
// Not every literal needs to be tried. If a literal does not fail, nothing that
// it implies does, since less follows from that. So only roots of the graph of
// binary clauses are decided, literals that imply others by a binary clause and
// are implied by none (cycles of that graph have no root, and are found by
// substitute.go). And what a propagation without conflict has assigned needs no
// propagation of its own until there is another unit at the root: each literal
// keeps the number of units that there were. Clauses learned since might make it
// fail too, but to begin again for these costs more than it finds.
//
// All ways from the decision to the conflict may lead through more than one
// literal. Each of these fails, and each is learned, the one next to the conflict
// first: assigning its complement need not imply that of the others. In the proof
// each follows from the one before, so that no step resolves what an earlier one
// has resolved.
//
// Literals that were never tried come first, then those tried longest ago; among
// them those that imply most.
//
// Beside substitution, elimination and vivification it makes no difference that
// could be told from chance: on 17 formulas of hardware and arithmetic the ticks to
// the answer changed by -2, -2 and 9% with three seeds. Some of the larger ones have
// hundreds of failed literals, which is why it is there.

// A prober is a pass of failed literal probing.
type prober struct {
	s     *Solver
	limit int64 // ticks at which it ends
	units []inprocess.Unit
}

// probe looks for failed literals.
func (s *Solver) probe(budget int64) {
	s.probed = lengthen(s.probed, len(s.vals))
	p := &prober{s: s}
	todo := p.schedule()
	p.limit = s.stats.Ticks + budget
	for _, k := range todo {
		if s.stats.Ticks >= p.limit {
			return
		}
		l := dimacs.Lit(uint32(k))
		if s.vals[l] == 0 && s.probed[l] != s.probeMark() && !p.try(l) {
			return
		}
	}
}

// probeMark is what a literal is marked with when its propagation did not fail.
func (s *Solver) probeMark() uint32 { return uint32(s.roots + 1) }

// schedule returns the roots to try, in their order. They are in the low halves.
func (p *prober) schedule() []uint64 {
	s := p.s
	degrees := p.degrees()
	s.keys = s.keys[:0]
	for i, n := range degrees {
		if n > 0 && degrees[i^1] == 0 && s.probed[i] != s.probeMark() {
			s.keys = append(s.keys, uint64(^n)<<32|uint64(i))
		}
	}
	s.keys2 = radix.Sort(s.keys, s.keys2)
	for i, k := range s.keys {
		l := uint32(k)
		s.keys[i] = uint64(s.probed[l])<<32 | uint64(l)
	}
	s.keys2 = radix.Sort(s.keys, s.keys2)
	return s.keys
}

// degrees counts the binary clauses by which each unassigned literal implies
// another. It ends early, with what it has, when the call is stopped.
func (p *prober) degrees() []uint32 {
	s := p.s
	degrees := make([]uint32, len(s.vals))
	for l := range degrees {
		if s.pausing(l + 1) {
			break
		}
		if s.vals[l] != 0 {
			continue
		}
		ws := s.list(dimacs.Lit(l ^ 1))
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		for _, w := range ws {
			if w.binary() && s.vals[w.blocker()] == 0 {
				degrees[l]++
			}
		}
	}
	return degrees
}

// try propagates l and learns from a conflict. It reports whether the pass may
// go on.
func (p *prober) try(l dimacs.Lit) bool {
	s := p.s
	s.stats.Probes++
	s.decideLit(l)
	if !s.propagate() {
		return p.learnFailed()
	}
	if !s.stopped {
		mark := s.probeMark()
		for _, k := range s.trail[s.levels[1].trail:] {
			s.probed[k] = mark
		}
	}
	s.backtrack(0)
	return !s.stopped
}

// learnFailed learns from the conflict of the one level there is, and goes back to
// the root. It reports whether the pass may go on.
func (p *prober) learnFailed() bool {
	s := p.s
	p.learnUIPs()
	s.backtrack(0)
	s.stats.FailedLits += int64(len(p.units))
	return s.assignUnits(p.units)
}

// learnUIPs derives a unit from each literal that all ways from the
// decision of the one level there is to the conflict lead through.
func (p *prober) learnUIPs() {
	s := p.s
	p.units, s.chain, s.resolved = p.units[:0], s.chain[:0], s.resolved[:0]
	s.recordResolved(s.conflict.ref)
	open := 0
	if c := s.conflict; c.ref&1 != 0 {
		open = s.analyzeLit(c.a, 1) + s.analyzeLit(c.b, 1)
	} else {
		open = p.seeLits(c.ref)
	}
	for at := len(s.trail) - 1; ; at-- {
		l := s.trail[at]
		if s.marks[l>>1]&seenMark == 0 {
			continue
		}
		if open--; open == 0 {
			p.learnUIP(l)
		}
		switch w := s.vars[l>>1].reason; {
		case w == 0:
			s.unmark()
			return
		case w.binary():
			s.recordResolved(w.ref())
			open += s.analyzeLit(w.blocker(), 1)
		default:
			s.recordResolved(w.ref())
			open += p.seeLits(w.ref())
		}
	}
}

// seeLits sees the literals of the clause at ref and returns how many of them
// are new and not of the root. Unlike the search's it does not count as a use:
// the glue of a clause on one level says nothing.
func (p *prober) seeLits(ref uint32) int {
	s := p.s
	s.stats.Ticks++
	open := 0
	for _, w := range s.lits(ref) {
		switch {
		case s.vars[w>>1].level != 0:
			open += s.analyzeLit(dimacs.Lit(w), 1)
		case s.hints:
			s.scheduleVar(w >> 1)
		}
	}
	return open
}

// learnUIP derives that l is false, from what was resolved since the last
// dominator. The next one will need nothing of that but this unit.
func (p *prober) learnUIP(l dimacs.Lit) {
	s := p.s
	for i := len(s.resolved) - 1; i >= 0; i-- {
		s.chain = append(s.chain, s.resolved[i])
	}
	u := s.deriveUnit(l ^ 1)
	p.units = append(p.units, u)
	for _, v := range s.minimized { // units of the root may be needed again
		s.marks[v] &^= derivedMark
	}
	s.chain, s.resolved, s.minimized = s.chain[:0], s.resolved[:0], s.minimized[:0]
	if s.hints {
		s.resolved = append(s.resolved, u.ID)
	}
}
