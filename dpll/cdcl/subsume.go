package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/radix"
)

// Forward subsumption. A clause that contains all literals of another clause is
// subsumed and is deleted. A clause that contains all literals of another clause but
// one, and the complement of that one, is strengthened: the complement is removed from
// it, by self-subsuming resolution (Eén and Biere, SAT 2005).
//
// Candidates are tested in the order of their lengths, shortest first, each against the
// clauses tested before it ("forward"). After its test a clause is connected to its
// literal with the fewest occurrences. A candidate is compared with all clauses that
// are connected to one of its literals or to the complement of one (Zhang, "On
// subsumption removal and on-the-fly CNF simplification", SAT 2005). The lists of
// connections are laid out before the tests, since the literal of each clause is known
// then.
//
// Rounds are incremental. A clause can be a subset of another one only if the other has
// all its variables. Clauses that no round has tested lack the comparedBit; call their
// variables added. It suffices to connect the clauses whose variables are all added,
// and to test the clauses with at least two added variables. Binary clauses have no
// such bit: a variable counts as added if a literal of it is in more binary clauses
// than after the last round.
//
// Learned binary clauses take part. If one subsumes an irredundant clause, it becomes
// irredundant.

// A subsumer is a round of forward subsumption.
type subsumer struct {
	*dense
	added []bool   // by variable
	start []uint32 // by literal: where its connections begin
	end   []uint32 // by literal: where its connections end so far
	conns []watch  // connections of all literals, with signatures as in the lists
}

const (
	// subsumeSize bounds the length of clauses in subsumption. Longer ones are rarely
	// subsets of others, and rarely become short enough to matter.
	subsumeSize = 100
	// subsumeConns bounds the connections of a literal. A clause that has only literals
	// with more connections is not connected, since it would slow down all tests.
	subsumeConns = 1000
)

// subsume runs a round of forward subsumption. It reports whether the round was
// completed without refuting the formula.
func (d *dense) subsume() bool {
	s := d.s
	defer s.passes.releaseScratchFrom(len(s.passes.scratch))
	u := &subsumer{dense: d}
	candidates := u.candidates()
	if s.call.stopped || len(candidates) == 0 {
		return !s.call.stopped
	}
	s.stats.SubsumeRounds++
	s.analysis.keys2 = radix.Sort(candidates, s.analysis.keys2)
	picks := u.layOutConnections(candidates)
	if !s.call.stopped {
		u.connectBinaries()
	}
	done := 0
	for ; done < len(candidates) && !d.spent() && !s.inconsistent; done++ {
		u.subsumeForward(uint32(candidates[done]), picks[done])
	}
	s.analysis.keys = candidates[:0]
	if checking {
		d.check()
	}
	if done < len(candidates) {
		for _, k := range candidates[done:] {
			s.clauses.arena[uint32(k)] &^= comparedBit
		}
		return false
	}
	d.noteBinaries()
	return !s.inconsistent && !s.call.stopped
}

// candidates computes the added variables and returns the clauses that have at least
// two of them, with their lengths as keys.
func (u *subsumer) candidates() []uint64 {
	s := u.s
	u.added = u.addedByBinaries()
	s.stats.Ticks += int64(s.clauses.size() >> 3)
	steps := 0
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit|comparedBit) == 0 {
			for _, w := range u.lits(r) {
				u.added[w>>1] = true
			}
		}
		steps++
		return !s.pausing(steps)
	})
	keys := s.analysis.keys[:0]
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			switch c := u.lits(r); {
			case len(c) > subsumeSize:
				s.clauses.arena[r] |= comparedBit
			case u.countAdded(c) >= 2:
				keys = append(keys, uint64(len(c))<<32|uint64(r))
			}
		}
		steps++
		return !s.pausing(steps)
	})
	return keys
}

// addedByBinaries returns the variables of new binary clauses.
func (d *dense) addedByBinaries() []bool {
	added := d.inNewBinary
	d.inNewBinary = make([]bool, len(added))
	known := lengthen(d.s.passes.elimination.binaries, len(d.s.clauses.watches))
	d.s.passes.elimination.binaries = known
	for l := range d.s.clauses.watches {
		if d.s.pausing(l + 1) {
			break // no clause will be tested
		}
		if n := d.countBinaries(dimacs.Lit(l)); n > known[l] {
			added[l>>1] = true
		}
	}
	return added
}

// noteBinaries stores the number of binary clauses of each literal, unless a new one
// has not been used yet. If the call is stopped, all binary clauses of the other literals
// count as new in the next round.
func (d *dense) noteBinaries() {
	for l := range d.s.clauses.watches {
		if d.s.pausing(l + 1) {
			clear(d.s.passes.elimination.binaries[l:])
			return
		}
		if !d.inNewBinary[l>>1] {
			d.s.passes.elimination.binaries[l] = d.countBinaries(dimacs.Lit(l))
		}
	}
}

// countBinaries returns the number of binary clauses of l.
func (d *dense) countBinaries(l dimacs.Lit) uint32 {
	n := uint32(0)
	for _, w := range d.s.clauses.list(l) {
		if w.binary() && !d.s.stale(w) {
			n++
		}
	}
	return n
}

// countAdded returns the number of added variables in c.
func (u *subsumer) countAdded(c []uint32) int {
	n := 0
	for _, w := range c {
		if u.added[w>>1] {
			n++
		}
	}
	return n
}

