package portfolio

import (
	"fmt"

	"sator/dimacs"
	"sator/twosat"
)

// An Engine names one of the engines that the portfolio knows.
type Engine uint8

const (
	CDCL    Engine = iota // clause learning, sator/dpll/cdcl: takes any formula
	TwoSAT                // implications, sator/twosat: takes clauses of up to two literals
	HornSAT               // unit propagation, [Horn]: takes Horn formulas
)

// String returns the name of the engine.
func (e Engine) String() string {
	switch e {
	case CDCL:
		return "cdcl"
	case TwoSAT:
		return "twosat"
	case HornSAT:
		return "horn"
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
	{TwoSAT, twosat.Is2SAT},
	{HornSAT, IsHorn},
	{CDCL, func(*dimacs.Formula) bool { return true }},
}

// Choose returns the engine that is to answer f: [TwoSAT], which takes linear
// time, if no clause but tautologies has more than two different literals;
// [HornSAT], which does so too, if no clause has more than one positive literal, or
// none more than one negative one; and otherwise [CDCL], for which the formula may
// be one that is better split ([Components]). It takes linear time at most, and constant
// time for most formulas that are for CDCL, whose clauses show that early. What is to
// be asked of the formula is not considered: assumptions and proofs are taken by all.
func Choose(f *dimacs.Formula) Engine {
	for _, r := range rules {
		if r.holds(f) {
			return r.engine
		}
	}
	panic("portfolio: no rule holds")
}
