// Package trace records plain CDCL search step by step, for teaching: decisions, unit propagation
// with two watched literals, conflicts, the resolution steps of learned clauses, backtracking and
// restarts. The steps come from the engine that solves, package cdcl with the preset "plain".
//
//	t, err := trace.Record(ctx, formula, trace.Options{Limit: 10_000})
//	for _, step := range t.Steps {
//		fmt.Println(step)
//	}
//
// A [State] replays the steps, and verifies each of them: that a clause implies the literal, that
// propagation overlooked nothing, that a learned clause is derived by resolution. [State.Derive]
// returns that derivation, [Trace.ConflictGraph] the implication graph of a conflict, and
// [ProofGraph] the resolution proof of a refutation.
//
// Formulas of up to some hundred variables are meant: a step takes time linear in the formula.
//
// Files:
//   - step.go: steps and their JSON form
//   - state.go: the state of the search after a step
//   - derive.go: the derivation of a learned clause by resolution
//   - record.go: recording a run of the engine
//   - text.go: the trace as text
//   - draw.go: the implication graph of a conflict, and the resolution proof
package trace
