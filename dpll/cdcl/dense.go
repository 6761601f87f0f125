package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
)

// Dense mode: full occurrence lists. Subsumption and bounded variable elimination (BVE)
// need all clauses that contain a literal, not only the clauses that watch it. In dense
// mode the watch lists become occurrence lists (Eén and Biere, "Effective preprocessing
// in SAT through variable and clause elimination", SAT 2005, where solvers have lists
// of both kinds). As in Kissat, one kind replaces the other during a pass, to save
// memory:
//
//   - The list of a literal has each irredundant clause that contains it. The half of a
//     watch that otherwise holds the blocker is a signature of the clause. It rejects
//     most tests for inclusion without a look at the clause.
//   - Binary clauses, irredundant and learned, are in both of their lists, as always.
//   - Learned clauses of more literals are in no list, and do not change.
//
// Deleted clauses stay in the lists; iterators must skip them (see stale). A deleted
// clause of the arena has its garbage bit, and a binary clause counts as deleted when
// its other literal is assigned or removed.
//
// A clause that loses a literal stays where it is in the arena. It gets the
// shrunkenBit: its size is then in the third word, which is unused without watches, and
// the second word still holds the number of words that it occupies. The other lists
// keep the old signature of such a clause, perhaps with bits of variables that it no
// longer contains. A test then looks at more clauses, but its result is the same.
//
// Units are propagated over full lists, so that irredundant clauses have no assigned
// literals. Dense mode ends with a full collection (collect.go), which deletes learned
// clauses with removed variables, and finds units and conflicts among the other learned
// clauses. If the call is stopped during this collection, the next call completes it.

// A dense is the state of dense mode.
type dense struct {
	s           *Solver
	count       []uint32     // by literal: irredundant clauses that contain it
	limit       int64        // end of the budget, in ticks
	inNewBinary []bool       // by variable: in a binary clause added since the last round of subsumption
	queue       []clauseRef  // clauses for backward subsumption
	heap        *order.Heap  // variables to be eliminated; nil outside elimination
	clause      []dimacs.Lit // scratch
	found       []watch      // scratch of subsumeList
	binary      [2]uint32    // scratch of clauseOf
}

// A clauseRef refers to a clause: in the arena if ref is even, otherwise the binary
// clause of a and b.
type clauseRef struct {
	ref  uint32
	a, b dimacs.Lit
}

// enterDense changes to dense mode. It returns nil if the call is stopped, with a full
// collection begun, if the formula is refuted, or if there is no memory for the lists.
func (s *Solver) enterDense(budget int64) *dense {
	d := &dense{s: s, limit: s.stats.Ticks + budget}
	s.collecting = newCollector(s, true)
	if !s.collecting.flushLists() {
		return nil
	}
	s.collecting = nil
	d.count = scratchTable[uint32](s, len(s.clauses.watches))[:len(s.clauses.watches)]
	d.inNewBinary = make([]bool, len(s.trail.vars))
	if !d.countLong() || !d.listLong() {
		d.leaveDense()
		return nil
	}
	return d
}

// countLong counts the occurrences of literals in long clauses, and removes assigned
// literals from these clauses. It reports false if the call is stopped.
func (d *dense) countLong() bool {
	s := d.s
	s.stats.Ticks += int64(s.clauses.size() >> 4)
	steps := 0
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			for _, w := range d.removeFalse(r) {
				d.count[w]++
			}
		}
		steps++
		return !s.pausing(steps)
	})
	return !s.call.stopped
}

