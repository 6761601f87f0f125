package cdcl

import "sator/dimacs"

// Conflict analysis derives a learned clause from a conflict. It resolves the
// conflict clause with the reasons of its literals, latest first, until one
// literal of the conflict's level is left: the first unique implication point,
// 1-UIP (Marques Silva and Sakallah, "GRASP", ICCAD 1996; Zhang, Madigan,
// Moskewicz, Malik, ICCAD 2001). The clause is then minimized and shrunk. After
// backtracking it implies the complement of the UIP.
//
// The glue of a clause is the number of levels of its literals besides the highest one (one
// less than the LBD of Audemard and Simon, IJCAI 2009). A low glue predicts a useful clause.
// When a clause takes part in a conflict later, its glue falls to the number of all levels of
// its literals, if that is less: it must span two levels fewer than before, as in Kissat
// (Glucose has the same bar, but takes the exact number). By the exact number and without the
// bar, tier 1 fills with clauses that had to span few levels only once.
//
// Tried: a number one higher, the exact number, glue that stays (no gain).
//
// Tried: eager subsumption, which compares a learned clause with the last few learned ones
// and deletes those that contain it, as in CaDiCaL and Kissat (no gain).

// Marks of a variable during analysis.
const (
	seenMark       = 1 << iota // resolved on, or in the clause
	poisonMark                 // not implied by the clause
	removableMark              // implied by the clause
	shrinkableMark             // implied by the UIP of the current block
	derivedMark                // implied by the negated clause and the chain
	visitedMark                // the chain must imply it, and its reason is scheduled
	positiveMark               // in an added clause
	negativeMark               // its complement is
)

// An analysis is the scratch memory of conflict analysis, and its pointers to other parts. The
// marks are clear between conflicts. Reduction and passes borrow some of the slices.
type analysis struct {
	opts    *Options
	stats   *Stats
	proof   *proofLog
	trail   *trail
	clauses *clauses

	marks     []uint8 // by variable
	clause    []dimacs.Lit
	analyzed  []uint32 // variables with the seen mark
	minimized []uint32 // variables with other marks
	glueLevel []uint32 // levels in the clause except the conflict's
	stamps    []uint32 // by level, for counting glue
	stamp     uint32   // the value in stamps that means counted
	keys      []uint64 // sort keys, also of reduction and of passes
	keys2     []uint64 // scratch memory for sorting keys
	work      []uint32 // variables or literals; each function that uses it clears it first

	// With hints only.
	resolved    []int64      // ids of the resolved clauses, latest first
	unminimized []dimacs.Lit // the clause before minimization
	removed     []uint32     // variables that the clause implies, in an order in which they are implied
	block       []uint32     // those of a block, the latest first
}

// analyze learns a clause from s.conflict, backtracks and assigns the literal that
// the clause implies. At the root it derives the empty clause.
func (s *Solver) analyze() {
	if s.user != nil {
		s.user.explainConflict()
	}
	if checking {
		s.checkConflict()
	}
	s.stats.Conflicts++
	s.decisions.phases.consistent = int(s.trail.levels[len(s.trail.levels)-1].trail)
	if s.trail.outOfOrder != noOutOfOrder && s.backtrackToConflict() {
		return
	}
	if len(s.trail.levels) == 1 {
		s.refute()
		return
	}
	a := &s.schedule.avg[s.decisions.mode()]
	a.trail.update(float64(len(s.trail.lits)) / float64(len(s.trail.vars)-s.removal.removed))
	a.level.update(float64(len(s.trail.levels) - 1))
	a.decisions.update(float64(s.stats.Decisions - a.lastDecisions))
	a.lastDecisions = s.stats.Decisions

	for !s.resolve() {
		s.decisions.bump(s.analysis.analyzed)
		s.analysis.unmark()
	}
	s.analysis.minimizeLearned()
	glue := len(s.analysis.glueLevel)
	s.schedule.updateAverages(glue, len(s.analysis.clause))
	if !s.opts.NoBumpReason && a.decisions.value <= mostReasonDecisions {
		s.analysis.analyzeReasonSide()
	}
	s.decisions.bump(s.analysis.analyzed)
	s.analysis.unmark()
	s.learn(glue)
	s.schedule.updateTiers()
}

