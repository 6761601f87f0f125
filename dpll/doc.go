// Package dpll is the folder of the engines and of what is built on them. It has no code
// of its own:
//
//   - classic: the classic engine, DPLL with watched literals and pure literals and
//     without clause learning, for teaching and for enumerating many models
//   - cdcl: the engine for hard formulas, conflict-driven clause learning (CDCL) with
//     simplification and proofs
//   - portfolio: choosing an engine, racing several cdcl solvers, cube and conquer
//   - cube: splitting a formula into cubes
//   - trace: a CDCL search step by step, for teaching
//   - count: the number of models
//   - backbone, enumerate, maxsat, mus: other questions about a formula (forced literals,
//     all models, the optimum, a minimal contradiction), answered by many calls of an engine
//
// The two engines have the same calls and share no search code, so that one contradicts the
// other when it is wrong.
package dpll