// removeFalse removes the false literals from the clause at r, or deletes the clause if
// it is satisfied, and returns the remaining literals in the arena. They are empty if
// the clause became binary.
func (d *dense) removeFalse(r uint32) []uint32 {
	s := d.s
	c := d.lits(r)
	open := 0
	for _, w := range c {
		switch v := s.trail.vals[w]; {
		case v > 0:
			s.clauses.deleteClause(r)
			return nil
		case v == 0:
			open++
		}
	}
	if open == len(c) {
		return c
	}
	d.clause = d.clause[:0]
	for _, w := range c {
		if s.trail.vals[w] == 0 {
			d.clause = append(d.clause, dimacs.Lit(w))
		}
	}
	id := s.clauses.id(r)
	if s.proof.log != nil {
		all := s.clauses.literals(c)
		id = s.proof.log.Learn(d.clause, s.analysis.unitChain(all, id))
		s.proof.log.Delete(s.clauses.id(r), all)
	}
	if len(d.clause) == 2 {
		s.clauses.markGarbage(r)
		s.clauses.watchBinary(d.clause[0], d.clause[1], s.clauses.binaryRef(false, id))
		return nil
	}
	d.shrinkTo(r, d.clause, id)
	return d.lits(r)
}

// listLong lays out the lists anew, with capacity for all clauses, and fills in the
// long clauses. It reports false if the call is stopped or there is no memory for the
// lists.
func (d *dense) listLong() bool {
	if !d.layOutLists() {
		return false
	}
	steps := 0
	d.s.clauses.eachClause(2, func(r uint32) bool {
		if d.s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			d.addOccurrences(r)
		}
		steps++
		return !d.s.pausing(steps)
	})
	return !d.s.call.stopped
}

// layOutLists gives the lists, which hold only binary clauses, capacity for the long
// clauses, and adds the irredundant binary clauses to the counts. It returns false if there
// is no memory for that, or if the call is stopped.
func (d *dense) layOutLists() bool {
	s := d.s
	s.stats.Ticks += int64(len(s.clauses.watches) >> 2)
	total, more := 1, 0
	for l := range s.clauses.watches {
		h := &s.clauses.watches[l]
		size := listCapacity(h.len + d.count[l])
		if total += size; size > int(h.cap) {
			more += size
		}
	}
	if s.clauses.poolSpace == nil || more > len(s.clauses.pool)/4 {
		return d.moveLists(total)
	}
	for l := range s.clauses.watches {
		h := &s.clauses.watches[l]
		s.clauses.shrinkList(h, uint32(listCapacity(h.len+d.count[l])))
	}
	for l := range s.clauses.watches {
		if s.pausing(l + 1) {
			return false
		}
		h := &s.clauses.watches[l]
		if size := uint32(listCapacity(h.len + d.count[l])); size > h.cap {
			s.clauses.moveList(h, size)
		}
		d.countBinary(dimacs.Lit(l))
	}
	return true
}

// countBinary adds the irredundant binary clauses of l to its count.
func (d *dense) countBinary(l dimacs.Lit) {
	for _, w := range d.s.clauses.list(l) {
		if !w.redundant() {
			d.count[l]++
		}
	}
}

// moveLists gives the lists capacity for the long clauses, total watches in all. It returns false
// if there is no memory for them, or if the call is stopped.
func (d *dense) moveLists(total int) bool {
	s := d.s
	if !s.opts.Memory.Allows(8 * int64(grownCapacity(total))) {
		return false
	}
	placed, space := s.clauses.slideLists(s.pausing)
	defer space.release()
	switch {
	case placed != nil:
		return d.spreadLists(placed, total)
	case s.call.stopped:
		return false
	}
	return d.copyLists(total)
}

// spreadLists gives the lists, which slideLists has moved to the beginning of the pool, their new
// places. The last list moves first, so that its new place has no watches of others. It returns
// false if the call is stopped; the lists then stay where they are.
func (d *dense) spreadLists(placed []uint64, total int) bool {
	s := d.s
	s.clauses.requireWords(total)
	s.clauses.extendPool(uint32(total - len(s.clauses.pool)))
	off := uint32(total)
	for l := range s.clauses.watches {
		if s.pausing(l + 1) {
			return false
		}
		if h := &s.clauses.watches[l]; h.len == 0 {
			h.cap = uint32(listCapacity(d.count[l]))
			off -= h.cap
			h.off = off
		}
	}
	for i, p := range slices.Backward(placed) {
		if s.pausing(i + 1) {
			return false
		}
		l := dimacs.Lit(p)
		h := &s.clauses.watches[l]
		h.cap = uint32(listCapacity(h.len + d.count[l]))
		off -= h.cap
		copy(s.clauses.pool[off:], s.clauses.pool[h.off:h.off+h.len])
		h.off = off
		d.countBinary(l)
	}
	return true
}

