// Package proof writes, reads, checks and trims clausal proofs of unsatisfiability
// in the formats DRAT and LRAT, as text and binary.
//
// An engine logs its steps to a [dimacs.Proof]; a [Writer] writes them to a file:
//
//	w := proof.NewWriter(out, proof.BinaryLRAT, f.Len())
//	opts := cdcl.Options{}
//	opts.Proof = w
//	s := cdcl.New(opts)
//	s.AddFormula(f)
//	status := s.Solve(ctx)
//	err := w.Flush()
//
// [Check] checks that a proof refutes a formula:
//
//	result, err := proof.Check(ctx, f, in, proof.Options{Trim: true})
//	if err != nil {
//		return err // a *proof.CheckError if the proof is wrong
//	}
//	fmt.Println(result.Format, len(result.Core()), "clauses are needed")
//	result.Replay(trimmed) // a Writer for the needed steps
//
// A [Checker] is a [dimacs.Proof] that checks each step along its hints while an
// engine runs, and a [Batch] does the same later and cheaper. [Tee] logs the steps of one engine to several proofs. [Reader] reads
// a proof step by step, and [SniffEvidence] recognizes whether an input is a
// solution or a proof, and in which format.
//
// # Proofs
//
// A model of a formula is easy to check. That a formula has no model must be
// proven. A clausal proof is a list of clauses, the lemmas. Each lemma can be
// added to the formula and the earlier lemmas without making a satisfiable formula
// unsatisfiable. If the empty clause can be added, the formula has no model. A
// proof also deletes clauses that it does not need any more, because the time of a
// checker depends on the number of clauses.
//
// A lemma is RUP (reverse unit propagation) if unit propagation falsifies a clause
// once all literals of the lemma are assumed to be false; the formula then implies
// the lemma (Goldberg and Novikov, Verification of Proofs of Unsatisfiability for
// CNF Formulas, DATE 2003). A lemma is RAT (resolution asymmetric tautology) on its
// first literal, the pivot, if each resolvent on the pivot with another clause is
// RUP. The formula need not imply such a lemma, but if it has a model, it has one
// that satisfies the lemma too (Järvisalo, Heule and Biere, Inprocessing Rules,
// IJCAR 2012).
//
// # Formats
//
// As an example, the formula (1 or 2) and (-1 or 2) and (1 or -2) and (-1 or -2)
// is refuted by the lemma 2, the deletion of the first two clauses, and the empty
// clause.
//
// DRAT has only lemmas and deletions, and the checker finds out why the lemmas
// hold (Wetzler, Heule and Hunt, DRAT-trim: Efficient Checking and Trimming Using
// Expressive Clausal Proofs, SAT 2014). Clauses are written as in DIMACS, and a d
// before a clause deletes it:
//
//	2 0
//	d 1 2 0
//	d -1 2 0
//	0
//
// LRAT adds hints that reduce checking to look-ups (Cruz-Filipe, Heule, Hunt,
// Kaufmann and Schneider-Kamp, Efficient Certified RAT Verification, CADE 2017).
// Clauses have ids: the clauses of the formula are numbered from 1 in their order.
// The line of a lemma consists of its id, its literals, 0, its hints, 0. The line
// of a deletion consists of an id without meaning, d, the ids of the deleted
// clauses, 0:
//
//	5 2 0 1 2 0
//	5 d 1 2 0
//	6 0 5 3 4 0
//
// The ids of lemmas ascend and may have gaps. The hints are the ids of the clauses
// that become unit, in order, and of the clause that is falsified. If the lemma is
// only RAT, a group of hints follows for each clause with the complement of the
// pivot: the negated id of that clause, and the hints after the other literals of
// that clause are assumed to be false as well.
//
// Both formats have a binary form. A step is a byte a or d, then the numbers, with
// a zero byte in place of each 0 of the text. A number n is coded as 2n, or as 1-2n
// if it is negative, in groups of seven bits, the lowest first; the high bit of
// each byte but the last is set. In DRAT and LRAT, the example is
//
//	a 04 00  d 02 04 00  d 03 04 00  a 00
//	a 0a 04 00 02 04 00  d 02 04 00  a 0c 00 0a 06 08 00
//
// Binary deletions in LRAT have no id of their own. These are the binary DRAT of
// drat-trim, and the binary LRAT of lrat-trim and CaDiCaL (Pollitt, Fleury and
// Biere, Faster LRAT Checking Than Solving with CaDiCaL, SAT 2023).
//
// # Accepted input
//
// In text, blanks and tabs separate words. A line ends with a line feed,
// or a carriage return and a line feed; the last line may lack its end. A word that begins
// with c where a step may begin is a comment up to the end of the line. In DRAT,
// steps may share a line or span many, with comments between their words; in LRAT,
// a step is a line.
//
// Errors are text that is not a number, a carriage return without a line feed, also
// in a comment, variables above [dimacs.MaxVars], ids that
// are not positive where they must be, ids above 2^62, -0, and a proof that ends
// within a step, since it may be cut off. Binary numbers must not have more bytes
// than they need, and a step begins with a or d. Such errors are of type
// [*dimacs.SyntaxError], with line and column, or with the number of the byte in
// the message, counted from 1. The reader does not check the order of ids nor that
// their clauses exist; the checkers do.
//
// # Checking
//
// [Check] optionally checks a proof under assumptions. By default it checks a DRAT
// proof backward from its end, so that lemmas that are not needed cost little and
// the core of the formula is found. It checks LRAT proofs forward. The checkers
// share no code with the engines.
//
// # Files
//
//   - format.go: the four formats and their recognition; evidence.go: recognition
//     of solutions and proofs.
//   - write.go: [Writer]. read.go: [Reader].
//   - check.go: [Check], its options, results and errors.
//   - drat.go: DRAT proofs, read once; rup.go: unit propagation, the core first;
//     rat.go: RAT lemmas; backward.go: the backward check; store.go: the clauses.
//   - lrat.go: LRAT proofs; lrat_clauses.go: the clauses, and unit propagation along
//     hints; lrat_refs.go, lrat_arena.go: their memory; lrat_rat.go: RAT lemmas; lrat_live.go: [Checker], for a
//     running engine; batch.go: [Batch], which leaves out what is not needed; lrat_trim.go: trimming.
//   - variables.go: the numbering of variables in both checkers.
//   - trim.go: the part of a proof that is needed, and [Result.Replay].
//   - tee.go: [Tee].
package proof
