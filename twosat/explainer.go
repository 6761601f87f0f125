package twosat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// An Explainer explains the answers of a 2-SAT solver by the clauses of a
// formula: every implication of a chain gets the index of the clause that it
// follows from. So a reader can check an answer without trusting the solver.
//
// The solver holds the clauses of the formula with at most two different
// literals; see [From] and [BinaryPart].
type Explainer struct {
	Solver      *Solver
	Formula     *dimacs.Formula
	Assumptions []dimacs.Lit // of the last call of Solver.Solve
}

// An Explanation is a chain of implications with the clause of each step.
type Explanation struct {
	Chain Chain
	Steps []Step // Steps[i] leads from Chain[i] to Chain[i+1]
	Empty int    // index of an empty clause if Chain is empty, otherwise -1
}

// A Step is the implication from one literal of a chain to the next.
type Step struct {
	From, To dimacs.Lit
	Clause   []dimacs.Lit // with its duplicates, as in the formula
	Index    int          // of the clause in the formula, or -1 for an assumption
}

// String returns the step with its clause in DIMACS notation and the number of
// the clause from 1, as in "1 -> 2: clause 4, -1 2 0".
func (s Step) String() string {
	if s.Index < 0 {
		return fmt.Sprintf("%v -> %v: assumed", s.From, s.To)
	}
	return fmt.Sprintf("%v -> %v: clause %d, %s", s.From, s.To, s.Index+1, clauseText(s.Clause))
}

// A Reason is the value of a literal in all solutions and its explanation.
type Reason struct {
	Lit   dimacs.Lit
	Value dimacs.Value // Unassigned if Lit differs between solutions
	Why   *Explanation // a shortest chain that forces Lit or its complement; nil if Value is Unassigned
}

// Explain returns the clauses of one chain or of several, each of which begins
// with the last literal of the one before. Without literals, it explains an
// unsatisfiable formula by an empty clause. The error names a clause that neither
// the formula nor the assumptions have. The time is linear in the formula.
func (x *Explainer) Explain(chains ...Chain) (*Explanation, error) {
	e := &Explanation{Empty: -1}
	for _, c := range chains {
		if len(e.Chain) > 0 {
			c = c[1:]
		}
		e.Chain = append(e.Chain, c...)
	}
	if len(e.Chain) == 0 {
		e.Empty = x.emptyClause()
		if e.Empty < 0 {
			return nil, missing(nil)
		}
		return e, nil
	}
	clauses := e.Chain.Clauses()
	index := x.indexes(clauses)
	for i, c := range clauses {
		at, _ := pairOf(c)
		n := index[at] - 1
		if n >= 0 {
			c = slices.Clone(x.Formula.Clause(n))
		} else if len(c) > 1 || !slices.Contains(x.Assumptions, c[0]) {
			return nil, missing(c)
		}
		e.Steps = append(e.Steps, Step{e.Chain[i], e.Chain[i+1], c, n})
	}
	return e, nil
}

// missing returns the error of a step without a clause.
func missing(c []dimacs.Lit) error {
	return fmt.Errorf("the formula does not have the clause of an explanation: %s", clauseText(c))
}

// emptyClause returns the index of the first empty clause, or -1.
func (x *Explainer) emptyClause() int {
	for i, c := range x.Formula.Clauses() {
		if len(c) == 0 {
			return i
		}
	}
	return -1
}

// indexes returns for each clause the index plus 1 of its first occurrence in
// the formula, or 0 if the formula does not have it.
func (x *Explainer) indexes(clauses [][]dimacs.Lit) map[pair]int {
	index := make(map[pair]int, len(clauses))
	for _, c := range clauses {
		p, _ := pairOf(c)
		index[p] = 0
	}
	for i, c := range x.Formula.Clauses() {
		if p, ok := pairOf(c); ok {
			if n, needed := index[p]; needed {
				index[p] = cmp.Or(n, i+1)
			}
		}
	}
	return index
}

// pairOf returns a clause in the form in which a solver stores it, or false if
// it is empty, a tautology, or has more than two different literals.
func pairOf(c []dimacs.Lit) (pair, bool) {
	p, k := simplify(c)
	return pair{min(p[0], p[1]), max(p[0], p[1])}, k == single || k == double
}

// Conflict explains the answer Unsatisfiable of the last call of Solve: by a
// contradictory cycle or an empty clause if there is no solution at all, and
// otherwise by the chain between the failed assumptions. It is nil if the
// failed assumptions are complements. It panics as [Solver.Failed] does.
func (x *Explainer) Conflict() (*Explanation, error) {
	if r := x.Solver.Refutation(); r != nil {
		return x.Explain(r.To, r.Back)
	}
	if c := x.Solver.FailedChain(); c != nil {
		return x.Explain(c)
	}
	return nil, nil
}

// CheckModel evaluates a model of the solver on the formula and reports whether
// it satisfies all clauses, those with more than two literals included. The
// error names a shorter clause or an assumption that the model does not
// satisfy; then the solver is wrong.
func (x *Explainer) CheckModel(m dimacs.Model) (satisfied bool, err error) {
	satisfied = true
	for i, c := range x.Formula.Clauses() {
		if m.Clause(c) == dimacs.True {
			continue
		}
		if short(c) {
			return false, fmt.Errorf("the model does not satisfy clause %d, %s", i+1, clauseText(c))
		}
		satisfied = false
	}
	for _, l := range x.Assumptions {
		if m.Lit(l) != dimacs.True {
			return false, fmt.Errorf("the model does not satisfy the assumption %v", l)
		}
	}
	return satisfied, nil
}

// Forced is [Solver.Forced] under the assumptions, which it adds to the solver
// as unit clauses.
func (x *Explainer) Forced(ctx context.Context) (*Forced, dimacs.Status) {
	for _, l := range x.Assumptions {
		x.Solver.Add(l)
	}
	return x.Solver.Forced(ctx)
}

// Reason returns the value of l in all solutions and a shortest chain that
// forces it, where f is the result of [Explainer.Forced].
func (x *Explainer) Reason(f *Forced, l dimacs.Lit) (*Reason, error) {
	r := &Reason{Lit: l, Value: f.Value(l)}
	switch r.Value {
	case dimacs.Unassigned:
		return r, nil
	case dimacs.False:
		l ^= 1
	}
	c, ok := x.Solver.Why(l)
	if !ok {
		return nil, fmt.Errorf("no chain of implications forces %v", l)
	}
	var err error
	r.Why, err = x.Explain(c)
	return r, err
}

// clauseText returns the clause in DIMACS notation.
func clauseText(c []dimacs.Lit) string {
	return strings.TrimSpace(spaced(c) + " 0")
}
