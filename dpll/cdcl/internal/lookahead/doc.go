// Package lookahead decides formulas by a search with look-ahead. It suits uniform random
// formulas: learned clauses help little there, and good decisions help much.
//
//	s := lookahead.New(h)
//	if !s.Random() {
//		return
//	}
//	switch s.Run(limit) {
//	case dimacs.Unsatisfiable: // h.Refuted()
//	case dimacs.Satisfiable:
//		fmt.Println(s.Model())
//	}
//	s.Forget()
//
// The files:
//
//   - search.go: the tree of decisions, and the lemmas that close its nodes
//   - look.go: the choice of a decision: weights of literals, look-ahead, double look-ahead
//   - clauses.go: the clauses by literal, and propagation
//   - random.go: the recognition of random formulas
package lookahead
