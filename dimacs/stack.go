package dimacs

import "io"

// Reconstruction stack and model reconstruction (Järvisalo, Heule, Biere,
// "Inprocessing rules", IJCAR 2012).
//
// Simplifications such as bounded variable elimination (BVE) remove clauses that
// do not follow from the remaining ones. The simplified formula is satisfiable if
// and only if the original is, but a model of the simplified formula need not be a
// model of the original. The removed clauses are therefore kept on a stack, each
// with a witness, which is one of its literals. Model reconstruction goes through
// the stack from the top down and makes the witness of each unsatisfied clause
// true. This may falsify clauses further down the stack, but at the bottom all
// removed and all remaining clauses are satisfied.
//
// Each solver keeps this stack in a form of its own. The file format here is that
// of a formula, except for the header and for the order of literals: the first
// literal of each clause is its witness. The elimination of variable 1 from
// (1 or 2) and (not 1 or 3) gives the stack
//
//	c of a formula with 3 variables
//	p stack 3 2
//	1 2 0
//	-1 3 0
//
// Along this stack, any model of the simplified formula, which contains the
// resolvent (2 or 3), is extended to a model of the original.

// ReadReconstruction reads a reconstruction stack: the header "p stack
// VARIABLES CLAUSES", and then clauses as in CNF, with the witness first, from
// the bottom of the stack to its top. Tokens, comments and errors are as
// [Reader] describes. A clause without literals is an error for strict and
// relaxed readers.
func (r *Reader) ReadReconstruction(src io.Reader) (stack *Formula, err error) {
	stack = new(Formula)
	p := r.parser(stack, src)
	p.stack = true
	if err := p.run(r.Memory); err != nil {
		return nil, err
	}
	return stack, nil
}

// WriteReconstruction writes the clauses of stack as a reconstruction stack, in
// the way of [Write]. It panics if a clause is empty.
func WriteReconstruction(w io.Writer, stack *Formula, comments ...string) error {
	for _, c := range stack.Clauses() {
		if len(c) == 0 {
			panic("dimacs: a clause without a witness")
		}
	}
	return write(w, "stack", stack, comments)
}

// Reconstruct returns a model of the original formula if m is a model of the
// simplified formula and stack is the reconstruction stack of the
// simplification. The stack must have the variables of the original formula.
// Variables that m leaves unassigned may have any value in the simplified
// formula. The result assigns all variables of stack. The time is linear in the
// size of stack.
func (m Model) Reconstruct(stack *Formula) Model {
	full := make(Model, max(len(m), stack.Vars()))
	for v := copy(full, m); v < len(full); v++ {
		full[v] = False
	}
	for v, x := range full {
		if x == Unassigned {
			full[v] = False
		}
	}
	for i := stack.Len() - 1; i >= 0; i-- {
		if c := stack.Clause(i); full.Clause(c) != True {
			full.Set(c[0])
		}
	}
	return full
}