// minimizeLearned minimizes and shrinks a.clause, and completes its chain.
func (a *analysis) minimizeLearned() {
	if a.proof.hints {
		a.unminimized, a.removed = append(a.unminimized[:0], a.clause...), a.removed[:0]
	}
	if len(a.clause) > 1 {
		switch {
		case a.opts.Shrink != ShrinkOff:
			a.shrink()
		case !a.opts.NoMinimize:
			a.minimize()
		}
	}
	if a.proof.hints {
		a.explainLearned()
	}
}

// resolve sets s.analysis.clause to the first-UIP clause of the conflict, with the literal
// of the conflict's level in front. It returns false if it has replaced the conflict by
// a strengthened reason instead (onthefly.go).
func (s *Solver) resolve() bool {
	s.analysis.clause, s.proof.chain, s.analysis.resolved = append(s.analysis.clause[:0], 0), s.proof.chain[:0], s.analysis.resolved[:0]
	current := uint32(len(s.trail.levels) - 1)
	s.analysis.recordResolved(s.conflict.ref)
	open := 0
	if c := s.conflict; c.ref&1 != 0 {
		open = s.analysis.analyzeLit(c.a, current) + s.analysis.analyzeLit(c.b, current)
	} else {
		open = s.analyzeClause(c.ref, current)
	}
	at := len(s.trail.lits) - 1
	for {
		l := s.trail.lits[at]
		for s.analysis.marks[l>>1]&seenMark == 0 || s.trail.vars[l>>1].level != current {
			at--
			l = s.trail.lits[at]
		}
		at--
		if open--; open == 0 {
			s.analysis.clause[0] = l ^ 1
			return true
		}
		w := s.trail.vars[l>>1].reason
		s.analysis.recordResolved(w.ref())
		if w.binary() {
			open += s.analysis.analyzeLit(w.blocker(), current)
		} else {
			open += s.analyzeClause(w.ref(), current)
			if open > 1 && s.subsumesReason(len(s.analysis.clause)-1+open, w.ref()) {
				s.strengthenReason(l, w.ref())
				return false
			}
		}
	}
}

// analyzeClause analyzes the literals of the clause at ref and returns how many of
// them are new and of the current level. If the clause is a reason, the literal
// that it implies is marked already.
func (s *Solver) analyzeClause(ref uint32, current uint32) int {
	s.bumpClause(ref)
	marks, vars := unchecked(s.analysis.marks), unchecked(s.trail.vars)
	open := 0
	for _, w := range s.clauses.lits(ref) {
		v := w >> 1
		switch {
		case marks.at(v)&seenMark != 0:
		case vars.ptr(v).level != 0:
			open += s.analysis.analyzeLit(dimacs.Lit(w), current)
		case s.proof.hints:
			s.analysis.scheduleVar(v)
		}
	}
	return open
}

// analyzeLit marks the variable of the false literal l, unless l is of the root. It adds
// l to the clause if the level of l is lower than the current one. It returns 1 if l is
// new and of the current level.
func (a *analysis) analyzeLit(l dimacs.Lit, current uint32) int {
	v := uint32(l >> 1)
	x := &a.trail.vars[v]
	if a.marks[v]&seenMark != 0 {
		return 0
	}
	if x.level == 0 { // in a binary reason only, if a propagator's reason lowered the level
		if a.proof.hints {
			a.scheduleVar(v)
		}
		return 0
	}
	a.marks[v] |= seenMark
	a.analyzed = append(a.analyzed, v)
	if x.level == current {
		return 1
	}
	a.clause = append(a.clause, l)
	lev := &a.trail.levels[x.level]
	if lev.seen == 0 {
		a.glueLevel = append(a.glueLevel, x.level)
		lev.first = x.trail
	} else {
		lev.first = min(lev.first, x.trail)
	}
	lev.seen++
	return 0
}

