package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// Clauses that are all pairs of some literals l with some clauses C, each (l or C),
// say that all of the literals are true or all of the clauses. A fresh variable x
// says which: (x or l) for each literal and (not x or C) for each clause. That is a
// sum instead of a product, with the same models but for x (Manthey, Heule, Biere,
// "Automated reencoding of Boolean formulas", HVC 2012, where it is bounded variable
// addition; Haberlandt, Green, Heule, "Effective auxiliary variables via structured
// reencoding", SAT 2023). At-most-one constraints written as pairs become encodings
// of linear size so, and what is said about groups of variables again and again
// gets a name, which learned clauses can use.
//
// For a literal l the clauses with it are the columns of a table. Its rows are the
// other literals that take the place of l in some of them: there is an entry where
// the clause with the other literal is in the formula too. What we look for is a
// set of rows that have entries in a set of columns all over. It grows by one row at
// a time, that with most entries in the columns that are left, which loses the
// other columns; the best set on the way is taken. As the entries are found once
// for each literal, and counts only fall when columns go, the time is linear in the
// entries and in the lists that are searched for them.
//
// Clauses of the formula with up to factorSize literals take part. Literals with
// most of these come first, and again when their clauses have changed, those of
// fresh variables like others.
//
// Fresh variables are numbered behind those of the caller, so that nothing may be
// added later: only a solver that is asked once (Options.OneShot) does this. They
// are decided last. A model has none of them. Elimination could undo what was done
// here, as it would resolve (x or l) with (not x or C), but for its bound: a set is
// only replaced if elimination would have to add more clauses than that allows.
//
// In the proof (x or l) has the property RAT with x as the pivot, for there is no
// clause with its complement. (not x or C) has it too: what it gives with (x or l)
// is the clause of l and C, which goes only afterwards.
//
// It is off by default: what it does for pigeonholes it takes back elsewhere.
// Conflicts with three seeds: eight holes 53,623 and 9,604, 52,155 and 19,222,
// 45,231 and 16,306 with it; nine holes (hole9) 490,096 and 58,735; but where
// pigeons and holes are one to one (seven holes) up to 4% more, for Langford pairs
// 2% to 21%, for a coloring of a graph with a clique (8 vertices, 5) 56%, 11% and
// 83% more. Circuits that were just made smaller by elimination get many variables
// that save one clause or two. What did not help, on these: to decide fresh
// variables first (18,072 conflicts for eight holes); of rows with equally many
// entries to take that with most paths of three clauses to the literal (17,756), or
// with the nearest number (17,526), where now it is the first that was found; to
// save five clauses at least (24,515).

// A bvaPass is a pass.
type bvaPass struct {
	s        *Solver
	limit    int64      // ticks at which it ends
	occs     [][]watch  // by literal: clauses that contain it, as in dense mode
	schedule order.Heap // of literals, by the number of their clauses
	bound    int        // clauses by which elimination may make the formula longer

	// Literals whose watches have to be looked at in the end.
	staleWatches    []bool // by literal
	staleLits       []dimacs.Lit
	firstIntroduced int // variable that this pass has introduced

	matchTable
	replacement
}

const (
	// factorSize is the size of the longest clauses that take part.
	factorSize = 5
	// factorFirst is the least budget of the first pass, in ticks: what an
	// encoding offers is there from the start.
	factorFirst = 20_000_000
)

// A factoring is what one pass leaves to the next.
type factoring struct {
	tried []uint32 // by literal: clauses that it had when it was tried, plus 1
}

// factor replaces products of literals and clauses.
func (s *Solver) factor(budget int64) {
	if s.factoring.tried == nil {
		budget = max(budget, factorFirst)
	}
	if !s.opts.OneShot || s.factorCost() > budget || !s.dropDuplicates() {
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

// factorCost estimates the ticks that it takes to list the clauses. What is kept for
// each literal takes some cache lines more than the lists of a dense mode.
func (s *Solver) factorCost() int64 {
	return int64(s.size()/8 + s.stats.Binary/2 + 4*len(s.watches))
}

// grow makes room for the literals there are.
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

// listBinary lists the binary clauses of the formula. It reports false if the call
// is stopped.
func (b *bvaPass) listBinary() bool {
	pool := make([]watch, 0, 2*b.s.stats.Binary)
	for i := range b.s.watches {
		if b.s.pausing(i + 1) {
			return false
		}
		l := dimacs.Lit(i)
		if b.s.vals[l] != 0 {
			continue
		}
		ws := b.s.list(l)
		b.s.stats.Ticks += 1 + int64(len(ws)>>2)
		from := len(pool)
		for _, w := range ws {
			if w.binary() && !w.redundant() && b.s.vals[w.blocker()] == 0 {
				pool = append(pool, w)
			}
		}
		b.occs[l] = pool[from:len(pool):len(pool)]
	}
	return true
}

// listLong lists the other clauses that take part: none that has an assigned
// literal, as it is about to get shorter or to go. It reports false if the call is
// stopped.
func (b *bvaPass) listLong() bool {
	steps := 0
	b.s.stats.Ticks += int64(b.s.size() >> 4)
	b.s.eachClause(2, func(r uint32) bool {
		if b.s.arena[r]&(garbageBit|redundantBit) == 0 && b.s.arena[r+1] <= factorSize {
			if b.unassigned(b.s.lits(r)) {
				b.addOccurrences(r)
			}
		}
		steps++
		return !b.s.pausing(steps)
	})
	return !b.s.stopped
}

// unassigned reports whether no literal of c is assigned.
func (b *bvaPass) unassigned(c []uint32) bool {
	for _, w := range c {
		if b.s.vals[w] != 0 {
			return false
		}
	}
	return true
}

// addOccurrences puts the clause at r into the lists of its literals.
func (b *bvaPass) addOccurrences(r uint32) {
	c := b.s.lits(r)
	w := mkWatch(dimacs.Lit(signature(c)), r)
	for _, k := range c {
		b.occs[k] = append(b.occs[k], w)
	}
	b.s.stats.Ticks += int64(len(c) / 2)
}

// fillSchedule schedules the literals whose clauses have changed since they were tried.
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

// reschedule gives l the place in the schedule that it has by the number of its clauses,
// if it has enough of them.
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

// spent reports whether the pass should end.
func (b *bvaPass) spent() bool {
	t := b.s.stats.Ticks
	if t >= b.s.pollAt {
		b.s.poll(t)
	}
	return t >= b.limit || b.s.stopped
}

// onlyCallerVars reports whether the caller onlyCallerVars all variables of c. What was learned of
// them alone follows from the formula as it was given.
func (s *Solver) onlyCallerVars(c []dimacs.Lit) bool {
	return s.introduced == 0 || !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return int(l>>1) >= s.givenVars() })
}
