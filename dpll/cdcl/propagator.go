package cdcl

import (
	"slices"

	"sator/dimacs"
)

// User propagators: a caller takes part in the search, as in satisfiability modulo theories
// (SMT), by an interface in the sense of IPASIR-UP (Fazekas, Niemetz, Preiner, Kirchweger,
// Szeider, Biere, "IPASIR-UP: User Propagators for CDCL", SAT 2023). The caller knows
// constraints that it does not encode as clauses. It observes variables, and is notified of
// their assignments; it propagates literals, decides, rejects models, and adds clauses.
//
// The solver consults the propagator when unit propagation has ended without a conflict.
// First it reports everything that happened since: a backtracking, as the lowest level in
// between, then the new literals and levels in the order of the trail. So the propagator sees
// no literal that a conflict has unassigned at once, and unit propagation, analysis and the
// passes have no callbacks. A round of passes is at the root, which is reported before it.
// Literals that stay assigned when a backtracking has unassigned literals below them on the
// trail (chronological backtracking) are reported again.
//
// A propagated literal is assigned at the current level, with the reason 0 of a decision. Its
// clause is asked for when a conflict needs it, and is an ordinary reason from then on. All
// literals between a conflict and the first UIP of its level are explained before analysis
// begins, and all that imply a failed assumption before the failed assumptions are collected.
// Minimization, shrinking and reason side bumping treat an unexplained literal like a decision.
//
// The level of a propagated literal may be too high, since nothing is known of its reason. A
// clause learned with such levels is as sound as any other: levels decide where resolution
// ends, not what it derives. But when the clause is there and all its other literals are of
// lower levels, the literal could be unassigned without them, and the clause would be unit
// unnoticed. So the literal gets the right level when it is explained. It is out of order
// then, like a literal implied by a clause after chronological backtracking: it stays assigned
// when its former level is left, and is propagated again (backtrack.go). The literals that it
// implied may keep levels that are too high; they are implied again in the same way.
//
// A clause that the propagator declares forgettable is stored like a learned one: reductions
// delete it when it is of little use, and a propagator that still needs it returns it again. If
// it is falsified, it is not even watched: the clause that analysis learns from it is shorter. That
// is sound although the formula does not imply the clause, since all answers are of the clauses
// and the constraints together, and the propagator has the last word on a model.
//
// Clauses of the propagator restrict the models of the formula, so they must not contain
// removed variables: the projection that the solver holds does not constrain these
// (exchange.go). Observed variables are never removed. A reason has observed variables alone.
// It is not watched, and the next collection after its literal is unassigned frees it, since
// the propagator implies the literal again: reasons of counting constraints are long, and two
// of them for each conflict make the watch lists several times as long. Other
// clauses are irredundant and may have any variables; they are added at the root if a variable
// is new or removed. In the proof all of them are clauses of the formula, with ids as other
// ones (Proof.Original): a checker trusts them as axioms.
//
// Without a propagator the search pays one branch for each propagation that ends without a
// conflict, one for each decision, one for each conflict and one for each backtracking.

// A Propagator takes part in the search of a [Solver], see [Solver.Connect]. The solver calls
// its methods from Solve, when unit propagation has ended without a conflict: first Backtrack,
// Assigned and NewLevel for what has changed, then Propagate and Clause, and for a full
// assignment Check. Decide is called before each decision after the assumptions. The methods
// must not call methods of the solver except [Solver.Observe]. Slices in arguments are scratch
// memory of the solver; slices in results are copied.
//
// The propagator's clauses must not depend on the order of the calls: a literal that Propagate
// returned is lost by backtracking, and may be returned again.
type Propagator interface {
	// Assigned is called with observed literals that became true, in the order of the
	// trail. They belong to the level of the last call of NewLevel or Backtrack. A literal
	// that stays true when its level ends may be reported again after Backtrack.
	Assigned(lits []dimacs.Lit)

	// NewLevel is called when a decision level begins, also that of an assumption.
	NewLevel()

	// Backtrack is called when the levels above this one have ended: all literals reported
	// since the level after it began are unassigned. Level 0 is the root.
	Backtrack(level int)

	// Decide returns the next decision, an unassigned observed literal, or false to leave
	// the decision to the solver.
	Decide() (l dimacs.Lit, ok bool)

	// Propagate returns an observed literal that follows from literals that are true and
	// the propagator's constraints, or false if there is none. It is called again after
	// the literal was propagated. If the literal is false, there is a conflict.
	Propagate() (l dimacs.Lit, ok bool)

	// Reason returns the clause by which Propagate implied l: l itself, and observed
	// literals that were false when Propagate returned l. It is called at any time while l
	// is assigned, or not at all, and at once if l is false or the solver is at the root.
	Reason(l dimacs.Lit) []dimacs.Lit

	// Clause returns a clause that all solutions satisfy, with any variables, or false if
	// there is none at present. It is called again after unit propagation. A forgettable clause
	// may be deleted, as learned clauses are; others stay. Variables that
	// the solver does not know are added, or a panic once the solver numbers variables; see
	// [Solver]. A propagator takes them from [Solver.NewVar] before the search.
	Clause() (c []dimacs.Lit, forgettable, ok bool)

	// Check reports whether a model of the clauses is a solution. If it returns false, the
	// next call of Clause must return a clause that the model falsifies. The model has a
	// value for each variable, and is scratch memory.
	Check(m dimacs.Model) bool
}

