package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/order"
)

// Bounded variable addition (BVA). If the formula has a clause (l or C) for every
// literal l of a set M_lit and every C of a set M_cls, a fresh variable x can replace
// these clauses by (x or l) for each literal and (not x or C) for each C. The result
// has the same models, apart from x, and |M_lit| + |M_cls| clauses in place of |M_lit|
// * |M_cls| (Manthey, Heule, Biere, "Automated reencoding of Boolean formulas", HVC
// 2012; structured, SBVA: Haberlandt, Green, Heule, "Effective auxiliary variables via
// structured reencoding", SAT 2023). Pairwise at-most-one constraints become encodings
// of linear size. Repeated constraints over groups of variables get an auxiliary
// variable, for use in learned clauses.
//
// For a literal l, M_lit begins with l and M_cls with all clauses of l. A literal
// matches a clause of l if the formula also has the clause with that literal in place
// of l. M_lit grows by one literal at a time, the one that matches most clauses of
// M_cls, and M_cls loses the clauses that it does not match. The pair of sets that
// saves most clauses is used. Matches are computed once per literal, and their counts
// only fall as M_cls shrinks, so that the time is linear in the matches and in the
// lists that are searched for them.
//
// Irredundant clauses with at most factorSize literals take part. Literals with the
// most such clauses come first. A literal is tried again when its clauses have changed,
// and literals of fresh variables are tried like others.
//
// In an at-most-one constraint all literals match equally often, and any half of them can
// become M_lit. A fresh variable is useful in learned clauses if its literals belong
// together. So equal candidates are taken in the order in which their variables first occur
// in the longer clauses: in a formula about a graph, a vertex and then its neighbors. Kissat
// numbers variables by their first occurrence, which has the same effect. SBVA finds literals
// that belong together by the number of paths of three clauses between them, in whatever
// order the formula is written.
//
// Tried: the order of numbers (a loss), ties by paths as in SBVA or by the nearest number (no
// gain).
//
// Fresh variables are numbered above those of the caller, who may not add variables later:
// only a solver with Options.OneShot runs this pass. Fresh variables are decided last, and
// are not part of the model. Elimination could undo a replacement by resolving (x or l) with
// (not x or C). It eliminates a fresh variable only if the formula gets no longer, whatever
// the bound for other variables, and sets are only replaced if elimination would have to add
// more clauses than the bound allows.
//
// Tried: deciding fresh variables first (a loss), the bound of long runs for them, too (a
// loss).
//
// A replacement has to save a number of clauses, the knob factor-gain. In circuits, most
// replacements save one or two clauses, and make the search longer. Later passes may find
// products of elimination. So if the first pass that tries all literals introduces no
// variable, it is the last one.
//
// Tried: any saved clause, or 10 (losses); a quarter of the budget of the first pass (no gain).
//
// In the proof (x or l) is a resolution asymmetric tautology (RAT) on x, since no
// clause has the complement of x yet. (not x or C) is a RAT on its first literal too:
// its resolvent with (x or l) is subsumed by (l or C). Only afterwards (l or C) is
// deleted.

// A bvaPass is a pass of bounded variable addition.
type bvaPass struct {
	s        *Solver
	limit    int64      // end of the budget, in ticks
	last     int64      // latest end after extensions
	occs     [][]watch  // by literal: clauses that contain it, as in dense mode
	schedule order.Heap // literals, by the number of their clauses
	bound    int        // a replacement has to save more clauses
	long     int        // literals of the longer clauses that take part
	order    []uint32   // by variable: position in the order of first occurrences, from 1 on, or 0

	staleWatches    []bool       // by literal: its watch list has deleted clauses
	staleLits       []dimacs.Lit // literals with stale watches
	firstIntroduced int          // first variable of this pass

	matchTable
	replacement
}

