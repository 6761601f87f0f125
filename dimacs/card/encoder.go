package card

import "sator/dimacs"

// A Target receives clauses and numbers variables: a *dimacs.Formula, or a solver.
type Target interface {
	// Add adds a clause. The slice is scratch memory.
	Add(lits ...dimacs.Lit)

	// Grow adds variables until there are vars, or panics if NewVar was called before.
	Grow(vars int)

	// NewVar adds a variable that nobody else has, and returns it.
	NewVar() dimacs.Var
}

// An Encoder writes the clauses of constraints to a Target.
type Encoder struct {
	// Define makes the new variables functions of the literals, by clauses in both
	// directions, so that the number of models is kept. It takes up to twice as many
	// clauses. It may be changed between constraints.
	Define bool

	to     Target
	clause []dimacs.Lit // scratch of add
}

// NewEncoder returns an encoder that adds clauses to a Target and takes new variables
// from it. Variables in constraints must be variables of the Target, as in its clauses:
// those that it lacks are added, which panics once it numbers variables itself. Several
// encoders, groups and enumerations may share a Target.
func NewEncoder(to Target) *Encoder { return &Encoder{to: to} }

// newLit returns the positive literal of a new variable.
func (e *Encoder) newLit() dimacs.Lit { return e.to.NewVar().Lit() }

// newLits returns the literals of n new variables.
func (e *Encoder) newLits(n int) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = e.newLit()
	}
	return lits
}

// grow adds the variables of a constraint to the target, before any new variable.
func (e *Encoder) grow(lits []dimacs.Lit) {
	vars := 0
	for _, l := range lits {
		vars = max(vars, int(l>>1)+1)
	}
	e.to.Grow(vars)
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
