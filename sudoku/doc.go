// Package sudoku represents Sudoku puzzles, encodes them as SAT formulas in
// conjunctive normal form (CNF), and decodes the models of those formulas.
//
//	rules := sudoku.Must(sudoku.Standard(9))
//	puzzle := sudoku.NewGrid(rules)
//	puzzle.Cells[0] = 8 // R1C1=8; cells are numbered row by row
//	cnf, err := puzzle.Encode(sudoku.Coding{Encoding: "extended"})
//	if err != nil {
//		return err
//	}
//	// Solve cnf.Formula with any SAT solver, or write it for one:
//	//	dimacs.Write(w, cnf.Formula, cnf.Map.Comments()...)
//	solution, err := cnf.Map.Decode(model)
//	if err != nil {
//		return err
//	}
//	fmt.Println(solution.Cells)
//
// [Rules] define the cells of a grid and the constraints on them: any size up
// to 255, boxes of any shape or no boxes, irregular regions (jigsaw), diagonals
// (Sudoku X), windows (windoku), cages with sums (killer), cells a chess move
// apart that differ, and the relations between cells of [RelationKinds], such as
// thermometers, arrows and dots. Several grids can share cells (samurai). A [Grid] holds the digits of a puzzle, of a solution, or of a
// partly filled grid. [Candidates] propagate naked and hidden singles, locked
// candidates, cage sums and relations.
//
// [Grid.Encode] writes a puzzle as a formula in one of the [Encodings], with
// one of the at-most-one encodings [AtMostOnes]. [Map.Decode] converts a model
// to a grid and checks it. The comments of the formula contain the map from
// candidates to variables, so that a model can be decoded without the puzzle.
//
// The package imports no solver. Package sudoku/text reads and writes puzzles
// as text; package sudoku/solve solves them.
//
// # Files
//
//   - Puzzles: rules.go has houses and peers, variant.go the rules as a line of
//     text, grids.go the places of cells in one grid or several, grid.go digits and conflicts, groups.go the exactly-one constraints
//     on candidates.
//   - Propagation: candidates.go has naked and hidden singles and layout.go the
//     tables behind them; locked.go has locked candidates, cage.go the sums of
//     cages, relation.go the kinds of relations and diagram.go their decision
//     diagrams, from which everything else about them follows; choose.go the choice of a branching candidate, and implications.go
//     the binary clauses of the 2SAT rule.
//   - Encodings: encode.go has the table of encodings and [Grid.Encode];
//     direct.go, triad.go and killer.go write the constraints with the helpers
//     of encode_builder.go. amo.go has the table of at-most-one encodings, and
//     numbering.go the table of variable numberings. notes.go writes comments
//     on the kinds of clauses.
//   - Decoding: map.go has the map from candidates to variables and the
//     comments that contain it; decode.go converts models and unit clauses to
//     grids, and model.go reads models from files.
//   - Formulas about cells: formula.go writes and reads them, formula_scan.go
//     is the scanner.
package sudoku
