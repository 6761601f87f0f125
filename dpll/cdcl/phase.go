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
	saved, target, best, initial []int8 // by variable; 0 means no phase
	targetLen, bestLen           int    // number of literals on those trails
	consistent                   int    // literals before the level of the last conflict, -1 if there is none
	initialSet                   bool   // the caller has set initial phases
}

func (p *phases) grow(n int, positive bool) {
	first := int8(-1)
	if positive {
		first = 1
	}
	old := len(p.saved)
	p.saved, p.target = lengthen(p.saved, n), lengthen(p.target, n)
	p.best, p.initial = lengthen(p.best, n), lengthen(p.initial, n)
	for v := old; v < n; v++ {
		p.saved[v], p.initial[v] = first, first
	}
}

func (p *phases) setInitial(v dimacs.Lit, sign int8) {
	p.initial[v], p.saved[v], p.target[v], p.best[v] = sign, sign, 0, 0
	p.initialSet = true
}

// phase returns the literal of v to decide.
func (d *decisions) phase(v uint32) dimacs.Lit {
	p := d.phases.saved[v]
	if d.opts.Target == TargetAlways || d.opts.Target == TargetStable && d.stable {
		if t := d.phases.target[v]; t != 0 {
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
	if n > p.targetLen {
		p.targetLen = n
		for _, l := range d.trail.lits[:n] {
			p.target[l>>1] = d.trail.vals[l&^1]
		}
	}
	if n > p.bestLen {
		p.bestLen = n
		for _, l := range d.trail.lits[:n] {
			p.best[l>>1] = d.trail.vals[l&^1]
		}
	}
}

func (h *schedule) rephasing() bool {
	return h.opts.Rephase != 0 && (h.stats.Conflicts >= h.due.rephase || h.walkingEarly())
}

// walkingEarly reports whether the first reset, a walk, is due before its conflicts.
func (h *schedule) walkingEarly() bool {
	return h.stats.Rephases == 0 && h.stats.Ticks >= earlyWalkTicks && h.opts.Walk != 0
}

// rephases is the cycle of resets without walks.
var rephases = []Event{RephaseOrig, RephaseInvert, RephaseBest, RephaseFlip, RephaseBest, RephaseOrig, RephaseBest, RephaseInvert}

// walkingRephases is the cycle of resets with walks. Every other reset is a walk, from
// the first on. Walks in one of three resets, the first after another reset, as in
// Kissat, find models of random formulas and of multipliers later.
var walkingRephases = []Event{RephaseWalk, RephaseBest, RephaseWalk, RephaseInvert, RephaseWalk, RephaseBest, RephaseWalk, RephaseOrig}

// rephase resets the saved phases.
func (s *Solver) rephase() {
	s.backtrack(len(s.call.assumptions))
	p := &s.decisions.phases
	kinds := rephases
	if s.opts.Walk != 0 {
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
			if p.best[v] != 0 {
				p.saved[v] = p.best[v]
			}
		}
	}
	clear(p.target)
	p.targetLen = 0
	switch kind {
	case RephaseBest:
		p.bestLen = 0
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
