package study

import (
	"math"
	"slices"

	"sator/dimacs"
)

// The heuristics of the paper's program. They differ in details from those of
// the same names in package classic, which follow the text of the paper. Among
// equally good literals, the paper's program takes the one that comes first in
// the formula or, with accumulated weights, the one that occurred first in an
// open clause. A tie between the signs of a variable is resolved to the
// negative literal. Unit clauses that are not yet propagated count as open
// clauses, the shortest ones.

// A roundRule is a heuristic of the paper's program.
type roundRule struct {
	name   string                  // in package classic
	paper  string                  // in the paper
	weight func(length int) uint64 // weight of an open clause for its literals; nil if the heuristic has no weights
	choose func(r *roundSolver, sums []uint64, order []dimacs.Lit) dimacs.Lit
}

var roundRules = []roundRule{
	{"first", "default_dpll", nil, (*roundSolver).firstFalse},
	{"jw1", "1_sided_jw", halving, (*roundSolver).heaviest},
	{"jw2", "2_sided_jw", halving, (*roundSolver).heaviestVariable},
	{"lph", "length_priority_max", nil, (*roundSolver).inShortest},
	{"moh", "weighted_occurrences", func(int) uint64 { return 1 }, (*roundSolver).lightest},
	{"mom", "mom", nil, (*roundSolver).mostInShortest},
}

// findRoundRule returns the heuristic with a name of package classic, or nil if
// the paper's program does not have it.
func findRoundRule(name string) *roundRule {
	i := slices.IndexFunc(roundRules, func(r roundRule) bool { return r.name == name })
	if i < 0 {
		return nil
	}
	return &roundRules[i]
}

// halving is 2^-length, scaled to an integer. If a literal occurs in at most a
// hundred clauses, sums over the clauses of 2^25 nodes fit in 64 bits.
func halving(length int) uint64 { return 1 << max(0, 32-length) }

// firstFalse returns the negative literal of the first unassigned variable.
func (r *roundSolver) firstFalse([]uint64, []dimacs.Lit) dimacs.Lit {
	for l := 0; l < len(r.vals); l += 2 {
		if r.vals[l] == 0 {
			return dimacs.Lit(l) ^ 1
		}
	}
	panic("study: a clause is open, but no variable")
}

// best returns the best unassigned literal, the first one in order if several
// are equally good. At least one literal must be unassigned.
func (r *roundSolver) best(order []dimacs.Lit, better func(a, b dimacs.Lit) bool) dimacs.Lit {
	best, found := dimacs.Lit(0), false
	for _, l := range order {
		if r.vals[l] == 0 && (!found || better(l, best)) {
			best, found = l, true
		}
	}
	return best
}

// heaviest returns the literal with the largest sum.
func (r *roundSolver) heaviest(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	return r.best(order, func(a, b dimacs.Lit) bool { return sums[a] > sums[b] })
}

// heaviestVariable returns the variable with the largest sum over both
// literals, as its literal with the larger sum.
func (r *roundSolver) heaviestVariable(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	l := r.best(order, func(a, b dimacs.Lit) bool { return sums[a]+sums[a^1] > sums[b]+sums[b^1] }) &^ 1
	return moreOf(l, sums[l], sums[l^1], 0)
}

// moreOf returns the positive literal l if positive is larger, its negation if
// negative is larger, and l^draw if they are equal.
func moreOf(l dimacs.Lit, positive, negative uint64, draw dimacs.Lit) dimacs.Lit {
	switch {
	case positive > negative:
		return l
	case positive < negative:
		return l ^ 1
	}
	return l ^ draw
}

// lightest returns the literal with the smallest positive sum.
func (r *roundSolver) lightest(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	return r.best(order, func(a, b dimacs.Lit) bool { return sums[a]-1 < sums[b]-1 }) // 0 wraps to the largest number
}

// shortest returns the length of the shortest open clauses.
func (r *roundSolver) shortest() int32 {
	length := int32(math.MaxInt32)
	for c := range uint32(len(r.free)) {
		if r.isOpen(c) {
			length = min(length, r.free[c])
		}
	}
	return length
}

// countShortest returns for each literal its number of occurrences in the
// shortest open clauses, and the literals that occur there in order of first
// occurrence.
func (r *roundSolver) countShortest() (counts []uint64, order []dimacs.Lit) {
	counts = append(r.counts[:0], make([]uint64, len(r.vals))...)
	order = r.shortLits[:0]
	length := r.shortest()
	for c := range uint32(len(r.free)) {
		if !r.isOpen(c) || r.free[c] != length {
			continue
		}
		for _, l := range r.clause(c) {
			if counts[l]++; counts[l] == 1 {
				order = append(order, l)
			}
		}
	}
	r.counts, r.shortLits = counts, order
	return counts, order
}

// inShortest returns the first literal of the order that occurs in a shortest
// open clause.
func (r *roundSolver) inShortest(_ []uint64, order []dimacs.Lit) dimacs.Lit {
	counts, _ := r.countShortest()
	return r.best(order, func(a, b dimacs.Lit) bool { return counts[a] > 0 && counts[b] == 0 })
}

// mostInShortest returns the variable with the most occurrences in the shortest
// open clauses, by the formula of MOM with k=1.
func (r *roundSolver) mostInShortest([]uint64, []dimacs.Lit) dimacs.Lit {
	counts, order := r.countShortest()
	value := func(l dimacs.Lit) uint64 { return 2*(counts[l]+counts[l^1]) + counts[l]*counts[l^1] }
	l := r.best(order, func(a, b dimacs.Lit) bool { return value(a) > value(b) }) &^ 1
	return moreOf(l, counts[l], counts[l^1], 1)
}

// Weights are the accumulated weights of a heuristic over all nodes of all runs
// so far.
type Weights struct {
	Sums  []uint64     // by literal
	Order []dimacs.Lit // literals in order of their first occurrence in an open clause

	seen []bool // by literal: contained in Order
}

// grow extends the slices to n literals.
func (w *Weights) grow(n int) {
	w.Sums = append(w.Sums, make([]uint64, max(0, n-len(w.Sums)))...)
	w.seen = append(w.seen, make([]bool, max(0, n-len(w.seen)))...)
}
