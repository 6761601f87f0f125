package families

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/generate"
	"sator/sudoku/text"
)

// Sudoku puzzles with one solution, of any size with boxes, in the extended
// encoding of package sudoku: a variable says that a cell has a digit. Up to
// size 16 no given could be left out, unless their number is asked for; beyond,
// puzzles have the givens with which singles alone find the solution.
//
// With a wrong given the formula is unsatisfiable: some open cell gets a digit
// that is not that of the solution, but that no rule forbids as things stand.
// The comments have what the program needs to make a grid of a model.

var sudokuPuzzle = &Family{
	Name:   "sudoku",
	Help:   "a sudoku puzzle with one solution; satisfiable unless a given is wrong",
	Source: "Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
	Params: []Param{
		{"size", Int, 9, 4, 36, "rows, columns and digits"},
		{"givens", Int, 0, 0, 36 * 36, "number of givens; 0 for as few as come out"},
		{"wrong", Switch, 0, 0, 1, "add a wrong given, and make the formula unsatisfiable"}},
	build: buildSudoku,
}

func buildSudoku(v Values, r *source) (*Instance, error) {
	variant, givens := sudoku.Standard(v.int("size")), v.int("givens")
	switch cells := variant.Size * variant.Size; {
	case variant.BoxRows == 1:
		return nil, fmt.Errorf("size %d is a prime, and has no boxes", variant.Size)
	case givens > cells:
		return nil, fmt.Errorf("%d givens do not fit into %d cells", givens, cells)
	case givens == cells && v.on("wrong"):
		return nil, fmt.Errorf("with %d givens no cell is open for a wrong one", givens)
	}
	g, err := generate.New(generate.Options{Variant: variant, MinGivens: givens, MaxGivens: givens, Seed: r.Uint64()})
	if err != nil {
		return nil, err
	}
	puzzle, err := g.Make(context.Background(), 0)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("a sudoku puzzle of size %d with %d givens", variant.Size, puzzle.Givens())
	if v.on("wrong") {
		r.mislead(puzzle)
		what += ", and a wrong one"
	}
	// Pairs take no variables but those of cells and digits.
	cnf, err := puzzle.Encode(sudoku.Coding{AtMostOne: "pairs"})
	if err != nil {
		return nil, err
	}
	inst := &Instance{Formula: cnf.Formula, Answer: dimacs.Unsatisfiable}
	inst.Comments = append([]string{what, text.Line(puzzle.Grid)}, cnf.Map.Comments()...)
	if !v.on("wrong") {
		inst.Answer, inst.Model = dimacs.Satisfiable, filled(cnf, puzzle.Solution)
	}
	return inst, nil
}

// mislead adds a given that is not in the solution, and that breaks no rule as
// things stand if there is such a one.
func (r *source) mislead(p *generate.Puzzle) {
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

// filled returns the model that a solution is.
func filled(cnf *sudoku.CNF, solution []int) dimacs.Model {
	m := allFalse(cnf.Formula.Vars())
	for cell, digit := range solution {
		if l, ok := cnf.Map.Lit(cnf.Map.Rules.Candidate(cell, digit)); ok {
			m.Set(l)
		}
	}
	return m
}
