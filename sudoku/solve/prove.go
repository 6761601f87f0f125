package solve

import (
	"context"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// That a puzzle has no solution is a refutation of its formula; that it has no
// other than a known one, a refutation of its formula with a clause that forbids
// this one. Either is what engines prove and independent programs check, who
// have to believe in the encoding alone: that the formula says what the puzzle
// says, which is plain to see, as long as the givens are unit clauses in it and
// nothing was done with them.

// Refutation returns a formula that has a model if and only if the puzzle has a
// solution other than the given one; with none given, if it has any. The rules
// and givens come first, then the clause that forbids the solution.
//
// The error is that of [sudoku.Grid.Encode].
func Refutation(g *sudoku.Grid, c sudoku.Coding, solution []int) (*sudoku.CNF, error) {
	cnf, err := g.Encode(c)
	if err != nil || solution == nil {
		return cnf, err
	}
	var other []dimacs.Lit
	for cell, digit := range solution {
		if g.Cells[cell] != 0 {
			continue
		}
		if l, ok := cnf.Map.Lit(g.Rules.Candidate(cell, digit)); ok {
			other = append(other, l.Not())
		}
	}
	cnf.Formula.Add(other...)
	return cnf, nil
}

// Prove decides a formula by clause learning and tells every step to a proof. If
// it returns Unsatisfiable, the steps refute the formula.
func Prove(ctx context.Context, f *dimacs.Formula, proof dimacs.Proof) dimacs.Status {
	o := smallOptions()
	o.Proof = proof
	s := cdcl.New(o)
	s.AddFormula(f)
	return s.Solve(ctx)
}
