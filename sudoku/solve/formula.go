package solve

import (
	"context"

	"sator/dimacs"
	"sator/sudoku"
)

// The common part of the adapters that solve a formula, cdcl and dpll.

// encode encodes the rules of g or, if alone is true, the puzzle g itself. The default
// encoding is reduced for a puzzle, and the argument ofRules for rules.
func (o *Options) encode(ctx context.Context, g *sudoku.Grid, alone bool, ofRules string) (*sudoku.CNF, error) {
	c := o.Coding
	c.Numbering = "" // other numberings have gaps, which count as variables
	if c.Encoding == "" {
		c.Encoding = ofRules
		if alone {
			c.Encoding = "reduced"
		}
	}
	return g.EncodeContext(ctx, c)
}

// isExact reports whether the candidates determine all other variables of a
// formula, so that different models are different solutions. Among the encodings with auxiliary variables only triad is known to
// have this property.
func isExact(cnf *sudoku.CNF) bool {
	m := cnf.Map
	triads := m.Coding.Encoding == "triad" && m.Coding.AtMostOne == "pairs" && m.Rules.OnlyDiffer()
	return triads || cnf.Formula.Vars() == m.Vars()
}

// candidateVars returns the variables of all candidates.
func candidateVars(m *sudoku.Map) []dimacs.Var {
	vars := []dimacs.Var{}
	for candidate := range m.Rules.Cells() * m.Rules.Size() {
		if l, ok := m.Lit(candidate); ok {
			vars = append(vars, l.Var())
		}
	}
	return vars
}
