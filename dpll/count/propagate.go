package count

import (
	"slices"

	"sator/dimacs"
)

// Unit propagation with two watched literals, and clause learning. Learned clauses propagate and
// fail early; components are split by the given clauses alone. A learned clause may have literals
// of several components: if it propagates from one into another, the literal follows from the
// other one, as long as all of them have models. See search.rest about the case that one has not.
//
// Beside the clause of the first unique implication point (UIP), the clause with the complement of
// the decision itself is learned if it differs: it is the reason of that literal when the other
// branch is counted, as in sharpSAT (Thurley, SAT 2006). Assignments are undone in reverse order to a
// position, not to a level: a literal that is implied on the way back is assigned as if at the
// present level, and undone with it. So given clauses are always propagated completely, while a learned
// clause may be unit without notice.

type lit = dimacs.Lit

// A ref is the position of the first literal of a clause in the arena: the word before is the
// length, and the one before that the number of a given clause or the activity of a
// learned one.
type ref uint32

const (
	headerWords = 2
	binaryFlag  = 1 << 31 // in a watch: the clause has two literals
)

type watch struct {
	blocker lit
	clause  uint32 // a ref, perhaps with binaryFlag
}

type engine struct {
	arena   []uint32
	watches [][]watch // by literal
	vals    []int8    // by literal: 1 true, -1 false, 0 unassigned
	levels  []int32   // by variable
	reasons []ref     // by variable; 0 for decisions and units
	trail   []lit
	opened  []int // positions on the trail where levels 1, 2, ... begin
	head    int   // the literals on the trail before it are propagated

	given    ref       // the clauses before it are given, the rest learned
	units    []ref     // learned unit clauses
	activity []float64 // by variable
	bump     float64
	seen     []bool // by variable, clean between conflicts
	learned  int    // number of learned clauses
	limit    int    // the number of learned clauses before a reduction

	conflicts, propagations, decisions int64

	visits int64 // literals propagated and resolved, and a quarter of the watches visited
}

func newEngine(vars int) engine {
	return engine{
		arena:    make([]uint32, headerWords),
		watches:  make([][]watch, 2*vars),
		vals:     make([]int8, 2*vars),
		levels:   make([]int32, vars),
		reasons:  make([]ref, vars),
		activity: make([]float64, vars),
		seen:     make([]bool, vars),
		bump:     1,
		limit:    4000,
	}
}

func (e *engine) level() int { return len(e.opened) }

// lits returns the literals of a clause.
func (e *engine) lits(r ref) []uint32 { return e.arena[r : uint32(r)+e.arena[r-1]] }

// addClause adds a clause. Its first two literals are watched.
func (e *engine) addClause(c []lit, number uint32) ref {
	e.arena = append(e.arena, number, uint32(len(c)))
	r := ref(len(e.arena))
	for _, l := range c {
		e.arena = append(e.arena, uint32(l))
	}
	e.attach(r)
	return r
}

func (e *engine) attach(r ref) {
	c, clause := e.lits(r), uint32(r)
	switch len(c) {
	case 1:
		e.units = append(e.units, r)
		return
	case 2:
		clause |= binaryFlag
	}
	for i := range 2 {
		e.watches[c[i]] = append(e.watches[c[i]], watch{lit(c[1-i]), clause})
	}
}

// assign makes l true.
func (e *engine) assign(l lit, reason ref) {
	e.vals[l], e.vals[l^1] = 1, -1
	e.levels[l>>1], e.reasons[l>>1] = int32(len(e.opened)), reason
	e.trail = append(e.trail, l)
}

// decide opens a level with the decision l.
func (e *engine) decide(l lit) {
	e.decisions++
	e.opened = append(e.opened, len(e.trail))
	e.assign(l, 0)
}

// undo unassigns the literals from a position of the trail on, and closes the levels above one.
func (e *engine) undo(position, level int) {
	for _, l := range e.trail[position:] {
		e.vals[l], e.vals[l^1] = 0, 0
	}
	e.trail, e.opened = e.trail[:position], e.opened[:level]
	e.head = position
}