// bumpClause records that the clause at ref took part in a conflict, and lowers its
// glue if it can.
func (s *Solver) bumpClause(ref uint32) {
	h := s.clauses.arena[ref]
	if h&redundantBit == 0 {
		return
	}
	if h&foreignBit != 0 {
		s.sharing.reportForeignUse(ref, h)
	}
	glue := int(h >> glueShift)
	t := &s.schedule.tier[s.decisions.mode()]
	if glue > t.one {
		if g := s.analysis.recomputeGlue(ref, glue); g < glue {
			glue = g
			s.clauses.setGlue(ref, glue)
		}
	}
	t.used[min(glue, len(t.used)-1)]++
	s.clauses.setUsed(ref, maxUsed)
}

// recomputeGlue returns the number of levels in the clause at ref, the highest one
// included, or limit if the number is not less. All literals of the clause must be
// assigned.
func (a *analysis) recomputeGlue(ref uint32, limit int) int {
	if n := len(a.trail.levels); len(a.stamps) < n {
		a.stamps = append(a.stamps, make([]uint32, n-len(a.stamps))...)
	}
	if a.stamp++; a.stamp == 0 {
		clear(a.stamps)
		a.stamp = 1
	}
	glue := 0
	for _, w := range a.clauses.lits(ref) {
		lev := a.trail.vars[w>>1].level
		if a.stamps[lev] != a.stamp {
			a.stamps[lev] = a.stamp
			if glue++; glue >= limit {
				return limit
			}
		}
	}
	return glue
}

// mostReasonDecisions is the number of decisions per conflict up to which variables of the
// reason side are bumped.
const mostReasonDecisions = 100

// analyzeReasonSide marks the literals of the reasons of a.clause, so that they are bumped,
// too: reason side bumping (Liang, Ganesh, Poupart, Czarnecki, "Learning rate based
// branching", SAT 2016). It does not help when there are many decisions for each conflict (as
// measured for CaDiCaL). It stops when the reasons are long, so that it costs no more than
// the analysis itself.
//
// Tried: a limit of 10 decisions and delays after failures, as in Kissat (no gain).
func (a *analysis) analyzeReasonSide() {
	const maxGrowth = 10 // of the number of bumped variables
	n := len(a.analyzed)
	limit := maxGrowth * n
	for _, l := range a.clause {
		w := a.trail.vars[l>>1].reason
		switch {
		case w == 0:
		case w.binary():
			a.analyzeVar(uint32(w.blocker() >> 1))
		default:
			for _, w := range a.clauses.lits(w.ref()) {
				a.analyzeVar(w >> 1)
			}
		}
		if len(a.analyzed) > limit {
			for _, v := range a.analyzed[n:] {
				a.marks[v] &^= seenMark
			}
			a.analyzed = a.analyzed[:n]
			return
		}
	}
}

func (a *analysis) analyzeVar(v uint32) {
	if a.marks[v]&seenMark == 0 && a.trail.vars[v].level != 0 {
		a.marks[v] |= seenMark
		a.analyzed = append(a.analyzed, v)
	}
}

// unmark clears the marks and the counters that analysis has set.
func (a *analysis) unmark() {
	for _, v := range a.analyzed {
		a.marks[v] = 0
	}
	for _, v := range a.minimized {
		a.marks[v] = 0
	}
	for _, lev := range a.glueLevel {
		a.trail.levels[lev].seen = 0
	}
	a.analyzed, a.minimized, a.glueLevel = a.analyzed[:0], a.minimized[:0], a.glueLevel[:0]
	if checking {
		a.checkClean()
	}
}

