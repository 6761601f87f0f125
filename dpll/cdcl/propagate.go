package cdcl

import "sator/dimacs"

// Unit propagation with two watched literals assigns the literals that clauses imply,
// until there are no more or a clause is falsified. The solver spends most of its
// time here, so the loop is one function.
//
// The watches of a literal that became false are visited one after the other. If the
// blocker is true, the visit ends without an access to the clause. Otherwise the
// clause is read. If its other watched literal is true, it becomes the blocker. Else
// propagation searches for a literal that is not false, from the position where the
// last search ended (Gent, "Optimal implementation of watched literals and more
// general techniques", JAIR 2013). Such a literal becomes the blocker if it is true
// and replaces the watched literal if it is unassigned. If all others are false, the
// other watched literal is implied or the clause is in conflict. The list is
// compacted in place during the walk.
//
// After chronological backtracking the trail may have out-of-order literals: literals
// of lower levels above those of higher ones. Only then does propagation compute the
// level of an implied literal, and move the false watch to a literal of that level.
// Otherwise backtracking could unassign the implied literal and leave the watched
// literal false (Nadel and Ryvchin, "Chronological backtracking", SAT 2018; Möhle and
// Biere, "Backing backtracking", SAT 2019).
//
// On large formulas most of the time is spent waiting for memory. So lists are prefetched
// (Hölldobler, Manthey and Saptawijaya, "Improving resource-unaware SAT solvers", LPAR 2010):
// the header of a list when its literal is assigned, the first watch when the literal before
// it on the trail is propagated. Go has no prefetch instruction. But a load has the same
// effect if no later instruction depends on its result, and the compiler keeps the load if
// the result is used: all these results are combined in s.trail.touched. Huge pages
// (hugepages_linux.go) help in the same places.
//
// Tried without success: prefetching header and first watch together at the
// assignment (slower than no prefetching on formulas with long lists); prefetching
// further ahead, for the fourth literal; the processor's prefetch instruction in an
// assembly function; writing a watch back only when its place has changed; a separate
// loop for true blockers.
//
// MiniSat 2.2 propagates more literals a second on some families, but its loop is not faster:
// its watch lists are 3 to 7 times shorter. Learned clauses were not counted; those that
// Sator keeps longer may be the reason.
//
// Ticks count the cache lines of watch lists and clauses that propagation touches.
// They are the clock of all schedules.