const (
	// factorSize bounds the length of clauses that take part.
	factorSize = 5
	// factorFirst is the least budget of the first pass, in ticks: the formula has the
	// structure of its encoding from the start.
	factorFirst = 4_000_000
	// factorExtension is added to the budget for each clause saved, up to factorMost in
	// all. So a pass in vain is cheap, and one on an encoding of cliques is complete.
	factorExtension = 200
	factorMost      = 20_000_000
)

// A factoring is the state that a pass leaves to the next one.
type factoring struct {
	tried []uint32 // by literal: number of its clauses when it was tried, plus 1
	vain  bool     // a pass has tried all literals and introduced no variable
}

// factor runs bounded variable addition (BVA).
func (s *Solver) factor(budget int64) {
	x := &s.passes.factoring
	if x.tried == nil {
		budget = max(budget, factorFirst)
	}
	if x.vain || !s.opts.OneShot || s.factorCost() > budget || !s.deleteDuplicates() {
		return
	}
	b := &bvaPass{s: s, limit: s.stats.Ticks + budget, last: s.stats.Ticks + factorMost, firstIntroduced: len(s.trail.vars), bound: s.opts.FactorGain - 1}
	if !s.opts.NoEliminate {
		b.bound = max(b.bound, s.passes.elimination.bound)
	}
	defer s.passes.releaseScratchFrom(len(s.passes.scratch))
	b.matches = inprocess.GrowingTable[dimacs.Lit](host{s})
	b.matchRefs = inprocess.GrowingTable[uint32](host{s})
	b.byLit = inprocess.GrowingTable[uint32](host{s})
	b.growTables()
	if b.countLong() && b.listBinary() && b.listLong() {
		b.fillSchedule()
		b.run()
		x.vain = s.removal.introduced == 0 && len(b.schedule.Items) == 0 && !b.spent()
	}
	b.finish()
}

// factorCost estimates the ticks of listing the clauses. The tables of this pass take
// some more cache lines per literal than the lists of dense mode.
func (s *Solver) factorCost() int64 {
	return int64(s.clauses.size()/8 + s.stats.Binary/2 + 4*len(s.clauses.watches))
}

// growTables extends the tables to all literals.
func (b *bvaPass) growTables() {
	n := len(b.s.clauses.watches)
	b.occs = lengthen(b.occs, n)
	b.schedule.Grow(n)
	b.staleWatches = lengthen(b.staleWatches, n)
	b.count = lengthen(b.count, n)
	b.spans = lengthen(b.spans, n)
	b.role = lengthen(b.role, n)
	b.seen = lengthen(b.seen, n)
	b.order = lengthen(b.order, n/2)
	b.s.passes.factoring.tried = lengthen(b.s.passes.factoring.tried, n)
}

// countLong counts the longer clauses of each literal that take part. It reports false if
// the call is stopped.
func (b *bvaPass) countLong() bool {
	steps := 0
	b.s.clauses.eachClause(2, func(r uint32) bool {
		if b.takesPart(r) {
			for _, k := range b.s.clauses.lits(r) {
				b.count[k]++
				b.long++
			}
		}
		steps++
		return !b.s.pausing(steps)
	})
	return !b.s.call.stopped
}

// takesPart reports whether the clause at r is irredundant, short enough and without an
// assigned literal: collection will shorten or delete those with one.
func (b *bvaPass) takesPart(r uint32) bool {
	s := b.s
	return s.clauses.arena[r]&(garbageBit|redundantBit) == 0 && s.clauses.arena[r+1] <= factorSize && b.unassigned(s.clauses.lits(r))
}