// assertUnits assigns the literals of the learned unit clauses, at level 0. It returns
// a falsified one, or 0.
func (e *engine) assertUnits() ref {
	for _, r := range e.units {
		switch l := lit(e.arena[r]); e.vals[l] {
		case 0:
			e.assign(l, r)
			e.levels[l>>1] = 0
		case -1:
			return r
		}
	}
	return 0
}

// propagate returns a falsified clause, or 0.
func (e *engine) propagate() ref {
	vals, arena := e.vals, e.arena
	for e.head < len(e.trail) {
		falsified := e.trail[e.head] ^ 1
		e.head++
		ws := e.watches[falsified]
		e.visits += 1 + int64(len(ws))/4
		kept := ws[:0]
		for i, w := range ws {
			v := vals[w.blocker]
			if v > 0 {
				kept = append(kept, w)
				continue
			}
			if w.clause&binaryFlag != 0 {
				kept = append(kept, w)
				if v == 0 {
					e.assign(w.blocker, ref(w.clause&^binaryFlag))
					continue
				}
				e.watches[falsified] = append(kept, ws[i+1:]...)
				return ref(w.clause &^ binaryFlag)
			}
			c := arena[w.clause : w.clause+arena[w.clause-1]]
			other := lit(c[0] ^ c[1] ^ uint32(falsified))
			if vals[other] > 0 {
				kept = append(kept, watch{other, w.clause})
				continue
			}
			k := 2
			for k < len(c) && vals[c[k]] < 0 {
				k++
			}
			if k < len(c) {
				l := lit(c[k])
				c[0], c[1], c[k] = uint32(other), uint32(l), uint32(falsified)
				e.watches[l] = append(e.watches[l], watch{other, w.clause})
				continue
			}
			kept = append(kept, watch{other, w.clause})
			if vals[other] == 0 {
				c[0], c[1] = uint32(other), uint32(falsified)
				e.assign(other, ref(w.clause))
				continue
			}
			e.watches[falsified] = append(kept, ws[i+1:]...)
			return ref(w.clause)
		}
		e.watches[falsified] = kept
		e.propagations++
	}
	return 0
}

// A failure is the result of a conflict: the level of its highest literal, where it refutes the decision,
// and the reason why the complement of that decision is true below this level.
type failure struct {
	level  int
	reason ref
}

// analyze learns from a falsified clause.
func (e *engine) analyze(conflict ref) failure {
	e.conflicts++
	a := analysis{e: e}
	a.expand(e.lits(conflict))
	f := a.run()
	for _, l := range a.marked {
		e.seen[l>>1] = false
	}
	if e.bump *= 1 / 0.95; e.bump > 1e100 {
		for v := range e.activity {
			e.activity[v] *= 1e-100
		}
		e.bump *= 1e-100
	}
	return f
}

// An analysis resolves a falsified clause with reasons.
type analysis struct {
	e      *engine
	level  int32
	open   int   // the number of literals of the level that are not resolved
	lower  []lit // the literals of lower levels
	marked []lit // all that were seen
}

// expand adds the literals of a clause.
func (a *analysis) expand(c []uint32) {
	a.e.visits += int64(len(c))
	for _, x := range c {
		l := lit(x)
		if v := l >> 1; !a.e.seen[v] && a.e.levels[v] > 0 {
			a.e.seen[v] = true
			a.e.activity[v] += a.e.bump
			a.marked = append(a.marked, l)
			if a.e.levels[v] == a.level {
				a.open++
			} else {
				a.lower = append(a.lower, l)
			}
		}
	}
}

// run resolves at the highest level until its decision is left. If the literals of the level follow
// from lower ones without the decision, since they were implied on the way back, it descends.
func (a *analysis) run() failure {
	for a.descend() {
		decision := a.e.trail[a.e.opened[a.level-1]]
		position, reason := len(a.e.trail), ref(0)
		for a.open > 0 {
			position--
			l := a.e.trail[position]
			if !a.e.seen[l>>1] || a.e.levels[l>>1] != a.level {
				continue
			}
			if a.open--; a.open == 0 && (reason == 0 || l == decision) {
				reason = a.e.learn(l^1, a.e.minimized(a.lower))
			}
			if l == decision {
				return failure{int(a.level), reason}
			}
			a.e.bumpClause(a.e.reasons[l>>1])
			a.expand(a.e.lits(a.e.reasons[l>>1]))
		}
	}
	return failure{}
}

