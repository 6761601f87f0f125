package service

import (
	"bytes"
	"errors"
	"fmt"

	"sator/dimacs"
	"sator/twosat"
)

// The page of 2-SAT: the implication graph with its strongly connected components, forced
// and equivalent literals, and the chain of implications behind each.

// twosatHandlers returns the operation of the page of 2-SAT.
func twosatHandlers() Handlers {
	return Handlers{"twosat.solve": handle(solveTwoSAT)}
}

// A TwoSATRequest has a formula and a question.
type TwoSATRequest struct {
	Source
	Why       int  `json:"why"`       // a literal, or 0
	Condensed bool `json:"condensed"` // draw components instead of literals
}

// A TwoSATReply has the answer and all that the solutions have in common.
type TwoSATReply struct {
	Status     string `json:"status"`
	Vars       int    `json:"vars"`
	Clauses    int    `json:"clauses"`
	Longer     int    `json:"longer"` // clauses of three and more literals, which are left out
	Model      []int  `json:"model"`
	Forced     []int  `json:"forced"`     // true in every solution
	Free       int    `json:"free"`       // variables that are not forced
	Components int    `json:"components"` // strongly connected components of the graph
	Largest    int    `json:"largest"`    // literals in the largest one

	Classes  [][]int   `json:"classes"`  // equivalent literals that are not forced
	Conflict *ChainRow `json:"conflict"` // if unsatisfiable: a contradictory cycle
	Why      *ChainRow `json:"why"`      // the answer to the question

	SVG      string `json:"svg"`
	TooLarge string `json:"tooLarge"` // why there is no drawing
}

// A ChainRow is a chain of implications. Value is that of the literal Lit in all solutions:
// "true", "false" or "free", which has no chain.
type ChainRow struct {
	Lit   int       `json:"lit,omitempty"`
	Value string    `json:"value,omitempty"`
	Chain []int     `json:"chain"`
	Steps []StepRow `json:"steps"`
}

// A StepRow is an implication with its clause, whose number is from 1.
type StepRow struct {
	From   int   `json:"from"`
	To     int   `json:"to"`
	Clause int   `json:"clause"`
	Lits   []int `json:"lits"`
}

// errStopped is the error of a request without a partial result.
var errStopped = errors.New("stopped")

// solveTwoSAT decides the clauses of up to two literals and answers the question.
func solveTwoSAT(c *Call, in TwoSATRequest) (*TwoSATReply, error) {
	l, err := in.load(c)
	if err != nil {
		return nil, err
	}
	f := l.formula
	if in.Why > f.Vars() || -in.Why > f.Vars() {
		return nil, fmt.Errorf("the formula has no variable %d", max(in.Why, -in.Why))
	}
	s, longer := twosat.BinaryPart(c.Context(), f)
	if s == nil {
		return nil, errStopped
	}
	s.Grow(f.Vars())
	r := &TwoSATReply{Vars: f.Vars(), Clauses: f.Len(), Longer: longer, Forced: []int{}, Classes: [][]int{}, Model: []int{}}
	x := &twosat.Explainer{Solver: s, Formula: f}
	chains, err := r.answer(c, x, in.Why)
	if err != nil {
		return nil, err
	}
	r.components(s)
	return r, r.draw(s, in.Condensed, chains)
}

// answer stores the answer and returns the chains to mark in the drawing.
func (r *TwoSATReply) answer(c *Call, x *twosat.Explainer, why int) ([]twosat.Chain, error) {
	status := x.Solver.Solve(c.Context())
	r.Status = status.String()
	switch status {
	case dimacs.Unknown:
		return nil, errStopped
	case dimacs.Unsatisfiable:
		e, err := x.Conflict()
		if err != nil {
			return nil, err
		}
		r.Conflict = chainRow(e)
		return []twosat.Chain{e.Chain}, nil
	}
	m := x.Solver.Model()
	if _, err := x.CheckModel(m); err != nil {
		return nil, err
	}
	r.Model = shown(m)
	return r.common(c, x, why)
}

// common stores what all solutions have in common, and the answer to the question.
func (r *TwoSATReply) common(c *Call, x *twosat.Explainer, why int) ([]twosat.Chain, error) {
	forced, status := x.Forced(c.Context())
	if status != dimacs.Satisfiable {
		return nil, errStopped
	}
	r.Forced, r.Free = dimacs.Ints(forced.Lits()), len(forced.Free())
	for _, class := range forced.Classes() {
		r.Classes = append(r.Classes, dimacs.Ints(class))
	}
	if why == 0 {
		return nil, nil
	}
	reason, err := x.Reason(forced, dimacs.FromInt(why))
	if err != nil {
		return nil, err
	}
	if reason.Value == dimacs.Unassigned {
		r.Why = &ChainRow{Lit: why, Value: "free", Chain: []int{}, Steps: []StepRow{}}
		return nil, nil
	}
	r.Why = chainRow(reason.Why)
	r.Why.Lit, r.Why.Value = why, map[dimacs.Value]string{dimacs.True: "true", dimacs.False: "false"}[reason.Value]
	return []twosat.Chain{reason.Why.Chain}, nil
}

// chainRow returns a chain with the clauses of its steps. An empty clause is a chain without
// literals and one step.
func chainRow(e *twosat.Explanation) *ChainRow {
	row := &ChainRow{Chain: dimacs.Ints(e.Chain), Steps: []StepRow{}}
	for _, s := range e.Steps {
		row.Steps = append(row.Steps, StepRow{s.From.Int(), s.To.Int(), s.Index + 1, dimacs.Ints(s.Clause)})
	}
	if e.Empty >= 0 {
		row.Steps = append(row.Steps, StepRow{Clause: e.Empty + 1, Lits: []int{}})
	}
	return row
}

// components counts the strongly connected components.
func (r *TwoSATReply) components(s *twosat.Solver) {
	c := twosat.Condense(s.Graph())
	r.Components = c.Len()
	for i := range c.Len() {
		r.Largest = max(r.Largest, len(c.Members(uint32(i))))
	}
}

// draw draws the graph with the chains, unless it is too large.
func (r *TwoSATReply) draw(s *twosat.Solver, condensed bool, chains []twosat.Chain) error {
	d, err := s.Draw(condensed, chains...)
	var large *twosat.DrawingSizeError
	if errors.As(err, &large) {
		r.TooLarge = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	d.Caption = r.Status
	var b bytes.Buffer
	err = d.SVG(&b)
	r.SVG = b.String()
	return err
}
