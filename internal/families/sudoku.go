package families

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/generate"
	"sator/sudoku/text"
)

// Sudoku puzzles with a unique solution, of any size with boxes, in the
// extended encoding of package sudoku: a variable states that a cell has a
// digit. Up to size 16 no given is redundant, unless the number of givens is a
// parameter; larger puzzles have enough givens for singles to find the
// solution.
//
// With a wrong given the formula is unsatisfiable: an open cell gets a digit
// that differs from the solution but breaks no rule directly. The comments
// contain the variable map, with which the program converts a model to a grid.

var sudokuPuzzle = &Family{
	Name:   "sudoku",
	Help:   "Sudoku puzzle with a unique solution; satisfiable unless a given is wrong",
	Source: "Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
	Params: []Param{
		{"size", Int, 9, 4, 36, "rows, columns and digits"},
		{"givens", Int, 0, 0, 36 * 36, "number of givens; 0 to remove as many as possible"},
		{"wrong", Switch, 0, 0, 1, "add a wrong given; unsatisfiable"}},
	build: buildSudoku,
}

func buildSudoku(v Values, r *rng) (*Instance, error) {
	variant, givens := sudoku.Standard(v.int("size")), v.int("givens")
	switch cells := variant.Size * variant.Size; {
	case variant.BoxRows == 1:
		return nil, fmt.Errorf("size %d is a prime: want a size with boxes", variant.Size)
	case givens > cells:
		return nil, fmt.Errorf("%d givens, more than the %d cells", givens, cells)
	case givens == cells && v.on("wrong"):
		return nil, fmt.Errorf("with %d givens no cell is left for a wrong one", givens)
	}
	g, err := generate.New(generate.Options{Variant: variant, MinGivens: givens, MaxGivens: givens, Seed: r.Uint64()})
	if err != nil {
		return nil, err
	}
	puzzle, err := g.Make(context.Background(), 0)
	if err != nil {
		return nil, err
	}
	description := fmt.Sprintf("a sudoku puzzle of size %d with %d givens", variant.Size, puzzle.Givens())
	if v.on("wrong") {
		r.addWrongGiven(puzzle)
		description += ", and a wrong one"
	}
	// The pairwise AMO encoding has no auxiliary variables.
	cnf, err := puzzle.Encode(sudoku.Coding{AtMostOne: "pairs"})
	if err != nil {
		return nil, err
	}
	inst := &Instance{Formula: cnf.Formula, Answer: dimacs.Unsatisfiable}
	inst.Comments = append([]string{description, text.Line(puzzle.Grid)}, cnf.Map.Comments()...)
	if !v.on("wrong") {
		inst.Answer, inst.Model = dimacs.Satisfiable, solutionModel(cnf, puzzle.Solution)
	}
	return inst, nil
}

// addWrongGiven adds a given that differs from the solution and, if possible,
// breaks no rule directly.
func (r *rng) addWrongGiven(p *generate.Puzzle) {
	var wrong []int // candidates
	for cell, digit := range p.Cells {
		for d := 1; digit == 0 && d <= p.Rules.Size(); d++ {
			if d != p.Solution[cell] {
				wrong = append(wrong, p.Rules.Candidate(cell, d))
			}
		}
	}
	shuffle(r, wrong)
	for _, candidate := range wrong {
		cell, digit := p.Rules.Split(candidate)
		p.Cells[cell] = digit
		if p.Conflict() == nil {
			return
		}
		p.Cells[cell] = 0
	}
	cell, digit := p.Rules.Split(wrong[0])
	p.Cells[cell] = digit
}

// solutionModel returns the model for a solution.
func solutionModel(cnf *sudoku.CNF, solution []int) dimacs.Model {
	m := allFalse(cnf.Formula.Vars())
	for cell, digit := range solution {
		if l, ok := cnf.Map.Lit(cnf.Map.Rules.Candidate(cell, digit)); ok {
			m.Set(l)
		}
	}
	return m
}
