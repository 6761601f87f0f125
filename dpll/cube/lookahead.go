package cube

import (
	"context"
	"slices"

	"sator/dimacs"
)

// Look-ahead chooses a variable to branch on by trying both of its values: it
// assigns one, propagates, measures what became of the formula, and takes it
// back. Search by learning asks which clauses were of use lately; look-ahead
// asks which variable makes the formula smallest on both sides, and that is what
// divides a problem into parts that are easier by themselves (Heule and van
// Maaren, "Look-ahead based SAT solvers", Handbook of Satisfiability, 2009).
//
//   - The measure of a literal is the number of clauses that became shorter and
//     are not satisfied, each with a weight that falls to a fifth with each
//     literal that it still has: clauses of two literals are the next to
//     propagate. The score of a variable is the product of both measures, since
//     a variable that divides evenly is better than one with one good side.
//   - A value that leads to a conflict is a failed literal: the other value is
//     assigned at this node. If both fail, the node is refuted.
//   - Only some variables are tried, those that occur most in short clauses. To
//     try all of them would double the time of a node for choices that are hardly
//     ever other ones.
//
// Clauses have counters of true literals and of unassigned ones, kept for all
// occurrences of a literal at each assignment, and binary clauses have lists of
// implications. Watches would propagate faster, but the measure visits all
// occurrences anyway. Look-ahead that goes two levels deep, and clauses learned
// at a node, are left out: what is left of a cube goes to a solver that learns.

const (
	mostCandidates = 256        // variables tried at a node
	mostTicks      = 60_000_000 // spent on them, at which no further one is tried
	mostRounds     = 4          // of trying all again after failed literals
)

// weights are those of clauses that became shorter, by how many literals are
// left; from the last one on all weigh the same.
var weights = [...]float64{0, 0, 1, 1. / 5, 1. / 25, 1. / 125, 1. / 625, 1. / 3125}

// A Lookahead is a formula under assignments that are made and taken back. It is
// used by one goroutine at a time.
type Lookahead struct {
	vals []int8 // by literal: 1 true, -1 false, 0 unassigned

	lits    []dimacs.Lit // of clauses of three and more literals, one after the other
	starts  []uint32     // where each of these begins, and the end
	counts  []count      // of these
	occurs  lists[uint32]
	implies lists[dimacs.Lit] // by literal: what it implies by a binary clause

	trail []dimacs.Lit
	head  int // literals before it are propagated and counted
	root  int // literals before it are never taken back

	refuted bool // at the root
	ticks   int64
	failed  int64 // literals

	stamps []uint32 // by clause: the measure that has it already
	stamp  uint32
	ranks  []float64 // by literal, scratch
}

// A count tells how a clause stands.
type count struct{ free, true int32 }

// Lists are one list for each literal, in one slice.
type lists[T any] struct {
	starts []uint32
	items  []T
}

func (x *lists[T]) of(l dimacs.Lit) []T { return x.items[x.starts[l]:x.starts[l+1]] }

// newLists returns lists over so many literals, made of what each yields, which
// is asked twice.
func newLists[T any](literals int, each func(yield func(l dimacs.Lit, item T))) lists[T] {
	x := lists[T]{starts: make([]uint32, literals+2)}
	each(func(l dimacs.Lit, _ T) { x.starts[l+2]++ })
	for l := range literals {
		x.starts[l+2] += x.starts[l+1]
	}
	x.items = make([]T, x.starts[literals+1])
	each(func(l dimacs.Lit, item T) {
		x.items[x.starts[l+1]] = item
		x.starts[l+1]++
	})
	return x
}

