package cdcl

import (
	"math"

	"sator/dimacs"
)

// noStray is the position of the first stray literal when there is none.
const noStray = math.MaxInt

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

// backtrack leaves the levels above to, if there are any.
func (s *Solver) backtrack(to int) {
	if to >= len(s.levels)-1 {
		return
	}
	if !s.quiet {
		s.keepPhases()
	}
	base := int(s.levels[to+1].trail)
	end := base
	if s.stray == noStray {
		s.unassignAll(s.trail[base:])
	} else {
		end = s.closeUp(base, to)
	}
	s.trail = s.trail[:end]
	s.head = min(s.head, base)
	s.levels = s.levels[:to+1]
}

// closeUp takes back what is above level to from base on, moves the rest down
// and returns where it ends.
func (s *Solver) closeUp(base, to int) int {
	if s.stray >= base {
		s.stray = noStray
	}
	end := base
	for _, l := range s.trail[base:] {
		v := &s.vars[l>>1]
		if int(v.level) > to {
			s.unassign(uint32(l >> 1))
			continue
		}
		if int(v.level) < to {
			s.stray = min(s.stray, end)
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
	if len(lits) == 0 {
		return // and perhaps no variable is in the queue
	}
	vals, links, saved := over(s.vals), over(s.queue.links), over(s.phases.saved)
	saving := s.opts.SavePhases != 0 && !s.quiet
	heaped := len(s.heap.vars)+s.retired == len(s.vars) // with all variables
	next := s.queue.next
	stamp := links.at(next).stamp
	for _, l := range lits {
		v := uint32(l >> 1)
		if saving {
			saved.set(v, vals.at(2*v))
		}
		vals.set(2*v, 0)
		vals.set(2*v+1, 0)
		if !heaped && !s.heap.contains(v) {
			s.heap.push(v)
		}
		if at := links.at(v).stamp; at > stamp {
			next, stamp = v, at
		}
	}
	s.queue.next = next
}

// unassign takes the value of v back and makes it a candidate for decisions.
func (s *Solver) unassign(v uint32) {
	if s.opts.SavePhases != 0 && !s.quiet {
		s.phases.saved[v] = s.vals[2*v]
	}
	s.vals[2*v], s.vals[2*v+1] = 0, 0
	if !s.heap.contains(v) {
		s.heap.push(v)
	}
	if s.queue.links[v].stamp > s.queue.links[s.queue.next].stamp {
		s.queue.next = v
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
