package card

import (
	"fmt"

	"sator/dimacs"
)

// An Adder receives clauses: a *dimacs.Formula or a solver. The slice is scratch
// memory.
type Adder interface{ Add(lits ...dimacs.Lit) }

// An Encoder writes the clauses of constraints to an Adder.
type Encoder struct {
	// Define makes the new variables functions of the literals, by clauses in both
	// directions, so that the number of models is kept. It takes up to twice as many
	// clauses. It may be changed between constraints.
	Define bool

	to     Adder
	vars   int
	clause []dimacs.Lit // scratch of add
}

// NewEncoder returns an encoder that adds clauses to an Adder. New variables are
// numbered from vars, the number of variables that are in use. Who shares the Adder
// takes new variables from [Encoder.NewLit], too.
func NewEncoder(to Adder, vars int) *Encoder { return &Encoder{to: to, vars: vars} }

// Vars returns the number of variables, the new ones included.
func (e *Encoder) Vars() int { return e.vars }

// NewLit returns the positive literal of a new variable. It panics if that exceeds
// [dimacs.MaxVars].
func (e *Encoder) NewLit() dimacs.Lit {
	if e.vars >= dimacs.MaxVars {
		panic(fmt.Sprintf("card: more than %d variables", dimacs.MaxVars))
	}
	e.vars++
	return dimacs.Var(e.vars - 1).Lit()
}

// newLits returns the literals of n new variables.
func (e *Encoder) newLits(n int) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = e.NewLit()
	}
	return lits
}

// The constants are literals for the bounds of a counter: each number is at least 0,
// and none is above the number of its literals. The method add removes them.
const (
	trueLit  dimacs.Lit = 1<<32 - 2
	falseLit            = trueLit ^ 1
)

// at returns the literal "the number is at least i" of a number in unary: the literal
// of index i-1, or a constant.
func at(number []dimacs.Lit, i int) dimacs.Lit {
	switch {
	case i <= 0:
		return trueLit
	case i > len(number):
		return falseLit
	}
	return number[i-1]
}

// add adds a clause. It omits false constants, and the clause if it has a true one.
func (e *Encoder) add(lits ...dimacs.Lit) {
	e.clause = e.clause[:0]
	for _, l := range lits {
		switch l {
		case trueLit:
			return
		case falseLit:
		default:
			e.clause = append(e.clause, l)
		}
	}
	e.to.Add(e.clause...)
}

// negated returns the complements of literals.
func negated(lits []dimacs.Lit) []dimacs.Lit {
	complements := make([]dimacs.Lit, len(lits))
	for i, l := range lits {
		complements[i] = l.Not()
	}
	return complements
}
