package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// The formula of a walk and its initial assignment.
//
// The initial assignment is more than the saved phases: variables are assigned their
// saved phases in the order of the decision queue or heap, and after each of them unit
// propagation assigns implied literals, ignoring conflicts (the warm-up of Kissat 4).
// If a formula describes a circuit, the inputs are decided and the gates follow, so
// that few clauses are broken at the start; single flips would never reach such an
// assignment.
//
// Propagation costs nothing extra. Each clause state starts with the number of literals
// and their exclusive or, and each literal that becomes false is removed from it. When
// all variables are assigned, the state holds the true literals, which the walk needs
// anyway. Before that, a count of 1 shows that only one literal of the clause is not false.

// walkSetup estimates the steps before the first flip: six for each literal, since new
// memory is slow.
func (s *Solver) walkSetup() int64 {
	return 3*int64(s.clauses.learnedStart) + 12*int64(s.stats.Binary) + 2*int64(len(s.trail.vars))
}

// unwatchLonger removes the watches of longer clauses and returns their memory to the system, if
// they take at least this many bytes. The clauses are unwatched then, until the next call of
// connect. It reports false if the call is stopped; a full collection completes the change then.
func (s *Solver) unwatchLonger(least int) bool {
	longer := s.stats.Irredundant + s.stats.Redundant - s.stats.Binary
	if 16*longer < least || len(s.trail.levels) > 1 || s.trail.propagated < len(s.trail.lits) {
		return true
	}
	s.collecting = newCollector(s, true)
	if !s.collecting.flushLists() {
		return false
	}
	s.collecting = nil
	s.clauses.unwatched = 2
	s.defragment(true)
	return !s.call.stopped
}

// load makes the tables of clauses and occurrences. It reports false if the assumptions falsify
// a clause or each other, or if the call is stopped.
func (w *walker) load() bool {
	s := w.s
	w.vals = append([]int8(nil), s.trail.vals...)
	for _, l := range s.call.assumptions {
		if w.vals[l] < 0 {
			return false
		}
		w.vals[l], w.vals[l^1] = 1, -1
	}
	pairs, longer := 0, 0
	if !w.eachClause(func(r uint32, _ []uint32) {
		if r == 0 {
			pairs++
		} else {
			longer++
		}
	}) {
		return false
	}
	w.pairs = scratchTable[uint32](s, 2*pairs)
	w.refs = scratchTable[uint32](s, longer)
	w.copies = inprocess.GrowingTable[uint32](host{s})
	if !w.eachClause(w.addClause) || w.refuted || uint64(len(w.copies)) > mostCopies {
		return false
	}
	w.best = make([]int8, len(s.trail.vars))
	w.breaks = make([]uint32, len(s.trail.vars))
	return w.listOccurrences()
}

// mostCopies is the largest number of words of shortened clauses.
const mostCopies = 1 << 31

// eachClause calls f with the references and literals of the irredundant clauses, the binary ones
// first, with reference 0. It reports false if the call is stopped.
func (w *walker) eachClause(f func(r uint32, c []uint32)) bool {
	s := w.s
	pair := make([]uint32, 2)
	for l := range s.clauses.watches {
		if s.pausing(l) {
			return false
		}
		ws := s.clauses.list(dimacs.Lit(l))
		w.steps += 2 + int64(len(ws)>>2)
		for _, x := range ws {
			if x.binary() && !x.redundant() && l < int(x.blocker()) {
				pair[0], pair[1] = uint32(l), uint32(x.blocker())
				f(0, pair)
			}
		}
	}
	steps := 0
	s.clauses.eachClause(2, func(r uint32) bool {
		w.steps += 2
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			f(r, s.clauses.lits(r))
		}
		steps++
		return !s.pausing(steps)
	})
	return !s.call.stopped
}

// addClause adds a clause without its fixed literals, unless it is satisfied.
func (w *walker) addClause(r uint32, c []uint32) {
	start := len(w.copies)
	w.copies = append(w.copies, 0)
	for _, l := range c {
		switch {
		case w.vals[l] > 0:
			w.copies = w.copies[:start]
			return
		case w.vals[l] == 0:
			w.copies = append(w.copies, l)
		}
	}
	n := len(w.copies) - start - 1
	w.size += n
	w.refuted = w.refuted || n == 0
	if n < len(c) {
		w.copies[start] = uint32(n)
		w.refs = append(w.refs, uint32(2*start+1))
		return
	}
	w.copies = w.copies[:start]
	if r == 0 {
		w.pairs = append(w.pairs, c...)
	} else {
		w.refs = append(w.refs, r)
	}
}

