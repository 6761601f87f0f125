package cdcl

import (
	"math"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
)

// Bounded variable elimination (BVE). All resolvents of the clauses of a variable with
// the clauses of its complement replace these clauses (Davis and Putnam, "A computing
// procedure for quantification theory", JACM 1960). The result has a model if and only
// if the formula has one. Elimination pays where it adds few clauses; then it removes a
// large part of the variables, above all variables that encodings introduce for parts
// of a circuit (Subbarayan and Pradhan, "NiVER", SAT 2004; Eén and Biere, SAT 2005). A
// pure literal, whose complement is in no clause, is the case without resolvents.
//
// An elimination may make the formula longer by a number of clauses, the bound. It is 0
// at first. A pass that has tried all variables may raise it to 1, 2, 4, 8 and 16 for
// later passes, as in Kissat and CaDiCaL: up to the knob eliminate-bound, which is 0, and in
// long runs up to 1 after 50,000 conflicts (eliminate-raise), 2 after 100,000, and 16 after
// 250,000.
//
// Early raises do not pay, since the first rounds come earlier than those of Kissat; late
// ones do: with bound 0 more variables remain in long runs, and each conflict takes more
// propagations.
//
// Tried: raises in every round, raises by conflicts from 12,500 on (losses), 4 or 8 as the
// highest bound (no gain).
//
// Variables whose elimination removes most clauses are tried first. A variable is tried
// again when it has lost a clause since its last try.
//
// If some clauses of the variable define it as the output of a gate (gates.go), only
// the resolvents of a gate clause with another clause are needed: resolvents of two
// other clauses follow from them, and resolvents of two clauses of the definition are
// tautologies. A resolvent that is a subset of one of its antecedents strengthens that
// antecedent instead. Added and strengthened clauses are used for backward subsumption
// (subsume_back.go) before the next variable is tried, so that it has fewer clauses.
//
// The output of an XOR gate is eliminated only if the resolvents have no more literals than
// the clauses that they replace. Two XORs of three variables in a chain would become one XOR
// of four variables, with as many clauses, but of four literals each, which propagate less.
// The XORs that a miter compares would multiply its longest clause: three eliminations
// replaced one clause of eight literals by eight clauses of fifteen.
//
// Tried: the same limit for all variables (a loss); variables of the lowest activity first,
// as in Kissat, in place of the limit (a loss) or among equals (no gain).
//
// The clauses of an eliminated variable move to the reconstruction stack
// (reconstruct.go), from which its value follows; if it has a gate, only the clauses of
// the gate. Learned clauses with the variable are deleted.

// An eliminator is a pass of bounded variable elimination.
type eliminator struct {
	*dense
	bound    int     // bound on the growth of the formula per elimination, in clauses
	pos, neg []watch // clauses of the variable, and of its complement
	// posGate and negGate are the numbers of clauses at the front of pos and of neg that
	// define the variable, or 0.
	posGate, negGate int
	definition       bool          // the front clauses are a semantic definition, not a gate
	xor              bool          // the front clauses are an XOR gate
	kitten           kittenAdapter // finds semantic definitions
	resolvent        []dimacs.Lit
}

const (
	// eliminateOccs bounds the clauses of the variable with either sign. The number of
	// their pairs may reach its square.
	eliminateOccs = 1000
	// eliminateSize bounds the length of resolved clauses and of resolvents: long
	// clauses propagate little.
	eliminateSize = 100
	// lateBoundLog is the binary logarithm of the highest bound of long runs.
	lateBoundLog = 4
	// eliminateRounds bounds the rounds of subsumption and elimination in a pass.
	eliminateRounds = 3
	// denseStay is the budget of a useful stay in dense mode, in multiples of the cost of entering.
	denseStay = 8
	// denseShare is the least ratio of the ticks of search to those of all stays at which a stay is
	// lengthened to denseStay.
	denseShare = 3
)

// alternate runs the given passes, subsumption or elimination or both, in turns in dense
// mode until they find nothing more or the budget is used up.
//
// A budget in proportion to the ticks since the last round may be no more than the cost of
// entering dense mode, since a round of a large formula is due after about that many ticks. Then
// no variable would ever be eliminated. So a stay is lengthened as soon as the search has taken
// long enough, and a stay of less than twice that cost does not begin.
func (s *Solver) alternate(rows []*pass, budget int64) {
	eliminating := slices.ContainsFunc(rows, func(p *pass) bool { return p.removes })
	s.passes.raiseBound()
	cost, before := s.clauses.denseCost(), s.stats.Ticks
	x := &s.passes.elimination
	if stay := denseStay * cost; denseShare*(x.spent+stay) <= before {
		budget = max(budget, stay)
	}
	if 2*cost > budget || cost > maxWords/8 || !s.passes.worthwhile(eliminating) {
		return
	}
	defer func() { x.spent += s.stats.Ticks - before }()
	d := s.enterDense(budget)
	if d == nil {
		return
	}
	if checking {
		d.check()
	}
	e := &eliminator{dense: d, bound: x.bound}
	x.complete = e.takeTurns(rows)
	d.leaveDense()
	x.eliminating = eliminating
	x.clauses, x.roots = s.stats.Irredundant, s.trail.roots
	s.passes.raiseBound()
}

