package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/kitten"
)

// Sweeping of environments. Literals may be equal that simulation of a circuit tells apart, since
// other clauses make them equal. For example, let two runs of an invertible function end in the
// same result. Then the inputs of its last step are the same in both, so those of the step before
// are, and so on. Neither unit propagation nor congruence closure sees that for a step with
// carries, and the conflicts of a search meet it bit by bit, again and again.
//
// The environment of a variable is the set of clauses around it, up to some distance. Its models are
// candidates for a proof: a literal that is true in all models of the environment is true in all
// models of the formula, and likewise for two literals that are equal (sweeping in Kissat; Biere,
// Fleury and Heisinger, "CaDiCaL, Kissat, Paracooba entering the SAT Competition 2021"). Here only
// the variable in the middle is compared, with all others:
//
//   - A model of the environment has the literals that may be equal to that of the variable.
//   - The kitten is asked for a model in which one of them differs from it. There is none, and the
//     two are equal, or the model excludes this candidate and half of the others, too.
//
// Equal variables count as one in later environments, and the variables in their clauses are next
// in line: where each equality follows from the one before, one pass finds a chain of them. Each
// extends the pass by a share for one variable, so that the chain goes on to its end where it
// can reach much of the formula.
//
// A pass without success costs a hundredth of the search, more at first, and less in later
// rounds. The next pass goes on with the variable after the last one.
//
// Tried: environments of depth 3 with 512 variables; a tenth of the ticks of the search (a loss
// where there are no chains); chains without a bound (a loss on large formulas).

const (
	exploreFirst   = 1_000_000  // ticks for which the first passes take whole budgets
	exploreLater   = 12         // later ones take a twelfth
	exploreChain   = 50_000_000 // ticks by which equalities of all variables would extend a pass
	exploreTries   = 500        // environments without success, after which rounds are skipped
	exploreDepth   = 2          // steps along clauses from the middle of an environment
	exploreVars    = 128        // variables after which no more clauses are added
	exploreClauses = 1024       // clauses, likewise
	exploreSize    = 32         // literals of a clause, at most
)

// An exploring is the state that a pass leaves to the next one.
type exploring struct {
	backoff
	credit int64  // unused budget in ticks
	first  int64  // ticks of first passes
	next   uint32 // variable with which the pass goes on
	tries  int    // environments since the last success
}

// An explorer is a pass over environments.
type explorer struct {
	prover
	each     int64    // ticks by which an equality or a unit extends the pass
	start    []uint32 // by variable, and one more: index of its first clause in refs
	refs     []uint32 // references of the clauses of three and more literals
	twin     []uint32 // by variable: the next one of those that equal it, in a circle
	queue    []uint32 // variables near those that were found equal, the last one first
	queued   []bool   // by variable
	vars     []uint32 // of the environment
	met      []uint32 // by variable: the last environment that it was in
	expanded []uint32 // by variable: the last environment that got its clauses
	count    uint32   // environments
	rivals   []kitten.Lit
}

// exploreEnvironments compares variables with those around them. Budgets are saved until they
// cover the lists of clauses.
func (s *Solver) exploreEnvironments(budget int64) {
	x := &s.passes.exploring
	if x.skips() {
		return
	}
	first := min(budget, exploreFirst-x.first)
	x.first += first
	x.credit += max(first, budget/exploreLater)
	if x.credit < int64(s.clauses.size()/2) {
		return
	}
	if s.collectChanged(); s.call.stopped || s.inconsistent {
		return
	}
	left := int64(len(s.trail.vars) - s.trail.roots - s.removal.removed)
	e := &explorer{prover: newProver(s, x.credit), each: max(exploreChain, s.stats.Ticks) / max(1, left)}
	x.credit = 0
	if !e.list() {
		return
	}
	before := s.stats
	e.run()
	switch found := s.stats.swept() > before.swept(); {
	case found:
		x.tries = 0
		x.delayNext(true)
	case x.tries >= exploreTries:
		x.tries = 0
		x.delayNext(false)
	}
	s.substituteSwept(before.SweepEquivalences, budget)
}

