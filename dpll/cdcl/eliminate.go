package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// A variable is eliminated by resolution: all clauses that the ones with the
// variable and those with its complement give together take their place (Davis and
// Putnam, "A computing procedure for quantification theory", JACM 1960). That has a
// model if and only if the clauses had one, and is worth while where it does not
// make many clauses of few: then it takes a good part of the variables away,
// those most that an encoding has introduced for the parts of a circuit
// (Subbarayan and Pradhan, "NiVER", SAT 2004; Eén and Biere, SAT 2005). A literal
// whose complement is in no clause is the case without resolvents.
//
// How many more clauses there may be is 0 to begin with. A pass that has tried all
// variables may leave 1, 2, 4, 8, and 16 to those after it, as Kissat and CaDiCaL do
// and the knob eliminate-bound allows. By default it does not: on formulas that take
// some seconds, 16 took four times the conflicts on a timetable and a keystream, and
// twice or more on adders, a hash and magic squares; of the formulas tried, one with
// communities alone gained. Those variables come first whose elimination takes most
// away. A variable that was tried is tried again when it has lost a clause since.
//
// If some clauses of the variable define it as the output of a gate (gates.go),
// only resolvents of one of these with another clause are needed: those of two
// others follow from them, and those of two clauses of a definition are
// tautologies. A resolvent that is part of a clause it comes from strengthens that
// one instead, and all that are added are looked for in other clauses at once (see
// shortened), before the next variable is tried: it has fewer clauses then.
//
// The clauses of an eliminated variable go to the stack (extend.go), from which its
// value follows; those of the gate alone if it has one. Learned clauses of it are
// dropped.
//
// The bound is not for free. On a formula of exclusive ors (scheel-sha3 w4) runs with
// bounds up to 16 took 370,000 and 400,000 conflicts, those that ended at 0 or 4 took
// 150,000, as did those without elimination.
type eliminator struct {
	*dense
	bound    int
	pos, neg []watch // clauses of the variable and of its complement
	// How many clauses in front of each define the variable; 0 if none do.
	posGate, negGate int
	definition       bool          // they are a definition that is no gate
	kitten           kittenAdapter // the solver that finds such
	resolvent        []dimacs.Lit
}

const (
	// eliminateOccs is the number of clauses that the variable may have with either
	// sign. Of pairs there may be its square.
	eliminateOccs = 1000
	// eliminateSize is the size of the longest clause that is resolved, and of the
	// longest resolvent: long clauses propagate little.
	eliminateSize = 100
	// eliminateRounds is how often subsumption and elimination take turns in a pass.
	eliminateRounds = 3
)

// alternate lets subsumption and elimination, as far as they are in the rows, take turns
// in one stay in dense mode, until neither finds anything or the budget is used up.
func (s *Solver) alternate(rows []*pass, budget int64) {
	eliminating := slices.ContainsFunc(rows, func(p *pass) bool { return p.removes })
	if cost := s.denseCost(); cost > budget || cost > maxWords/8 || !s.worthwhile(eliminating) {
		return
	}
	d := s.enterDense(budget)
	if d == nil {
		return
	}
	if checking {
		d.check()
	}
	e := &eliminator{dense: d, bound: s.elimination.bound}
	s.elimination.complete = e.takeTurns(rows)
	if s.elimination.complete && eliminating {
		s.elimination.raiseBound(s.opts.EliminateBound)
	}
	d.leaveDense()
	s.elimination.eliminating = eliminating
	s.elimination.clauses, s.elimination.roots = s.stats.Irredundant, s.roots
}

// takeTurns runs the rows one after the other, up to eliminateRounds times. It reports
// whether another round would find nothing.
func (e *eliminator) takeTurns(rows []*pass) bool {
	for range eliminateRounds {
		before := e.s.stats.Strengthened + e.s.stats.Eliminated
		for _, p := range rows {
			e.s.enter(p.name)
			if !p.dense(e) {
				return false
			}
		}
		switch {
		case e.s.inconsistent || e.spent():
			return false
		case e.s.stats.Strengthened+e.s.stats.Eliminated == before:
			return true
		}
	}
	return false
}

