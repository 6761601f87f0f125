package dimacs

// A Proof receives the steps of a clausal proof, in DRAT or LRAT terms, from an
// engine while it works. It may be a file, a checker or a test. Engines depend
// on this interface alone, so that new proof formats do not change engines.
//
// The receiver numbers clauses: Original and Learn return the id of a clause, a
// positive number that is never reused, and the engine refers to the clause by
// this id. Several engines may therefore write to one proof, whose steps have
// one order. The slices in the arguments are scratch of the engine: a receiver
// that keeps a clause must copy it.
//
// If clauses may still be added, the proof must not contain steps that a later
// clause would invalidate: every learned clause must follow by unit propagation
// (RUP), and no step may need RAT.
type Proof interface {
	// Hints reports whether Learn should be called with hints. An engine calls
	// Hints once, before its first step. If the result is false, the engine
	// collects no hints.
	Hints() bool

	// Original logs a clause of the formula, as it was given.
	Original(lits []Lit) (id int64)

	// Learn logs a clause that follows from the logged clauses by reverse unit
	// propagation (RUP), or has the RAT property on its first literal, the pivot.
	//
	// The hints are those of LRAT: the ids of the antecedents in the order in which
	// they become unit after the negation of the clause is assumed; the last one is
	// falsified. If the clause is only RAT, there is a group of hints for each
	// clause with the complement of the pivot: the negated id of that clause, then
	// the antecedents that become unit after the other literals of that clause are
	// falsified as well.
	//
	// The empty clause ends a refutation.
	Learn(lits []Lit, hints []int64) (id int64)

	// Delete logs that a clause is not used any more. The literals of the clause
	// may be in any order. DRAT identifies clauses by their literals; since the
	// engine passes them here, a receiver needs no table of clauses.
	Delete(id int64, lits []Lit)
}