// takeTurns runs the passes one after the other, up to eliminateRounds times, each with an
// equal share of the budget that is left: the subsumption of a large formula may take all of it
// for many rounds. It reports whether another round would find nothing.
func (e *eliminator) takeTurns(rows []*pass) bool {
	s, end := e.s, e.limit
	for range eliminateRounds {
		before, complete := s.stats.Strengthened+s.stats.Eliminated, true
		for i, p := range rows {
			s.opts.enter(p.name)
			e.limit = s.stats.Ticks + (end-s.stats.Ticks)/int64(len(rows)-i)
			complete = p.dense(e) && complete
			if s.inconsistent || s.call.stopped {
				return false
			}
		}
		switch {
		case !complete || e.spent():
			return false
		case s.stats.Strengthened+s.stats.Eliminated == before:
			return true
		}
	}
	return false
}

// An elimination is the state that a pass leaves to the next one.
type elimination struct {
	tried       []uint32 // by variable: number of its clauses when it was tried, plus 1
	binaries    []uint32 // by literal: number of binary clauses that subsumption has used
	bound       int      // bound on the growth of the formula per elimination, in clauses
	complete    bool     // the last pass ended because nothing more was found
	eliminating bool     // the last pass ran elimination, which not every call allows
	clauses     int      // irredundant clauses after the last pass
	roots       int      // root assignments after the last pass
	spent       int64    // ticks of all stays in dense mode
}

// worthwhile reports whether a pass may find something.
func (m *passMemory) worthwhile(eliminating bool) bool {
	e := &m.elimination
	return !e.complete || eliminating && !e.eliminating ||
		e.clauses != m.stats.Irredundant || e.roots != m.trail.roots
}

// raiseBound doubles the bound, up to the highest one allowed, and schedules all variables
// again, if the last pass has tried all variables with the present bound.
func (m *passMemory) raiseBound() {
	x := &m.elimination
	if highest := m.highestBound(); x.complete && x.eliminating && x.bound < highest {
		x.bound = min(max(1, 2*x.bound), highest)
		x.complete = false
		clear(x.tried)
	}
}

// highestBound returns the highest bound allowed by now: the knob eliminate-bound or, if it
// is higher, the bound of long runs, which doubles each eliminate-raise conflicts.
func (m *passMemory) highestBound() int {
	late := 0
	if interval := int64(m.opts.EliminateRaise); interval > 0 {
		late = 1 << min(m.stats.Conflicts/interval, lateBoundLog+1) / 2
	}
	return max(m.opts.EliminateBound, late)
}

// tryAll tries all variables that may have become cheaper to eliminate. It reports
// whether it tried all of them.
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
	complete := len(e.heap.Items) == 0 && !e.s.inconsistent && !e.s.call.stopped
	for _, v := range e.heap.Items {
		e.s.passes.elimination.tried[v] = 0
	}
	e.heap = nil
	return complete
}

// fillHeap schedules the variables that lost clauses since their last try.
func (e *eliminator) fillHeap() {
	s := e.s
	x := &s.passes.elimination
	x.tried = lengthen(x.tried, len(s.trail.vars))
	e.heap = &order.Heap{}
	e.heap.Grow(len(s.trail.vars))
	for v := range s.trail.vars {
		if s.pausing(v + 1) {
			return
		}
		if t, now := x.tried[v], e.occurrences(uint32(v)); t == 0 || now+1 < t {
			e.schedule(uint32(v))
		}
	}
	s.stats.Ticks += int64(len(s.trail.vars) / 4)
}

// occurrences returns the number of irredundant clauses with v.
func (d *dense) occurrences(v uint32) uint32 { return d.count[2*v] + d.count[2*v+1] }

// schedule adds v to the heap, or updates its score, if v may be eliminated.
func (d *dense) schedule(v uint32) {
	if !d.s.removal.removable(v) || max(d.count[2*v], d.count[2*v+1]) > eliminateOccs && min(d.count[2*v], d.count[2*v+1]) > 0 {
		return
	}
	if d.heap.Contains(v) {
		d.rescore(v)
		return
	}
	d.heap.Score[v] = d.score(v)
	d.heap.Push(v)
}

