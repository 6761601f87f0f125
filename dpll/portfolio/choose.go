package portfolio

import (
	"fmt"

	"sator/dimacs"
	"sator/twosat"
)

// An Engine is the number of an engine.
type Engine uint8

const (
	CDCL    Engine = iota // clause learning (sator/dpll/cdcl), for all formulas
	TwoSAT                // 2-SAT (sator/twosat), for clauses of up to two literals
	HornSAT               // unit propagation ([Horn]), for Horn formulas
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

// rules lists conditions under which an engine is the best one. The first rule that
// holds decides; the last rule always holds. A rule must be cheap in comparison with
// reading the formula, and right for all formulas of its kind: where the fastest engine
// depends on luck, a race is better than a rule.
var rules = []struct {
	engine Engine
	holds  func(f *dimacs.Formula) bool
}{
	{TwoSAT, twosat.Is2SAT},
	{HornSAT, IsHorn},
	{CDCL, func(*dimacs.Formula) bool { return true }},
}

// Choose returns the best engine for f:
//
//   - [TwoSAT], in linear time, if all clauses but tautologies have at most two different
//     literals;
//   - [HornSAT], in linear time too, if all clauses have at most one positive literal, or
//     all have at most one negative literal;
//   - otherwise [CDCL]. [Components] may decompose such a formula.
//
// Choose takes linear time. For most formulas of CDCL a few clauses decide, so it takes
// constant time. All engines support assumptions and proofs.
func Choose(f *dimacs.Formula) Engine {
	for _, r := range rules {
		if r.holds(f) {
			return r.engine
		}
	}
	panic("portfolio: no rule holds")
}
