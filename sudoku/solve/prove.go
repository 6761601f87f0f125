package solve

import (
	"context"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// A proof that a puzzle has no solution is a refutation of its formula. A proof
// that it has no solution other than a known one is a refutation of its formula
// with a clause that blocks the known solution. An independent checker verifies
// the refutation, so a reader must trust the encoding only: the formula must say
// the same as the puzzle. That is easy to see as long as the formula has the
// givens as unit clauses and nothing is simplified.

// Refutation returns a formula that has a model if and only if the puzzle has a
// solution other than the given one or, if solution is nil, any solution. The
// formula has the rules and the givens first, then the clause that blocks the
// solution.
//
// The error is that of [sudoku.Grid.Encode].
func Refutation(g *sudoku.Grid, c sudoku.Coding, solution []int) (*sudoku.CNF, error) {
	cnf, err := g.Encode(c)
	if err != nil || solution == nil {
		return cnf, err
	}
	var blocking []dimacs.Lit
	for cell, digit := range solution {
		if g.Cells[cell] != 0 {
			continue
		}
		if l, ok := cnf.Map.Lit(g.Rules.Candidate(cell, digit)); ok {
			blocking = append(blocking, l.Not())
		}
	}
	cnf.Formula.Add(blocking...)
	return cnf, nil
}

// Prove decides a formula by clause learning and logs every step to a proof. If
// it returns Unsatisfiable, the steps refute the formula.
func Prove(ctx context.Context, f *dimacs.Formula, proof dimacs.Proof) dimacs.Status {
	o := smallOptions()
	o.Proof = proof
	s := cdcl.New(o)
	s.AddFormula(f)
	return s.Solve(ctx)
}
