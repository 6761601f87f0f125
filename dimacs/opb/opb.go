// Package opb reads linear pseudo-Boolean problems in OPB, the format of the pseudo-Boolean
// competitions, and writes their clauses with package card:
//
//   - a comment
//     min: +2 x1 +3 x2 ;
//     +1 x1 +1 x2 +1 x3 >= 2 ;
//     +1 x1 -2 ~x3 = 1 ;
//
//     p, err := opb.Read(src, "problem.opb")
//     p.Encode(f)                   // clauses for any solver
//     w := p.Weighted()             // or for MaxSAT
//     if w != nil { r := maxsat.Solve(ctx, w.Weighted, o) ... }
//
// The format is described in Roussel and Manquinho, "Input/Output Format and Solver
// Requirements for the Competitions of Pseudo-Boolean Solvers", 2012. Products of literals
// and soft constraints (WBO) are not supported.
package opb

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sator/dimacs"
	"sator/dimacs/card"
)

// A Relation is the relation of a constraint between its sum and its bound.
type Relation int

// The relations.
const (
	AtLeast Relation = iota
	AtMost
	Equal
)

// A Constraint is a weighted sum of literals with a bound.
type Constraint struct {
	Terms    []card.Term
	Relation Relation
	Bound    int64
}

// Holds reports whether a model satisfies the constraint.
func (c *Constraint) Holds(m dimacs.Model) bool {
	switch sum := Value(c.Terms, m); c.Relation {
	case AtLeast:
		return sum >= c.Bound
	case AtMost:
		return sum <= c.Bound
	default:
		return sum == c.Bound
	}
}

// Value returns the sum of the weights of the true literals.
func Value(terms []card.Term, m dimacs.Model) int64 {
	sum := int64(0)
	for _, t := range terms {
		if m.Lit(t.Lit) == dimacs.True {
			sum += t.Weight
		}
	}
	return sum
}

// A Problem has constraints over the variables 0 to Vars-1 (x1 to xVars in the file), and
// optionally an objective.
type Problem struct {
	Vars        int
	Constraints []Constraint
	Objective   []card.Term // to be minimized, or maximized
	Optimize    bool        // there is an objective, perhaps without terms
	Maximize    bool
}

// Violated returns the index of the first constraint that a model violates, or -1.
func (p *Problem) Violated(m dimacs.Model) int {
	return slices.IndexFunc(p.Constraints, func(c Constraint) bool { return !c.Holds(m) })
}

// Encode writes clauses of the constraints to a target that has no variables yet: those of the
// problem come first, and others follow. Each solution of the problem extends to exactly one model
// of the clauses.
func (p *Problem) Encode(to card.Target) {
	to.Grow(p.Vars)
	e := card.NewEncoder(to)
	e.Define = true
	for _, c := range p.Constraints {
		switch c.Relation {
		case AtLeast:
			e.SumAtLeast(c.Terms, c.Bound)
		case AtMost:
			e.SumAtMost(c.Terms, c.Bound)
		default:
			e.SumExactly(c.Terms, c.Bound)
		}
	}
}

// Weighted returns the problem as a formula of MaxSAT: the clauses of the constraints are
// hard, and each term of the objective is a soft clause of one literal. [Problem.ValueOf] maps
// costs to values of the objective.
func (p *Problem) Weighted() *dimacs.Weighted {
	w := dimacs.NewWeighted(0)
	p.Encode(w.Hard)
	for _, t := range p.Objective {
		l := t.Lit.Not() // true at no cost
		if p.Maximize != (t.Weight < 0) {
			l = t.Lit
		}
		if t.Weight != 0 {
			w.AddSoft(max(t.Weight, -t.Weight), l)
		}
	}
	return w
}

// ValueOf returns the value of the objective for a model of Weighted that has this cost.
func (p *Problem) ValueOf(cost int64) int64 {
	free := int64(0) // the value at no cost
	for _, t := range p.Objective {
		if p.Maximize != (t.Weight < 0) {
			free += t.Weight
		}
	}
	if p.Maximize {
		return free - cost
	}
	return free + cost
}

// Values returns the literals of a model as words, as the competitions print them: x1, -x2.
func (p *Problem) Values(m dimacs.Model) []string {
	words := make([]string, p.Vars)
	for v := range words {
		words[v] = "x" + strconv.Itoa(v+1)
		if m[v] != dimacs.True {
			words[v] = "-" + words[v]
		}
	}
	return words
}

// checkSum returns an error if the absolute values of the weights add up to 2^63 or more.
func checkSum(terms []card.Term) error {
	sum := int64(0)
	for _, t := range terms {
		a := max(t.Weight, -t.Weight)
		if a < 0 || a > math.MaxInt64-sum {
			return fmt.Errorf("the coefficients add up to 2^63 or more")
		}
		sum += a
	}
	return nil
}
