package portfolio

import (
	"fmt"

	"sator/dimacs"
	"sator/twosat"
)

// An Engine names one of the engines that the portfolio knows.
type Engine uint8

const (
	CDCL   Engine = iota // clause learning, sator/dpll/cdcl: takes any formula
	TwoSAT               // implications, sator/twosat: takes clauses of up to two literals
)

// String returns the name of the engine, which is that of its package.
func (e Engine) String() string {
	switch e {
	case CDCL:
		return "cdcl"
	case TwoSAT:
		return "twosat"
	}
	return fmt.Sprintf("Engine(%d)", uint8(e))
}

// rules say which formulas an engine is the best for. The first that holds
// decides; the last one holds always. A rule is to be cheap beside reading the
// formula, and right for all formulas of its kind: what depends on luck is for a
// race.
var rules = []struct {
	engine Engine
	holds  func(f *dimacs.Formula) bool
}{
	{TwoSAT, twosat.Decides},
	{CDCL, func(*dimacs.Formula) bool { return true }},
}

// Choose returns the engine that is to answer f: [TwoSAT], which takes linear
// time, if no clause but tautologies has more than two different literals, and
// otherwise [CDCL]. It takes linear time at most, and constant time for most
// formulas with longer clauses, which come early in them. What is to be asked
// of the formula is not considered: assumptions, proofs and further clauses of
// two literals are taken by both.
func Choose(f *dimacs.Formula) Engine {
	for _, r := range rules {
		if r.holds(f) {
			return r.engine
		}
	}
	panic("portfolio: no rule holds")
}
