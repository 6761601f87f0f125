package cube

import (
	"context"
	"slices"

	"sator/dimacs"
	"sator/dpll/internal/lists"
)

// Look-ahead chooses a branching variable by trying both of its values: it assigns
// one, propagates, measures how much smaller the formula became, and unassigns it.
// CDCL branches on variables of recent conflicts. Look-ahead branches on the
// variable that makes the formula smallest on both sides, which splits it into
// parts that are easier by themselves (Heule and van Maaren, "Look-ahead based SAT
// solvers", Handbook of Satisfiability, 2009).
//
//   - The measure of a literal is a weighted number of the clauses that became
//     shorter and are not satisfied. A clause has a fifth of the weight for each
//     further unassigned literal, since binary clauses are the next to propagate.
//     The score of a variable is the product of the measures of both literals: an
//     even split is better than one good side.
//   - A literal whose propagation ends in a conflict is a failed literal: its
//     complement is assigned at the node. If both literals fail, the node is
//     refuted.
//   - Only the variables that occur most in short clauses are tried. Trying all
//     variables would double the time of a node and hardly ever change the choice.
//
// Each clause has counters of its true literals and of those that are not false.
// An assignment updates them in all clauses of the literal and its complement. Binary
// clauses are lists of implications. Watched literals would propagate faster, but
// the measure visits all occurrences anyway. Double look-ahead and learning at a
// node are left out, since a CDCL solver solves the cubes.

const (
	mostCandidates = 256        // variables tried at a node
	mostTicks      = 60_000_000 // ticks at a node after which no further variable is tried
	mostRounds     = 4          // rounds at a node; failed literals lead to another round
)

// weights are the weights of clauses that became shorter, by the number of their
// unassigned literals. Longer clauses have the last weight.
var weights = [...]float64{0, 0, 1, 1. / 5, 1. / 25, 1. / 125, 1. / 625, 1. / 3125}

// A Lookahead is a formula under a changing assignment. It is used by one
// goroutine at a time.
type Lookahead struct {
	vals []int8 // by literal: 1 true, -1 false, 0 unassigned

	lits    []dimacs.Lit            // the clauses of three literals and more, one after the other
	starts  []uint32                // by clause: index of its first literal; and the end of the last
	counts  []count                 // by clause
	occurs  lists.Lists[uint32]     // by literal: its clauses
	implies lists.Lists[dimacs.Lit] // by literal: the literals that it implies by a binary clause

	trail []dimacs.Lit
	head  int // number of literals on the trail that are propagated and counted
	root  int // number of literals on the trail that are never unassigned

	refuted bool  // propagation of the unit clauses found a conflict
	ticks   int64 // visits of clauses
	failed  int64 // number of failed literals

	stamps []uint32  // by clause: the last measure that counted it
	stamp  uint32    // the number of the current measure
	ranks  []float64 // by literal, scratch of candidates
}

// A count contains the counters of a clause.
type count struct {
	free int32 // number of literals that are not false, as far as propagated
	true int32 // number of true literals
}

// Footprint returns a bound of the bytes that [NewLookahead] allocates for a formula of this
// size: a normalized copy with its hash table, the clauses with their counters, and the
// lists of occurrences. Slices that grow count with the copy that they replace.
func Footprint(vars, clauses, literals int) int64 {
	const (
		perVar = 2 * (1 + 8 + 4 + 4 + 2)
		perCls = 4 + 32 + 9*(8+4)/4 + 4
		perLit = 4 + 9 + 4
	)
	return perVar*int64(vars) + perCls*int64(clauses) + perLit*int64(literals)
}

// NewLookahead returns a Lookahead of f, with the unit clauses assigned and
// propagated.
func NewLookahead(f *dimacs.Formula) *Lookahead {
	f = f.Normalize()
	n := 2 * f.Vars()
	a := &Lookahead{vals: make([]int8, n), ranks: make([]float64, n), starts: []uint32{0}}
	var units []dimacs.Lit
	for _, c := range f.Clauses() {
		switch {
		case len(c) == 0:
			a.refuted = true
		case len(c) == 1:
			units = append(units, c[0])
		case len(c) > 2:
			a.lits = append(a.lits, c...)
			a.starts = append(a.starts, uint32(len(a.lits)))
			a.counts = append(a.counts, count{free: int32(len(c))})
		}
	}
	a.stamps = make([]uint32, len(a.counts))
	a.occurs = lists.New(n, func(yield func(dimacs.Lit, uint32)) {
		for i := range a.counts {
			for _, l := range a.clause(uint32(i)) {
				yield(l, uint32(i))
			}
		}
	})
	a.implies = lists.New(n, func(yield func(l, k dimacs.Lit)) {
		for _, c := range f.Clauses() {
			if len(c) == 2 {
				yield(c[0]^1, c[1])
				yield(c[1]^1, c[0])
			}
		}
	})
	for _, l := range units {
		a.refuted = a.refuted || !a.assign(l)
	}
	a.root = len(a.trail)
	return a
}