// A PassivePropagator implements all methods of [Propagator], and does nothing: it accepts
// every model. Embed it to implement some of the methods only.
type PassivePropagator struct{}

func (PassivePropagator) Assigned([]dimacs.Lit)               {}
func (PassivePropagator) NewLevel()                           {}
func (PassivePropagator) Backtrack(int)                       {}
func (PassivePropagator) Decide() (dimacs.Lit, bool)          { return 0, false }
func (PassivePropagator) Propagate() (dimacs.Lit, bool)       { return 0, false }
func (PassivePropagator) Reason(dimacs.Lit) []dimacs.Lit      { return nil }
func (PassivePropagator) Clause() (c []dimacs.Lit, _, _ bool) { return nil, false, false }
func (PassivePropagator) Check(dimacs.Model) bool             { return true }

// A connection is a connected propagator and what it knows.
type connection struct {
	s *Solver
	Propagator
	reported int  // literals of the trail that it knows
	levels   int  // levels that it knows
	behind   bool // levels were left since the last report
	late     []dimacs.Lit
	wanted   []dimacs.Lit // to be observed, from callbacks
	lits     []dimacs.Lit // scratch memory for Assigned
	vars     []uint32     // scratch memory for explanations
}

// Connect connects a propagator, or disconnects the last one if p is nil. Clauses of the last
// one stay. Variables stay observed; see [Solver.Observe]. Answers of Solve are about the
// clauses and the propagator's constraints together, and so is everything derived: learned
// clauses, failed assumptions and root literals.
//
// A solver with an [Exchange] or with OneShot has no propagator: Connect panics then. It also
// panics if called from a callback.
func (s *Solver) Connect(p Propagator) {
	if s.opts.Exchange != nil || s.opts.OneShot {
		panic("cdcl: Connect called for a solver with Exchange or OneShot")
	}
	s.settle()
	s.user = nil
	if p != nil {
		s.user = &connection{s: s, Propagator: p}
	}
}

// Observe makes the propagator observe the variables of lits, also later ones: assignments of
// these variables are reported to it, and the variables are frozen (see [Solver.Freeze]). If
// called from a method of the propagator, it takes effect before the next call of Propagate,
// for which the solver backtracks to the root.
func (s *Solver) Observe(lits ...dimacs.Lit) {
	if s.call.ctx != nil && s.user != nil {
		s.user.wanted = append(s.user.wanted, lits...)
		return
	}
	s.Freeze(lits...)
	s.markObserved(lits)
}

// markObserved marks the variables of lits, which are frozen, as observed. The solver is at
// the root.
func (s *Solver) markObserved(lits []dimacs.Lit) {
	for _, l := range lits {
		v := l >> 1
		if s.removal.flags[v]&observedFlag != 0 {
			continue
		}
		s.removal.flags[v] |= observedFlag
		if s.user != nil && s.trail.vals[2*v] != 0 && int(s.trail.vars[v].trail) < s.user.reported {
			s.user.late = append(s.user.late, literal(uint32(v), s.trail.vals[2*v]))
		}
	}
}

func (r *removal) observed(l dimacs.Lit) bool { return r.flags[l>>1]&observedFlag != 0 }

