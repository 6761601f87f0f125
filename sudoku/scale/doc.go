// Package scale rates the difficulty of the usual 9x9 puzzles on the scales of two programs: "se" is Sudoku Explainer 1.2.1
// (Nicolas Juillerat, 2007; with the modifications of Glenn Fowler's serate, 1.2.1.3), "sukaku" its successor
// Sukaku Explainer (1.18.1, 2021), which has patterns of single digits and almost locked sets as well.
//
//	rater := scale.NewRater("se")
//	rating, err := rater.Rate(ctx, grid)
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%v/%v/%v", rating.Hardest, rating.Pearl, rating.Diamond) // ER/EP/ED: 7.1/1.2/1.2
//
// A rating depends on more than the techniques: on their order, on the choice among several steps,
// and on how long a chain is in the eyes of the program. This package has the same techniques, looks
// at boxes, columns, rows, digits and cells in the same order, and adds up the same numbers. On 1,591
// puzzles of all levels all three numbers are equal to those of Sudoku Explainer, and on 4,361 of 4,362 to those
// of Sukaku Explainer, in a twentieth of the time.
//
// The techniques of package technique are more and know all variants, but players compare
// the numbers of this one.
//
// A step is taken from the easiest technique that has one. With chains that is the step of the lowest
// rating, then of the fewest literals.
//
//   - 1.0 to 2.5: last cells, hidden and naked singles, and patterns that leave a single at once
//   - 2.6 to 5.4: locked candidates, naked and hidden sets, fish, wings, unique rectangles and loops
//   - 4.0 to 6.1 (sukaku): two to four strong links of a digit
//   - 5.5 to 7.5 (sukaku): WXYZ-wings and longer ones
//   - 5.6 to 6.2: bivalue universal graves, aligned pairs
//   - 6.5 to 8.0: cycles and chains, aligned triples, Nishio
//   - 8.0 and more: chains from all digits of a cell or all places of a house; dynamic chains (8.5),
//     with patterns (9.0), with chains within (9.5), with dynamic chains within (10.5)
//
// # Files
//
//   - rate.go: raters and paths
//   - board.go: houses and positions
//   - patterns.go: singles, locked candidates, sets, fish, wings
//   - strong.go: strong links of a digit
//   - almost.go: WXYZ-wings and longer ones
//   - loops.go: unique rectangles and loops
//   - grave.go: bivalue universal graves
//   - aligned.go: aligned pair and triple exclusion
//   - chain.go: implications, cycles and forcing chains
//   - multiple.go: chains from several literals, dynamic chains, contradictions
//   - nested.go: patterns and chains within dynamic chains
package scale