// An elimination is what one pass of it leaves to the next.
type elimination struct {
	tried       []uint32 // by variable: clauses that it had when it was tried, plus 1
	binaries    []uint32 // by literal: binary clauses when subsumption was through
	bound       int      // clauses by which there may be more
	complete    bool     // all was tried, though perhaps not
	eliminating bool     // elimination, which may not have been allowed
	clauses     int      // irredundant ones at the end
	roots       int      // assigned variables at the end
}

// denseCost estimates the ticks that it takes to enter and leave dense mode. Where
// they come near what references can address, the lists would not fit.
func (s *Solver) denseCost() int64 {
	return int64(s.size()/4 + len(s.watches)/2)
}

// worthwhile reports whether a pass may find something.
func (s *Solver) worthwhile(eliminating bool) bool {
	e := &s.elimination
	return !e.complete || eliminating && !e.eliminating ||
		e.clauses != s.stats.Irredundant || e.roots != s.roots
}

// raiseBound allows more clauses in the next pass, up to highest, for which all variables
// are to be tried again.
func (x *elimination) raiseBound(highest int) {
	if x.bound < highest {
		x.bound = min(max(1, 2*x.bound), highest)
		x.complete = false
		clear(x.tried)
	}
}

// tryAll tries all variables that may have become easier to eliminate. It reports
// whether it got to its end.
func (e *eliminator) tryAll() bool {
	e.s.stats.EliminateRounds++
	e.fillHeap()
	for len(e.heap.Items) > 0 && !e.spent() {
		v := e.heap.Pop()
		e.try(v)
		if !e.propagateAndSubsume() {
			break
		}
	}
	complete := len(e.heap.Items) == 0 && !e.s.inconsistent && !e.s.stopped
	for _, v := range e.heap.Items {
		e.s.elimination.tried[v] = 0
	}
	e.heap = nil
	return complete
}

// fillHeap makes the heap of variables to be tried.
func (e *eliminator) fillHeap() {
	x := &e.s.elimination
	x.tried = lengthen(x.tried, len(e.s.vars))
	e.heap = &order.Heap{}
	e.heap.Grow(len(e.s.vars))
	for v := range e.s.vars {
		if e.s.pausing(v + 1) {
			return
		}
		if t, now := x.tried[v], e.occurrences(uint32(v)); t == 0 || now+1 < t {
			e.schedule(uint32(v))
		}
	}
	e.s.stats.Ticks += int64(len(e.s.vars) / 4)
}

func (d *dense) occurrences(v uint32) uint32 { return d.count[2*v] + d.count[2*v+1] }

// schedule makes v a variable to be tried, if it may be eliminated.
func (d *dense) schedule(v uint32) {
	if !d.s.removable(v) || max(d.count[2*v], d.count[2*v+1]) > eliminateOccs && min(d.count[2*v], d.count[2*v+1]) > 0 {
		return
	}
	if d.heap.Contains(v) {
		d.rescore(v)
		return
	}
	d.heap.Score[v] = d.score(v)
	d.heap.Push(v)
}

// rescore gives v the place that it has by its clauses.
func (d *dense) rescore(v uint32) {
	h := d.heap
	if h.Contains(v) {
		h.Score[v] = d.score(v)
		h.Fix(v)
	}
}

// score returns by how many clauses at least the elimination of v makes them fewer.
func (d *dense) score(v uint32) float64 {
	pos, neg := float64(d.count[2*v]), float64(d.count[2*v+1])
	return pos + neg - pos*neg
}

// propagateAndSubsume propagates units, and looks for the clauses that are new in others. It
// reports false if the formula is refuted.
func (e *eliminator) propagateAndSubsume() bool {
	for e.dense.propagate() && len(e.queue) > 0 && e.s.opts.Subsume != 0 {
		last := len(e.queue) - 1
		c := e.queue[last]
		e.queue = e.queue[:last]
		e.subsumeBackward(c)
	}
	e.queue = e.queue[:0]
	if checking && !e.s.inconsistent {
		e.check()
	}
	return !e.s.inconsistent
}

// try eliminates v if that is allowed.
func (e *eliminator) try(v uint32) {
	l := dimacs.Lit(2 * v)
	for e.s.removable(v) && e.gather(l) {
		e.findGate(l)
		fits, changed := false, e.findDefinition(l)
		if !changed {
			fits, changed = e.fits(l)
		}
		switch {
		case changed:
			if !e.propagateAndSubsume() || e.spent() {
				return
			}
			continue
		case fits:
			e.eliminate(l)
		}
		break
	}
	e.s.elimination.tried[v] = e.occurrences(v) + 1
}

