// Package replay replays traces of incremental SAT solving: the calls that a program made
// of a solver, which a solver answers again.
//
//	t, err := replay.Read(file)
//	...
//	counts, err := t.Replay(ctx, newSolver, nil)
//	fmt.Println(counts.Calls, counts.Satisfiable)
//
// The text of a trace has a line for each call: "n" starts a new solver, "a 1 -2 0" adds a
// clause, and "s 1 -3 0" solves under assumptions. The first solver may be started without
// a line n. Lines that begin with # are comments.
//
// # Files
//
//   - trace.go: traces and their text
//   - replay.go: replaying, and the check of answers
//   - workloads.go: generated traces
package replay

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Solver is an incremental solver under test. [sator/dpll/cdcl.Solver] and
// [sator/dpll.Solver] implement it.
type Solver interface {
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// Counts are the numbers of calls of Solve by answer.
type Counts struct {
	Calls, Satisfiable, Unsatisfiable int
}

// An Answer is the answer of a call of Solve. The slices belong to the receiver, except
// for Assumptions.
type Answer struct {
	Status      dimacs.Status
	Assumptions []dimacs.Lit
	Model       dimacs.Model // if satisfiable
	Failed      []dimacs.Lit // if unsatisfiable

	given *given
}

// given are the clauses of a solver. They are collected when they are read, so that a
// replay without checks does not pay for them.
type given struct {
	trace   *Trace
	next    int // the first call that is not in formula
	end     int // of the calls so far
	formula *dimacs.Formula
}

// Clauses returns the clauses of the solver. They must not be changed, and are valid until
// the replay continues. All calls together take time linear in the clauses.
func (a *Answer) Clauses() *dimacs.Formula {
	g := a.given
	for ; g.next < g.end; g.next++ {
		switch k, lits := g.trace.call(g.next); k {
		case newSolver:
			g.formula = dimacs.NewFormula(0)
		case addClause:
			g.formula.Add(lits...)
		}
	}
	return g.formula
}

// Replay makes the calls of the trace. After each call of Solve it reads the model or the
// failed assumptions, as a program would, and calls observe, if it is not nil. It ends at
// the first error of observe or when ctx is done, with an error that has the number of the
// call of Solve, from 1.
func (t *Trace) Replay(ctx context.Context, start func() Solver, observe func(Answer) error) (Counts, error) {
	var n Counts
	var s Solver
	g := &given{trace: t, formula: dimacs.NewFormula(0)}
	for i := range t.calls {
		k, lits := t.call(i)
		if k == newSolver || s == nil {
			s = start()
		}
		switch k {
		case addClause:
			s.Add(lits...)
		case solve:
			n.Calls++
			g.end = i
			a := Answer{Status: s.Solve(ctx, lits...), Assumptions: lits, given: g}
			if err := n.read(ctx, s, &a, observe); err != nil {
				return n, fmt.Errorf("call %d: %w", n.Calls, err)
			}
		}
	}
	return n, nil
}

// read counts an answer, reads the model or the failed assumptions and calls observe.
func (n *Counts) read(ctx context.Context, s Solver, a *Answer, observe func(Answer) error) error {
	switch a.Status {
	case dimacs.Satisfiable:
		n.Satisfiable++
		a.Model = s.Model()
	case dimacs.Unsatisfiable:
		n.Unsatisfiable++
		a.Failed = s.Failed()
	default:
		if err := ctx.Err(); err != nil {
			return err
		}
		return fmt.Errorf("no answer")
	}
	if observe == nil {
		return nil
	}
	return observe(*a)
}

// Check evaluates a model on the clauses and the assumptions, and checks that failed
// assumptions are assumptions. Whether they are enough for a refutation is the question
// that [Answer.CheckFailed] answers, at a higher price. The time is linear in the clauses.
func (a *Answer) Check() error {
	switch a.Status {
	case dimacs.Satisfiable:
		if i := a.Model.Falsified(a.Clauses()); i >= 0 {
			return fmt.Errorf("the model falsifies clause %d: %v", i+1, a.Clauses().Clause(i))
		}
		for _, l := range a.Assumptions {
			if a.Model.Lit(l) != dimacs.True {
				return fmt.Errorf("the assumption %v is not true in the model", l)
			}
		}
	case dimacs.Unsatisfiable:
		assumed := slices.Clone(a.Assumptions)
		slices.Sort(assumed)
		for _, l := range a.Failed {
			if _, found := slices.BinarySearch(assumed, l); !found {
				return fmt.Errorf("the failed literal %v is not an assumption", l)
			}
		}
	}
	return nil
}

// CheckFailed checks with a new solver that the clauses have no model in which the failed
// assumptions are true. It returns nil for other answers.
func (a *Answer) CheckFailed(ctx context.Context, s Solver) error {
	if a.Status != dimacs.Unsatisfiable {
		return nil
	}
	for _, c := range a.Clauses().Clauses() {
		s.Add(c...)
	}
	for _, l := range a.Failed {
		s.Add(l)
	}
	if status := s.Solve(ctx); status != dimacs.Unsatisfiable {
		return fmt.Errorf("%v with the failed assumptions as clauses", status)
	}
	return nil
}