// copyLists copies the lists to their new places in a new pool. It returns false if the call is
// stopped; the lists then stay in the old one.
func (d *dense) copyLists(total int) bool {
	s := d.s
	pool, space := newPool(total)
	pool = append(pool, 0)
	for l, h := range s.clauses.watches {
		if s.pausing(l + 1) {
			space.release()
			return false
		}
		end := len(pool) + listCapacity(h.len+d.count[l])
		pool = append(pool, s.clauses.list(dimacs.Lit(l))...)[:end]
	}
	off := uint32(1)
	for l := range s.clauses.watches {
		h := &s.clauses.watches[l]
		h.off, h.cap = off, uint32(listCapacity(h.len+d.count[l]))
		off += h.cap
	}
	s.clauses.setPool(pool, space)
	for l := range s.clauses.watches {
		if s.pausing(l + 1) {
			return false
		}
		d.countBinary(dimacs.Lit(l))
	}
	return true
}

// addOccurrences adds the clause at r to the lists of its literals.
func (d *dense) addOccurrences(r uint32) {
	c := d.lits(r)
	w := mkWatch(dimacs.Lit(signature(c)), r)
	for _, l := range c {
		if h := &d.s.clauses.watches[l]; h.len == h.cap {
			d.removeStale(dimacs.Lit(l))
		}
		d.s.clauses.push(dimacs.Lit(l), w)
	}
	d.s.stats.Ticks += int64(len(c) / 2)
}

// removeStale removes deleted clauses from a full list, and widens the list unless they
// were at least a quarter of it. Without this, lists would grow with each resolvent.
func (d *dense) removeStale(l dimacs.Lit) {
	s := d.s
	ws := s.clauses.list(l)
	kept := slices.DeleteFunc(ws, s.stale)
	s.stats.Ticks += int64(len(ws))
	h := &s.clauses.watches[l]
	if h.len = uint32(len(kept)); h.len > h.cap/4*3 || h.cap == 0 {
		s.clauses.growList(h)
	}
}

// signature returns a set of bits, one for each variable of c. A clause whose variables
// are a subset of those of c has a subset of its bits.
func signature(c []uint32) (bits uint32) {
	for _, w := range c {
		bits |= 1 << (w >> 1 * 0x9e3779b1 >> 27)
	}
	return bits
}

