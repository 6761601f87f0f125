// Package session makes one proof of unsatisfiability from the proofs of many
// cube-and-conquer workers on different machines.
//
// A session is the life of one worker: one solver that starts from the simplified formula
// F and keeps its learned clauses from cube to cube. A [Writer] is the proof of that
// solver. It cuts the proof into segments, one or more for each result. A [Checker] checks
// the segments of a session in their order. The coordinator accepts checked segments of
// all sessions in some order, and a [Numbering] gives final ids to their clauses. At the
// end a [Merger] writes one proof in any format of dimacs/proof.
//
//	worker                                  coordinator
//
//	w := session.NewWriter(options)         n := session.NewNumbering(base)
//	options.Solver.Proof = w                check, err := session.NewChecker(f, vars, nil)
//	...                                     ...
//	w.Export(result.Clause, negated)        report, err := check.Check(ctx, header, reader)
//	segment, err := w.Cut()        ---->    err = check.Refutes(cube, failed, clause)
//	id := w.Import(final, lits)    <----    exports, err := n.Accept(name, *report)
//
// # Soundness
//
// Let V be the variables of the run: the variables of the formula and of the coordinator's
// simplification. The claim: F implies each lemma of an accepted segment that has only
// variables of V. So such lemmas of all sessions hold together, in any order of steps, and
// the formula is refuted if they resolve to the empty clause.
//
// The claim follows from a stronger one, by induction over the accepted steps of all
// sessions: each model of F, restricted to V, extends to the fresh variables of a session
// such that all clauses of the session are satisfied that are not deleted.
//
//   - A RUP lemma is implied by clauses of its session, so that the same extension
//     satisfies it.
//   - A lemma that is RAT but not RUP has a pivot x outside of V. If the extension
//     falsifies the lemma, flip x. This satisfies the lemma, and all clauses that contain
//     the complement of x, since the resolvents are implied. The values in V do not
//     change.
//   - An import is an export of an accepted segment, so it has only variables of V, and F
//     implies it by the claim. The extension satisfies it whatever its fresh variables
//     are. It contains no pivot, so that earlier RAT steps stay valid. A checker has no
//     clauses of other sessions: imports are axioms for it. The coordinator
//     compares each import with the export of the same final id. Otherwise a worker could
//     import any clause.
//   - The deletion of a clause keeps the claim.
//
// Why RAT on a variable of V is refused: F need not imply such a lemma. Let the variable
// 3 of V not occur in F. One session could learn 3 and another one -3. Both lemmas are RAT
// without any hint, because no clause of their own session contains the complement of
// the pivot. Together they refute every formula. So the pivot is checked also if a lemma
// has no negative hints.
//
// Why fresh variables of different sessions must differ: in the merged proof the RAT check
// of a lemma visits all clauses with the complement of its pivot. If these belonged to
// another session too, the lemma would not be RAT, and a definition of x by one function
// in one session and by another in the other would be a contradiction. With disjoint
// numbers the merged proof has exactly the clauses with the complement that the session
// has. For the same reason the merged proof deletes a clause exactly when its session
// does, apart from clauses without fresh variables.
//
// Why clauses are kept: clauses of the formula and imports are shared with other sessions,
// and these may use them in later hints. An export may be imported, or resolved in the tree of cubes, at
// any later time. So a session must not delete them, and the checker and the merger
// refuse such steps.
//
// What a lost segment means: local ids, fresh variables and hints of a segment refer to
// all segments before. If one is lost, no later segment of that session can be checked,
// and all are refused. Accepted segments of the session are not concerned. The worker
// must begin a new session; cubes whose results are not accepted are solved again. The
// steps of cancelled and split cubes are needed in the same way.
//
// The merged proof is an ordinary proof of the formula. Its checkers depend on nothing
// here: a mistake in this package costs a proof, and never makes a wrong proof pass.
//
// # Cost
//
// One checker keeps up with about 12 workers. Four sessions solved the cubes of two
// formulas in turn. The times are processor times on one core of an AMD EPYC with a load
// of about 16:
//
//	formula, cubes                    solving   check          merge to LRAT, DRAT  segments
//	vdw 3, 11, 114 numbers, 300         4.2 s   0.36 s, 8.5 %  0.2 s, 0.3 s          65 KB a cube
//	schur, 45 numbers, 1000            60.8 s   3.8 s, 6.3 %   2.4 s, 3.0 s         183 KB a cube
//
// A checker checks about 700,000 lemmas a second, a merger writes about a million. The
// checker of a session of the second formula took 5.5 MB. A session of a checker has its
// own copy of the formula: 4 bytes for each literal and 12 for each clause. The command
// is
//
//	go test -run - -bench Sessions -benchtime 1x ./cmd/internal/grid/session
//
// # Limits
//
// The size of a segment bounds the memory for reading it, and a memory limit applies in
// addition. The time of a lemma is at most the product of the numbers of its hints and of
// its literals and hints, and at most the size of all clauses if that product is large
// (segment.go). The context ends a check between two steps.
//
// Deletions of unit clauses are ignored in DRAT, as usual. A definition that relies on
// such a deletion is then not RAT in DRAT, but is in LRAT. The solvers of this module make
// no such definitions.
//
// # Files
//
//   - segment.go: the format of segments, [Header], [Report], [Scan].
//   - writer.go: [Writer], the proof of a worker. checker.go: [Checker].
//   - numbering.go: [Numbering], final ids and variables.
//   - resolvents.go: [Resolvents] of the tree of cubes.
//   - merge.go: [Merger]; literals.go: the clauses that it stores.
package session
