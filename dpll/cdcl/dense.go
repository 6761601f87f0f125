package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// Subsumption and elimination ask for all clauses that contain a literal, not for
// those that two of them watch. In dense mode the lists tell that (Eén and Biere,
// "Effective preprocessing in SAT through variable and clause elimination", SAT
// 2005, where solvers have lists of both kinds; that one kind takes the place of
// the other for the time of a pass is Kissat's way, and saves the memory):
//
//   - The list of a literal names each irredundant clause that contains it. The
//     half of a watch that holds the blocker otherwise is a signature of the
//     clause, with which most tests for inclusion end before the clause is touched.
//   - Binary clauses of both kinds are in both of their lists, as always.
//   - Learned clauses of more literals are in no list. They stay as they are.
//
// What goes leaves traces behind, which whoever walks a list has to pass by:
// clauses that were dropped have their garbage bit, and a binary clause is gone
// when its other literal is assigned or retired; see stale.
//
// A clause that loses a literal stays in its place. Its size is then in its third
// word, which is of no use without watches, and the second still says what room it
// takes in the arena; shrunkenBit tells. A literal that is taken out of a clause is
// taken out of no other list, so that a signature may have variables too many:
// then it lets pass what it could have stopped, which does no harm.
//
// Units are propagated over full lists, which leaves no clause with an assigned
// literal but learned ones. Dense mode ends with a sweep (collect.go) that drops
// learned clauses with retired variables, and finds units and conflicts among the
// others. It is the sweep, too, that goes on when a call is stopped.
type dense struct {
	s           *Solver
	count       []uint32    // by literal: irredundant clauses that contain it
	limit       int64       // ticks at which the budget of the pass is used up
	inNewBinary []bool      // by variable: in binary clauses added since the last round of subsumption
	queue       []clauseRef // clauses to be looked for in others
	heap        *order.Heap // variables to be eliminated, nil if none are
	clause      []dimacs.Lit
	found       []watch
	binary      [2]uint32
}

// A clauseRef names a clause: by its literals if ref is odd, that of a binary clause.
type clauseRef struct {
	ref  uint32
	a, b dimacs.Lit
}

// enterDense changes to dense mode. It returns nil if the call is stopped, with a
// sweep begun, or if the formula turned out to be refuted.
func (s *Solver) enterDense(budget int64) *dense {
	d := &dense{s: s, limit: s.stats.Ticks + budget}
	s.collecting = s.newCollector(true)
	if !s.flushLists(s.collecting) {
		return nil
	}
	s.collecting = nil
	d.count = make([]uint32, len(s.watches))
	d.inNewBinary = make([]bool, len(s.vars))
	if !d.countLong() || !d.listLong() {
		d.leaveDense()
		return nil
	}
	return d
}

// countLong counts the occurrences of literals in long clauses, and takes assigned
// literals out of these. It reports false if the call is stopped.
func (d *dense) countLong() bool {
	d.s.stats.Ticks += int64(d.s.size() >> 4)
	steps := 0
	d.s.eachClause(2, func(r uint32) bool {
		if d.s.arena[r]&(garbageBit|redundantBit) == 0 {
			for _, w := range d.removeFalse(r) {
				d.count[w]++
			}
		}
		steps++
		return !d.s.pausing(steps)
	})
	return !d.s.stopped
}