// NewLookahead returns a formula without assignments, but for what its unit
// clauses imply.
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
	a.occurs = newLists(n, func(yield func(dimacs.Lit, uint32)) {
		for i := range a.counts {
			for _, l := range a.clause(uint32(i)) {
				yield(l, uint32(i))
			}
		}
	})
	a.implies = newLists(n, func(yield func(l, k dimacs.Lit)) {
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

func (a *Lookahead) clause(i uint32) []dimacs.Lit { return a.lits[a.starts[i]:a.starts[i+1]] }

// assign makes l true and propagates. It reports false if that is a conflict.
func (a *Lookahead) assign(l dimacs.Lit) bool {
	return a.imply(l) && a.propagate()
}

// imply makes l true. It reports false if it is false.
func (a *Lookahead) imply(l dimacs.Lit) bool {
	if a.vals[l] == 0 {
		a.vals[l], a.vals[l^1] = 1, -1
		a.trail = append(a.trail, l)
	}
	return a.vals[l] > 0
}

func (a *Lookahead) propagate() bool {
	for a.head < len(a.trail) {
		l := a.trail[a.head]
		a.head++
		ok := a.count(l)
		next := a.implies.of(l)
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

// count updates the counters of all clauses with a literal that became true, or
// its complement, also if that is a conflict: else it could not be taken back.
func (a *Lookahead) count(l dimacs.Lit) bool {
	sat, shrunk := a.occurs.of(l), a.occurs.of(l^1)
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

// unit makes the literal true that a clause without true literals is left with;
// all others were counted as false, but some may be false and not counted yet.
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

// undo takes all back but the first n literals of the trail.
func (a *Lookahead) undo(n int) {
	for i := len(a.trail) - 1; i >= n; i-- {
		l := a.trail[i]
		a.vals[l], a.vals[l^1] = 0, 0
		if i >= a.head {
			continue
		}
		for _, i := range a.occurs.of(l) {
			a.counts[i].true--
		}
		for _, i := range a.occurs.of(l ^ 1) {
			a.counts[i].free++
		}
	}
	a.trail, a.head = a.trail[:n], min(a.head, n)
}

// look tries a literal and returns its measure, or false if it fails.
func (a *Lookahead) look(l dimacs.Lit) (measure float64, ok bool) {
	n := len(a.trail)
	if ok = a.assign(l); ok {
		measure = a.measure(a.trail[n:])
	}
	a.undo(n)
	return measure, ok
}

// measure tells how much shorter clauses became by these literals.
func (a *Lookahead) measure(assigned []dimacs.Lit) (sum float64) {
	a.stamp++
	for _, l := range assigned {
		shrunk := a.occurs.of(l ^ 1)
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

// A verdict is what look-ahead says of a node.
type verdict uint8

const (
	branches verdict = iota
	refuted          // by propagation and failed literals
	solved           // every clause is satisfied
	stopped          // by the context
)

// decide looks for the literal to branch on. Failed literals that it finds are
// assigned.
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

// try tries variables. It returns none if that has to be done again, since
// failed literals were found: if again is set, all the more, and else only if
// nothing that was tried is left.
func (a *Lookahead) try(ctx context.Context, candidates []dimacs.Lit, again bool) (best dimacs.Lit, v verdict) {
	best, score, failed := none, -1.0, a.failed
	until := a.ticks + mostTicks
	for _, x := range candidates {
		if a.vals[x] != 0 {
			continue
		}
		if ctx.Err() != nil {
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
				best = x ^ 1 // the side that is refuted sooner comes first
			}
		}
	}
	if best != none && (a.vals[best] != 0 || again && a.failed > failed) {
		best = none
	}
	return best, branches
}

// candidates returns the variables to be tried, the best ones first, as
// positive literals. There is none if every clause is satisfied.
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

// rankImplications counts the binary clauses that an unassigned literal would
// make unit by being false.
func (a *Lookahead) rankImplications(l dimacs.Lit) {
	for _, k := range a.implies.of(l ^ 1) {
		if a.vals[k] == 0 {
			a.ranks[l]++
		}
	}
}

// Choose returns the literal that look-ahead would branch on under a cube. It
// reports false if there is none: if the cube is refuted by look-ahead, if it
// satisfies every clause, or if ctx is done.
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