// leaveDense ends dense mode. The full collection, which watches the clauses, may be
// interrupted; the next call resumes it.
func (d *dense) leaveDense() {
	s := d.s
	if s.inconsistent {
		return
	}
	c := newCollector(s, true)
	c.dense = true
	s.startCollection(c)
	if !s.call.stopped && !s.inconsistent && !s.propagate() {
		s.refute()
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (d *dense) spent() bool {
	t := d.s.stats.Ticks
	if t >= d.s.call.pollAt {
		d.s.poll(t)
	}
	return t >= d.limit || d.s.call.stopped
}

// lits returns the literals of the clause at r.
func (d *dense) lits(r uint32) []uint32 {
	n := d.s.clauses.arena[r+1]
	if d.s.clauses.arena[r]&shrunkenBit != 0 {
		n = d.s.clauses.arena[r+2]
	}
	return d.s.clauses.arena[r+headerWords : r+headerWords+n]
}

// shrinkTo replaces the literals of the clause at r by rest, a subset of them, with a
// new proof id.
func (d *dense) shrinkTo(r uint32, rest []dimacs.Lit, id int64) {
	s := d.s
	for i, l := range rest {
		s.clauses.arena[int(r)+headerWords+i] = uint32(l)
	}
	s.clauses.arena[r] = s.clauses.arena[r]&^comparedBit | shrunkenBit
	s.clauses.arena[r+2] = uint32(len(rest))
	if s.clauses.prefix > 0 {
		s.clauses.arena[r-2], s.clauses.arena[r-1] = uint32(id), uint32(id>>32)
	}
}

// deleteClause deletes an irredundant clause of the arena.
func (d *dense) deleteClause(r uint32) {
	if d.s.proof.log != nil {
		d.s.proof.log.Delete(d.s.clauses.id(r), d.s.clauses.literals(d.lits(r)))
	}
	d.discard(r)
}

// discard marks the clause at r as garbage, and does not log a deletion.
func (d *dense) discard(r uint32) {
	d.s.clauses.markGarbage(r)
	for _, w := range d.lits(r) {
		d.noteRemoved(dimacs.Lit(w))
	}
}

// noteRemoved decrements the count of l, whose variable may now be cheaper to
// eliminate.
func (d *dense) noteRemoved(l dimacs.Lit) {
	d.count[l]--
	if d.heap != nil {
		d.schedule(uint32(l >> 1))
	}
}

// deleteBinary deletes a binary clause. The caller assigns or removes one of its
// literals, so that its watches become stale.
func (d *dense) deleteBinary(a, b dimacs.Lit, w watch) {
	d.s.clauses.binaryDeleted(a, b, w)
	if !w.redundant() {
		d.noteRemoved(a)
		d.noteRemoved(b)
	}
}

// addBinary adds an irredundant binary clause.
func (d *dense) addBinary(a, b dimacs.Lit, id int64) (ref uint32) {
	ref = d.s.clauses.binaryRef(false, id)
	d.s.clauses.watchBinary(a, b, ref)
	d.noteAdded(a)
	d.noteAdded(b)
	d.inNewBinary[a>>1], d.inNewBinary[b>>1] = true, true
	return ref
}

// noteAdded increments the count of l.
func (d *dense) noteAdded(l dimacs.Lit) {
	d.count[l]++
	if d.heap != nil {
		d.rescore(uint32(l >> 1))
	}
}

// learn logs a clause with its antecedents, and returns the proof id.
func (d *dense) learn(c []dimacs.Lit, antecedents ...int64) int64 {
	s := d.s
	if s.proof.log == nil {
		return 0
	}
	s.proof.chain = append(s.proof.chain[:0], antecedents...)
	return s.proof.log.Learn(c, s.proof.hintChain())
}

// removeLiteral removes l from the clause at r by self-subsuming resolution with the clause
// with the proof id by: apart from the complement of l, that clause has only literals of
// the clause at r. The list of l keeps its watch. If two literals remain, the clause
// becomes binary. removeLiteral returns the reference of the clause.
func (d *dense) removeLiteral(l dimacs.Lit, r uint32, by int64) uint32 {
	s := d.s
	c := d.lits(r)
	d.clause = d.clause[:0]
	for _, w := range c {
		if w != uint32(l) {
			d.clause = append(d.clause, dimacs.Lit(w))
		}
	}
	id := d.learn(d.clause, by, s.clauses.id(r))
	if len(d.clause) == 2 {
		a, b := d.clause[0], d.clause[1]
		d.deleteClause(r)
		return d.addBinary(a, b, id)
	}
	if s.proof.log != nil {
		s.proof.log.Delete(s.clauses.id(r), s.clauses.literals(c))
	}
	d.shrinkTo(r, d.clause, id)
	d.noteRemoved(l)
	return r
}

// removeOccurrence removes the clause at r from the list of l.
func (d *dense) removeOccurrence(l dimacs.Lit, r uint32) {
	d.s.clauses.removeWatch(l, func(w watch) bool { return w.ref() == r })
}

// assignUnit assigns l, the resolvent of the clauses with the proof ids by and id. The
// caller must propagate l before any other change.
func (d *dense) assignUnit(l dimacs.Lit, by, id int64) {
	d.clause = append(d.clause[:0], l)
	d.s.assignRoot(l, d.learn(d.clause, by, id))
}

// propagate propagates units, and removes assigned literals from all irredundant
// clauses. It reports false if the formula is refuted.
func (d *dense) propagate() bool {
	s := d.s
	for s.trail.propagated < len(s.trail.lits) && !s.inconsistent {
		l := s.trail.lits[s.trail.propagated]
		s.trail.propagated++
		s.stats.Propagations++
		d.satisfy(l)
		d.falsify(l ^ 1)
		for _, k := range [2]dimacs.Lit{l, l ^ 1} {
			s.clauses.release(&s.clauses.watches[k])
			s.clauses.watches[k] = watchList{}
		}
	}
	return !s.inconsistent
}

// satisfy deletes the clauses of the true literal l.
func (d *dense) satisfy(l dimacs.Lit) {
	ws := d.s.clauses.list(l)
	d.s.stats.Ticks += 1 + int64(len(ws))
	for _, w := range ws {
		switch {
		case !w.binary():
			if !d.s.stale(w) {
				d.deleteClause(w.ref())
			}
		case !d.propagated(w.blocker()):
			d.deleteBinary(l, w.blocker(), w)
		}
	}
}

// propagated reports whether the variable of l is removed, or assigned and propagated,
// so that its binary clauses are deleted.
func (d *dense) propagated(l dimacs.Lit) bool {
	return !d.s.removal.active(uint32(l>>1)) || d.s.trail.vals[l] != 0 && int(d.s.trail.vars[l>>1].trail) < d.s.trail.propagated-1
}

// falsify removes the false literal l from its clauses. The list of l stays readable in the
// old pool if the pool is reallocated in between.
func (d *dense) falsify(l dimacs.Lit) {
	s := d.s
	unit := int64(0)
	if s.proof.log != nil {
		unit = s.proof.unitIDs[l>>1]
	}
	ws := s.clauses.list(l)
	s.stats.Ticks += 1 + int64(len(ws))
	for _, w := range ws {
		switch {
		case !w.binary():
			if !s.stale(w) {
				d.removeLiteral(l, w.ref(), unit)
			}
		case d.propagated(w.blocker()):
		default:
			d.imply(w.blocker(), unit, w)
			if s.inconsistent {
				return
			}
			d.deleteBinary(l, w.blocker(), w)
		}
	}
}

// imply assigns b: the unit clause with the given id falsifies the other literal of its
// binary clause.
func (d *dense) imply(b dimacs.Lit, unit int64, w watch) {
	s := d.s
	id := s.clauses.refID(w.ref())
	switch {
	case s.trail.vals[b] == 0:
		d.assignUnit(b, unit, id)
	case s.trail.vals[b] < 0:
		if s.proof.log != nil {
			d.learn(nil, unit, s.proof.unitIDs[b>>1], id)
		}
		s.inconsistent = true
	}
}

// includes reports whether the marked clause contains all literals of c, or the
// complement of one of them instead. This complement is returned as flipped. See mark.
func (d *dense) includes(c []uint32) (flipped dimacs.Lit, ok bool) {
	flipped = noLit
	for _, w := range c {
		switch m := d.s.analysis.marks[w>>1]; {
		case m == 0:
			return noLit, false
		case m == sign(w):
		case flipped != noLit:
			return noLit, false
		default:
			flipped = dimacs.Lit(w ^ 1)
		}
	}
	return flipped, true
}

// noLit stands for no literal.
const noLit = ^dimacs.Lit(0)

// sign returns the mark of a variable in a clause with the literal w.
func sign(w uint32) uint8 { return 1 << (w & 1) }

// mark marks the variables of c with their signs.
func (d *dense) mark(c []uint32) {
	for _, w := range c {
		d.s.analysis.marks[w>>1] = sign(w)
	}
}

// unmark removes the marks of mark.
func (d *dense) unmark(c []uint32) {
	for _, w := range c {
		d.s.analysis.marks[w>>1] = 0
	}
}

// clauseOf returns the literals of the clause of a watch in the list of l. The literals
// of a binary clause are valid until the next call.
func (d *dense) clauseOf(l dimacs.Lit, w watch) []uint32 {
	if w.binary() {
		d.binary = [2]uint32{uint32(l), uint32(w.blocker())}
		return d.binary[:]
	}
	return d.lits(w.ref())
}
