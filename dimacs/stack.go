package dimacs

import "io"

// Whoever simplifies a formula may drop clauses that do not follow from what
// stays: what is left has a model if and only if there was one before, but not
// each of its models is one of the formula. The clauses that went so are kept on
// a stack, each as a record with a witness, a literal of it that may be made true
// whenever the clause is not satisfied: what was dropped before, and all that
// stays, is satisfied again once the records below it were looked at. So a model
// is extended from the top of the stack down (Järvisalo, Heule, Biere,
// "Inprocessing rules", IJCAR 2012).
//
// Solvers keep such a stack to themselves, or write it in a form of their own.
// Ours is that of a formula, but for the header, and for the first literal of a
// line, which is the witness: the stack of (1 or 2) and (not 1 or 3) that went
// with variable 1 is
//
//	c of a formula with 3 variables
//	p stack 3 2
//	1 2 0
//	-1 3 0
//
// Any model of what stays is fine: that it makes 2 or 3 true is among what stays.

// ReadReconstruction reads a stack: the header "p stack VARIABLES RECORDS", and then each
// record as clauses are in CNF, with the witness in front, from the bottom of the
// stack up. All that [Reader] says of tokens, comments and errors holds here too,
// and a record without literals is an error for both kinds of readers.
func (r *Reader) ReadReconstruction(src io.Reader) (records *Formula, err error) {
	records = new(Formula)
	p := r.parser(records, src)
	p.stack = true
	if err := p.run(); err != nil {
		return nil, err
	}
	return records, nil
}

// WriteReconstruction writes the clauses of records as a stack, as [Write] does formulas.
// It panics if one is empty.
func WriteReconstruction(w io.Writer, records *Formula, comments ...string) error {
	for _, c := range records.Clauses() {
		if len(c) == 0 {
			panic("dimacs: a record without a witness")
		}
	}
	return write(w, "stack", records, comments)
}

// Reconstruct returns a model of the formula whose simplification left these
// records, from the bottom up with the witness in front, if m is a model of what
// the simplification left. Variables that m leaves open may be anything there;
// the result is total over the variables of records, which must be those of the
// formula. The time is linear in the size of records.
func (m Model) Reconstruct(records *Formula) Model {
	full := make(Model, max(len(m), records.Vars()))
	for v := copy(full, m); v < len(full); v++ {
		full[v] = False
	}
	for v, x := range full {
		if x == Unassigned {
			full[v] = False
		}
	}
	for i := records.Len() - 1; i >= 0; i-- {
		if c := records.Clause(i); full.Clause(c) != True {
			full.Set(c[0])
		}
	}
	return full
}
