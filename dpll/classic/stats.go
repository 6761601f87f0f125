package classic

// Stats are statistics of all calls of a solver. Search is deterministic: the
// same input, options and seed give the same figures on any machine.
//
// The root of a search tree is the node with the assumptions and no decision.
// Each decision at a node adds a child, its first branch; a backtrack to the node
// adds the second branch. Hence Nodes = Calls + Decisions + Backtracks.
//
// The order of propagation does not change the tree, since both the fixpoint of
// propagation and the existence of a conflict are independent of it. Nodes,
// Decisions, Backtracks, Conflicts, Solutions and Depth are therefore the same in
// every DPLL program with this heuristic and this mode of pure literals.
// Propagations, Rounds and Pure depend on the implementation: on which of several
// conflicts it finds first, and on which of two pure literals that share their
// clauses it assigns.
type Stats struct {
	Calls        int64 // of Solve, Count and the iterators
	Nodes        int64 // of the search trees
	Decisions    int64 // without assumptions
	Backtracks   int64 // second branches tried
	Conflicts    int64 // nodes closed by a falsified clause
	Solutions    int64 // nodes closed without an open clause
	Depth        int64 // greatest number of decisions, flipped ones included, on a path from a root
	Propagations int64 // literals implied by a clause, unit clauses included
	Pure         int64 // pure literals assigned

	// Rounds is the number of rounds of propagation. The first round at a node
	// propagates the decision or its complement, and each further round the
	// literals that the round before has implied. The last round implies no
	// literal or ends in a conflict.
	Rounds int64

	Vars        int   // variables in the solver
	Clauses     int   // clauses added
	Tautologies int   // tautologies among them
	Bytes       int64 // size of the solver's tables, without unused capacity
}