// removeFalse takes the false literals out of the clause at r, or drops it if it is
// satisfied, and returns what is left. A clause left with two literals becomes
// binary; it has no words left then.
func (d *dense) removeFalse(r uint32) []uint32 {
	c := d.lits(r)
	open := 0
	for _, w := range c {
		switch v := d.s.vals[w]; {
		case v > 0:
			d.s.deleteClause(r)
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
		if d.s.vals[w] == 0 {
			d.clause = append(d.clause, dimacs.Lit(w))
		}
	}
	id := d.s.id(r)
	if d.s.proof != nil {
		all := d.s.literals(c)
		id = d.s.proof.Learn(d.clause, d.s.unitChain(all, id))
		d.s.proof.Delete(d.s.id(r), all)
	}
	if len(d.clause) == 2 {
		d.s.markGarbage(r)
		d.s.watchBinary(d.clause[0], d.clause[1], d.s.binaryRef(false, id))
		return nil
	}
	d.shrinkTo(r, d.clause, id)
	return d.lits(r)
}

// listLong lays the lists out anew, with room for all clauses, and puts the long
// ones into them. It reports false if the call is stopped.
func (d *dense) listLong() bool {
	d.layOutLists()
	steps := 0
	d.s.eachClause(2, func(r uint32) bool {
		if d.s.arena[r]&(garbageBit|redundantBit) == 0 {
			d.addOccurrences(r)
		}
		steps++
		return !d.s.pausing(steps)
	})
	return !d.s.stopped
}

// layOutLists lays out the lists, which hold binary clauses alone, in a new pool. It
// counts the irredundant ones of these too.
func (d *dense) layOutLists() {
	d.s.stats.Ticks += int64(len(d.s.watches) >> 2)
	total := 1
	for l := range d.s.watches {
		total += listCapacity(d.s.watches[l].len + d.count[l])
	}
	pool := make([]watch, 1, grownCapacity(total))
	for l := range d.s.watches {
		h := &d.s.watches[l]
		ws := d.s.list(dimacs.Lit(l))
		h.off, h.cap = uint32(len(pool)), uint32(listCapacity(h.len+d.count[l]))
		pool = append(pool, ws...)
		pool = pool[:int(h.off)+int(h.cap)]
		for _, w := range ws {
			if !w.redundant() {
				d.count[l]++
			}
		}
	}
	d.s.pool, d.s.free, d.s.freed = pool, [33]uint32{}, 0
}

// addOccurrences puts the clause at r into the lists of its literals.
func (d *dense) addOccurrences(r uint32) {
	c := d.lits(r)
	w := mkWatch(dimacs.Lit(signature(c)), r)
	for _, l := range c {
		if h := &d.s.watches[l]; h.len == h.cap {
			d.removeStale(dimacs.Lit(l))
		}
		d.s.push(dimacs.Lit(l), w)
	}
	d.s.stats.Ticks += int64(len(c) / 2)
}

// removeStale takes what is gone out of a full list, and makes room unless that was a good
// part of it. Lists would grow with each resolvent otherwise, and the pool with them.
func (d *dense) removeStale(l dimacs.Lit) {
	ws := d.s.list(l)
	kept := slices.DeleteFunc(ws, d.s.stale)
	d.s.stats.Ticks += int64(len(ws))
	h := &d.s.watches[l]
	if h.len = uint32(len(kept)); h.len > h.cap/4*3 || h.cap == 0 {
		d.s.growList(h)
	}
}

// signature returns a set of bits, one for each variable: if a clause has only
// variables of another one, it has only bits of it.
func signature(c []uint32) (bits uint32) {
	for _, w := range c {
		bits |= 1 << (w >> 1 * 0x9e3779b1 >> 27)
	}
	return bits
}

// leaveDense ends dense mode. The sweep that watches what is left may be interrupted;
// the next call goes on with it.
func (d *dense) leaveDense() {
	s := d.s
	if s.inconsistent {
		return
	}
	c := s.newCollector(true)
	c.dense = true
	s.startCollection(c)
	if !s.stopped && !s.inconsistent && !s.propagate() {
		s.refute()
	}
}

// purgeList keeps the binary clauses of a list that are still there. Of all
// others the proof was told.
func (s *Solver) purgeList(l dimacs.Lit) {
	kept := s.list(l)[:0]
	if s.vals[l] == 0 && s.active(uint32(l>>1)) {
		for _, w := range s.list(l) {
			if w.binary() && !s.stale(w) {
				kept = append(kept, w)
			}
		}
	}
	h := &s.watches[l]
	if h.len = uint32(len(kept)); h.len == 0 {
		s.release(h)
		*h = watchList{}
	}
}

// hasRemoved reports whether a variable of the clause is retired.
func (s *Solver) hasRemoved(c []uint32) bool {
	for _, w := range c {
		if !s.active(w >> 1) {
			return true
		}
	}
	return false
}

// storeSize makes the size of a shrunken clause the one in its second word.
func (s *Solver) storeSize(r uint32) {
	s.arena[r] &^= shrunkenBit
	s.arena[r+1], s.arena[r+2] = s.arena[r+2], 2
}

// stale reports whether the clause of a watch is gone.
func (s *Solver) stale(w watch) bool {
	if !w.binary() {
		return s.arena[w.ref()]&garbageBit != 0
	}
	b := w.blocker()
	return s.vals[b] != 0 || !s.active(uint32(b>>1))
}

// spent reports whether the pass should end: it has used its budget or is
// stopped.
func (d *dense) spent() bool {
	t := d.s.stats.Ticks
	if t >= d.s.pollAt {
		d.s.poll(t)
	}
	return t >= d.limit || d.s.stopped
}

// lits returns the literals of the clause at r.
func (d *dense) lits(r uint32) []uint32 {
	n := d.s.arena[r+1]
	if d.s.arena[r]&shrunkenBit != 0 {
		n = d.s.arena[r+2]
	}
	return d.s.arena[r+headerWords : r+headerWords+n]
}

// shrinkTo makes rest, part of its literals, all of the clause at r, with a new
// proof id.
func (d *dense) shrinkTo(r uint32, rest []dimacs.Lit, id int64) {
	for i, l := range rest {
		d.s.arena[int(r)+headerWords+i] = uint32(l)
	}
	d.s.arena[r] = d.s.arena[r]&^comparedBit | shrunkenBit
	d.s.arena[r+2] = uint32(len(rest))
	if d.s.prefix > 0 {
		d.s.arena[r-2], d.s.arena[r-1] = uint32(id), uint32(id>>32)
	}
}

// drop drops an irredundant clause of the arena.
func (d *dense) drop(r uint32) {
	if d.s.proof != nil {
		d.s.proof.Delete(d.s.id(r), d.s.literals(d.lits(r)))
	}
	d.discard(r)
}

// discard makes the clause at r garbage without a word to the proof.
func (d *dense) discard(r uint32) {
	d.s.markGarbage(r)
	for _, w := range d.lits(r) {
		d.noteRemoved(dimacs.Lit(w))
	}
}

// noteRemoved notes that an irredundant clause with the literal l is gone.
func (d *dense) noteRemoved(l dimacs.Lit) {
	d.count[l]--
	if d.heap != nil {
		d.schedule(uint32(l >> 1))
	}
}

// dropBinary drops a binary clause. Its watches stay; they are stale when one of
// the literals is assigned or retired.
func (d *dense) dropBinary(a, b dimacs.Lit, w watch) {
	d.s.binaryDeleted(a, b, w)
	if !w.redundant() {
		d.noteRemoved(a)
		d.noteRemoved(b)
	}
}

// addBinary adds an irredundant binary clause.
func (d *dense) addBinary(a, b dimacs.Lit, id int64) (ref uint32) {
	ref = d.s.binaryRef(false, id)
	d.s.watchBinary(a, b, ref)
	d.noteAdded(a)
	d.noteAdded(b)
	d.inNewBinary[a>>1], d.inNewBinary[b>>1] = true, true
	return ref
}

// noteAdded notes that there is a new irredundant clause with l.
func (d *dense) noteAdded(l dimacs.Lit) {
	d.count[l]++
	if d.heap != nil {
		d.rescore(uint32(l >> 1))
	}
}

// learn tells the proof of a clause with these antecedents.
func (d *dense) learn(c []dimacs.Lit, antecedents ...int64) int64 {
	if d.s.proof == nil {
		return 0
	}
	d.s.chain = append(d.s.chain[:0], antecedents...)
	return d.s.proof.Learn(c, d.s.hintChain())
}

// removeLiteral takes l out of the clause at r, which the clause with the id by allows:
// it is the clause with the complement of l instead, or a part of that. The clause
// stays in the list of l. If two literals are left, the clause becomes binary, and
// its new reference is returned.
func (d *dense) removeLiteral(l dimacs.Lit, r uint32, by int64) uint32 {
	c := d.lits(r)
	d.clause = d.clause[:0]
	for _, w := range c {
		if w != uint32(l) {
			d.clause = append(d.clause, dimacs.Lit(w))
		}
	}
	id := d.learn(d.clause, by, d.s.id(r))
	if len(d.clause) == 2 {
		a, b := d.clause[0], d.clause[1]
		d.drop(r)
		return d.addBinary(a, b, id)
	}
	if d.s.proof != nil {
		d.s.proof.Delete(d.s.id(r), d.s.literals(c))
	}
	d.shrinkTo(r, d.clause, id)
	d.noteRemoved(l)
	return r
}

// removeOccurrence takes the clause at r out of the list of l.
func (d *dense) removeOccurrence(l dimacs.Lit, r uint32) {
	d.s.removeWatch(l, func(w watch) bool { return w.ref() == r })
}

// assignUnit assigns l, which two clauses imply. It must be propagated before anything
// else.
func (d *dense) assignUnit(l dimacs.Lit, by, id int64) {
	d.clause = append(d.clause[:0], l)
	d.s.assignRoot(l, d.learn(d.clause, by, id))
}

// propagate assigns what units imply, and takes them out of the clauses. It
// reports false if that refutes the formula.
func (d *dense) propagate() bool {
	for d.s.propagated < len(d.s.trail) && !d.s.inconsistent {
		l := d.s.trail[d.s.propagated]
		d.s.propagated++
		d.s.stats.Propagations++
		d.satisfy(l)
		d.falsify(l ^ 1)
		for _, k := range [2]dimacs.Lit{l, l ^ 1} {
			d.s.release(&d.s.watches[k])
			d.s.watches[k] = watchList{}
		}
	}
	return !d.s.inconsistent
}

// satisfy drops the clauses of l, which is true.
func (d *dense) satisfy(l dimacs.Lit) {
	ws := d.s.list(l)
	d.s.stats.Ticks += 1 + int64(len(ws))
	for _, w := range ws {
		switch {
		case !w.binary():
			if !d.s.stale(w) {
				d.drop(w.ref())
			}
		case !d.propagated(w.blocker()):
			d.dropBinary(l, w.blocker(), w)
		}
	}
}

// propagated reports whether the variable of l is retired or was propagated, so that
// its binary clauses are gone.
func (d *dense) propagated(l dimacs.Lit) bool {
	return !d.s.active(uint32(l>>1)) || d.s.vals[l] != 0 && int(d.s.vars[l>>1].trail) < d.s.propagated-1
}

// falsify takes l, which is false, out of its clauses. Its list stays where it is
// meanwhile, whatever becomes of the pool.
func (d *dense) falsify(l dimacs.Lit) {
	unit := int64(0)
	if d.s.proof != nil {
		unit = d.s.unitIDs[l>>1]
	}
	ws := d.s.list(l)
	d.s.stats.Ticks += 1 + int64(len(ws))
	for _, w := range ws {
		switch {
		case !w.binary():
			if !d.s.stale(w) {
				d.removeLiteral(l, w.ref(), unit)
			}
		case d.propagated(w.blocker()):
		default:
			d.imply(w.blocker(), unit, w)
			if d.s.inconsistent {
				return
			}
			d.dropBinary(l, w.blocker(), w)
		}
	}
}

// imply makes b true, since the other literal of its binary clause is false by
// the unit clause with this id.
func (d *dense) imply(b dimacs.Lit, unit int64, w watch) {
	id := d.s.refID(w.ref())
	switch {
	case d.s.vals[b] == 0:
		d.assignUnit(b, unit, id)
	case d.s.vals[b] < 0:
		if d.s.proof != nil {
			d.learn(nil, unit, d.s.unitIDs[b>>1], id)
		}
		d.s.inconsistent = true
	}
}

// includes reports whether the clause whose variables are marked with signs (see
// mark) includes c, but for one literal at most, whose complement is in the
// clause: that is flipped then.
func (d *dense) includes(c []uint32) (flipped dimacs.Lit, ok bool) {
	flipped = noLit
	for _, w := range c {
		switch m := d.s.marks[w>>1]; {
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

// noLit is no literal.
const noLit = ^dimacs.Lit(0)

// sign is the mark of a variable in a clause that has the literal w.
func sign(w uint32) uint8 { return 1 << (w & 1) }

// mark marks the variables of c with the signs that they have in it.
func (d *dense) mark(c []uint32) {
	for _, w := range c {
		d.s.marks[w>>1] = sign(w)
	}
}

// unmark takes the marks back.
func (d *dense) unmark(c []uint32) {
	for _, w := range c {
		d.s.marks[w>>1] = 0
	}
}

// clauseOf returns the literals of the clause that a watch in the list of l names.
// Those of a binary clause are there until the next call.
func (d *dense) clauseOf(l dimacs.Lit, w watch) []uint32 {
	if w.binary() {
		d.binary = [2]uint32{uint32(l), uint32(w.blocker())}
		return d.binary[:]
	}
	return d.lits(w.ref())
}
