// Package technique solves Sudoku puzzles as people do: step by step, each by the
// easiest technique in a table that applies.
//
//	board := technique.NewBoard(puzzle.Rules)
//	board.Load(puzzle)
//	board.Unique = true // the puzzle has been proved to have one solution
//	rating, err := technique.Path(ctx, board, func(now *technique.Board, step *technique.Step) {
//		fmt.Println(step.Technique.Name, step.Rating, now.Reason(step))
//	})
//
// [All] is the table. Each technique has a rating on the scale that Sudoku Explainer
// (Nicolas Juillerat, 2006) made usual: from 1.0 for the last open cell of a house to
// 11 and more for chains inside of chains. [Rate] solves a puzzle; the rating of the
// puzzle is that of the hardest step.
//
// A [Board.Hint] has the steps to the next digit; [Path] and [Rate] solve a puzzle by hints.
// [Board.Find] has the steps of one technique.
//
// All techniques work for all variants of package sudoku: they ask which cells see each other,
// and which candidates are left in a house. Techniques that assume one solution do not hold with
// cages or knights' moves, and slow ones are not searched for in large grids.
//
// # Files
//
//   - table.go: techniques and steps
//   - board.go: candidates as bit sets
//   - hint.go: hints, and paths to the solution
//   - rate.go: the rating of a puzzle
//   - singles.go, cage.go, sums.go, locked.go, subset.go, fish.go, wing.go, wwing.go, turbot.go, coloring.go,
//     rectangle.go, suedecoq.go, als.go, bug.go, pairs.go: one family of patterns each
//   - chain.go: X-chains, XY-chains and alternating inference chains
//   - forcing.go: forcing chains of cells and houses
//   - branch.go: dynamic and nested forcing chains
//   - details.go: all links of chains, and the cells and candidates of a pattern
//   - words.go: cells, digits and houses in sentences
package technique
