package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/radix"
)

// A clause that contains another one is subsumed: it says nothing of its own and
// goes. If it contains another one but for a literal whose complement it has, it
// can be resolved with that and loses the complement: it is strengthened, by
// self-subsuming resolution (Eén and Biere, SAT 2005).
//
// Here clauses look for others that are part of them ("forward"), in the order of
// their sizes, the smallest first. Each clause that has been looked at is connected
// to one literal of its own, the one with the fewest occurrences, and a clause looks
// at what is connected to its literals and to their complements (Zhang, "On
// subsumption removal and on-the-fly CNF simplification", SAT 2005). The lists are
// laid out beforehand, since each clause's literal is known then.
//
// Rounds are incremental. A clause can be part of another one only if all its
// variables are in that. Those that no clause has looked for, or at, have not got
// their comparedBit; let the variables in them be the added ones. Then only clauses
// need be connected whose variables are all added, and only those need look that
// have two added ones at least. Binary clauses have no such bit; it is enough to
// know the variables that have more of them than after the last round.
//
// Learned binary clauses take part. One that subsumes a clause of the formula
// becomes a clause of the formula.
type subsumer struct {
	*dense
	added []bool   // by variable
	start []uint32 // by literal: where its connections begin
	end   []uint32 // and where they end so far
	conns []watch  // with signatures as in the lists
}

const (
	// subsumeSize is the size up to which clauses look and are looked for. Longer
	// ones are hardly ever part of others, or shortened enough to matter.
	subsumeSize = 100
	// subsumeConns ends the connections of a literal; a clause for which none of its
	// literals is rarer would make all others slower.
	subsumeConns = 1000
)

// subsume runs a round of subsumption. It reports whether it got to its end;
// otherwise it is out of budget, or has refuted the formula.
func (d *dense) subsume() bool {
	u := &subsumer{dense: d}
	candidates := u.candidates()
	if d.s.stopped || len(candidates) == 0 {
		return !d.s.stopped
	}
	d.s.stats.SubsumeRounds++
	d.s.keys2 = radix.Sort(candidates, d.s.keys2)
	picks := u.layOutConnections(candidates)
	u.connectBinaries()
	done := 0
	for ; done < len(candidates) && !d.spent() && !d.s.inconsistent; done++ {
		u.subsumeForward(uint32(candidates[done]), picks[done])
	}
	d.s.keys = candidates[:0]
	if checking {
		d.check()
	}
	if done < len(candidates) {
		for _, k := range candidates[done:] {
			d.s.arena[uint32(k)] &^= comparedBit
		}
		return false
	}
	d.noteBinaries()
	return !d.s.inconsistent
}

// candidates finds the variables that were added and returns the clauses that
// have two of them, keyed by their size.
func (u *subsumer) candidates() []uint64 {
	u.added = u.addedByBinaries()
	u.s.stats.Ticks += int64(u.s.size() >> 3)
	steps := 0
	u.s.eachClause(2, func(r uint32) bool {
		if u.s.arena[r]&(garbageBit|redundantBit|comparedBit) == 0 {
			for _, w := range u.lits(r) {
				u.added[w>>1] = true
			}
		}
		steps++
		return !u.s.pausing(steps)
	})
	keys := u.s.keys[:0]
	u.s.eachClause(2, func(r uint32) bool {
		if u.s.arena[r]&(garbageBit|redundantBit) == 0 {
			switch c := u.lits(r); {
			case len(c) > subsumeSize:
				u.s.arena[r] |= comparedBit
			case u.countAdded(c) >= 2:
				keys = append(keys, uint64(len(c))<<32|uint64(r))
			}
		}
		steps++
		return !u.s.pausing(steps)
	})
	return keys
}

// addedByBinaries returns the variables of binary clauses that are new.
func (d *dense) addedByBinaries() []bool {
	added := d.inNewBinary
	d.inNewBinary = make([]bool, len(added))
	known := lengthen(d.s.elimination.binaries, len(d.s.watches))
	d.s.elimination.binaries = known
	for l := range d.s.watches {
		if n := d.countBinaries(dimacs.Lit(l)); n > known[l] {
			added[l>>1] = true
		}
	}
	return added
}

