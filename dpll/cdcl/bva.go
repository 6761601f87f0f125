package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/order"
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
// Fresh variables are numbered above those of the caller, who may not add variables
// later: only a solver with Options.OneShot runs this pass. Fresh variables are decided
// last, and are not part of the model. Elimination could undo a replacement by
// resolving (x or l) with (not x or C). Its bound prevents that: sets are only replaced
// if elimination would have to add more clauses than the bound allows.
//
// In the proof (x or l) is a resolution asymmetric tautology (RAT) on x, since no
// clause has the complement of x yet. (not x or C) is a RAT on its first literal too:
// its resolvent with (x or l) is subsumed by (l or C). Only afterwards (l or C) is
// deleted.
//
// BVA is off by default, since gains on pigeonhole formulas come with losses elsewhere.
// Conflicts without and with it, with three seeds: eight holes 53,623 and 9,604, 52,155
// and 19,222, 45,231 and 16,306; nine holes (hole9) 490,096 and 58,735. But with as
// many pigeons as holes (seven holes) it took up to 4% more, for Langford pairs 2% to
// 21% more, for a coloring of a graph with a clique (8 vertices, 5) 56%, 11% and 83%
// more. Circuits that elimination has made smaller get many variables that save only
// one or two clauses. Kissat has it on: on relativized pigeonholes (5 pigeons, 18 places) two
// seeds took 166,000 and 194,000 conflicts with it and 238,000 and 231,000 without it. Here
// the same seeds took 153,000 and 178,000 with it and 260,000 and 252,000 without it. On
// cliques with a coloring (10 vertices, 5) one seed took 167,000 and 134,000 in Kissat, and
// 366,000 and 159,000 here.
//
// What did not help, on eight holes: deciding fresh variables first (18,072 conflicts);
// breaking ties between equally matching literals by the number of paths of three
// clauses to l, as SBVA does (17,756), or by the nearest variable number (17,526), in
// place of the first literal found; requiring that at least five clauses are saved
// (24,515).

// A bvaPass is a pass of bounded variable addition.
type bvaPass struct {
	s        *Solver
	limit    int64      // end of the budget, in ticks
	occs     [][]watch  // by literal: clauses that contain it, as in dense mode
	schedule order.Heap // literals, by the number of their clauses
	bound    int        // bound of elimination on the growth of the formula, in clauses

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
	factorFirst = 20_000_000
)

// A factoring is the state that a pass leaves to the next one.
type factoring struct {
	tried []uint32 // by literal: number of its clauses when it was tried, plus 1
}

// factor runs bounded variable addition (BVA).
func (s *Solver) factor(budget int64) {
	if s.factoring.tried == nil {
		budget = max(budget, factorFirst)
	}
	if !s.opts.OneShot || s.factorCost() > budget || !s.deleteDuplicates() {
		return
	}
	b := &bvaPass{s: s, limit: s.stats.Ticks + budget, firstIntroduced: len(s.vars)}
	if s.opts.Eliminate != 0 {
		b.bound = s.elimination.bound
	}
	b.growTables()
	if b.listBinary() && b.listLong() {
		b.fillSchedule()
		b.run()
	}
	b.finish()
}

// factorCost estimates the ticks of listing the clauses. The tables of this pass take
// some more cache lines per literal than the lists of dense mode.
func (s *Solver) factorCost() int64 {
	return int64(s.size()/8 + s.stats.Binary/2 + 4*len(s.watches))
}

// growTables extends the tables to all literals.
func (b *bvaPass) growTables() {
	n := len(b.s.watches)
	b.occs = lengthen(b.occs, n)
	b.schedule.Grow(n)
	b.staleWatches = lengthen(b.staleWatches, n)
	b.count = lengthen(b.count, n)
	b.spans = lengthen(b.spans, n)
	b.role = lengthen(b.role, n)
	b.seen = lengthen(b.seen, n)
	b.s.factoring.tried = lengthen(b.s.factoring.tried, n)
}

// listBinary lists the irredundant binary clauses. It reports false if the call is
// stopped.
func (b *bvaPass) listBinary() bool {
	s := b.s
	pool := make([]watch, 0, 2*s.stats.Binary)
	for i := range s.watches {
		if s.pausing(i + 1) {
			return false
		}
		l := dimacs.Lit(i)
		if s.vals[l] != 0 {
			continue
		}
		ws := s.list(l)
		s.stats.Ticks += 1 + int64(len(ws)>>2)
		from := len(pool)
		for _, w := range ws {
			if w.binary() && !w.redundant() && s.vals[w.blocker()] == 0 {
				pool = append(pool, w)
			}
		}
		b.occs[l] = pool[from:len(pool):len(pool)]
	}
	return true
}

// listLong lists the longer clauses that take part. It omits clauses with an assigned
// literal: collection will shorten or delete them. It reports false if the call is
// stopped.
func (b *bvaPass) listLong() bool {
	s := b.s
	steps := 0
	s.stats.Ticks += int64(s.size() >> 4)
	s.eachClause(2, func(r uint32) bool {
		if s.arena[r]&(garbageBit|redundantBit) == 0 && s.arena[r+1] <= factorSize {
			if b.unassigned(s.lits(r)) {
				b.addOccurrences(r)
			}
		}
		steps++
		return !s.pausing(steps)
	})
	return !s.stopped
}

// unassigned reports whether all literals of c are unassigned.
func (b *bvaPass) unassigned(c []uint32) bool {
	for _, w := range c {
		if b.s.vals[w] != 0 {
			return false
		}
	}
	return true
}

// addOccurrences adds the clause at r to the lists of its literals.
func (b *bvaPass) addOccurrences(r uint32) {
	c := b.s.lits(r)
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
		if t := b.s.factoring.tried[l]; t != uint32(len(b.occs[l]))+1 {
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
		b.s.factoring.tried[l] = uint32(len(b.occs[l])) + 1
		if b.findMatches(l) {
			b.sortByLit()
			if n := b.growSets(); n > 0 && len(b.s.vars) < dimacs.MaxVars {
				b.replace(n)
			}
		}
		b.clearMatches()
	}
	for _, l := range b.schedule.Items {
		b.s.factoring.tried[l] = 0
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (b *bvaPass) spent() bool {
	t := b.s.stats.Ticks
	if t >= b.s.pollAt {
		b.s.poll(t)
	}
	return t >= b.limit || b.s.stopped
}

// onlyCallerVars reports whether no variable of c is a fresh variable. A learned clause
// over the caller's variables follows from the original formula.
func (s *Solver) onlyCallerVars(c []dimacs.Lit) bool {
	return s.introduced == 0 || !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return int(l>>1) >= s.givenVars() })
}
