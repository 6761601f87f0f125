package study

import (
	"encoding/json"
	"math"
	"slices"

	"sator/dimacs"
)

// The heuristics of the paper's program, as that has them. They differ in small
// things from those of the same names in package dpll, which go by what the
// paper says: where two literals are equally good, the one wins that comes first
// in the formula, or was met first by weights that are kept; a draw between the
// signs of a variable goes to the negative one; and units that have not been
// propagated yet are clauses like others, the shortest there are.

// A roundRule is a heuristic of the paper's program.
type roundRule struct {
	name   string                  // that of package dpll
	paper  string                  // that of the paper
	weight func(length int) uint64 // of an open clause, for its literals; nil if none is asked for
	choose func(r *rounds, sums []uint64, order []dimacs.Lit) dimacs.Lit
}

var roundRules = []roundRule{
	{"first", "default_dpll", nil, (*rounds).firstFalse},
	{"jw1", "1_sided_jw", halving, (*rounds).heaviest},
	{"jw2", "2_sided_jw", halving, (*rounds).heaviestVariable},
	{"lph", "length_priority_max", nil, (*rounds).inShortest},
	{"moh", "weighted_occurrences", func(int) uint64 { return 1 }, (*rounds).lightest},
	{"mom", "mom", nil, (*rounds).mostInShortest},
}

// findRoundRule returns the rule with a name of package dpll, nil if the paper's
// program has no such heuristic.
func findRoundRule(name string) *roundRule {
	i := slices.IndexFunc(roundRules, func(r roundRule) bool { return r.name == name })
	if i < 0 {
		return nil
	}
	return &roundRules[i]
}

// halving is the weight 2^-length as a whole number. Sums over the clauses of
// 2^25 nodes stay within 64 bits, if a literal is in no more than a hundred.
func halving(length int) uint64 { return 1 << max(0, 32-length) }

// firstFalse makes the first open variable false.
func (r *rounds) firstFalse([]uint64, []dimacs.Lit) dimacs.Lit {
	for l := 0; l < len(r.vals); l += 2 {
		if r.vals[l] == 0 {
			return dimacs.Lit(l) ^ 1
		}
	}
	panic("study: a clause is open, but no variable")
}

// best returns the first open literal of the order that is better than those
// before it. There is one.
func (r *rounds) best(order []dimacs.Lit, better func(a, b dimacs.Lit) bool) dimacs.Lit {
	best, found := dimacs.Lit(0), false
	for _, l := range order {
		if r.vals[l] == 0 && (!found || better(l, best)) {
			best, found = l, true
		}
	}
	return best
}

// heaviest chooses the literal of the greatest sum.
func (r *rounds) heaviest(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	return r.best(order, func(a, b dimacs.Lit) bool { return sums[a] > sums[b] })
}

// heaviestVariable chooses the variable of the greatest sum, as the literal that
// has more of it.
func (r *rounds) heaviestVariable(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	l := r.best(order, func(a, b dimacs.Lit) bool { return sums[a]+sums[a^1] > sums[b]+sums[b^1] }) &^ 1
	return moreOf(l, sums[l], sums[l^1], 0)
}

// moreOf returns a positive literal, or its negation if that has more, or both
// the same and the draw is 1.
func moreOf(l dimacs.Lit, positive, negative uint64, draw dimacs.Lit) dimacs.Lit {
	switch {
	case positive > negative:
		return l
	case positive < negative:
		return l ^ 1
	}
	return l ^ draw
}

// lightest chooses the literal of the least sum above zero.
func (r *rounds) lightest(sums []uint64, order []dimacs.Lit) dimacs.Lit {
	return r.best(order, func(a, b dimacs.Lit) bool { return sums[a]-1 < sums[b]-1 }) // 0 becomes the greatest number
}

// shortest returns the length of the shortest open clauses.
func (r *rounds) shortest() int32 {
	length := int32(math.MaxInt32)
	for c := range uint32(len(r.free)) {
		if r.isOpen(c) {
			length = min(length, r.free[c])
		}
	}
	return length
}

// countShortest returns for each literal the number of shortest open clauses in
// which it occurs, and the literals of which that is not 0 in the order in which
// they come there.
func (r *rounds) countShortest() (counts []uint64, order []dimacs.Lit) {
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

// inShortest chooses a literal of a shortest clause: of those in any the one that
// comes first in the formula.
func (r *rounds) inShortest(_ []uint64, order []dimacs.Lit) dimacs.Lit {
	counts, _ := r.countShortest()
	return r.best(order, func(a, b dimacs.Lit) bool { return counts[a] > 0 && counts[b] == 0 })
}

// mostInShortest chooses the variable that occurs most in shortest clauses, by
// the formula of mom with k=1.
func (r *rounds) mostInShortest([]uint64, []dimacs.Lit) dimacs.Lit {
	counts, order := r.countShortest()
	value := func(l dimacs.Lit) uint64 { return 2*(counts[l]+counts[l^1]) + counts[l]*counts[l^1] }
	l := r.best(order, func(a, b dimacs.Lit) bool { return value(a) > value(b) }) &^ 1
	return moreOf(l, counts[l], counts[l^1], 1)
}

// Weights are what a heuristic has summed up over all nodes of all runs so far.
type Weights struct {
	Sums  []uint64     // by literal
	Order []dimacs.Lit // those met in an open clause, in this order

	met []bool // by literal: it is in the order
}

// fit makes room for literals below n.
func (w *Weights) fit(n int) {
	w.Sums = append(w.Sums, make([]uint64, max(0, n-len(w.Sums)))...)
	w.met = append(w.met, make([]bool, max(0, n-len(w.met)))...)
}

// clone returns a copy.
func (w *Weights) clone() *Weights {
	return &Weights{slices.Clone(w.Sums), slices.Clone(w.Order), slices.Clone(w.met)}
}

// UnmarshalJSON implements [json.Unmarshaler].
func (w *Weights) UnmarshalJSON(b []byte) error {
	type fields Weights // without this method
	if err := json.Unmarshal(b, (*fields)(w)); err != nil {
		return err
	}
	w.met = nil
	w.fit(len(w.Sums))
	for _, l := range w.Order {
		if int(l) < len(w.met) {
			w.met[l] = true
		}
	}
	return nil
}