// list makes the lists of clauses. It reports false if the call is stopped.
func (e *explorer) list() bool {
	h, vars := host{e.s}, len(e.s.trail.vars)
	e.start = inprocess.Table[uint32](h, vars+2)
	e.twin = inprocess.Table[uint32](h, vars)
	e.queued = inprocess.Table[bool](h, vars)
	e.met = inprocess.Table[uint32](h, vars)
	e.expanded = inprocess.Table[uint32](h, vars)
	for v := range e.twin {
		e.twin[v] = uint32(v)
	}
	if !e.eachLiteral(func(v, _ uint32) { e.start[v+2]++ }) {
		return false
	}
	for v := range e.start[1:] {
		e.start[v+1] += e.start[v]
	}
	e.refs = inprocess.Table[uint32](h, int(e.start[vars+1]))
	return e.eachLiteral(func(v, r uint32) {
		e.refs[e.start[v+1]] = r
		e.start[v+1]++
	})
}

// eachLiteral calls f with the variables and the reference of each clause that is short enough.
func (e *explorer) eachLiteral(f func(v, r uint32)) (ok bool) {
	visited, ok := host{e.s}.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) <= exploreSize {
			e.s.stats.Ticks += int64(len(lits) / 4)
			for _, l := range lits {
				f(l>>1, r)
			}
		}
		return true
	})
	e.s.stats.Ticks += int64(visited)
	return ok
}

// run explores the environments of all variables, and again those near equal ones.
func (e *explorer) run() {
	x := &e.s.passes.exploring
	for left := len(e.twin); (left > 0 || len(e.queue) > 0) && !e.spent() && !e.s.inconsistent; {
		var v uint32
		if last := len(e.queue) - 1; last >= 0 {
			v = e.queue[last]
			e.queue = e.queue[:last]
			e.queued[v] = false
		} else {
			left--
			v = x.next % uint32(len(e.twin))
			x.next = v + 1
		}
		if e.s.trail.vals[2*v] == 0 && e.s.removal.active(v) {
			x.tries++
			e.explore(v)
		}
	}
}

// explore compares v with the variables around it.
func (e *explorer) explore(v uint32) {
	before, limit := e.s.stats.swept(), e.limit
	e.load(v)
	e.compare(e.kitten.Lit(dimacs.Lit(2 * v)))
	e.kitten.deleteAuxiliary()
	e.limit = limit + e.each*(e.s.stats.swept()-before)
}

// load adds the environment of v to the kitten.
func (e *explorer) load(v uint32) {
	e.kitten.reset()
	e.count++
	e.vars = e.vars[:0]
	e.meet(v)
	clauses := 0
	for head, depth := 0, 0; depth < exploreDepth; depth++ {
		for end := len(e.vars); head < end; head++ {
			if clauses > exploreClauses || len(e.vars) > exploreVars {
				return
			}
			clauses += e.expand(e.vars[head])
		}
	}
}

// meet adds v and the variables that equal it to the environment.
func (e *explorer) meet(v uint32) {
	for e.met[v] != e.count {
		e.met[v] = e.count
		e.vars = append(e.vars, v)
		v = e.twin[v]
	}
}

// expand adds the clauses of v, and returns their number.
func (e *explorer) expand(v uint32) (added int) {
	e.expanded[v] = e.count
	e.eachNeighbor(v, func(l, b dimacs.Lit, ref uint32) {
		if e.expanded[b>>1] != e.count && e.s.trail.vals[b] == 0 {
			e.clause = append(e.clause[:0], l, b)
			added += e.add(ref)
		}
	})
	for _, r := range e.clausesOf(v) {
		if e.isNew(r, v) && e.unassignedLits(r) {
			added += e.add(r)
		}
	}
	return added
}

// eachNeighbor calls f with the literals and the reference of each binary clause of v, the literal
// of v first.
func (e *explorer) eachNeighbor(v uint32, f func(l, b dimacs.Lit, ref uint32)) {
	for _, l := range [2]dimacs.Lit{dimacs.Lit(2 * v), dimacs.Lit(2*v + 1)} {
		ws := e.s.clauses.list(l)
		e.s.stats.Ticks += 1 + int64(len(ws)>>3)
		for _, w := range ws {
			if w.binary() {
				f(l, w.blocker(), w.ref())
			}
		}
	}
}

