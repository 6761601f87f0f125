package enumerate

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dpll/classic"
)

// A ModelSet is a set of models in the form of a cube: the variables of Free have
// any values, so that there are 2^len(Free) models. The engine cdcl finds models
// one by one; its sets have no free variables.
type ModelSet struct {
	classic.Cube

	// Witness is an assignment that makes a literal true in every clause that is
	// not a tautology, so that its unassigned variables may have any values. It
	// extends the cube beyond a projection.
	Witness dimacs.Model
}

// Check returns an error unless the witness satisfies f and the assumptions
// under any values of its unassigned variables.
func (s *ModelSet) Check(f *dimacs.Formula, assume []dimacs.Lit) error {
	for _, l := range assume {
		if s.Witness.Lit(l) != dimacs.True {
			return fmt.Errorf("the model does not satisfy the assumption %v", l)
		}
	}
	for i, c := range f.Clauses() {
		if s.Witness.Clause(c) != dimacs.True && !tautology(c) {
			return fmt.Errorf("the model does not satisfy clause %d, %s", i+1, clauseText(c))
		}
	}
	return nil
}

// tautology reports whether the clause has a literal and its complement.
func tautology(c []dimacs.Lit) bool {
	c = slices.Sorted(slices.Values(c)) // complements are neighbors
	for i := 1; i < len(c); i++ {
		if c[i] == c[i-1].Not() {
			return true
		}
	}
	return false
}

// clauseText returns a clause as DIMACS writes it.
func clauseText(c []dimacs.Lit) string {
	var b strings.Builder
	for _, l := range c {
		fmt.Fprintf(&b, "%v ", l)
	}
	b.WriteString("0")
	return b.String()
}
