package cdcl

import (
	"math"

	"sator/dimacs"
)

// noOutOfOrder is the position of the first stray literal when there is none.
const noOutOfOrder = math.MaxInt

// Backtracking takes assignments back. Literals of lower levels that stand
// above the new end of the trail (see propagate.go) stay assigned: they close
// up, in their order, and are propagated again.
//
// Learned clauses ask for a jump to the second highest level in them. When that
// jump is long, most of what it takes back would be decided again in the same
// way; then only the last level is taken back, and the implied literal becomes
// stray (Nadel and Ryvchin, SAT 2018).
//
// Nor does a jump go below the assumptions from above them: they would all be
// decided again, and what they imply be implied again. The implied literal
// becomes stray there.

// Variables that are free again become candidates for decisions of the present
// mode alone: stable mode leaves the head of the queue where it is and focused
// mode the heap, and a change of mode makes up for it (switchMode). Each is a
// table of its own, read at random places.

// backtrack leaves the levels above to, if there are any.
func (s *Solver) backtrack(to int) {
	if to >= len(s.levels)-1 {
		return
	}
	if !s.quiet {
		s.updateTargetAndBest()
	}
	base := int(s.levels[to+1].trail)
	end := base
	if s.outOfOrder == noOutOfOrder {
		s.unassignAll(s.trail[base:])
	} else {
		end = s.compactTrail(base, to)
	}
	s.trail = s.trail[:end]
	s.propagated = min(s.propagated, base)
	s.levels = s.levels[:to+1]
}

// compactTrail takes back what is above level to from base on, moves the rest down
// and returns where it ends.
func (s *Solver) compactTrail(base, to int) int {
	if s.outOfOrder >= base {
		s.outOfOrder = noOutOfOrder
	}
	end := base
	for _, l := range s.trail[base:] {
		v := &s.vars[l>>1]
		if int(v.level) > to {
			s.unassign(uint32(l >> 1))
			continue
		}
		if int(v.level) < to {
			s.outOfOrder = min(s.outOfOrder, end)
		}
		s.trail[end] = l
		v.trail = uint32(end)
		end++
	}
	return end
}

// unassignAll unassigns the variables of literals. It is a loop of its own so that
// what is the same for all is looked up once.
func (s *Solver) unassignAll(lits []dimacs.Lit) {
	vals, saved := unchecked(s.vals), unchecked(s.phases.saved)
	saving := s.opts.SavePhases != 0 && !s.quiet
	for _, l := range lits {
		v := uint32(l >> 1)
		if saving {
			saved.set(v, vals.at(2*v))
		}
		vals.set(2*v, 0)
		vals.set(2*v+1, 0)
	}
	if s.stable {
		s.refillHeap(lits)
	} else {
		s.raiseQueueNext(lits)
	}
}

// refillHeap puts variables of literals back into the heap.
func (s *Solver) refillHeap(lits []dimacs.Lit) {
	for _, l := range lits {
		if v := uint32(l >> 1); !s.heap.Contains(v) {
			s.heap.Push(v)
		}
	}
}

// raiseQueueNext takes the head of the queue back behind the variables of literals.
func (s *Solver) raiseQueueNext(lits []dimacs.Lit) {
	if len(lits) == 0 {
		return // and perhaps no variable is in the queue
	}
	links := unchecked(s.queue.Links)
	next := s.queue.Next
	stamp := links.at(next).Stamp
	for _, l := range lits {
		if at := links.at(uint32(l >> 1)).Stamp; at > stamp {
			next, stamp = uint32(l>>1), at
		}
	}
	s.queue.Next = next
}

// unassign takes the value of v back and makes it a candidate for decisions.
func (s *Solver) unassign(v uint32) {
	if s.opts.SavePhases != 0 && !s.quiet {
		s.phases.saved[v] = s.vals[2*v]
	}
	s.vals[2*v], s.vals[2*v+1] = 0, 0
	if s.stable {
		if !s.heap.Contains(v) {
			s.heap.Push(v)
		}
	} else if s.queue.Links[v].Stamp > s.queue.Links[s.queue.Next].Stamp {
		s.queue.Next = v
	}
}

// backtrackLevel returns the level to go back to with a learned clause that is
// unit from level jump on.
func (s *Solver) backtrackLevel(jump int) int {
	current, assumed := len(s.levels)-1, len(s.assumptions)
	switch {
	case s.opts.Chrono == 0, jump >= current-1, current <= assumed:
		return jump
	case jump < assumed:
		s.stats.Chronological++
		return assumed
	case current-jump > s.opts.Chrono:
		s.stats.Chronological++
		return current - 1
	case s.opts.ChronoReuse != 0:
		if to := s.reusable(jump); to > jump {
			s.stats.Chronological++
			return to
		}
	}
	return jump
}

// reusable returns the last level above jump before which everything was
// decided that comes before the best variable of the levels above.
func (s *Solver) reusable(jump int) int {
	best := s.trail[s.levels[jump+1].trail] >> 1
	at := int(s.levels[jump+1].trail)
	for i := at; i < len(s.trail); i++ {
		if v := s.trail[i] >> 1; s.better(uint32(v), uint32(best)) {
			best, at = v, i
		}
	}
	to := jump
	for to < len(s.levels)-2 && int(s.levels[to+1].trail) <= at {
		to++
	}
	return to
}