// listBinary lists the irredundant binary clauses. Each list has places for the longer
// clauses and one more: a replacement adds a clause to it before it removes at least two,
// so the list does not move. listBinary reports false if the call is stopped.
func (b *bvaPass) listBinary() bool {
	s := b.s
	pool := scratchTable[watch](s, 2*s.stats.Binary+b.long+len(s.clauses.watches))
	for i := range s.clauses.watches {
		if s.pausing(i + 1) {
			return false
		}
		l := dimacs.Lit(i)
		if s.trail.vals[l] != 0 {
			continue
		}
		ws := s.clauses.list(l)
		s.stats.Ticks += 1 + int64(len(ws)>>2)
		from := len(pool)
		for _, w := range ws {
			if w.binary() && !w.redundant() && s.trail.vals[w.blocker()] == 0 {
				pool = append(pool, w)
			}
		}
		end := len(pool)
		pool = pool[:end+int(b.count[l])+1]
		b.occs[l], b.count[l] = pool[from:end:len(pool)], 0
	}
	return true
}

// listLong lists the longer clauses that take part, and orders the variables by their
// first occurrence in a longer irredundant clause. It reports false if the call is stopped.
func (b *bvaPass) listLong() bool {
	s := b.s
	steps, next := 0, uint32(1)
	s.stats.Ticks += int64(s.clauses.size() >> 4)
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			next = b.orderVars(s.clauses.lits(r), next)
		}
		if b.takesPart(r) {
			b.addOccurrences(r)
		}
		steps++
		return !s.pausing(steps)
	})
	return !s.call.stopped
}

// orderVars gives positions from next on to the variables of c that have none, and returns
// the next position.
func (b *bvaPass) orderVars(c []uint32, next uint32) uint32 {
	for _, k := range c {
		if p := &b.order[k>>1]; *p == 0 {
			*p = next
			next++
		}
	}
	return next
}

// unassigned reports whether all literals of c are unassigned.
func (b *bvaPass) unassigned(c []uint32) bool {
	for _, w := range c {
		if b.s.trail.vals[w] != 0 {
			return false
		}
	}
	return true
}

// addOccurrences adds the clause at r to the lists of its literals.
func (b *bvaPass) addOccurrences(r uint32) {
	c := b.s.clauses.lits(r)
	w := mkWatch(dimacs.Lit(signature(c)), r)
	for _, k := range c {
		b.occs[k] = append(b.occs[k], w)
	}
	b.s.stats.Ticks += int64(len(c) / 2)
}

// fillSchedule schedules the literals with clauses that have changed since the last
// try.
func (b *bvaPass) fillSchedule() {
	for l := range b.occs {
		if b.s.pausing(l + 1) {
			return
		}
		if t := b.s.passes.factoring.tried[l]; t != uint32(len(b.occs[l]))+1 {
			b.reschedule(dimacs.Lit(l))
		}
	}
}

// reschedule updates the position of l in the schedule, or removes l if it has fewer
// than two clauses.
func (b *bvaPass) reschedule(l dimacs.Lit) {
	h, n := &b.schedule, len(b.occs[l])
	v := uint32(l)
	h.Score[v] = float64(n)
	switch {
	case n < 2:
		h.Remove(v)
	case !h.Contains(v):
		h.Push(v)
	default:
		h.Fix(v)
	}
}

// run tries the literals of the schedule.
func (b *bvaPass) run() {
	for len(b.schedule.Items) > 0 && !b.spent() {
		l := dimacs.Lit(b.schedule.Pop())
		b.s.passes.factoring.tried[l] = uint32(len(b.occs[l])) + 1
		if b.findMatches(l) {
			b.sortByLit()
			if n := b.growSets(); n > 0 && len(b.s.trail.vars) < b.s.proof.bvaVars() {
				saved := int64(b.replace(n))
				b.limit = max(b.limit, min(b.limit+factorExtension*saved, b.last))
			}
		}
		b.clearMatches()
	}
	for _, l := range b.schedule.Items {
		b.s.passes.factoring.tried[l] = 0
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (b *bvaPass) spent() bool {
	t := b.s.stats.Ticks
	if t >= b.s.call.pollAt {
		b.s.poll(t)
	}
	return t >= b.limit || b.s.call.stopped
}