// rescore updates the position of v in the heap.
func (d *dense) rescore(v uint32) {
	h := d.heap
	if h.Contains(v) {
		h.Score[v] = d.score(v)
		h.Fix(v)
	}
}

// score returns a lower bound of the number of clauses that the elimination of v saves.
func (d *dense) score(v uint32) float64 {
	pos, neg := float64(d.count[2*v]), float64(d.count[2*v+1])
	return pos + neg - pos*neg
}

// propagateAndSubsume propagates units, and runs backward subsumption with the clauses
// of the queue. It reports false if the formula is refuted.
func (e *eliminator) propagateAndSubsume() bool {
	for e.dense.propagate() && len(e.queue) > 0 && !e.s.opts.NoSubsume {
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

// try eliminates v if the bound allows it.
func (e *eliminator) try(v uint32) {
	l := dimacs.Lit(2 * v)
	for e.s.removal.removable(v) && e.gather(l) {
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
	e.s.passes.elimination.tried[v] = e.occurrences(v) + 1
}

// gather collects the clauses of l and of its complement. It reports false if there are
// too many, or if one is too long.
func (e *eliminator) gather(l dimacs.Lit) bool {
	e.posGate, e.negGate, e.definition, e.xor = 0, 0, false, false
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

// gatherList appends the irredundant clauses in the list of l to the given ones, and
// removes deleted clauses from the list. It reports false if a clause is too long,
// unless any size is allowed.
func (e *eliminator) gatherList(to []watch, l dimacs.Lit, anySize bool) ([]watch, bool) {
	s := e.s
	ws := s.clauses.list(l)
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	kept, ok := ws[:0], true
	for _, w := range ws {
		if s.stale(w) {
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
		s.stats.Ticks++
		ok = ok && (anySize || len(e.lits(w.ref())) <= eliminateSize)
	}
	s.clauses.watches[l].len = uint32(len(kept))
	return to, ok
}

// needed reports whether elimination needs the resolvent of clause i of the variable
// and clause j of its complement.
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

// fits counts the resolvents and reports whether the bound allows them. If a resolvent
// is a subset of one of its antecedents, it replaces that antecedent, and fits reports
// that clauses have changed.
func (e *eliminator) fits(l dimacs.Lit) (ok, changed bool) {
	limit, litLimit := len(e.pos)+len(e.neg)+e.boundOf(l), e.litLimit(l)
	n, lits := 0, 0
	for i, p := range e.pos {
		c := e.clauseOf(l, p)
		e.mark(c)
		e.s.analysis.marks[l>>1] = 0
		for j, q := range e.neg {
			if !e.needed(i, j) {
				continue
			}
			b := e.clauseOf(l^1, q)
			e.s.stats.Ticks++
			size, ok := e.resolventSize(len(c), b)
			if !ok {
				continue
			}
			n, lits = n+1, lits+size
			switch {
			case size < len(c):
				e.unmark(e.clauseOf(l, p))
				e.strengthenBy(l, p, q)
				return false, true
			case size < len(b):
				e.unmark(e.clauseOf(l, p))
				e.strengthenBy(l^1, q, p)
				return false, true
			case n > limit || lits > litLimit || size > eliminateSize:
				e.unmark(e.clauseOf(l, p))
				return false, false
			}
		}
		e.unmark(e.clauseOf(l, p))
	}
	return true, false
}

// boundOf returns the number of clauses that eliminating the variable of l may add: the
// bound, or 0 for a variable that bounded variable addition (BVA) has introduced.
func (e *eliminator) boundOf(l dimacs.Lit) int {
	if int(l>>1) >= e.s.removal.givenVars() {
		return 0
	}
	return e.bound
}

// litLimit returns the number of literals that the resolvents on l may have in total: no
// more than the clauses that they replace if l is the output of an XOR gate.
func (e *eliminator) litLimit(l dimacs.Lit) int {
	if !e.xor {
		return math.MaxInt
	}
	n := 0
	for _, p := range e.pos {
		n += len(e.clauseOf(l, p))
	}
	for _, q := range e.neg {
		n += len(e.clauseOf(l^1, q))
	}
	return n
}

// resolventSize returns the length of the resolvent of b and of the marked clause with the
// given size, where the literal that they clash on has no mark. It reports false if the
// resolvent is a tautology.
func (e *eliminator) resolventSize(size int, b []uint32) (int, bool) {
	size--
	for _, w := range b {
		switch m := e.s.analysis.marks[w>>1]; {
		case m == 0:
			size++
		case m != sign(w):
			return 0, false
		}
	}
	return size - 1, true // its complement is in b and was counted: it has no mark
}

// strengthenBy removes l from the clause of the watch w, in the list of l. The remaining
// literals are the resolvent of that clause with the clause of by, in the list of the
// complement of l.
func (e *eliminator) strengthenBy(l dimacs.Lit, w, by watch) {
	e.s.stats.Strengthened++
	id := e.s.clauses.refID(by.ref())
	if w.binary() {
		e.assignUnit(w.blocker(), id, e.s.clauses.refID(w.ref()))
		return
	}
	e.removeOccurrence(l, w.ref())
	e.strengthen(l, w.ref(), id)
}

// eliminate replaces the clauses of l and of its complement by the resolvents, and
// removes the variable.
func (e *eliminator) eliminate(l dimacs.Lit) {
	s := e.s
	for i, p := range e.pos {
		for j, q := range e.neg {
			if !e.needed(i, j) {
				continue
			}
			if e.resolve(l, p, q) && !e.hasIrredundantBinary(e.resolvent) {
				e.addResolvent(e.learn(e.resolvent, s.clauses.refID(p.ref()), s.clauses.refID(q.ref())))
			}
		}
	}
	s.stats.Eliminated++
	if e.posGate > 0 {
		s.stats.Gates++
	}
	e.removeClauses(l, e.pos, e.posGate)
	e.removeClauses(l^1, e.neg, e.negGate)
	e.removeLearned(l)
	e.removeLearned(l ^ 1)
	s.removal.remove(uint32(l >> 1))
	for _, k := range [2]dimacs.Lit{l, l ^ 1} {
		s.clauses.release(&s.clauses.watches[k])
		s.clauses.watches[k] = watchList{}
	}
}

// resolve computes e.resolvent, the resolvent on l of two clauses. It reports false if
// the resolvent is a tautology.
func (e *eliminator) resolve(l dimacs.Lit, p, q watch) bool {
	e.resolvent = e.resolvent[:0]
	for _, w := range e.clauseOf(l, p) {
		if w != uint32(l) {
			e.s.analysis.marks[w>>1] = sign(w)
			e.resolvent = append(e.resolvent, dimacs.Lit(w))
		}
	}
	n := len(e.resolvent)
	ok := true
	for _, w := range e.clauseOf(l^1, q) {
		switch m := e.s.analysis.marks[w>>1]; {
		case w == uint32(l^1) || m == sign(w):
		case m != 0:
			ok = false
		default:
			e.resolvent = append(e.resolvent, dimacs.Lit(w))
		}
	}
	for _, l := range e.resolvent[:n] {
		e.s.analysis.marks[l>>1] = 0
	}
	return ok
}

// hasIrredundantBinary reports whether c is an irredundant binary clause.
func (e *eliminator) hasIrredundantBinary(c []dimacs.Lit) bool {
	if len(c) > 2 {
		return false
	}
	a, b := c[0], c[1]
	if e.s.clauses.watches[a].len > e.s.clauses.watches[b].len {
		a, b = b, a
	}
	ws := e.s.clauses.list(a)
	e.s.stats.Ticks += 1 + int64(len(ws)>>3)
	return slices.ContainsFunc(ws, func(w watch) bool { return w.binary() && !w.redundant() && w.blocker() == b })
}

// addResolvent adds e.resolvent to the formula. It must have at least two literals.
func (e *eliminator) addResolvent(id int64) {
	c := e.resolvent
	e.s.stats.Resolvents++
	if len(c) == 2 {
		e.queue = append(e.queue, clauseRef{e.addBinary(c[0], c[1], id), c[0], c[1]})
		return
	}
	r := e.s.clauses.alloc(c, false, 0, id)
	e.s.stats.Irredundant++
	e.addOccurrences(r)
	for _, l := range c {
		e.noteAdded(l)
	}
	e.queue = append(e.queue, clauseRef{ref: r})
}

// removeClauses removes the clauses of l from the formula. The first gate clauses move
// to the reconstruction stack, or all of them if there is no gate.
func (e *eliminator) removeClauses(l dimacs.Lit, ws []watch, gate int) {
	for i, w := range ws {
		stacked := gate == 0 || i < gate
		switch {
		case !stacked && w.binary():
			e.dense.deleteBinary(l, w.blocker(), w)
			continue
		case !stacked:
			e.dense.deleteClause(w.ref())
			continue
		}
		e.clause = append(e.clause[:0], l)
		for _, k := range e.clauseOf(l, w) {
			if k != uint32(l) {
				e.clause = append(e.clause, dimacs.Lit(k))
			}
		}
		e.s.removal.weaken(e.clause, e.s.clauses.refID(w.ref()))
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

// removeLearned deletes the learned binary clauses of l.
func (e *eliminator) removeLearned(l dimacs.Lit) {
	for _, w := range e.s.clauses.list(l) {
		if w.binary() && w.redundant() && !e.s.stale(w) {
			e.dense.deleteBinary(l, w.blocker(), w)
		}
	}
}
