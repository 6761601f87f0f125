// Package count counts the models of a formula exactly (#SAT), also projected and weighted, and
// compiles formulas into circuits that answer more questions of that kind.
//
//	r := count.Count(ctx, formula, count.Options{})
//	switch r.Status {
//	case dimacs.Satisfiable:
//		fmt.Println(r.Models) // a rational number, since models may have weights
//	case dimacs.Unsatisfiable: // no model
//	case dimacs.Unknown: // ctx was done first: r.Models is a lower bound
//	}
//
// [Compile] returns a [Circuit] in d-DNNF: [Circuit.Count] counts models in which more literals are
// true, [Circuit.Marginals] the models of each literal, [Circuit.Sampler] draws models, and [Forms]
// writes circuits for other programs. The command sator count is a front end of this package.
// Package enumerate visits the models one by one.
//
// # Files
//
//   - count.go: options, results, Count and Compile
//   - number.go: numbers of models, exact and floating
//   - propagate.go: unit propagation and clause learning
//   - component.go: residual components
//   - cache.go: the component cache
//   - decompose.go: tree decompositions; width.go: a bound of the tree width for callers
//   - order.go: decisions
//   - search.go: DPLL over components
//   - circuit.go: compilation, and questions about circuits
//   - nnf.go: circuits as text
//   - certificate.go: certificates of numbers; prove.go: that the circuit follows from the formula
//   - support.go: independent supports, and simplification that keeps the number of models
//   - implied.go: removal of implied literals and clauses
//   - prepare.go: from a formula to a search and back
package count