// clause returns the literals of clause i.
func (a *Lookahead) clause(i uint32) []dimacs.Lit { return a.lits[a.starts[i]:a.starts[i+1]] }

// assign makes l true and propagates. It reports false if there is a conflict.
func (a *Lookahead) assign(l dimacs.Lit) bool {
	return a.imply(l) && a.propagate()
}

// imply makes l true, without propagation. It reports false if l is false.
func (a *Lookahead) imply(l dimacs.Lit) bool {
	if a.vals[l] == 0 {
		a.vals[l], a.vals[l^1] = 1, -1
		a.trail = append(a.trail, l)
	}
	return a.vals[l] > 0
}

// propagate propagates the literals on the trail. It reports false if there is a
// conflict.
func (a *Lookahead) propagate() bool {
	for a.head < len(a.trail) {
		l := a.trail[a.head]
		a.head++
		ok := a.count(l)
		next := a.implies.Of(l)
		a.ticks += int64(len(next)>>4) + 1
		for _, k := range next {
			ok = ok && a.imply(k)
		}
		if !ok {
			return false
		}
	}
	return true
}

// count updates the counters of all clauses with the true literal l or its
// complement, and assigns the literals of clauses that became unit. It reports
// false if there is a conflict, but updates all counters even then, as undo needs.
func (a *Lookahead) count(l dimacs.Lit) bool {
	sat, shrunk := a.occurs.Of(l), a.occurs.Of(l^1)
	a.ticks += int64(len(sat) + len(shrunk))
	for _, i := range sat {
		a.counts[i].true++
	}
	ok := true
	for _, i := range shrunk {
		c := &a.counts[i]
		if c.free--; c.free-c.true > 1 || c.true > 0 || !ok {
			continue
		}
		ok = a.unit(i)
	}
	return ok
}

// unit makes the remaining literal of clause i true, or does nothing if the clause has
// a true literal. By the counters, one literal is not false and no literal is true, but
// the literals on the trail that are not propagated yet are not counted. It reports
// false if all literals are false.
func (a *Lookahead) unit(i uint32) bool {
	a.ticks++
	for _, l := range a.clause(i) {
		switch {
		case a.vals[l] > 0:
			return true
		case a.vals[l] == 0:
			return a.imply(l)
		}
	}
	return false
}

// undo unassigns all literals of the trail except the first n.
func (a *Lookahead) undo(n int) {
	for i := len(a.trail) - 1; i >= n; i-- {
		l := a.trail[i]
		a.vals[l], a.vals[l^1] = 0, 0
		if i >= a.head {
			continue
		}
		for _, i := range a.occurs.Of(l) {
			a.counts[i].true--
		}
		for _, i := range a.occurs.Of(l ^ 1) {
			a.counts[i].free++
		}
	}
	a.trail, a.head = a.trail[:n], min(a.head, n)
}

// look returns the measure of a literal. It reports false if the literal fails.
func (a *Lookahead) look(l dimacs.Lit) (measure float64, ok bool) {
	n := len(a.trail)
	if ok = a.assign(l); ok {
		measure = a.measure(a.trail[n:])
	}
	a.undo(n)
	return measure, ok
}

// measure returns the weighted number of clauses that the assigned literals made
// shorter.
func (a *Lookahead) measure(assigned []dimacs.Lit) (sum float64) {
	a.stamp++
	for _, l := range assigned {
		shrunk := a.occurs.Of(l ^ 1)
		a.ticks += int64(len(shrunk))
		for _, i := range shrunk {
			c := a.counts[i]
			if c.true == 0 && a.stamps[i] != a.stamp {
				a.stamps[i] = a.stamp
				sum += weights[min(int(c.free), len(weights)-1)]
			}
		}
	}
	return sum
}

