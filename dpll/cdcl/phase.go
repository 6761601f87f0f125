package cdcl

import (
	"math"

	"sator/dimacs"
)

// Phase selection: a decision assigns the saved phase, the value that the variable
// had last (phase saving; Pipatsrisawat and Darwiche, SAT 2007). With phase saving off
// it assigns the initial phase. That may be better for a solver that is called for
// many small independent questions, for which the saved values mean nothing. In stable
// mode target phases are preferred: the values on the longest trail without a conflict
// since the last rephasing. Best phases are the values on the longest such trail since
// phases were last reset to it (Biere and Fleury, "Chasing target phases", POS 2020;
// Cai and Zhang, "Deep cooperation of CDCL and local search", SAT 2021).
//
// Rephasing resets the saved phases from time to time: to the initial ones, to their
// inverse, and in between to the best phases. This leads the search to other parts of
// the space. With the knob walk on, every other reset is a local search (walk.go).
type phases struct {
	saved, initial []int8 // by variable
	target, best   longestTrail
	consistent     int  // literals before the level of the last conflict, -1 if there is none
	initialSet     bool // the caller has set initial phases
}

// A longestTrail holds the values on the longest trail without a conflict for some time. A
// longer trail often begins like the last one, and on formulas with 10^5 variables copies of
// all its values took a third of the time. So only those of the part that has changed are
// copied.
type longestTrail struct {
	values []int8 // by variable; 0 means no phase
	size   int    // number of literals
	copied int    // literals at the beginning of the current trail whose values these are
}

// update replaces the values by those of the first n literals of the trail if these are more.
func (g *longestTrail) update(t *trail, n int) {
	if n <= g.size {
		return
	}
	for _, l := range t.lits[min(g.copied, n):n] {
		g.values[l>>1] = t.vals[l&^1]
	}
	g.size, g.copied = n, n
}

// clear forgets the trail and its values.
func (g *longestTrail) clear() {
	clear(g.values)
	g.size, g.copied = 0, 0
}

// shorten is called before the trail changes from the literal with index n on.
func (p *phases) shorten(n int) {
	p.target.copied, p.best.copied = min(p.target.copied, n), min(p.best.copied, n)
}

func (p *phases) grow(n int, positive bool) {
	first := int8(-1)
	if positive {
		first = 1
	}
	old := len(p.saved)
	p.saved, p.initial = lengthen(p.saved, n), lengthen(p.initial, n)
	p.target.values, p.best.values = lengthen(p.target.values, n), lengthen(p.best.values, n)
	for v := old; v < n; v++ {
		p.saved[v], p.initial[v] = first, first
	}
}

func (p *phases) setInitial(v dimacs.Lit, sign int8) {
	p.initial[v], p.saved[v], p.target.values[v], p.best.values[v] = sign, sign, 0, 0
	p.initialSet = true
	p.shorten(0)
}

// phase returns the literal of v to decide.
func (d *decisions) phase(v uint32) dimacs.Lit {
	p := d.phases.saved[v]
	if d.opts.Target == TargetAlways || d.opts.Target == TargetStable && d.stable {
		if t := d.phases.target.values[v]; t != 0 {
			p = t
		}
	}
	return literal(v, p)
}

// literal returns the literal of v that is true when v has the value p.
func literal(v uint32, p int8) dimacs.Lit {
	if p < 0 {
		return dimacs.Lit(2*v + 1)
	}
	return dimacs.Lit(2 * v)
}

// updateTargetAndBest stores the part of the trail without a conflict as target and
// best phases if it is longer than they are. It is called before backtracking.
func (d *decisions) updateTargetAndBest() {
	p := &d.phases
	n := p.consistent
	if n < 0 { // no conflict since the last backtracking
		n = len(d.trail.lits)
	}
	p.consistent = -1
	p.target.update(d.trail, n)
	p.best.update(d.trail, n)
}

func (h *schedule) rephasing() bool {
	return !h.opts.NoRephase && (h.stats.Conflicts >= h.due.rephase || h.walkingEarly())
}

// walkingEarly reports whether the first reset, a walk, is due before its conflicts.
func (h *schedule) walkingEarly() bool {
	return h.stats.Rephases == 0 && h.stats.Ticks >= earlyWalkTicks && !h.opts.NoWalk
}

// rephases is the cycle of resets without walks.
var rephases = []Event{RephaseOrig, RephaseInvert, RephaseBest, RephaseFlip, RephaseBest, RephaseOrig, RephaseBest, RephaseInvert}

// walkingRephases is the cycle of resets with walks. Every other reset is a walk, from
// the first on. Walks in one of three resets, the first after another reset, as in
// Kissat, find models of random formulas and of multipliers later.
var walkingRephases = []Event{RephaseWalk, RephaseBest, RephaseWalk, RephaseInvert, RephaseWalk, RephaseBest, RephaseWalk, RephaseOrig}

// rephase resets the saved phases.
//
// Tried, as in Kissat: resets in stable mode alone; target phases that begin at the reset ones;
// focused phases with the initial or inverted values in place of saved ones (no gain).
//
// Tried: a bandit that chooses the resets other than walks, rewarded by the longest trail (no gain).
func (s *Solver) rephase() {
	s.backtrack(len(s.call.assumptions))
	p := &s.decisions.phases
	kinds := rephases
	if !s.opts.NoWalk {
		kinds = walkingRephases
	}
	kind := kinds[s.stats.Rephases%int64(len(kinds))]
	for v := range p.saved {
		switch kind {
		case RephaseOrig:
			p.saved[v] = p.initial[v]
		case RephaseInvert:
			p.saved[v] = -p.initial[v]
		case RephaseFlip:
			p.saved[v] = -p.saved[v]
		case RephaseBest:
			if p.best.values[v] != 0 {
				p.saved[v] = p.best.values[v]
			}
		}
	}
	p.target.clear()
	switch kind {
	case RephaseBest:
		p.best.size = 0
	case RephaseWalk:
		s.walk()
	}
	s.stats.Rephases++
	n := s.stats.Rephases
	s.schedule.due.rephase = s.stats.Conflicts + times(int64(s.opts.RephaseInterval), n, logPower(n, 3))
	s.report(kind)
}

// times returns the product of a base interval, a count and a factor in 1024ths. It
// saturates far enough below the largest int64 for later additions.
func times(base, n, factor int64) int64 {
	x := float64(base) * float64(n) * (float64(factor) / 1024)
	return int64(min(x, math.MaxInt64/4))
}
