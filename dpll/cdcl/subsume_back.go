package cdcl

import "sator/dimacs"

// Backward subsumption. During elimination, each added or strengthened clause is
// compared with the clauses that may contain it. Such a clause is in one of the two lists
// of each variable, so it suffices to walk the lists of the variable with the fewest
// occurrences (Eén and Biere, SAT 2005). A later round of forward subsumption would find
// the same, but too late to make the elimination of the next variables cheaper.

// strengthen removes l from the clause at r, justified by the clause with the proof id
// by (see removeLiteral), and queues the result.
func (d *dense) strengthen(l dimacs.Lit, r uint32, by int64) {
	if ref := d.removeLiteral(l, r, by); ref&1 != 0 {
		d.queue = append(d.queue, clauseRef{ref, d.clause[0], d.clause[1]})
	} else {
		d.queue = append(d.queue, clauseRef{ref: ref})
	}
}

// subsumeBackward deletes the clauses that c subsumes, and strengthens clauses with it.
// It stops at the first unit.
func (d *dense) subsumeBackward(c clauseRef) {
	id := d.s.clauses.refID(c.ref)
	lits := []uint32{uint32(c.a), uint32(c.b)}
	if c.ref&1 == 0 {
		if d.s.clauses.arena[c.ref]&garbageBit != 0 {
			return
		}
		lits = append(lits[:0], d.lits(c.ref)...)
	} else if d.fixedOrRemoved(c.a) || d.fixedOrRemoved(c.b) {
		return
	}
	if len(lits) > subsumeSize {
		return
	}
	best := uint32(0)
	for i, w := range lits {
		if d.occurrences(w>>1) < d.occurrences(lits[best]>>1) {
			best = uint32(i)
		}
	}
	if d.occurrences(lits[best]>>1) > subsumeConns {
		return
	}
	d.mark(lits)
	l := dimacs.Lit(lits[best])
	d.subsumeList(lits, c.ref, id, l)
	if d.s.trail.propagated == len(d.s.trail.lits) {
		d.subsumeList(lits, c.ref, id, l^1)
	}
	d.unmark(lits)
}

// fixedOrRemoved reports whether the variable of l is assigned or removed.
func (d *dense) fixedOrRemoved(l dimacs.Lit) bool {
	return d.s.trail.vals[l] != 0 || !d.s.removal.active(uint32(l>>1))
}

// subsumeList compares the marked clause, with this reference and proof id, with the
// clauses in the list of l.
func (d *dense) subsumeList(lits []uint32, ref uint32, id int64, l dimacs.Lit) {
	s := d.s
	bits := signature(lits)
	d.found = d.found[:0]
	ws := s.clauses.list(l)
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() {
			if len(lits) == 2 && !s.stale(w) && s.analysis.marks[w.blocker()>>1] != 0 {
				d.found = append(d.found, w)
			}
			continue
		}
		if w.ref() != ref && bits&^uint32(w.blocker()) == 0 && !s.stale(w) {
			d.found = append(d.found, w)
		}
	}
	for _, w := range d.found {
		if d.subsumeOrStrengthen(lits, id, l, w) {
			return
		}
	}
}

// subsumeOrStrengthen deletes the clause of the watch w of l if it contains all marked
// literals, or strengthens it if it contains the complement of one of them instead. It
// reports whether it assigned a unit.
func (d *dense) subsumeOrStrengthen(lits []uint32, id int64, l dimacs.Lit, w watch) bool {
	d.s.stats.Ticks++
	n, flipped := 0, noLit
	for _, k := range d.clauseOf(l, w) {
		switch m := d.s.analysis.marks[k>>1]; {
		case m == 0:
			continue
		case m == sign(k):
		case flipped != noLit:
			return false
		default:
			flipped = dimacs.Lit(k)
		}
		n++
	}
	switch {
	case n < len(lits):
	case w.binary():
		return d.strengthenBinary(flipped, id, l, w)
	case flipped == noLit:
		d.s.stats.Subsumed++
		d.deleteClause(w.ref())
	default:
		d.s.stats.Strengthened++
		d.removeOccurrence(flipped, w.ref())
		d.strengthen(flipped, w.ref(), id)
	}
	return false
}

// strengthenBinary handles a binary clause of the same two variables as the marked
// clause: if exactly one literal is complemented, the other one is a unit. Duplicates
// stay.
func (d *dense) strengthenBinary(flipped dimacs.Lit, id int64, l dimacs.Lit, w watch) bool {
	if flipped == noLit {
		return false
	}
	d.s.stats.Strengthened++
	d.assignUnit(l^w.blocker()^flipped, id, d.s.clauses.refID(w.ref()))
	return true
}