// noteBinaries remembers how many binary clauses each literal has that have all
// been looked at.
func (d *dense) noteBinaries() {
	for l := range d.s.watches {
		if !d.inNewBinary[l>>1] {
			d.s.elimination.binaries[l] = d.countBinaries(dimacs.Lit(l))
		}
	}
}

func (d *dense) countBinaries(l dimacs.Lit) uint32 {
	n := uint32(0)
	for _, w := range d.s.list(l) {
		if w.binary() && !d.s.stale(w) {
			n++
		}
	}
	return n
}

// countAdded returns how many variables of c are added.
func (u *subsumer) countAdded(c []uint32) int {
	n := 0
	for _, w := range c {
		if u.added[w>>1] {
			n++
		}
	}
	return n
}

// layOutConnections chooses for each candidate the literal that it will be connected to, or
// noLit, and lays out the connections.
func (u *subsumer) layOutConnections(candidates []uint64) []dimacs.Lit {
	size := make([]uint32, len(u.s.watches)+1)
	picks := make([]dimacs.Lit, len(candidates))
	for i, k := range candidates {
		if u.s.pausing(i + 1) {
			break // and no candidate will be looked at
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
	u.end = append([]uint32(nil), u.start...)
	u.conns = make([]watch, sum)
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

// eachAdded calls f with the literal that each binary clause of added variables
// is connected to, and its watch there.
func (u *subsumer) eachAdded(f func(l dimacs.Lit, w watch)) {
	for i := range u.s.watches {
		l := dimacs.Lit(i)
		if !u.added[l>>1] {
			continue
		}
		for _, w := range u.s.list(l) {
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

func (u *subsumer) connectBinaries() { u.eachAdded(u.connect) }

// connect connects a clause to l.
func (u *subsumer) connect(l dimacs.Lit, w watch) {
	u.conns[u.end[l]] = w
	u.end[l]++
}

// subsumeForward looks for clauses that are part of the one at r, or nearly so, and connects
// what is left of it to pick.
func (u *subsumer) subsumeForward(r uint32, pick dimacs.Lit) {
	u.s.arena[r] |= comparedBit
	for u.s.arena[r]&garbageBit == 0 {
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
			u.dropSubsumed(r, l, by)
			return
		}
		u.s.stats.Strengthened++
		u.removeOccurrence(flipped, r)
		u.removeLiteral(flipped, r, u.s.refID(by.ref()))
		if flipped == pick {
			pick = noLit
		}
	}
}

// findSubsuming looks for a clause that is part of the one whose literals c are marked, but
// for one literal at most, whose complement is flipped then. It is connected to l.
func (u *subsumer) findSubsuming(c []uint32) (by watch, l, flipped dimacs.Lit, ok bool) {
	bits := signature(c)
	for _, w := range c {
		for _, l := range [2]dimacs.Lit{dimacs.Lit(w), dimacs.Lit(w) ^ 1} {
			conns := u.conns[u.start[l]:u.end[l]]
			u.s.stats.Ticks += 1 + int64(len(conns)>>3)
			for _, by := range conns {
				if by.binary() {
					b := by.blocker()
					m := u.s.marks[b>>1]
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

// dropSubsumed drops the clause at r, which that of the watch by of l subsumes.
func (u *subsumer) dropSubsumed(r uint32, l dimacs.Lit, by watch) {
	u.s.stats.Subsumed++
	if by.binary() && by.redundant() {
		u.promote(l, by)
	}
	u.drop(r)
}

// promote makes the learned binary clause of l and its watch w one of the formula.
func (d *dense) promote(l dimacs.Lit, w watch) {
	b := w.blocker()
	if !d.s.rename(l, w) {
		return // it has been
	}
	d.s.rename(b, mkWatch(l, w.ref()))
	d.s.stats.Redundant--
	d.s.stats.Irredundant++
	d.noteAdded(l)
	d.noteAdded(b)
}

// rename makes the watch w in the list of l one of an irredundant clause.
func (s *Solver) rename(l dimacs.Lit, w watch) bool {
	ws := s.list(l)
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	for i := range ws {
		if ws[i] == w {
			ws[i] = mkWatch(w.blocker(), w.ref()&^2)
			return true
		}
	}
	return false
}
