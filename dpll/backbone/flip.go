package backbone

import "sator/dimacs"

// A literal can be flipped in a model if the model with its complement satisfies the
// formula, too: if every clause with the literal has another true one. One pass over the
// formula finds the other literals: each is the only true literal of some clause. Each literal is flipped alone, in the same model.

// neededLits returns, by literal, whether it is the only true literal of a clause.
func neededLits(f *dimacs.Formula, m dimacs.Model) []bool {
	needed := make([]bool, 2*f.Vars())
	for _, c := range f.Clauses() {
		only, some, several := dimacs.Lit(0), false, false
		for _, l := range c {
			if m.Lit(l) != dimacs.True || some && l == only {
				continue
			}
			if some {
				several = true
				break
			}
			only, some = l, true
		}
		if some && !several {
			needed[only] = true
		}
	}
	return needed
}
