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
// for Clauses and Assumptions.
type Answer struct {
	Status      dimacs.Status
	Clauses     *dimacs.Formula // all clauses of the solver
	Assumptions []dimacs.Lit
	Model       dimacs.Model // if satisfiable
	Failed      []dimacs.Lit // if unsatisfiable
}

// Replay makes the calls of the trace. After each call of Solve it reads the model or the
// failed assumptions, as a program would, and calls observe, if it is not nil. It ends at
// the first error of observe or when ctx is done, with an error that has the number of the
// call of Solve, from 1. Without observe the clauses are not kept.
func (t *Trace) Replay(ctx context.Context, start func() Solver, observe func(Answer) error) (Counts, error) {
	var n Counts
	var s Solver
	var clauses *dimacs.Formula
	err := t.each(func(k kind, lits []dimacs.Lit) error {
		if k == newSolver || s == nil {
			s, clauses = start(), dimacs.NewFormula(0)
		}
		switch k {
		case addClause:
			s.Add(lits...)
			if observe != nil {
				clauses.Add(lits...)
			}
		case solve:
			n.Calls++
			a := Answer{Status: s.Solve(ctx, lits...), Clauses: clauses, Assumptions: lits}
			if err := n.read(ctx, s, &a, observe); err != nil {
				return fmt.Errorf("call %d: %w", n.Calls, err)
			}
		}
		return nil
	})
	return n, err
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
		if i := a.Model.Falsified(a.Clauses); i >= 0 {
			return fmt.Errorf("the model falsifies clause %d: %v", i+1, a.Clauses.Clause(i))
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
	for _, c := range a.Clauses.Clauses() {
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