// A verdict is the result of look-ahead at a node.
type verdict uint8

const (
	branches verdict = iota // there is a branching literal
	refuted                 // propagation and failed literals refute the node
	solved                  // every clause is satisfied
	stopped                 // the context is done
)

// decide returns the branching literal of the current node. It assigns the
// complements of the failed literals that it finds.
func (a *Lookahead) decide(ctx context.Context) (dimacs.Lit, verdict) {
	for round := 1; ; round++ {
		candidates := a.candidates()
		if len(candidates) == 0 {
			return 0, solved
		}
		best, v := a.try(ctx, candidates, round < mostRounds)
		if v != branches || best != none {
			return best, v
		}
	}
}

// none is no literal.
const none = ^dimacs.Lit(0)

// try tries the candidates and returns the literal with the best score. It returns
// none if the candidates must be tried again: because failed literals were found,
// if again is set, or because failed literals have assigned the best one.
func (a *Lookahead) try(ctx context.Context, candidates []dimacs.Lit, again bool) (best dimacs.Lit, v verdict) {
	best, score, failed := none, -1.0, a.failed
	until := a.ticks + mostTicks
	for _, x := range candidates {
		if a.vals[x] != 0 {
			continue
		}
		if dimacs.Canceled(ctx) {
			return none, stopped
		}
		if a.ticks > until && best != none {
			break
		}
		positive, ok := a.look(x)
		if !ok {
			if a.failed++; !a.assign(x ^ 1) {
				return none, refuted
			}
			continue
		}
		negative, ok := a.look(x ^ 1)
		if !ok {
			if a.failed++; !a.assign(x) {
				return none, refuted
			}
			continue
		}
		if p := 1024*positive*negative + positive + negative; p > score || best == none || a.vals[best] != 0 {
			if best, score = x, p; negative > positive {
				best = x ^ 1 // the side with the greater measure first: it is refuted sooner
			}
		}
	}
	if best != none && (a.vals[best] != 0 || again && a.failed > failed) {
		best = none
	}
	return best, branches
}

// candidates returns the variables to try as positive literals, in the order of
// their ranks. The result is empty if every clause is satisfied.
func (a *Lookahead) candidates() []dimacs.Lit {
	clear(a.ranks)
	open := false
	for i, c := range a.counts {
		if c.true > 0 {
			continue
		}
		open = true
		w := weights[min(int(c.free)-1, len(weights)-1)]
		for _, l := range a.clause(uint32(i)) {
			a.ranks[l] += w
		}
	}
	var all []dimacs.Lit
	for x := dimacs.Lit(0); int(x) < len(a.vals); x += 2 {
		if a.vals[x] != 0 {
			continue
		}
		a.rankImplications(x)
		a.rankImplications(x ^ 1)
		if a.ranks[x]+a.ranks[x^1] > 0 {
			all = append(all, x)
		}
	}
	a.ticks += int64(len(a.lits) + len(a.vals))
	if !open && len(all) == 0 {
		return nil
	}
	rank := func(x dimacs.Lit) float64 {
		p, n := a.ranks[x], a.ranks[x^1]
		return 1024*p*n + p + n
	}
	slices.SortStableFunc(all, func(x, y dimacs.Lit) int {
		switch p, q := rank(x), rank(y); {
		case p > q:
			return -1
		case p < q:
			return 1
		}
		return 0
	})
	return all[:min(len(all), mostCandidates)]
}

// rankImplications adds the number of open binary clauses with l to its rank.
func (a *Lookahead) rankImplications(l dimacs.Lit) {
	for _, k := range a.implies.Of(l ^ 1) {
		if a.vals[k] == 0 {
			a.ranks[l]++
		}
	}
}

// Choose returns the branching literal of look-ahead under the cube. It reports
// false if look-ahead refutes the cube, if every clause is satisfied, or if ctx is
// done.
func (a *Lookahead) Choose(ctx context.Context, cube []dimacs.Lit) (l dimacs.Lit, ok bool) {
	if a.refuted {
		return 0, false
	}
	defer a.undo(a.root)
	for _, l := range cube {
		if int(l) < len(a.vals) && !a.assign(l) {
			return 0, false
		}
	}
	l, v := a.decide(ctx)
	return l, v == branches
}
