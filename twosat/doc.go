// Package twosat decides conjunctions of clauses with at most two literals, in
// linear time, and says what all their solutions have in common.
//
// A clause (a or b) is two implications: not a implies b, and not b implies a.
// So an instance is a directed graph whose vertices are the literals. It has no
// solution if and only if some literal implies its complement and is implied by
// it; a literal is true in all solutions if and only if its complement implies
// it; two literals are equal in all solutions if each implies the other (Aspvall,
// Plass and Tarjan, "A linear-time algorithm for testing the truth of certain
// quantified Boolean formulas", 1979).
//
// A [Solver] takes clauses or implications and is asked for:
//
//   - an answer, with or without assumptions ([Solver.Solve]), and its evidence:
//     a model, the assumptions that failed, or a [Refutation] that a person can
//     follow; the same is told to a [dimacs.Proof] if there is one;
//   - all literals that are true in every solution, those that are equal to one
//     another, and the variables that are free ([Solver.Forced]), and why
//     ([Solver.Why], [Solver.Path]);
//   - all solutions, one after the other ([Solver.Models]), or their number
//     ([Solver.Count]);
//   - a picture of what implies what, where that is small ([Solver.Draw]).
//
// A formula that has longer clauses as well has a part that has none
// ([BinaryPart]); what holds in all solutions of the part holds in all of the
// formula.
//
// Beneath are directed graphs of any kind: a [Graph] in compressed sparse rows,
// its strongly connected components ([Condense]), and reachability between any
// two vertices by operations on words ([NewClosure]).
//
// The files: solver.go what a solver holds; solve.go how it answers, with
// peel.go and propagate.go for the two stages of that; explain.go chains and
// refutations; models.go solutions one by one; forced.go what they have in
// common; graph.go, scc.go and closure.go the graphs; draw.go and diagram/layers.go
// pictures of small ones.
package twosat