// gather collects the clauses of l and of its complement, smallest lists first. It
// reports false if there are too many, or one is too long.
func (e *eliminator) gather(l dimacs.Lit) bool {
	e.posGate, e.negGate, e.definition = 0, 0, false
	pure := e.count[l] == 0 || e.count[l^1] == 0
	if !pure && max(e.count[l], e.count[l^1]) > eliminateOccs {
		return false
	}
	ok := true
	e.pos, ok = e.gatherList(e.pos[:0], l, pure)
	if ok {
		e.neg, ok = e.gatherList(e.neg[:0], l^1, pure)
	}
	return ok
}

func (e *eliminator) gatherList(to []watch, l dimacs.Lit, anySize bool) ([]watch, bool) {
	ws := e.s.list(l)
	e.s.stats.Ticks += 1 + int64(len(ws)>>3)
	kept, ok := ws[:0], true
	for _, w := range ws {
		if e.s.stale(w) {
			continue
		}
		kept = append(kept, w)
		if w.binary() {
			if !w.redundant() {
				to = append(to, w)
			}
			continue
		}
		to = append(to, w)
		e.s.stats.Ticks++
		ok = ok && (anySize || len(e.lits(w.ref())) <= eliminateSize)
	}
	e.s.watches[l].len = uint32(len(kept))
	return to, ok
}

// needed reports whether the resolvent of the i-th clause of the variable and the
// j-th of its complement is to be made.
func (e *eliminator) needed(i, j int) bool {
	p, n := i < e.posGate, j < e.negGate
	switch {
	case e.posGate+e.negGate == 0:
		return true
	case e.definition:
		return p || n
	}
	return p != n
}

// fits counts the resolvents and reports whether they are few enough. If one is
// part of a clause that it comes from, it takes the place of that, and fits reports
// that clauses have changed.
func (e *eliminator) fits(l dimacs.Lit) (ok, changed bool) {
	limit := len(e.pos) + len(e.neg) + e.bound
	n := 0
	for i, p := range e.pos {
		c := e.clauseOf(l, p)
		e.mark(c)
		e.s.marks[l>>1] = 0
		for j, q := range e.neg {
			if !e.needed(i, j) {
				continue
			}
			b := e.clauseOf(l^1, q)
			e.s.stats.Ticks++
			size, ok := e.resolventSize(len(c), l, b)
			if !ok {
				continue
			}
			switch n++; {
			case size < len(c):
				e.unmark(e.clauseOf(l, p))
				e.strengthenBy(l, p, q)
				return false, true
			case size < len(b):
				e.unmark(e.clauseOf(l, p))
				e.strengthenBy(l^1, q, p)
				return false, true
			case n > limit || size > eliminateSize:
				e.unmark(e.clauseOf(l, p))
				return false, false
			}
		}
		e.unmark(e.clauseOf(l, p))
	}
	return true, false
}

// resolventSize returns the size of the resolvent on l of the clause of this size
// that is marked but for l, and of b. It reports false if that is a tautology.
func (e *eliminator) resolventSize(size int, l dimacs.Lit, b []uint32) (int, bool) {
	size--
	for _, w := range b {
		switch m := e.s.marks[w>>1]; {
		case m == 0:
			size++
		case m != sign(w):
			return 0, false
		}
	}
	return size - 1, true // the complement of l is in b, and has no mark
}

// strengthenBy takes l out of the clause of w in its list, since the resolvent with
// that of by, in the list of its complement, is what is left.
func (e *eliminator) strengthenBy(l dimacs.Lit, w, by watch) {
	e.s.stats.Strengthened++
	id := e.s.refID(by.ref())
	if w.binary() {
		e.assignUnit(w.blocker(), id, e.s.refID(w.ref()))
		return
	}
	e.removeOccurrence(l, w.ref())
	e.strengthen(l, w.ref(), id)
}

