package dimacs

// A Proof receives the steps of a refutation from an engine while it works: a
// file, a checker or a recorder. Engines know nothing else of proofs.
//
// The receiver names clauses: each clause, given or derived, gets an id that
// is positive and not used again, and the engine quotes ids from then on. The
// slices that an engine passes are its scratch: a receiver copies what it
// keeps.
//
// A proof in which clauses are still to be given must not contain steps that a
// clause given later would invalidate: no RAT steps, only such that follow by
// unit propagation.
type Proof interface {
	// Hints reports whether the receiver wants antecedents. An engine asks
	// once, before its first step, and otherwise spends nothing on them.
	Hints() bool

	// Original logs a clause of the formula, as it was given.
	Original(lits []Lit) (id int64)

	// Learn logs a clause that follows from those there are, by reverse unit
	// propagation; with RAT steps the first literal is the pivot. With hints,
	// these are the ids of its antecedents in the order in which they become
	// unit once the negation of the clause is assumed, the last one being
	// falsified. Where the clause does not follow, but has the RAT property,
	// there is a group for each clause that contains the complement of the
	// pivot: the id of that clause as a negative number, then the antecedents
	// that become unit when the rest of that clause is false as well, as in the
	// LRAT format. The empty clause ends a refutation.
	Learn(lits []Lit, hints []int64) (id int64)

	// Delete logs that a clause is not used any more. Its literals are those
	// that it was logged with, in any order: formats that name clauses by
	// their literals need no table of them.
	Delete(id int64, lits []Lit)
}
