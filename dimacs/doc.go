// Package dimacs is the vocabulary of SAT solving, with readers and writers for
// the DIMACS CNF format and its relatives.
//
//	f, err := dimacs.Read(os.Stdin) // DIMACS CNF
//	if err != nil {
//		log.Fatal(err) // with line and column
//	}
//	f.AddInts(1, -2, 3) // one more clause
//	m := make(dimacs.Model, f.Vars())
//	for _, l := range dimacs.Lits(1, 2, -3) {
//		m.Set(l)
//	}
//	if m.Satisfies(f) {
//		err = dimacs.WriteSolution(os.Stdout, dimacs.Satisfiable, m)
//	}
//
// The formats are CNF formulas, WCNF (formulas with weights), GCNF (formulas with groups), iCNF scripts (formulas with cubes), solutions, and
// reconstruction stacks, which map models of a simplified formula to models of
// the original. [Sniff] recognizes the format of an input.
//
// [Proof] is the interface through which an engine logs a proof.
//
// The package imports the standard library alone. The package dimacs/file opens
// compressed files and standard input. The packages dimacs/card, dimacs/circuit and
// dimacs/opb write clauses of sums, circuits and pseudo-Boolean problems.
//
// # Files
//
//   - lit.go: variables and literals. The literals of variable v are the numbers
//     2v and 2v+1, so that a literal is an index into tables and its complement
//     differs in one bit. Readers and writers convert DIMACS integers.
//   - formula.go: formulas. Clauses are stored in blocks of exactly their size,
//     4 bytes a literal and 4 bytes a clause.
//   - pack.go: compressed blocks, of a formula that is hardly read.
//   - normalize.go: removal of duplicates and tautologies.
//   - model.go: assignments and the values of clauses.
//   - status.go: answers, whose values are the exit codes.
//   - proof.go: the interface of proofs.
//   - memory.go: the limit that is asked before large allocations.
//   - canceled.go: the poll of a context.
//   - scan.go: errors with positions.
//   - internal/scan: the scanner of these readers and of dimacs/proof.
//   - cnf.go, icnf.go, solution.go, stack.go: the readers.
//   - counting.go: lines of files about counting models.
//   - names.go: names of variables in comments.
//   - annotated.go: WCNF and GCNF.
//   - sniff.go: recognition of formats.
//   - write.go, append.go: the writers.
package dimacs
