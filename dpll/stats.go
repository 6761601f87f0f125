package dpll

// Stats count what a solver did since it was made. Search is deterministic:
// with the same input, options and seed every field is the same on any
// machine.
//
// The search tree of a call has a root, where the assumptions hold and nothing
// was decided, and below each node that was decided on one or two children, its
// branches. So Nodes is Calls + Decisions + Backtracks.
//
// What the tree looks like does not depend on the order in which literals are
// propagated, since the fixpoint that propagation reaches, or that it reaches
// none, does not: Nodes, Decisions, Backtracks, Conflicts, Solutions and Depth
// are those of any DPLL with the same heuristic and the same mode of pure
// literals. Propagations, Rounds and Pure are those of this one. They depend on
// which of several conflicts is met first, and of two pure literals in one
// clause only one may be assigned.
type Stats struct {
	Calls        int64 // of Solve, Count and the iterators
	Nodes        int64 // of the search trees: the roots and every branch tried
	Decisions    int64 // nodes that were branched on; assumptions do not count
	Backtracks   int64 // second branches tried
	Conflicts    int64 // nodes closed by a falsified clause
	Solutions    int64 // nodes closed by having no open clause
	Depth        int64 // most decisions on a way from a root to a node, first and second branches alike
	Propagations int64 // literals assigned because a clause had no other left, unit clauses included
	Pure         int64 // literals assigned because their complement occurs in no open clause

	// Rounds of propagation. The first round at a node takes the literals that
	// are new there, each further one the literals that the round before has
	// implied; the last one implies nothing, or is cut short by a conflict.
	Rounds int64

	Vars        int   // variables in the solver
	Clauses     int   // clauses added
	Tautologies int   // of these, true whatever is assigned
	Bytes       int64 // of the solver's tables, as far as they are filled
}