// clause returns the literals of clause c.
func (w *walker) clause(c uint32) []uint32 {
	if i := 2 * int(c); i < len(w.pairs) {
		return w.pairs[i : i+2]
	}
	r := w.refs[int(c)-len(w.pairs)/2]
	if r&1 == 0 {
		return w.s.clauses.lits(r)
	}
	n := w.copies[r>>1]
	return w.copies[r>>1+1:][:n]
}

// listOccurrences lists the clauses of each literal. It reports false if the call is
// stopped.
func (w *walker) listOccurrences() bool {
	n := len(w.pairs)/2 + len(w.refs)
	w.steps += 2*int64(w.size) + int64(len(w.vals)>>2)
	w.from = make([]uint32, len(w.vals)+1)
	for c := range n {
		if w.s.pausing(c) {
			return false
		}
		for _, l := range w.clause(uint32(c)) {
			w.from[l]++
		}
	}
	end := uint32(0)
	for l := range w.from {
		end += w.from[l]
		w.from[l] = end
	}
	// The lists are filled from their ends, so that from ends at their starts.
	w.occs = scratchTable[uint32](w.s, w.size)[:w.size]
	w.states = scratchTable[clauseState](w.s, n)[:n]
	for c := n - 1; c >= 0; c-- {
		if w.s.pausing(c) {
			return false
		}
		x := &w.states[c]
		for _, l := range w.clause(uint32(c)) {
			w.from[l]--
			w.occs[w.from[l]] = uint32(c)
			x.count++
			x.xor ^= l
		}
	}
	return true
}

// start computes the initial assignment and the broken clauses. It reports false if the
// call is stopped.
func (w *walker) start() bool {
	s := w.s
	vars := s.inOrder()
	if vars == nil {
		return false
	}
	for i, v := range vars {
		if s.pausing(i) {
			return false
		}
		if w.vals[2*v] == 0 && s.removal.active(v) {
			w.assign(uint32(literal(v, s.decisions.phases.saved[v])))
		}
		if s.call.stopped {
			return false
		}
	}
	w.flips = w.flips[:0]
	w.steps += int64(len(w.states) >> 3)
	for c := range w.states {
		if s.pausing(c) {
			return false
		}
		switch x := &w.states[c]; x.count {
		case 0:
			x.xor = uint32(len(w.broken))
			w.broken = append(w.broken, uint32(c))
		case 1:
			w.breaks[x.xor>>1]++
		}
	}
	return true
}

// assign makes l true, and propagates units. It ends early if the call is stopped.
func (w *walker) assign(l uint32) {
	w.flips = append(w.flips[:0], l)
	w.vals[l], w.vals[l^1] = 1, -1
	for i := 0; i < len(w.flips) && !w.s.pausing(i+1); i++ {
		not := w.flips[i] ^ 1
		cs := w.occs[w.from[not]:w.from[not+1]]
		w.steps += 2 + 2*int64(len(cs))
		for _, c := range cs {
			x := &w.states[c]
			x.count--
			x.xor ^= not
			if x.count == 1 && w.vals[x.xor] == 0 {
				w.vals[x.xor], w.vals[x.xor^1] = 1, -1
				w.flips = append(w.flips, x.xor)
			}
		}
	}
}

// check compares the incremental state with a computation from scratch.
func (w *walker) check() {
	breaks := make([]uint32, len(w.breaks))
	broken := 0
	for c := range w.states {
		var truth clauseState
		for _, l := range w.clause(uint32(c)) {
			if w.vals[l] > 0 {
				truth.count++
				truth.xor ^= l
			}
		}
		switch truth.count {
		case 0:
			broken++
			if p := w.states[c].xor; int(p) >= len(w.broken) || w.broken[p] != uint32(c) {
				fault("clause %d of a walk is broken and not listed as such", c)
			}
			continue
		case 1:
			breaks[truth.xor>>1]++
		}
		if w.states[c] != truth {
			fault("clause %d of a walk has the true literals %v, not %v", c, truth, w.states[c])
		}
	}
	if broken != len(w.broken) {
		fault("%d clauses of a walk are broken, not %d", broken, len(w.broken))
	}
	for v, n := range breaks {
		if w.breaks[v] != n {
			fault("variable %d alone satisfies %d clauses of a walk, not %d", v+1, n, w.breaks[v])
		}
	}
}
