// Package generate creates random Sudoku puzzles of any size and variant, and
// minimizes existing puzzles.
//
//	g, err := generate.New(generate.Options{
//		Variant:  sudoku.Standard(9),
//		Symmetry: generate.Symmetries[1], // rotate180
//		Class:    "up",                   // solved by naked and hidden singles
//		Seed:     7,
//	})
//	if err != nil {
//		return err
//	}
//	puzzle, err := g.Make(ctx, 0)
//	if err != nil {
//		return err
//	}
//	fmt.Println(puzzle.Cells, puzzle.Solution)
//	counter := generate.CounterFor(puzzle.Rules)
//	minimal, err := generate.Minimize(ctx, counter, puzzle.Grid, generate.MinimizeOptions{})
//	if err != nil {
//		return err
//	}
//	fmt.Println(minimal.Cells)
//
// A [Generator] fills a grid at random and removes givens in random order. It
// removes the cells of an orbit of the [Symmetry] together, and only as long as
// the puzzle keeps a property that the [Options] select: one solution, or a
// solution by singles. The same seed and number give the same puzzle on any
// machine, whatever puzzles were made before. [Generator.Each] makes many puzzles
// on several processors.
//
// [Redundant] and [Minimize] find and remove the givens that an existing puzzle
// does not need.
//
// # Files
//
//   - generate.go: options, and the attempts to make a puzzle
//   - stream.go: many puzzles with several workers
//   - solution.go: random full grids
//   - remove.go: removing givens
//   - oddagon.go: puzzles that failed literals do not solve
//   - minimize.go: redundant givens and minimal puzzles
//   - counter.go: the solvers that prove uniqueness
//   - symmetry.go: the table of symmetries
//   - regions.go: random regions for jigsaw puzzles
//   - cages.go: random cages for killer puzzles
package generate
