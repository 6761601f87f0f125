// Package dimacs is the vocabulary of the solver and the formats of its
// files: literals, formulas, models and answers; CNF, iCNF, solutions and stacks of
// what simplification took, read and written; and the interface through which
// engines tell their proofs.
//
// It imports the standard library alone. Compressed files and standard input
// are opened by the package dimacs/file.
package dimacs
