// Package card encodes cardinality constraints (at most, at least, exactly k of n
// literals) and pseudo-Boolean constraints (bounds of weighted sums) as clauses:
//
//	f := dimacs.NewFormula(4)
//	e := card.NewEncoder(f) // f, or a solver: it numbers the new variables
//	e.AtMost(dimacs.Lits(1, 2, 3, 4), 2)
//	e.AtLeast(dimacs.Lits(1, -2, 3), 1)
//	e.SumAtMost([]card.Term{{Lit: dimacs.FromInt(1), Weight: 3}, {Lit: dimacs.FromInt(-4), Weight: 5}}, 7)
//	t := e.NewTotalizer(dimacs.Lits(1, 2, 3, 4)) // for a solver that tightens the bound
//	atLeast3 := t.AtLeast(3)                     // assume its complement: at most 2
//
// [Encodings] lists the encodings of cardinality constraints, [SumEncodings] those of
// weighted sums. The methods above choose one by the number of literals and the bound;
// see choose.go for the rules and the figures behind them. [Encoding.Between] and
// [SumEncoding.Between] write a constraint in a certain encoding. A [Totalizer] is
// incremental: bounds and literals can be added between calls of a solver.
//
// # Numbers of models
//
// Every encoding keeps the models projected to the literals: an assignment of the
// literals extends to a model of the clauses if and only if it satisfies the
// constraint. With [Encoder.Define] the new variables are functions of the literals, so
// that each assignment extends to exactly one model, and the number of models is that
// without the constraint's clauses and variables. Without it, an encoding without new
// variables (pairs) and the adders have this property, too.
//
// # Propagation
//
// An encoding propagates (is arc consistent) if unit propagation finds a conflict as
// soon as the assigned literals violate the constraint, and assigns every literal that
// has the same value in all remaining solutions. The field Propagates of the tables
// states which encodings do. The tests check it, and the numbers of models, over all
// partial assignments of a few literals.
//
// A literal that is given several times counts several times.
//
// # Files
//
//   - encoder.go: the Encoder, which writes clauses and makes new variables
//   - encodings.go: the table of encodings; choose.go: the choice by size
//   - pairs.go, atmostone.go: the pairwise encoding, and those for at most one
//   - sequential.go, totalizer.go, network.go, modulo.go: counters
//   - sum.go: weighted sums; sum_totalizer.go, sum_adder.go: their encodings
package card