// left records a backtracking to a level whose literals end at this position of the trail.
func (u *connection) left(to, end int) {
	if to < u.levels {
		u.levels, u.behind = to, true
		u.reported = min(u.reported, end)
	}
}

// notify reports to the propagator what has changed since the last call.
func (u *connection) notify() {
	s := u.s
	if u.behind {
		u.behind = false
		u.Backtrack(u.levels)
	}
	if len(u.late) > 0 {
		u.Assigned(u.late)
		u.late = u.late[:0]
	}
	for {
		end := len(s.trail.lits)
		if u.levels+1 < len(s.trail.levels) {
			end = int(s.trail.levels[u.levels+1].trail)
		}
		u.lits = u.lits[:0]
		for _, l := range s.trail.lits[u.reported:end] {
			if s.removal.observed(l) {
				u.lits = append(u.lits, l)
			}
		}
		u.reported = end
		if len(u.lits) > 0 {
			u.Assigned(u.lits)
		}
		if u.levels+1 == len(s.trail.levels) {
			return
		}
		u.levels++
		u.NewLevel()
	}
}

// consult asks the propagator for literals, clauses and its opinion of a full assignment. It
// reports whether the search must look at the trail again, since something was assigned,
// unassigned or added, or the call was stopped.
func (u *connection) consult() bool {
	s := u.s
	if s.stats.Ticks++; s.stats.Ticks >= s.call.pollAt && s.poll(s.stats.Ticks) {
		return true
	}
	u.notify()
	if u.observeWanted() || u.implyExternal() || u.importExternal() || u.observeWanted() {
		return true
	}
	if !s.complete() {
		return false
	}
	s.storeModel()
	if u.Check(s.call.model) {
		return u.observeWanted()
	}
	c, forgettable, ok := u.Clause()
	switch {
	case ok && s.call.model.Clause(c) == dimacs.True:
		panic("cdcl: Check of a propagator returned false, and Clause returned a clause that the model satisfies")
	case ok:
		u.addExternal(c, storageOf(forgettable))
	case !u.observeWanted():
		panic("cdcl: Check of a propagator returned false, and Clause returned no clause")
	}
	return true
}

// observeWanted observes the variables for which a callback called Observe, at the root.
func (u *connection) observeWanted() bool {
	s := u.s
	if len(u.wanted) == 0 {
		return false
	}
	s.backtrack(0)
	s.freeze(u.wanted)
	s.connect()
	s.markObserved(u.wanted)
	u.wanted = u.wanted[:0]
	return true
}

// implyExternal assigns a literal that the propagator implies. It returns false if there is
// none.
func (u *connection) implyExternal() bool {
	s := u.s
	for idle := 0; ; idle++ {
		l, ok := u.Propagate()
		if !ok {
			return false
		}
		u.requireObserved(l, "Propagate")
		switch {
		case s.trail.vals[l] > 0 && idle > 2*len(s.trail.vars):
			panic("cdcl: Propagate of a propagator returns literals that are true without end")
		case s.trail.vals[l] > 0:
			continue
		case s.trail.vals[l] < 0 || len(s.trail.levels) == 1:
			u.addExternal(u.reasonOf(l), lentOnce)
		default:
			s.assign(l, uint32(len(s.trail.levels)-1), 0)
		}
		return true
	}
}

func (u *connection) requireObserved(l dimacs.Lit, call string) {
	s := u.s
	if int(l>>1) >= len(s.trail.vars) || !s.removal.observed(l) {
		panic("cdcl: " + call + " of a propagator returned " + l.String() + ", which is not observed")
	}
}

// decideExternal returns a decision of the propagator.
func (u *connection) decideExternal() (l dimacs.Lit, ok bool) {
	if l, ok = u.Decide(); ok {
		u.requireObserved(l, "Decide")
		if u.s.trail.vals[l] != 0 {
			panic("cdcl: Decide of a propagator returned " + l.String() + ", which is assigned")
		}
	}
	return l, ok
}

// reasonOf asks for the reason of l. Its other literals must be false, and assigned before l
// if l is true: the complement of l, too, must not be among them.
func (u *connection) reasonOf(l dimacs.Lit) []dimacs.Lit {
	s := u.s
	c := u.Reason(l)
	if !slices.Contains(c, l) {
		panic("cdcl: Reason of a propagator returned a clause without " + l.String())
	}
	for _, k := range c {
		u.requireObserved(k, "Reason")
		if k != l && (s.trail.vals[k] >= 0 || s.trail.vals[l] > 0 && s.trail.vars[k>>1].trail >= s.trail.vars[l>>1].trail) {
			panic("cdcl: Reason of a propagator returned for " + l.String() + " a clause with " + k.String() + ", which was not false")
		}
	}
	return c
}

