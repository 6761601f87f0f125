package cdcl

import (
	"math"

	"sator/dimacs"
)

// noOutOfOrder is the value of s.trail.outOfOrder if all literals are in order.
const noOutOfOrder = math.MaxInt

// Backtracking unassigns the literals of the levels above a given one. Out-of-order
// literals, which are of lower levels but stand above the new end of the trail (see
// propagate.go), stay assigned: the trail is compacted, and they are propagated
// again.
//
// After conflict analysis the solver jumps back to the second highest level in the
// learned clause. If the jump is long, most of the unassigned literals would be
// decided and implied again in the same way. Then chronological backtracking
// unassigns the last level alone, and the implied literal is out of order (Nadel
// and Ryvchin, SAT 2018).
//
// A jump from a level above the assumptions ends at the last assumption or above it,
// since the solver would decide and propagate all assumptions again. There, too, the
// implied literal is out of order.

// An unassigned variable becomes a candidate for decisions of the current mode only: stable mode
// does not update the queue, and focused mode does not update the heap. switchMode brings the
// table of the new mode up to date. An update of both would read a second table at random places.

// backtrack unassigns the literals of all levels above to.
func (s *Solver) backtrack(to int) {
	if to >= len(s.trail.levels)-1 {
		return
	}
	if !s.decisions.quiet {
		s.decisions.updateTargetAndBest()
	}
	base := int(s.trail.levels[to+1].trail)
	s.decisions.phases.shorten(base)
	if s.user != nil {
		s.user.left(to, base)
	}
	end := base
	if s.trail.outOfOrder == noOutOfOrder {
		s.decisions.unassignAll(s.trail.lits[base:])
	} else {
		end = s.decisions.compactTrail(base, to)
	}
	s.trail.lits = s.trail.lits[:end]
	s.trail.propagated = min(s.trail.propagated, base)
	s.trail.levels = s.trail.levels[:to+1]
	if s.tracer != nil {
		s.tracer.left(to)
	}
}

// compactTrail unassigns the literals of levels above to from position base on, moves
// the others down and returns the new end of the trail.
func (d *decisions) compactTrail(base, to int) int {
	if d.trail.outOfOrder >= base {
		d.trail.outOfOrder = noOutOfOrder
	}
	end := base
	for _, l := range d.trail.lits[base:] {
		v := &d.trail.vars[l>>1]
		if int(v.level) > to {
			d.unassign(uint32(l >> 1))
			continue
		}
		if int(v.level) < to {
			d.trail.outOfOrder = min(d.trail.outOfOrder, end)
		}
		d.trail.lits[end] = l
		v.trail = uint32(end)
		end++
	}
	return end
}

// unassignAll unassigns the variables of literals. It is faster than a loop over
// unassign, since slices and options are loaded once.
func (d *decisions) unassignAll(lits []dimacs.Lit) {
	vals, saved := unchecked(d.trail.vals), unchecked(d.phases.saved)
	saving := !d.opts.NoSavePhases && !d.quiet
	for _, l := range lits {
		v := uint32(l >> 1)
		if saving {
			saved.set(v, vals.at(2*v))
		}
		vals.set(2*v, 0)
		vals.set(2*v+1, 0)
	}
	if d.stable {
		d.refillHeap(lits)
	} else {
		d.raiseQueueNext(lits)
	}
}

// refillHeap pushes the variables of literals to the heap.
func (d *decisions) refillHeap(lits []dimacs.Lit) {
	for _, l := range lits {
		if v := uint32(l >> 1); !d.heap.Contains(v) {
			d.heap.Push(v)
		}
	}
}

// raiseQueueNext makes the last variable of literals in the queue the next candidate if
// it is behind the current one.
func (d *decisions) raiseQueueNext(lits []dimacs.Lit) {
	if len(lits) == 0 {
		return // the queue may be empty
	}
	links := unchecked(d.queue.Links)
	next := d.queue.Next
	stamp := links.at(next).Stamp
	for _, l := range lits {
		if at := links.at(uint32(l >> 1)).Stamp; at > stamp {
			next, stamp = uint32(l>>1), at
		}
	}
	d.queue.Next = next
}

// unassign unassigns v and makes it a candidate for decisions.
func (d *decisions) unassign(v uint32) {
	if !d.opts.NoSavePhases && !d.quiet {
		d.phases.saved[v] = d.trail.vals[2*v]
	}
	d.trail.vals[2*v], d.trail.vals[2*v+1] = 0, 0
	if d.stable {
		if !d.heap.Contains(v) {
			d.heap.Push(v)
		}
	} else if d.queue.Links[v].Stamp > d.queue.Links[d.queue.Next].Stamp {
		d.queue.Next = v
	}
}

// backtrackLevel returns the level to backtrack to after a conflict whose learned
// clause is unit from level jump on.
func (s *Solver) backtrackLevel(jump int) int {
	current, assumed := len(s.trail.levels)-1, len(s.call.assumptions)
	switch {
	case s.opts.Chrono < 0, jump >= current-1, current <= assumed:
		return jump
	case jump < assumed:
		s.stats.Chronological++
		return assumed
	case current-jump > s.opts.Chrono:
		s.stats.Chronological++
		return current - 1
	case s.opts.ChronoReuse:
		if to := s.decisions.reusable(jump); to > jump {
			s.stats.Chronological++
			return to
		}
	}
	return jump
}

// reusable returns the highest level above jump whose decisions come before the best
// variable of the levels above jump in the order of decisions.
func (d *decisions) reusable(jump int) int {
	best := d.trail.lits[d.trail.levels[jump+1].trail] >> 1
	at := int(d.trail.levels[jump+1].trail)
	for i := at; i < len(d.trail.lits); i++ {
		if v := d.trail.lits[i] >> 1; d.better(uint32(v), uint32(best)) {
			best, at = v, i
		}
	}
	to := jump
	for to < len(d.trail.levels)-2 && int(d.trail.levels[to+1].trail) <= at {
		to++
	}
	return to
}