// clausesOf returns the references of the longer clauses of v.
func (e *explorer) clausesOf(v uint32) []uint32 {
	rs := e.refs[e.start[v]:e.start[v+1]]
	e.s.stats.Ticks += 1 + int64(len(rs))
	return rs
}

// isNew reports whether the environment lacks the clause at r of v: no other variable of it was
// expanded.
func (e *explorer) isNew(r, v uint32) bool {
	return !slices.ContainsFunc(e.s.clauses.lits(r), func(l uint32) bool {
		return l>>1 != v && e.expanded[l>>1] == e.count
	})
}

// add adds e.clause to the kitten, and returns 1.
func (e *explorer) add(ref uint32) int {
	e.kitten.Add(e.clause, ref)
	for _, l := range e.clause {
		e.meet(uint32(l >> 1))
	}
	return 1
}

// compare compares the literal c in the middle of the environment with constants and with the other
// variables.
func (e *explorer) compare(c kitten.Lit) {
	answer := e.solve()
	if answer == dimacs.Satisfiable {
		c = e.listRivals(c)
		answer = e.solve(c ^ 1)
	}
	switch answer {
	case dimacs.Unsatisfiable:
		e.addUnit()
	case dimacs.Satisfiable:
		e.refine(c)
		e.proveRivals(c)
	}
}

// listRivals lists the other true literals, and returns the one of c.
func (e *explorer) listRivals(c kitten.Lit) kitten.Lit {
	e.rivals = e.rivals[:0]
	for v := range e.kitten.Vars() {
		l := kitten.Lit(2 * v)
		if e.kitten.Value(l) < 0 {
			l ^= 1
		}
		if l>>1 == c>>1 {
			c = l
		} else {
			e.rivals = append(e.rivals, l)
		}
	}
	return c
}

// outer returns the variable of l in the formula.
func (e *explorer) outer(l kitten.Lit) uint32 { return uint32(e.kitten.Outer(l) >> 1) }

// refine keeps the rivals that have the value of c in the model.
func (e *explorer) refine(c kitten.Lit) {
	x := e.kitten.Value(c)
	e.s.stats.Ticks += int64(len(e.rivals) / 4)
	e.rivals = slices.DeleteFunc(e.rivals, func(l kitten.Lit) bool { return e.kitten.Value(l) != x })
}

// proveRivals proves for each rival that it equals c, or finds a model in which it differs.
func (e *explorer) proveRivals(c kitten.Lit) {
	for len(e.rivals) > 0 && !e.spent() {
		last := len(e.rivals) - 1
		r := e.rivals[last]
		if e.joined(e.outer(c), e.outer(r)) {
			e.rivals = e.rivals[:last]
			continue
		}
		equal, answer := e.proveEqual(c, r)
		switch {
		case equal:
			e.join(e.outer(c), e.outer(r))
		case answer == dimacs.Satisfiable:
			e.refine(c)
		case answer == dimacs.Unsatisfiable: // a unit, which may have changed the environment
			return
		default:
			e.rivals = e.rivals[:last]
		}
	}
}

// joined reports whether v and w are known to be equal.
func (e *explorer) joined(v, w uint32) bool {
	x := e.twin[v]
	for x != v && x != w {
		x = e.twin[x]
	}
	return x == w
}

// join notes that v and w are equal, and queues the variables in their clauses.
func (e *explorer) join(v, w uint32) {
	e.s.stats.SweepEquivalences++
	e.twin[v], e.twin[w] = e.twin[w], e.twin[v]
	for _, v := range [2]uint32{w, v} {
		for _, r := range e.clausesOf(v) {
			for _, l := range e.s.clauses.lits(r) {
				e.enqueue(l >> 1)
			}
		}
		e.eachNeighbor(v, func(_, b dimacs.Lit, _ uint32) { e.enqueue(uint32(b >> 1)) })
		e.enqueue(v)
	}
}

// enqueue queues v.
func (e *explorer) enqueue(v uint32) {
	if !e.queued[v] {
		e.queued[v] = true
		e.queue = append(e.queue, v)
	}
}
