// Package explain rates how hard a Sudoku puzzle is, finds the givens that force
// a digit, and gives hints in words.
//
//	rating, err := explain.Rate(ctx, grid, explain.RateOptions{})
//	if err != nil {
//		return err
//	}
//	fmt.Println(rating.Class) // up, fl or search
//	steps, err := explain.Hint(ctx, grid)
//	if err != nil {
//		return err
//	}
//	for _, step := range steps {
//		fmt.Println(step) // "R3C5=7, hidden single: 7 has no other place in box 2"
//	}
//	question := explain.Question{Cell: 22} // why R3C5 has its digit
//	reason, err := explain.Why(ctx, grid, question, explain.WhyOptions{})
//	if err != nil {
//		return err
//	}
//	fmt.Println(reason.Givens) // the cells of a smallest set of givens that forces R3C5
//
// [Rate] classifies a puzzle by the inference that solves it: unit propagation
// alone (up), failed literals (fl), or search; and it counts the decisions and
// conflicts of the engines on several encodings of the puzzle. [Why] finds a
// smallest set of givens that forces a digit: a smallest minimal unsatisfiable
// subset (SMUS) of the givens, with the negated digit added to the rules. [Hint]
// finds the next digit by the easiest technique of package technique that applies;
// [Path] solves the whole puzzle in this way.
//
// All results depend on the puzzle and the options alone: not on other puzzles,
// the machine, or time.
//
// # Files
//
//   - rate.go: ratings
//   - people.go: scales of the difficulty for people
//   - probe.go: failed literals and the classes of puzzles
//   - why.go: questions, reasons, and sets of givens as assumptions
//   - smallest.go: minimal and smallest sets of givens
//   - hitting.go: minimum hitting sets
//   - hint.go: hints and solution paths
//   - core.go: digits that givens force, found by search, where techniques end
//   - names.go: candidates in sentences
//   - unique.go: the errors of puzzles without exactly one solution
package explain
