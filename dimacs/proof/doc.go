// Package proof reads, writes and checks proofs of unsatisfiability.
//
// A model of a formula is easily checked; that there is none, a solver has to
// prove. A clausal proof is a list of clauses, the lemmas, each of which can be
// added to the formula and the lemmas before it without making a satisfiable
// formula unsatisfiable. If the empty clause can be added, there was no model.
// Clauses that are not needed any more are deleted, since a checker spends its
// time on those there are.
//
// A lemma has the property RUP, reverse unit propagation, if assuming all its
// literals false and propagating units falsifies some clause: it is implied
// (Goldberg and Novikov, Verification of Proofs of Unsatisfiability for CNF
// Formulas, DATE 2003). It has the property RAT, resolution asymmetric
// tautology, on its first literal, the pivot, if the same is true of each of its
// resolvents on it with the clauses there are: it need not be implied, but no
// model is needed that it excludes (Järvisalo, Heule and Biere, Inprocessing
// Rules, IJCAR 2012).
//
// # Formats
//
// This refutes (1 or 2) and (-1 or 2) and (1 or -2) and (-1 or -2) by the lemma
// 2, after which the first two clauses go, and the empty clause.
//
// DRAT is lemmas and deletions alone, and the checker finds out why they hold
// (Wetzler, Heule and Hunt, DRAT-trim: Efficient Checking and Trimming Using
// Expressive Clausal Proofs, SAT 2014). Clauses are written as in DIMACS, after
// a d to delete them:
//
//	2 0
//	d 1 2 0
//	d -1 2 0
//	0
//
// LRAT says why, so that checking is only looking (Cruz-Filipe, Heule, Hunt,
// Kaufmann and Schneider-Kamp, Efficient Certified RAT Verification, CADE
// 2017). Clauses have ids, those of the formula from 1 on in their order. A line
// is an id, the literals, 0, the hints, 0; or an id that does not matter, d,
// the ids to delete, 0:
//
//	5 2 0 1 2 0
//	5 d 1 2 0
//	6 0 5 3 4 0
//
// Ids of lemmas ascend, but may leave gaps. The hints are the ids of the clauses
// that become unit, in order, and of the one that is falsified. For a RAT lemma
// a group follows for each clause that contains the complement of the pivot:
// its id as a negative number, and the hints once the rest of that clause is
// false as well.
//
// Both have a binary form. A step is a byte a or d, the numbers, and a zero
// byte where text has 0. A number n is stored as 2n, or 1-2n if it is negative,
// in pieces of seven bits, the lowest first, with the high bit set in all but
// the last. DRAT and LRAT are then
//
//	a 04 00  d 02 04 00  d 03 04 00  a 00
//	a 0a 04 00 02 04 00  d 02 04 00  a 0c 00 0a 06 08 00
//
// where deletions of LRAT have lost their id. This is the binary DRAT of
// drat-trim, and the binary LRAT of lrat-trim and CaDiCaL (Pollitt, Fleury and
// Biere, Faster LRAT Checking Than Solving with CaDiCaL, SAT 2023).
//
// # What is accepted
//
// Words of a text are separated by blanks and tabs, lines end with a line feed,
// which one carriage return may precede, and the last may lack its end. Where a
// step may begin, a word that begins with c is a comment up to the end of the
// line. In DRAT, steps may share a line or cover many, with comments in between;
// in LRAT, a step is a line.
//
// Errors are text that is no number, variables above [dimacs.MaxVars], ids that
// are not positive where they must be, ids above 2^62, -0, and a proof that ends
// within a step: it may be cut off. Binary numbers must not have more bytes than
// they need, and nothing but a or d begins a step. Such errors are of type
// [*dimacs.SyntaxError], with line and column, or with the number of the byte
// in the message, the first byte of the file being 1. The order of ids and what
// they refer to are no matter of form, and left to the checkers.
//
// # Checking
//
// [Check] reads a proof and says whether it refutes a formula, also under
// assumptions. A DRAT proof is checked backward from its end, by default, so
// that lemmas which do not matter cost little and the formula's core is found;
// LRAT proofs are checked forward. [Checker] is a [dimacs.Proof] that checks
// hints at once, while an engine runs. [Writer] is one that writes, in any of
// the formats. The checkers share no code with the engines.
package proof
