// Package mus finds minimal unsatisfiable subsets (MUS) of clauses or of groups of
// clauses, and minimal correction sets (MCS): without them a formula is satisfiable.
//
//	g := mus.Clauses(formula)                      // each clause is a group
//	r := mus.Extract(ctx, g, mus.Options{}) // one MUS
//	if r.Status == dimacs.Unsatisfiable {
//		fmt.Println(r.Groups, r.Minimal) // numbers from 1
//	}
//	err := r.Verify(ctx, g) // with Options.Witnesses
//
//	e := mus.NewEnumerator(g, mus.Options{})
//	for s := range e.Subsets(ctx) { // all MUSes and MCSes
//		fmt.Println(s.Correction, s.Groups)
//	}
//
// A dimacs.Grouped is read from GCNF or CNF by dimacs.Reader.ReadGrouped. Group 0, the
// background, belongs to every subset. The command sator mus is a front end of this
// package.
//
// # Files
//
//   - mus.go: options, results, and Extract
//   - oracle.go: the solver with a selector for each group; the loop that shrinks a set
//   - rotate.go: model rotation
//   - enumerate.go: correction sets, and all subsets (MARCO)
//   - verify.go: the check of a result
package mus

import (
	"context"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Options configure the functions of this package. The zero Options are the defaults.
type Options struct {
	// CDCL are the options of the solver. OneShot and Proof must not be set.
	CDCL cdcl.Options

	// NoRotate turns off model rotation.
	NoRotate bool

	// Conflicts, if positive, limits the conflicts of all calls together.
	Conflicts int64

	// Witnesses keeps a model for each necessary group, for [Result.Verify]. They take a
	// byte for each variable and group.
	Witnesses bool

	// Progress, if not nil, is called after each call of the solver.
	Progress func(Progress)
}

// Progress is the state of Extract.
type Progress struct {
	Calls     int // of the solver
	Groups    int // of the current subset
	Necessary int // groups of it that every unsatisfiable part has
}

// A Result is an unsatisfiable subset of groups.
type Result struct {
	// Status is Unsatisfiable if there is an unsatisfiable subset, Satisfiable if the
	// formula has a model, and Unknown if a limit was reached before.
	Status dimacs.Status

	// Groups has the numbers of the subset in ascending order, without group 0.
	Groups []int

	// Minimal is set if no group of the subset can be left out. After a limit the subset
	// is unsatisfiable, but may not be minimal.
	Minimal bool

	// Necessary has the groups that cannot be left out of the subset.
	Necessary []int

	// Witnesses has, with Options.Witnesses, for each necessary group a model of the
	// other groups of the subset.
	Witnesses map[int]dimacs.Model

	Calls   int // of the solver
	Rotated int // necessary groups found by model rotation
}

// Clauses returns a formula in which each clause is a group, numbered from 1.
func Clauses(f *dimacs.Formula) *dimacs.Grouped {
	g := &dimacs.Grouped{Formula: f, Group: make([]int, f.Len()), Groups: f.Len()}
	for i := range g.Group {
		g.Group[i] = i + 1
	}
	return g
}

// Extract returns a minimal unsatisfiable subset of g. If ctx is done or a limit is
// reached, the subset may not be minimal. It needs up to a call of the solver for each
// group of the first core. Extract panics as [cdcl.Solver.Solve] does if memory is refused.
func Extract(ctx context.Context, g *dimacs.Grouped, o Options) *Result {
	x := newOracle(ctx, g, o)
	r := &Result{}
	set := newSet(g.Groups)
	for i := range set {
		set[i] = i > 0
	}
	if r.Status = x.solve(set); r.Status == dimacs.Unsatisfiable {
		s := &shrinker{oracle: x, in: x.core(), necessary: newSet(g.Groups), fix: true}
		if o.Witnesses {
			s.witnesses = map[int]dimacs.Model{}
		}
		r.Minimal = s.run()
		r.Groups, r.Necessary = s.in.list(), s.necessary.list()
		r.Witnesses, r.Rotated = s.witnesses, s.rotated
	}
	r.Calls = x.calls
	return r
}

// A set has groups, by number.
type set []bool

func newSet(groups int) set { return make(set, groups+1) }

// list returns the groups in ascending order.
func (s set) list() []int {
	var groups []int
	for i, in := range s {
		if in {
			groups = append(groups, i)
		}
	}
	return groups
}

// size returns the number of groups.
func (s set) size() int {
	n := 0
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}