// importExternal adds the next clause of the propagator. It returns false if there is none.
func (u *connection) importExternal() bool {
	c, forgettable, ok := u.Clause()
	if ok {
		u.addExternal(c, storageOf(forgettable))
	}
	return ok
}

// A storage is the way in which a clause of the propagator is stored.
type storage int

const (
	irredundant storage = iota // stays
	redundant                  // may be deleted by reductions
	lentOnce                   // garbage from the start if it has more than two literals
)

func storageOf(forgettable bool) storage {
	if forgettable {
		return redundant
	}
	return irredundant
}

// addExternal adds a clause of the propagator, whatever its literals are. The propagator is
// not up to date afterwards.
func (u *connection) addExternal(lits []dimacs.Lit, as storage) {
	s := u.s
	if s.removal.restoresOrGrows(lits) {
		s.backtrack(0)
		s.admitUnchecked(lits, 0)
		s.restore(lits)
		s.connect() // the clauses of restored variables
	}
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Original(lits)
	}
	if len(s.trail.levels) == 1 && as != redundant {
		s.insert(lits, id)
		s.connect()
		return
	}
	c, id, useless := s.analysis.simplifyAdded(lits, id)
	switch {
	case useless:
	case len(c) == 0:
		s.inconsistent = true
	case len(c) == 1:
		s.backtrack(0)
		s.assignRoot(c[0], id)
	default:
		u.watchExternal(c, as, id)
	}
}

// watchExternal adds a clause of two and more literals above the root, such that it is neither
// unit nor falsified afterwards: if it is falsified, the conflict is analyzed.
func (u *connection) watchExternal(c []dimacs.Lit, as storage, id int64) {
	s := u.s
	u.moveHighest(c, 0)
	u.moveHighest(c, 1)
	first, second := s.trail.vars[c[0]>>1].level, s.trail.vars[c[1]>>1].level
	switch {
	case s.trail.vals[c[1]] >= 0, s.trail.vals[c[0]] > 0 && first <= second:
		u.keep(c, as, id)
	case s.trail.vals[c[0]] >= 0 || first > second:
		// The clause implies its first literal at a lower level.
		switch {
		case s.trail.vals[c[0]] > 0:
			s.backtrack(int(second))
		case s.trail.vals[c[0]] < 0:
			s.backtrack(int(first) - 1)
		}
		s.assign(c[0], second, u.reasonWatch(c, u.keep(c, as, id)))
	default:
		s.backtrack(int(first))
		if as == redundant {
			as = lentOnce
		}
		s.conflict = conflict{ref: u.keep(c, as, id), a: c[0], b: c[1]}
		s.analyze()
	}
}

// keep adds a clause of two and more literals to the arena.
func (u *connection) keep(c []dimacs.Lit, as storage, id int64) uint32 {
	a := &u.s.clauses
	if as != lentOnce || len(c) == 2 {
		return a.addClause(c, as != irredundant, len(c)-1, id)
	}
	r := a.alloc(c, false, 0, id)
	a.arena[r] = lent
	a.garbage++
	a.unwatched = uint32(len(a.arena))
	return r
}

// reasonWatch returns the reason of c[0] if it is the clause c at ref.
func (u *connection) reasonWatch(c []dimacs.Lit, ref uint32) watch {
	if len(c) == 2 {
		return mkWatch(c[1], ref)
	}
	return mkWatch(0, ref)
}

// moveHighest exchanges c[at] with the literal from there on that is unassigned the longest
// when the solver backtracks: a literal that is not false, or else one of the highest level.
func (u *connection) moveHighest(c []dimacs.Lit, at int) {
	s := u.s
	rank := func(l dimacs.Lit) uint32 {
		if s.trail.vals[l] >= 0 {
			return ^uint32(0)
		}
		return s.trail.vars[l>>1].level
	}
	for i := at + 1; i < len(c); i++ {
		if rank(c[i]) > rank(c[at]) {
			c[at], c[i] = c[i], c[at]
		}
	}
}

