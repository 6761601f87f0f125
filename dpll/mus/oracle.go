package mus

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// An oracle decides sets of groups. Each group has a selector, a literal that is in the
// complement in all clauses of the group, so that the group takes part if the selector is
// assumed. The solver keeps its learned clauses for all sets.
type oracle struct {
	ctx    context.Context
	g      *dimacs.Grouped
	o      Options
	solver *cdcl.Solver
	calls  int
	model  dimacs.Model // of the last satisfiable call
	state  Progress

	clauses [][]int // of each group
	occurs  [][]int // clauses of each literal, for rotation
}

func newOracle(ctx context.Context, g *dimacs.Grouped, o Options) *oracle {
	x := &oracle{ctx: ctx, g: g, o: o, solver: cdcl.New(o.CDCL), clauses: make([][]int, g.Groups+1)}
	f := g.Formula
	if len(g.Group) != f.Len() {
		panic(fmt.Sprintf("mus: %d clauses, but %d of them have a group", f.Len(), len(g.Group)))
	}
	x.solver.Grow(f.Vars() + g.Groups)
	x.occurs = make([][]int, 2*f.Vars())
	for i, c := range f.Clauses() {
		group := g.Group[i]
		x.clauses[group] = append(x.clauses[group], i)
		for _, l := range c {
			x.occurs[l] = append(x.occurs[l], i)
		}
		if group > 0 {
			c = append(slices.Clone(c), x.selector(group).Not())
		}
		x.solver.Add(c...)
	}
	for group := 1; group <= g.Groups; group++ {
		x.solver.Freeze(x.selector(group))
		x.solver.SetPhase(x.selector(group).Not())
	}
	return x
}

// selector returns the selector of a group.
func (x *oracle) selector(group int) dimacs.Lit {
	return dimacs.Var(x.g.Formula.Vars() + group - 1).Lit()
}

// solve decides the groups of a set, with the background.
func (x *oracle) solve(s set) dimacs.Status {
	var assumptions []dimacs.Lit
	for _, group := range s.list() {
		assumptions = append(assumptions, x.selector(group))
	}
	if limit := x.o.Conflicts; limit > 0 {
		left := limit - x.solver.Stats().Conflicts
		if left <= 0 {
			return dimacs.Unknown
		}
		x.solver.SetLimits(cdcl.Limits{Conflicts: left})
	}
	x.calls++
	status := x.solver.Solve(x.ctx, assumptions...)
	if status == dimacs.Satisfiable {
		x.model = x.solver.Model()[:x.g.Formula.Vars()]
	}
	if x.o.Progress != nil {
		x.state.Calls = x.calls
		x.o.Progress(x.state)
	}
	return status
}

// core returns the groups that the last refutation needs: the failed
// assumptions, without the groups of fixed selectors.
func (x *oracle) core() set {
	core := newSet(x.g.Groups)
	for _, l := range x.solver.Failed() {
		core[int(l.Var())-x.g.Formula.Vars()+1] = true
	}
	return core
}

// A shrinker makes an unsatisfiable set minimal, by deletion: a group is necessary if the
// set without it has a model; otherwise the core of the refutation becomes the set, so that
// many groups are dropped at once (clause set refinement: Belov, Lynce and Marques-Silva,
// "Towards efficient MUS extraction", AI Communications 2012).
type shrinker struct {
	*oracle
	in        set // the current set
	necessary set
	fix       bool // the selectors of the groups are fixed as they are decided
	witnesses map[int]dimacs.Model
	rotated   int
}

// run makes the set minimal. It returns false if a limit was reached.
func (s *shrinker) run() bool {
	for group := len(s.in) - 1; group > 0; group-- {
		if s.fix && !s.in[group] {
			s.solver.Add(s.selector(group).Not())
		}
	}
	for group := len(s.in) - 1; group > 0; group-- {
		if !s.in[group] || s.necessary[group] {
			continue
		}
		s.state.Groups, s.state.Necessary = s.in.size(), s.necessary.size()
		s.in[group] = false
		status := s.solve(s.in)
		s.in[group] = true
		switch status {
		case dimacs.Unknown:
			return false
		case dimacs.Satisfiable:
			s.keep(group, s.model)
			if !s.o.NoRotate {
				newRotation(s, s.model).from(group)
			}
		case dimacs.Unsatisfiable:
			s.refine()
		}
	}
	return true
}

// keep marks a group as necessary: m is a model of the others.
func (s *shrinker) keep(group int, m dimacs.Model) {
	s.necessary[group] = true
	if s.witnesses != nil {
		s.witnesses[group] = slices.Clone(m)
	}
	if s.fix {
		s.solver.Add(s.selector(group))
	}
}

// refine replaces the set by the core of the last refutation. Necessary groups belong to
// every core.
func (s *shrinker) refine() {
	core := s.core()
	for group := range s.in {
		if s.in[group] && !core[group] && !s.necessary[group] {
			s.in[group] = false
			if s.fix {
				s.solver.Add(s.selector(group).Not())
			}
		}
	}
}
