package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/kitten"
)

// SAT sweeping. The environment of a variable is a set of clauses near it. The kitten
// looks for literals that are true in all models of the environment (backbone
// literals), and for literals that are equal in all of them. Both properties then hold
// in all models of the formula. Sweeping comes from circuits, where simulation finds
// gates that may be equal and a SAT solver proves that they are (Kuehlmann and Krohm,
// "Equivalence checking using cuts and heaps", DAC 1997). Sweeping of clauses with an
// embedded solver comes from Kissat (Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt,
// "CaDiCaL, Gimsatul, IsaSAT and Kissat entering the SAT Competition 2024"). Two
// circuits for one function have many pairs of equal gates inside, and each equality
// follows from earlier ones by a short proof. Search on the whole formula finds such
// proofs by chance only.
//
// An environment is collected breadth-first along the irredundant clauses. The literals
// that are true in a first model are the candidates: each may be a backbone literal,
// and any two may be equal. Then:
//
//   - Literals are flipped. If the assignment with a flipped literal is still a model,
//     the literal is no backbone literal, and it differs from all literals of its
//     class.
//   - The kitten is called for each remaining candidate: first whether a backbone
//     candidate can be false, then whether two candidates of a class can differ. If so,
//     it returns another model, which refines all candidates.
//
// A unit is assigned and propagated at once. Two equal literals get two learned binary
// clauses; substitution does the rest.
//
// The proof gets only those learned clauses of the kitten that a derived clause depends
// on. They are deleted after the environment.
//
// Sweeping is off by default: it takes more ticks than it saves. Semantic definitions
// (define.go) save more at a lower price, and congruence closure finds many of the same
// equivalences.
//
// The budget can be too small: on some miters of multipliers, ten million ticks for each pass
// save most conflicts. Tried: budgets extended by a constant or by the price of the proof for
// each equivalence, saved budgets (no gain in the mean).
//
// Tried: candidates only from the variable itself and its neighbors (found nothing on
// shifters), learned binary clauses in the environments (no gain).

// sweepLevels are sizes of environments. The next level begins when all variables were
// swept on one level: in a large formula, small environments find the simple facts
// before larger ones take their time.
var sweepLevels = []struct {
	vars, clauses int
	depth         int // steps from the variable in the middle
}{
	{32, 256, 2},
	{128, 1024, 2},
	{256, 1024, 3},
}

const (
	sweepSize        = 32     // length of the longest clause in an environment
	sweepCallTicks   = 20_000 // bound for one call of the kitten
	sweepSuccessRate = 50     // a pass is a success with one unit or equivalence in that many environments
)

// A sweeping is the state that a pass leaves to the next one.
type sweeping struct {
	next  uint32 // variable to resume with
	level int    // index of sweepLevels
	delay int    // rounds to skip after a pass without success
	wait  int    // rounds still to be skipped
}

// A sweeper is a pass of SAT sweeping.
type sweeper struct {
	s         *Solver
	limit     int64 // end of the budget, in ticks
	occs      *occurrences
	kitten    kittenAdapter  // holds the environment
	clauses   int            // in the environment
	classLits []kitten.Lit   // backing array of classes
	backbone  []kitten.Lit   // candidates: literals that were true in all models so far
	classes   [][]kitten.Lit // candidates: literals that were equal in all models so far
	merged    []bool         // by variable: an equal literal represents it
	clause    []dimacs.Lit   // scratch
}

// sweep sweeps environments until the budget is used up or all variables were swept on
// the last level.
func (s *Solver) sweep(budget int64) {
	x := &s.passes.sweeping
	if x.wait > 0 {
		x.wait--
		return
	}
	if s.occurrenceCost() > budget/2 {
		return
	}
	w := &sweeper{s: s, limit: s.stats.Ticks + budget}
	if w.occs = s.occurrences(sweepSize); w.occs == nil {
		return
	}
	w.kitten.host = s
	w.kitten.origin = func(ref uint32) uint32 { return ref }
	w.merged = make([]bool, len(s.trail.vars))
	before := s.stats
	w.run()
	equivalences := s.stats.SweepEquivalences - before.SweepEquivalences
	found := equivalences + s.stats.SweepUnits - before.SweepUnits
	x.delayNext(found > 0 && found*sweepSuccessRate >= s.stats.SweepEnvironments-before.SweepEnvironments)
	if equivalences > 0 && s.substituting() {
		s.substitute(budget)
	}
}

