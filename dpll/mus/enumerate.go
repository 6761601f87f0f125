package mus

import (
	"context"
	"iter"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// All minimal unsatisfiable subsets and minimal correction sets by MARCO (Liffiton,
// Previti, Malik and Marques-Silva, "Fast, flexible MUS enumeration", Constraints 2016).
// A second solver, the map, has a variable for each group. Its models are the sets that
// are not decided yet. An unsatisfiable set is shrunk to a MUS, and the map excludes the
// sets that contain it. A satisfiable one grows to a maximal satisfiable set; the
// complement of that is an MCS, and the map excludes the sets within it. The map prefers large
// sets, so that MUSes come early. There can be exponentially many subsets of either kind.

// A Subset is a minimal unsatisfiable subset or a minimal correction set.
type Subset struct {
	Correction bool  // an MCS: the other groups have a model, and no group can be put back
	Groups     []int // in ascending order
}

// An Enumerator enumerates the minimal subsets of a formula.
type Enumerator struct {
	g         *dimacs.Grouped
	o         Options
	exhausted bool
	calls     int
}

// NewEnumerator returns an enumerator of the subsets of g, which must not change while
// it is in use.
func NewEnumerator(g *dimacs.Grouped, o Options) *Enumerator { return &Enumerator{g: g, o: o} }

// Exhausted reports whether the last iteration has visited all subsets.
func (e *Enumerator) Exhausted() bool { return e.exhausted }

// Calls returns the number of calls of the solver in the last iteration.
func (e *Enumerator) Calls() int { return e.calls }

// Subsets iterates over all MUSes and MCSes, in an order that is the same in every run.
// The iteration ends early when ctx is done or a limit is reached. A satisfiable formula
// has one subset, the empty MCS; if the background is unsatisfiable, there is one, the
// empty MUS.
func (e *Enumerator) Subsets(ctx context.Context) iter.Seq[Subset] {
	return func(yield func(Subset) bool) {
		x := newOracle(ctx, e.g, e.o)
		e.exhausted = false
		defer func() { e.calls = x.calls }()
		undecided := cdcl.New(e.o.CDCL)
		undecided.Grow(e.g.Groups)
		for group := 1; group <= e.g.Groups; group++ {
			undecided.SetPhase(dimacs.Var(group - 1).Lit())
		}
		for {
			switch undecided.Solve(ctx) {
			case dimacs.Unsatisfiable:
				e.exhausted = true
				return
			case dimacs.Unknown:
				return
			}
			s := newSet(e.g.Groups)
			for group := 1; group <= e.g.Groups; group++ {
				s[group] = undecided.Value(dimacs.Var(group-1).Lit()) == dimacs.True
			}
			found, ok := x.decide(s)
			if !ok {
				return
			}
			var clause []dimacs.Lit
			for _, group := range found.Groups {
				l := dimacs.Var(group - 1).Lit()
				if !found.Correction {
					l = l.Not()
				}
				clause = append(clause, l)
			}
			undecided.Add(clause...)
			if !yield(found) {
				return
			}
		}
	}
}

// decide returns a MUS within a set, or an MCS without a group of it. It returns false if
// a limit was reached.
func (x *oracle) decide(s set) (Subset, bool) {
	switch x.solve(s) {
	case dimacs.Satisfiable:
		left, ok := x.grow(s)
		return Subset{true, left}, ok
	case dimacs.Unsatisfiable:
		k := &shrinker{oracle: x, in: x.core(), necessary: newSet(x.g.Groups)}
		ok := k.run()
		return Subset{false, k.in.list()}, ok
	}
	return Subset{}, false
}

// grow adds groups to a satisfiable set, of which x.model is a model, as long as it stays
// satisfiable. It returns the groups that are left, an MCS.
func (x *oracle) grow(s set) (left []int, ok bool) {
	for group := 1; group < len(s); group++ {
		if s[group] {
			continue
		}
		s[group] = true
		if x.satisfied(group) {
			continue
		}
		switch x.solve(s) {
		case dimacs.Unsatisfiable:
			s[group] = false
			left = append(left, group)
		case dimacs.Unknown:
			return nil, false
		}
	}
	return left, true
}

// satisfied reports whether the last model satisfies a group.
func (x *oracle) satisfied(group int) bool {
	for _, i := range x.clauses[group] {
		if x.model.Clause(x.g.Formula.Clause(i)) != dimacs.True {
			return false
		}
	}
	return true
}

// Correct returns one minimal correction set of g: without its groups the formula has a
// model, and with any of them it has none. The status is Satisfiable if there is one,
// Unsatisfiable if the background has no model, and Unknown if a limit was reached.
func Correct(ctx context.Context, g *dimacs.Grouped, o Options) (groups []int, status dimacs.Status) {
	x := newOracle(ctx, g, o)
	s := newSet(g.Groups)
	if status = x.solve(s); status != dimacs.Satisfiable {
		return nil, status
	}
	groups, ok := x.grow(s)
	if !ok {
		return nil, dimacs.Unknown
	}
	return groups, dimacs.Satisfiable
}