// layOutConnections chooses for each candidate the literal that it will be connected
// to, or noLit, and lays out the lists of connections.
func (u *subsumer) layOutConnections(candidates []uint64) []dimacs.Lit {
	lists := len(u.s.clauses.watches) + 1
	size := scratchTable[uint32](u.s, lists)[:lists]
	picks := scratchTable[dimacs.Lit](u.s, len(candidates))[:len(candidates)]
	for i, k := range candidates {
		if u.s.pausing(i + 1) {
			break // no candidate will be tested
		}
		c := u.lits(uint32(k))
		picks[i] = noLit
		if u.countAdded(c) < len(c) {
			continue
		}
		if l := u.rarest(c); size[l] < subsumeConns {
			picks[i] = l
			size[l]++
		}
	}
	u.s.stats.Ticks += int64(2 * len(candidates))
	u.eachAdded(func(l dimacs.Lit, w watch) { size[l]++ })
	u.start = size
	sum := uint32(0)
	for l, n := range size {
		u.start[l] = sum
		sum += n
	}
	u.end = append(scratchTable[uint32](u.s, lists), u.start...)
	u.conns = scratchTable[watch](u.s, int(sum))[:sum]
	return picks
}

// rarest returns the literal of c with the fewest occurrences.
func (d *dense) rarest(c []uint32) dimacs.Lit {
	best := c[0]
	for _, w := range c[1:] {
		if d.count[w] < d.count[best] {
			best = w
		}
	}
	return dimacs.Lit(best)
}

// eachAdded calls f for each binary clause of two added variables, with the literal
// that it is connected to and its watch there. It ends early if the call is stopped.
func (u *subsumer) eachAdded(f func(l dimacs.Lit, w watch)) {
	for i := range u.s.clauses.watches {
		if u.s.pausing(i + 1) {
			return
		}
		l := dimacs.Lit(i)
		if !u.added[l>>1] {
			continue
		}
		for _, w := range u.s.clauses.list(l) {
			b := w.blocker()
			if !w.binary() || !u.added[b>>1] || u.s.stale(w) {
				continue
			}
			if u.count[l] < u.count[b] || u.count[l] == u.count[b] && l < b {
				f(l, w)
			}
		}
	}
}

// connectBinaries connects the binary clauses of added variables.
func (u *subsumer) connectBinaries() { u.eachAdded(u.connect) }

// connect connects a clause to l.
func (u *subsumer) connect(l dimacs.Lit, w watch) {
	u.conns[u.end[l]] = w
	u.end[l]++
}

// subsumeForward strengthens the clause at r as often as possible. Then it deletes the
// clause if another one subsumes it, or connects it to pick.
func (u *subsumer) subsumeForward(r uint32, pick dimacs.Lit) {
	u.s.clauses.arena[r] |= comparedBit
	for u.s.clauses.arena[r]&garbageBit == 0 {
		c := u.lits(r)
		u.mark(c)
		by, l, flipped, ok := u.findSubsuming(c)
		u.unmark(c)
		switch {
		case !ok:
			if pick != noLit {
				u.connect(pick, mkWatch(dimacs.Lit(signature(c)), r))
			}
			return
		case flipped == noLit:
			u.deleteSubsumed(r, l, by)
			return
		}
		u.s.stats.Strengthened++
		u.removeOccurrence(flipped, r)
		u.removeLiteral(flipped, r, u.s.clauses.refID(by.ref()))
		if flipped == pick {
			pick = noLit
		}
	}
}

// findSubsuming looks for a clause that subsumes or strengthens c, whose literals are
// marked. It compares c with the clauses connected to a literal of c or to its complement,
// and returns the clause as the watch by of the literal l. If the clause strengthens c,
// flipped is the literal to be removed from c, otherwise it is noLit.
func (u *subsumer) findSubsuming(c []uint32) (by watch, l, flipped dimacs.Lit, ok bool) {
	bits := signature(c)
	for _, w := range c {
		for _, l := range [2]dimacs.Lit{dimacs.Lit(w), dimacs.Lit(w) ^ 1} {
			conns := u.conns[u.start[l]:u.end[l]]
			u.s.stats.Ticks += 1 + int64(len(conns)>>3)
			for _, by := range conns {
				if by.binary() {
					b := by.blocker()
					m := u.s.analysis.marks[b>>1]
					if m == 0 || m != sign(uint32(b)) && l != dimacs.Lit(w) {
						continue
					}
					switch {
					case m != sign(uint32(b)):
						return by, l, b ^ 1, true
					case l != dimacs.Lit(w):
						return by, l, l ^ 1, true
					}
					return by, l, noLit, true
				}
				if uint32(by.blocker())&^bits != 0 || u.s.stale(by) {
					continue
				}
				u.s.stats.Ticks++
				if flipped, ok := u.includes(u.lits(by.ref())); ok {
					return by, l, flipped, true
				}
			}
		}
	}
	return 0, 0, noLit, false
}

// deleteSubsumed deletes the clause at r, subsumed by the clause of the watch by of l.
func (u *subsumer) deleteSubsumed(r uint32, l dimacs.Lit, by watch) {
	u.s.stats.Subsumed++
	if by.binary() && by.redundant() {
		u.promote(l, by)
	}
	u.deleteClause(r)
}

// promote makes the learned binary clause with the watch w of l irredundant.
func (d *dense) promote(l dimacs.Lit, w watch) {
	b := w.blocker()
	if !d.s.clauses.promoteWatch(l, w) {
		return // it is irredundant already
	}
	d.s.clauses.promoteWatch(b, mkWatch(l, w.ref()))
	d.s.stats.Redundant--
	d.s.stats.Irredundant++
	d.noteAdded(l)
	d.noteAdded(b)
}