// delayNext sets the number of rounds to skip: longer after each failure, half as long
// after a success.
func (x *sweeping) delayNext(success bool) {
	if success {
		x.delay /= 2
		return
	}
	x.delay++
	x.wait = x.delay
}

// substituting reports whether equal literals may be substituted at once.
func (s *Solver) substituting() bool {
	return s.opts.Substitute != 0 && !s.removal.keepModels && len(s.call.assumptions) == 0 && !s.call.stopped && !s.inconsistent
}

// run sweeps the environments of variables, from the one where the last pass ended,
// until the budget is used up or the last level is complete.
func (w *sweeper) run() {
	s := w.s
	x := &s.passes.sweeping
	for !w.spent() {
		if int(x.next) >= len(s.trail.vars) {
			x.next = 0
			if x.level == len(sweepLevels)-1 {
				return
			}
			x.level++
		}
		v := x.next
		x.next++
		s.stats.Ticks++
		if s.removal.active(v) && s.trail.vals[2*v] == 0 {
			ok := w.sweepVariable(v)
			w.kitten.deleteAuxiliary()
			if !ok {
				return
			}
		}
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (w *sweeper) spent() bool {
	t := w.s.stats.Ticks
	return t >= w.limit || t >= w.s.call.pollAt && w.s.poll(t)
}

// sweepVariable sweeps the environment of v. It reports whether the pass may go on.
func (w *sweeper) sweepVariable(v uint32) bool {
	w.load(v)
	if w.clauses < 2 {
		return true
	}
	w.s.stats.SweepEnvironments++
	switch w.solve() {
	case dimacs.Unsatisfiable:
		return w.addUnit()
	case dimacs.Unknown:
		return true
	}
	w.initCandidates()
	w.flip()
	for len(w.backbone) > 0 && !w.spent() {
		if !w.tryBackbone() {
			return false
		}
	}
	for len(w.classes) > 0 && !w.spent() {
		if !w.tryClass() {
			return false
		}
	}
	return !w.s.call.stopped
}

// solve calls the kitten.
func (w *sweeper) solve(assumptions ...kitten.Lit) dimacs.Status {
	w.s.stats.SweepSolved++
	return w.kitten.solveWithin(sweepCallTicks, assumptions...)
}

// load collects the environment of v.
func (w *sweeper) load(v uint32) {
	w.kitten.reset()
	w.clauses = 0
	w.kitten.Lit(dimacs.Lit(2 * v))
	for i, depth, end := 0, 0, 1; i < w.kitten.Vars(); i++ {
		if i == end {
			if depth++; depth == sweepLevels[w.s.passes.sweeping.level].depth {
				break
			}
			end = w.kitten.Vars()
		}
		l := w.kitten.Outer(kitten.Lit(2 * i))
		w.loadClauses(l, uint32(i))
		w.loadClauses(l^1, uint32(i))
	}
}

// loadClauses adds the clauses of l to the environment, within its bounds. The variable
// of l has index i there. The clauses of variables with a lower index are in it
// already.
func (w *sweeper) loadClauses(l dimacs.Lit, i uint32) {
	ws := w.s.clauses.list(l)
	w.s.stats.Ticks += 2 + int64(len(ws)>>3)
	for _, x := range ws {
		if b := x.blocker(); x.binary() && !x.redundant() && w.s.trail.vals[b] == 0 {
			w.clause = append(w.clause[:0], l, b)
			w.addClause(i, x.ref())
		}
	}
	for _, r := range w.occs.of(l) {
		w.s.stats.Ticks++
		if w.unassignedLits(r) {
			w.addClause(i, r)
		}
	}
}

// unassignedLits sets w.clause to the unassigned literals of the clause at r. It
// reports false if a literal is true.
func (w *sweeper) unassignedLits(r uint32) bool {
	w.clause = w.clause[:0]
	for _, k := range w.s.clauses.lits(r) {
		switch v := w.s.trail.vals[k]; {
		case v > 0:
			return false
		case v == 0:
			w.clause = append(w.clause, dimacs.Lit(k))
		}
	}
	return true
}

// addClause adds w.clause, with the reference of its clause, to the environment. It
// skips clauses with a variable of an index below i, and clauses beyond the bounds.
func (w *sweeper) addClause(i, ref uint32) {
	most := &sweepLevels[w.s.passes.sweeping.level]
	if w.clauses == most.clauses {
		return
	}
	size := w.kitten.Vars()
	for _, l := range w.clause {
		switch v, ok := w.kitten.Known(l); {
		case !ok:
			size++
		case v < i:
			return
		}
	}
	if size <= most.vars {
		w.kitten.Add(w.clause, ref)
		w.clauses++
		w.s.stats.Ticks++
	}
}

// initCandidates makes all true literals of the first model candidates, except literals
// represented by an equal one.
func (w *sweeper) initCandidates() {
	w.backbone, w.classLits, w.classes = w.backbone[:0], w.classLits[:0], w.classes[:0]
	for v := range w.kitten.Vars() {
		l := kitten.Lit(2 * v)
		if w.kitten.Value(l) < 0 {
			l ^= 1
		}
		if !w.merged[w.kitten.Outer(l)>>1] {
			w.backbone = append(w.backbone, l)
			w.classLits = append(w.classLits, l)
		}
	}
	w.classes = append(w.classes, w.classLits)
}

// refine splits the candidates by another model, and flips literals of that model.
func (w *sweeper) refine() {
	w.backbone = slices.DeleteFunc(w.backbone, func(l kitten.Lit) bool { return w.kitten.Value(l) < 0 })
	n := len(w.classes)
	for i := range n {
		c := w.classes[i]
		at := 0
		for j, l := range c {
			if w.kitten.Value(l) > 0 {
				c[at], c[j] = l, c[at]
				at++
			}
		}
		w.classes[i] = c[:at:at]
		w.classes = append(w.classes, c[at:])
	}
	w.flip()
}

// flip removes the candidates that can be flipped in the model. A flip changes no other
// value, so that such a literal equals no other literal of its class.
func (w *sweeper) flip() {
	before := w.kitten.Ticks
	w.backbone = slices.DeleteFunc(w.backbone, w.kitten.Flip)
	for i, c := range w.classes {
		w.classes[i] = slices.DeleteFunc(c, func(l kitten.Lit) bool {
			if w.kitten.Value(l) < 0 {
				l ^= 1
			}
			return w.kitten.Flip(l)
		})
	}
	w.dropSingle()
	w.s.stats.Ticks += w.kitten.Ticks - before
}

// dropSingle removes classes of fewer than two literals.
func (w *sweeper) dropSingle() {
	w.classes = slices.DeleteFunc(w.classes, func(c []kitten.Lit) bool { return len(c) < 2 })
}

// tryBackbone calls the kitten to test whether the last backbone candidate can be false. It
// reports whether the pass may go on.
func (w *sweeper) tryBackbone() bool {
	l := w.backbone[len(w.backbone)-1]
	w.backbone = w.backbone[:len(w.backbone)-1]
	if w.s.trail.vals[w.kitten.Outer(l)] != 0 {
		return true
	}
	switch w.solve(l ^ 1) {
	case dimacs.Satisfiable:
		w.refine()
	case dimacs.Unsatisfiable:
		return w.addUnit()
	}
	return true
}

// tryClass calls the kitten to test whether the last two literals of the last class can
// differ. It reports whether the pass may go on.
func (w *sweeper) tryClass() bool {
	s := w.s
	last := len(w.classes) - 1
	c := w.classes[last]
	a, b := c[len(c)-2], c[len(c)-1]
	switch {
	case s.trail.vals[w.kitten.Outer(a)] != 0:
		c[len(c)-2] = b
	case s.trail.vals[w.kitten.Outer(b)] == 0 && !w.knownEqual(a, b):
		equal, answer := w.proveEqual(a, b)
		if answer == dimacs.Satisfiable {
			w.refine()
			return true
		}
		if equal {
			w.merged[w.kitten.Outer(b)>>1] = true
			s.stats.SweepEquivalences++
		}
		if s.inconsistent || s.call.stopped {
			return false
		}
	}
	w.classes[last] = c[:len(c)-1]
	w.dropSingle()
	return true
}

// proveEqual calls the kitten to test whether a and b differ in a model; if not, it adds the
// two binary clauses of their equivalence. It returns whether they are equal, and the last
// answer of the kitten.
func (w *sweeper) proveEqual(a, b kitten.Lit) (bool, dimacs.Status) {
	if answer := w.solve(a, b^1); answer != dimacs.Unsatisfiable {
		return false, answer
	}
	first := w.kitten.Refutation
	if len(w.kitten.Lits(first)) < 2 {
		w.addUnit()
		return false, dimacs.Unsatisfiable
	}
	if answer := w.solve(a^1, b); answer != dimacs.Unsatisfiable {
		return false, answer
	}
	second := w.kitten.Refutation
	if len(w.kitten.Lits(second)) < 2 {
		w.addUnit()
		return false, dimacs.Unsatisfiable
	}
	w.addBinary(first)
	w.addBinary(second)
	return true, dimacs.Unsatisfiable
}

// addUnit assigns the unit that the kitten has proved, or refutes the formula if the
// kitten has proved the empty clause. It reports whether the pass may go on.
func (w *sweeper) addUnit() bool {
	r := w.kitten.Refutation
	id := w.kitten.learn(r)
	c := w.kitten.Lits(r)
	if len(c) == 0 {
		w.s.inconsistent = true
		return false
	}
	w.s.stats.SweepUnits++
	return w.s.assignUnits([]inprocess.Unit{{Lit: w.kitten.Outer(kitten.Lit(c[0])), ID: id}})
}

// addBinary adds a binary clause that the kitten has proved as a learned clause, unless
// the formula has it already.
func (w *sweeper) addBinary(r uint32) {
	c := w.kitten.Lits(r)
	a, b := w.kitten.Outer(kitten.Lit(c[0])), w.kitten.Outer(kitten.Lit(c[1]))
	if !w.s.clauses.hasBinary(a, b) {
		w.s.clauses.watchBinary(a, b, w.s.clauses.binaryRef(true, w.kitten.learn(r)))
	}
}

// knownEqual reports whether the formula has the two binary clauses of the equivalence of a
// and b.
func (w *sweeper) knownEqual(a, b kitten.Lit) bool {
	x, y := w.kitten.Outer(a), w.kitten.Outer(b)
	return w.s.clauses.hasBinary(x^1, y) && w.s.clauses.hasBinary(x, y^1)
}

// An occurrences value lists the irredundant clauses of three and more literals, up to
// a maximal length, by literal: the clauses of l are refs[start[l]:start[l+1]].
type occurrences struct {
	start []uint32
	refs  []uint32
}

// of returns the clauses of l.
func (o *occurrences) of(l dimacs.Lit) []uint32 { return o.refs[o.start[l]:o.start[l+1]] }

// occurrenceCost estimates the ticks of computing occurrences.
func (s *Solver) occurrenceCost() int64 { return int64(s.clauses.size()/2 + len(s.trail.vals)/8) }

// occurrences lists the clauses with at most longest literals. It returns nil if the
// call is stopped.
func (s *Solver) occurrences(longest int) *occurrences {
	o := &occurrences{start: make([]uint32, len(s.trail.vals)+1)}
	s.stats.Ticks += s.occurrenceCost()
	if !s.eachOccurrence(longest, func(r, w uint32) { o.start[w]++ }) {
		return nil
	}
	total := uint32(0)
	for l, n := range o.start {
		total += n
		o.start[l] = total
	}
	o.refs = make([]uint32, total)
	// Each list is filled from its end to its start.
	if !s.eachOccurrence(longest, func(r, w uint32) {
		o.start[w]--
		o.refs[o.start[w]] = r
	}) {
		return nil
	}
	return o
}

// eachOccurrence calls f for each literal of irredundant clauses with at most longest
// literals. It reports false if the call is stopped.
func (s *Solver) eachOccurrence(longest int, f func(r, w uint32)) bool {
	steps := 0
	s.clauses.eachClause(2, func(r uint32) bool {
		if steps++; s.pausing(steps) {
			return false
		}
		if c := s.clauses.lits(r); s.clauses.arena[r]&(garbageBit|redundantBit) == 0 && len(c) <= longest {
			for _, w := range c {
				f(r, w)
			}
		}
		return true
	})
	return !s.call.stopped
}