// descend makes the highest level of the lower literals that of the analysis. It returns false if
// there are no lower literals.
func (a *analysis) descend() bool {
	a.level = 0
	for _, l := range a.lower {
		a.level = max(a.level, a.e.levels[l>>1])
	}
	a.lower = slices.DeleteFunc(a.lower, func(l lit) bool {
		same := a.e.levels[l>>1] == a.level
		if same {
			a.open++
		}
		return same
	})
	return a.level > 0
}

// minimized returns the literals that the others do not imply by one reason.
func (e *engine) minimized(lower []lit) []lit {
	kept := make([]lit, 0, len(lower)+1)
	for _, l := range lower {
		r := e.reasons[l>>1]
		if r == 0 || !e.covered(e.lits(r), l^1) {
			kept = append(kept, l)
		}
	}
	return kept
}

// covered reports whether all literals but one are marked or of the root.
func (e *engine) covered(c []uint32, but lit) bool {
	for _, x := range c {
		if l := lit(x); l != but && !e.seen[l>>1] && e.levels[l>>1] != 0 {
			return false
		}
	}
	return true
}

// learn adds a clause of a literal and false ones of lower levels.
func (e *engine) learn(first lit, lower []lit) ref {
	c := append(lower, first)
	n := len(c) - 1
	c[0], c[n] = c[n], c[0]
	for i := 2; i <= n; i++ {
		if e.levels[c[i]>>1] > e.levels[c[1]>>1] {
			c[1], c[i] = c[i], c[1]
		}
	}
	e.learned++
	return e.addClause(c, uint32(e.conflicts))
}

// bumpClause records when a learned clause was used last.
func (e *engine) bumpClause(r ref) {
	if r >= e.given {
		e.arena[r-2] = uint32(e.conflicts)
	}
}

// reduce deletes the half of the learned clauses that was not used for the longest time. Those of
// two literals and reasons stay.
func (e *engine) reduce() {
	if e.learned < e.limit {
		return
	}
	var times []uint32
	for r := range e.learnedClauses() {
		times = append(times, e.arena[r-2])
	}
	slices.Sort(times)
	oldest := times[len(times)/2]
	for l := range e.watches {
		e.watches[l] = slices.DeleteFunc(e.watches[l], func(w watch) bool { return ref(w.clause&^binaryFlag) >= e.given })
	}
	to := e.given
	e.units = e.units[:0]
	for r := range e.learnedClauses() {
		c := e.lits(r)
		v := c[0] >> 1
		locked := e.vals[c[0]] > 0 && e.reasons[v] == r
		if len(c) == 2 && e.vals[c[1]] > 0 && e.reasons[c[1]>>1] == r {
			locked, v = true, c[1]>>1
		}
		if len(c) > 2 && e.arena[r-2] <= oldest && !locked {
			continue
		}
		n := copy(e.arena[to-headerWords:], e.arena[r-headerWords:int(r)+len(c)])
		if locked {
			e.reasons[v] = to
		}
		to += ref(n)
	}
	e.arena = e.arena[:to-headerWords]
	e.learned = 0
	for r := range e.learnedClauses() {
		e.attach(r)
		e.learned++
	}
	e.limit = max(e.limit, 2*e.learned) + 500
}

// learnedClauses iterates over the learned clauses. A clause may be moved to the front when it was visited.
func (e *engine) learnedClauses() func(yield func(ref) bool) {
	return func(yield func(ref) bool) {
		for r := e.given; int(r) < len(e.arena); {
			n := ref(e.arena[r-1])
			if !yield(r) {
				return
			}
			r += n + headerWords
		}
	}
}