// eliminate puts the resolvents in the place of the clauses of l and its complement,
// and retires the variable.
func (e *eliminator) eliminate(l dimacs.Lit) {
	for i, p := range e.pos {
		for j, q := range e.neg {
			if !e.needed(i, j) {
				continue
			}
			if e.resolve(l, p, q) && !e.hasIrredundantBinary(e.resolvent) {
				e.addResolvent(e.learn(e.resolvent, e.s.refID(p.ref()), e.s.refID(q.ref())))
			}
		}
	}
	e.s.stats.Eliminated++
	if e.posGate > 0 {
		e.s.stats.Gates++
	}
	e.removeClauses(l, e.pos, e.posGate)
	e.removeClauses(l^1, e.neg, e.negGate)
	e.removeLearned(l)
	e.removeLearned(l ^ 1)
	e.s.remove(uint32(l >> 1))
	for _, k := range [2]dimacs.Lit{l, l ^ 1} {
		e.s.release(&e.s.watches[k])
		e.s.watches[k] = watchList{}
	}
}

// resolve makes the resolvent on l of two clauses. It reports false if that is a
// tautology.
func (e *eliminator) resolve(l dimacs.Lit, p, q watch) bool {
	e.resolvent = e.resolvent[:0]
	for _, w := range e.clauseOf(l, p) {
		if w != uint32(l) {
			e.s.marks[w>>1] = sign(w)
			e.resolvent = append(e.resolvent, dimacs.Lit(w))
		}
	}
	n := len(e.resolvent)
	ok := true
	for _, w := range e.clauseOf(l^1, q) {
		switch m := e.s.marks[w>>1]; {
		case w == uint32(l^1) || m == sign(w):
		case m != 0:
			ok = false
		default:
			e.resolvent = append(e.resolvent, dimacs.Lit(w))
		}
	}
	for _, l := range e.resolvent[:n] {
		e.s.marks[l>>1] = 0
	}
	return ok
}

// hasIrredundantBinary reports whether c is a binary clause of the formula.
func (e *eliminator) hasIrredundantBinary(c []dimacs.Lit) bool {
	if len(c) > 2 {
		return false
	}
	a, b := c[0], c[1]
	if e.s.watches[a].len > e.s.watches[b].len {
		a, b = b, a
	}
	ws := e.s.list(a)
	e.s.stats.Ticks += 1 + int64(len(ws)>>3)
	return slices.ContainsFunc(ws, func(w watch) bool { return w.binary() && !w.redundant() && w.blocker() == b })
}

// addResolvent adds e.resolvent, which has two literals at least, to the formula.
func (e *eliminator) addResolvent(id int64) {
	c := e.resolvent
	e.s.stats.Resolvents++
	if len(c) == 2 {
		e.queue = append(e.queue, clauseRef{e.addBinary(c[0], c[1], id), c[0], c[1]})
		return
	}
	r := e.s.alloc(c, false, 0, id)
	e.s.stats.Irredundant++
	e.addOccurrences(r)
	for _, l := range c {
		e.noteAdded(l)
	}
	e.queue = append(e.queue, clauseRef{ref: r})
}

// removeClauses takes the clauses of l out of the formula. Those that define the variable
// go to the stack, or all if none do.
func (e *eliminator) removeClauses(l dimacs.Lit, ws []watch, gate int) {
	for i, w := range ws {
		stacked := gate == 0 || i < gate
		switch {
		case !stacked && w.binary():
			e.dense.dropBinary(l, w.blocker(), w)
			continue
		case !stacked:
			e.dense.drop(w.ref())
			continue
		}
		e.clause = append(e.clause[:0], l)
		for _, k := range e.clauseOf(l, w) {
			if k != uint32(l) {
				e.clause = append(e.clause, dimacs.Lit(k))
			}
		}
		e.s.weaken(e.clause, e.s.refID(w.ref()))
		if !w.binary() {
			e.discard(w.ref())
			continue
		}
		e.s.stats.Binary--
		e.s.stats.Irredundant--
		e.noteRemoved(l)
		e.noteRemoved(w.blocker())
	}
}

// removeLearned drops the learned binary clauses of l.
func (e *eliminator) removeLearned(l dimacs.Lit) {
	for _, w := range e.s.list(l) {
		if w.binary() && w.redundant() && !e.s.stale(w) {
			e.dense.dropBinary(l, w.blocker(), w)
		}
	}
}