// propagate propagates the literals of the trail and returns false if it found a
// conflict, which is in s.conflict then. It returns early, with true, when the call
// is stopped, and after each literal if the search is traced.
func (s *Solver) propagate() bool {
	vals, vars, lists := unchecked(s.trail.vals), unchecked(s.trail.vars), unchecked(s.clauses.watches)
	pool, arena := unchecked(s.clauses.pool), unchecked(s.clauses.arena)
	outOfOrder := s.trail.outOfOrder != noOutOfOrder
	current := uint32(len(s.trail.levels) - 1)
	trail := unchecked(s.trail.lits)
	size := uint32(len(s.trail.lits))
	before := size
	next := uint32(s.trail.propagated)
	ticks := s.stats.Ticks
	s.conflict.ref = 0
	touched := s.trail.touched

	for next < size && s.conflict.ref == 0 {
		if ticks >= s.call.pollAt && s.pause(ticks) {
			break
		}
		not := trail.at(next).Not()
		next++
		if next < size {
			touched ^= uint32(pool.at(lists.ptr(uint32(trail.at(next) ^ 1)).off))
		}
		h := lists.ptr(uint32(not))
		i, j := h.off, h.off
		end := i + h.len
		ticks += 1 + int64(h.len>>3)
		lev := current
		if outOfOrder {
			lev = vars.at(uint32(not >> 1)).level
		}
		for i < end {
			w := pool.at(i)
			i++
			pool.set(j, w)
			j++
			blocker := w.blocker()
			value := vals.at(uint32(blocker))
			if value > 0 {
				continue
			}
			ref := w.ref()
			if ref&1 != 0 {
				if value < 0 {
					s.conflict = conflict{ref, not, blocker}
					break
				}
				vals.set(uint32(blocker), 1)
				vals.set(uint32(blocker^1), -1)
				vars.set(uint32(blocker>>1), variable{lev, size, mkWatch(not, ref)})
				trail.set(size, blocker)
				size++
				touched ^= lists.ptr(uint32(blocker ^ 1)).off
				if lev == 0 {
					s.implyRoot(blocker)
				}
				continue
			}

			ticks++
			n := arena.at(ref + 1)
			c := arena.from(ref + headerWords)
			other := dimacs.Lit(c.at(0)^c.at(1)) ^ not
			value = vals.at(uint32(other))
			if value > 0 {
				pool.set(j-1, mkWatch(other, ref))
				continue
			}

			// Search for a literal that is not false.
			start := arena.at(ref + 2)
			k := start
			var r dimacs.Lit
			v := int8(-1)
			for ; k < n; k++ {
				r = dimacs.Lit(c.at(k))
				if v = vals.at(uint32(r)); v >= 0 {
					goto found
				}
			}
			for k = 2; k < start; k++ {
				r = dimacs.Lit(c.at(k))
				if v = vals.at(uint32(r)); v >= 0 {
					goto found
				}
			}

			if ref == s.clauses.ignored { // vivification ignores the clause
				continue
			}
			if value < 0 {
				s.conflict = conflict{ref: ref}
				break
			}
			{
				l := lev
				if outOfOrder {
					l = s.trail.assignmentLevel(other, s.clauses.lits(ref))
				}
				vals.set(uint32(other), 1)
				vals.set(uint32(other^1), -1)
				vars.set(uint32(other>>1), variable{l, size, mkWatch(0, ref)})
				trail.set(size, other)
				size++
				touched ^= lists.ptr(uint32(other ^ 1)).off
				if l == 0 {
					s.implyRoot(other)
				}
				if l > lev {
					// Watch a literal of the higher level instead of the false one.
					k = 2
					for vars.at(c.at(k)>>1).level < l {
						k++
					}
					r = dimacs.Lit(c.at(k))
					goto move
				}
				continue
			}

		found:
			arena.set(ref+2, k)
			if v > 0 {
				pool.set(j-1, mkWatch(r, ref))
				continue
			}
		move:
			c.set(0, uint32(other))
			c.set(1, uint32(r))
			c.set(k, uint32(not))
			j--
			to := lists.ptr(uint32(r))
			if to.len == to.cap && s.clauses.growList(to) {
				pool = unchecked(s.clauses.pool)
			}
			pool.set(to.off+to.len, mkWatch(other, ref))
			to.len++
		}
		if i != j {
			for ; i < end; i, j = i+1, j+1 {
				pool.set(j, pool.at(i))
			}
			h.len = j - h.off
		}
	}

	s.trail.lits = s.trail.lits[:size]
	s.trail.propagated = int(next)
	s.trail.touched = touched
	s.stats.Propagations += int64(size - before)
	s.stats.Ticks = ticks
	if s.tracer != nil {
		s.tracer.propagated()
	}
	if s.conflict.ref != 0 {
		return false
	}
	if checking && int(next) == len(s.trail.lits) {
		s.checkPropagated()
	}
	return true
}

// assign makes l true at the given level because of reason. If the level is not the
// current one, l is an out-of-order literal.
func (s *Solver) assign(l dimacs.Lit, lev uint32, reason watch) {
	if checking && s.trail.vals[l] != 0 {
		panic("cdcl: literal assigned twice")
	}
	if int(lev) < len(s.trail.levels)-1 {
		s.trail.outOfOrder = min(s.trail.outOfOrder, len(s.trail.lits))
	}
	s.trail.vals[l], s.trail.vals[l^1] = 1, -1
	s.trail.vars[l>>1] = variable{lev, uint32(len(s.trail.lits)), reason}
	s.trail.lits = append(s.trail.lits, l)
	if lev == 0 && reason != 0 {
		s.implyRoot(l)
	}
}