// unexplained reports whether the propagator implied the assigned variable v and was not asked
// for the reason.
func (u *connection) unexplained(v uint32) bool {
	s := u.s
	x := &s.trail.vars[v]
	return x.reason == 0 && x.level > 0 && uint32(s.trail.levels[x.level].decision>>1) != v
}

// explain asks for the reason of the unexplained true literal l, and corrects the level of l.
func (u *connection) explain(l dimacs.Lit) {
	s := u.s
	lits := u.reasonOf(l)
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Original(lits)
	}
	c, id, _ := s.analysis.simplifyAdded(lits, id)
	x := &s.trail.vars[l>>1]
	lev := uint32(0)
	if len(c) == 1 {
		if s.proof.log != nil {
			s.proof.unitIDs[l>>1] = id
		}
		s.trail.roots++
	} else {
		i := slices.Index(c, l)
		c[0], c[i] = c[i], c[0]
		u.moveHighest(c, 1)
		lev = s.trail.vars[c[1]>>1].level
		x.reason = u.reasonWatch(c, u.keep(c, lentOnce, id))
	}
	if lev < x.level {
		x.level = lev
		s.trail.outOfOrder = min(s.trail.outOfOrder, int(x.trail))
	}
}

// explainConflict explains the literals that analysis of the conflict resolves on. That may
// lower the level of the conflict, at which others must be explained then.
func (u *connection) explainConflict() {
	for {
		top := uint32(0)
		lits := u.conflictLits()
		for _, l := range lits {
			top = max(top, u.s.trail.vars[l>>1].level)
		}
		if top == 0 || !u.explainLevel(lits, top) {
			return
		}
	}
}

// conflictLits returns the literals of the conflict, in scratch memory.
func (u *connection) conflictLits() []dimacs.Lit {
	s := u.s
	if s.conflict.ref&1 != 0 {
		u.lits = append(u.lits[:0], s.conflict.a, s.conflict.b)
		return u.lits
	}
	return s.clauses.literals(s.clauses.lits(s.conflict.ref))
}

// explainLevel explains the literals of a level between the conflict and the first UIP. It
// reports whether there were any.
func (u *connection) explainLevel(conflict []dimacs.Lit, lev uint32) (explained bool) {
	s := u.s
	u.vars = u.vars[:0]
	open := 0
	mark := func(v uint32) {
		if s.analysis.marks[v]&seenMark == 0 && s.trail.vars[v].level == lev {
			s.analysis.marks[v] |= seenMark
			u.vars = append(u.vars, v)
			open++
		}
	}
	for _, l := range conflict {
		mark(uint32(l >> 1))
	}
	for at := len(s.trail.lits) - 1; open > 1; at-- {
		l := s.trail.lits[at]
		v := uint32(l >> 1)
		if s.analysis.marks[v]&seenMark == 0 {
			continue
		}
		open--
		if u.unexplained(v) {
			u.explain(l)
			explained = true
		}
		if s.trail.vars[v].level == lev {
			u.eachReasonVar(v, mark)
		}
	}
	for _, v := range u.vars {
		s.analysis.marks[v] = 0
	}
	return explained
}

// eachReasonVar calls f with the variables of the reason of v, v included.
func (u *connection) eachReasonVar(v uint32, f func(uint32)) {
	s := u.s
	switch w := s.trail.vars[v].reason; {
	case w == 0:
	case w.binary():
		f(uint32(w.blocker() >> 1))
	default:
		for _, k := range s.clauses.lits(w.ref()) {
			f(k >> 1)
		}
	}
}

// explainFinal explains all literals that imply the false assumption l.
func (u *connection) explainFinal(l dimacs.Lit) {
	s := u.s
	u.vars = u.vars[:0]
	mark := func(v uint32) {
		if s.analysis.marks[v]&seenMark == 0 && s.trail.vars[v].level > 0 {
			s.analysis.marks[v] |= seenMark
			u.vars = append(u.vars, v)
		}
	}
	mark(uint32(l >> 1))
	for i := 0; i < len(u.vars); i++ {
		v := u.vars[i]
		if u.unexplained(v) {
			u.explain(literal(v, s.trail.vals[2*v]))
		}
		u.eachReasonVar(v, mark)
	}
	for _, v := range u.vars {
		s.analysis.marks[v] = 0
	}
}