// learn backtracks, adds s.analysis.clause and assigns its first literal.
func (s *Solver) learn(glue int) {
	c := s.analysis.clause
	s.stats.Learned++
	s.stats.LearnedLits += int64(len(c))
	s.reportLearned(c)
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Learn(c, s.proof.hintChain())
	}
	if len(c) == 1 {
		s.backtrack(s.backtrackLevel(0))
		s.assignRoot(c[0], id)
		s.report(RootUnit)
		return
	}
	s.sharing.export(c, glue, id)
	for i := 2; i < len(c); i++ {
		if s.trail.vars[c[i]>>1].level > s.trail.vars[c[1]>>1].level {
			c[1], c[i] = c[i], c[1]
		}
	}
	jump := s.trail.vars[c[1]>>1].level
	s.backtrack(s.backtrackLevel(int(jump)))
	r := s.clauses.addClause(c, true, glue, id)
	if len(c) == 2 {
		s.assign(c[0], jump, mkWatch(c[1], r))
		return
	}
	s.clauses.setUsed(r, maxUsed)
	s.assign(c[0], jump, mkWatch(0, r))
}

// backtrackToConflict backtracks to the highest level in the conflict. This level
// is not the current one only if the trail has out-of-order literals. If the
// conflict has a single literal of its highest level, the solver backtracks one
// level further, where the conflict clause implies this literal: then there is no
// conflict anymore, and the result is true.
//
// The clause may be watched by literals of lower levels than others in it. No
// propagation is lost, because both watched literals were assigned after the
// current level began: a watched literal that was propagated before would have
// moved its watch, or found a true literal, which stays true as long as that level.
// So every backtracking from here unassigns the watched literals or propagates them
// again.
func (s *Solver) backtrackToConflict() bool {
	c := s.conflict
	var lits []uint32
	if c.ref&1 != 0 {
		lits = append(s.analysis.work[:0], uint32(c.a), uint32(c.b))
		s.analysis.work = lits[:0]
	} else {
		lits = s.clauses.lits(c.ref)
	}
	top, single := uint32(0), lits[0]
	count := 0
	for _, w := range lits {
		switch lev := s.trail.vars[w>>1].level; {
		case lev > top || count == 0:
			top, single, count = lev, w, 1
		case lev == top:
			count++
		}
	}
	if top == 0 || count > 1 {
		s.backtrack(int(top))
		return false
	}
	s.backtrack(int(top) - 1)
	l := dimacs.Lit(single)
	if c.ref&1 != 0 {
		other := c.a ^ c.b ^ l
		s.assign(l, s.trail.vars[other>>1].level, mkWatch(other, c.ref))
	} else {
		s.assign(l, s.trail.assignmentLevel(l, lits), mkWatch(0, c.ref))
	}
	return true
}

// simplifyAdded returns an added clause without duplicate literals and literals false at the
// root, in scratch memory, and its proof id. If it is a tautology or true at the root, it is
// deleted from the proof and useless is true.
func (a *analysis) simplifyAdded(lits []dimacs.Lit, id int64) (c []dimacs.Lit, _ int64, useless bool) {
	c, useless = a.normalize(lits)
	switch {
	case a.proof.log == nil:
	case useless:
		a.proof.log.Delete(id, lits)
	case len(c) < len(lits):
		old := id
		id = a.proof.log.Learn(c, a.unitChain(lits, old))
		a.proof.log.Delete(old, lits)
	}
	return c, id, useless
}

// normalize returns the clause without duplicate literals and literals false at the
// root, in scratch memory. If it is a tautology or true at the root, useless is true. Other
// marks stay: a propagator may be asked for a reason while there are some.
func (a *analysis) normalize(lits []dimacs.Lit) (c []dimacs.Lit, useless bool) {
	const both = positiveMark | negativeMark
	c = a.clause[:0]
	for _, l := range lits {
		mark := uint8(positiveMark) << (l & 1)
		switch {
		case a.trail.fixed(l) > 0 || a.marks[l>>1]&(both^mark) != 0:
			useless = true
		case a.trail.fixed(l) == 0 && a.marks[l>>1]&mark == 0:
			a.marks[l>>1] |= mark
			c = append(c, l)
		}
	}
	for _, l := range c {
		a.marks[l>>1] &^= both
	}
	a.clause = c[:0]
	return c, useless
}
