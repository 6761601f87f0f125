// Package circuit has and-inverter graphs (AIGs): Boolean circuits of AND gates and
// complemented edges, with structural hashing, their clauses (Tseitin, Plaisted and
// Greenbaum), the unrolling of sequential circuits, and AIGER files.
//
//	g := circuit.New()
//	a, b, c := g.Input("a"), g.Input("b"), g.Input("c")
//	f := dimacs.NewFormula(0)          // or a solver
//	e := circuit.NewEncoder(g, f)
//	e.Assert(g.Or(g.Xor(a, b), g.Ite(c, a, b.Not())))
//	l := e.Lit(a)                      // the literal of a signal
//
// A circuit with latches is sequential: [Unrolling] makes combinational copies of it, one
// for each point of time. [NewBounded] writes the clauses of bounded model checking (Biere,
// Cimatti, Clarke and Zhu, "Symbolic model checking without BDDs", TACAS 1999): is a bad
// state reached within so many steps? A model gives a [Witness], which is checked by
// simulation.
//
//	g, err := circuit.ReadAIGER(src, "model.aig")
//	b, err := circuit.NewBounded(g, s)
//	b.Within(20)
//	if s.Solve(ctx) == dimacs.Satisfiable {
//		w, err := b.Witness(s.Model())
//	}
//
// # Files
//
//   - graph.go: signals, gates, latches; words.go: gates over words, adders, comparators
//   - encode.go: clauses
//   - unroll.go: frames of a sequential circuit; bounded.go: bounded model checking
//   - simulate.go: simulation, and witnesses
//   - expression.go: Boolean formulas as text
//   - aiger.go: the format, and the reader; write.go: the writer
package circuit
