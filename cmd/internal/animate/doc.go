// Package animate visualizes the DPLL search for the solution of a Sudoku as an
// animated GIF, an animated SVG, or an HTML page with controls.
//
//	recording, err := animate.Record(ctx, grid, sudoku.Coding{}, classic.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	recording.Frames = 200 // at most
//	recording.Speed = 10   // frames a second
//	return recording.GIF(file)
//
// A [Recording] has the events of a search by [sator/dpll], see package
// cmd/internal/film. Kinds of events differ by shape as well as by color:
//
//   - A decision that a cell has a digit shows the digit in a filled disc.
//   - The second branch, after a backtrack, shows it in a ring.
//   - A pure literal shows it in a diamond.
//   - A propagated digit has no outline.
//   - A decision that a cell does not have a digit shows the small digit in a small
//     disc, or in a ring for the second branch.
//   - The open candidates of a cell are small digits, or dots in larger grids.
//   - The cells of a falsified clause are crossed out.
//
// # Files
//
//   - recording.go: a recorded search and the choices for its drawing
//   - shapes.go: the shapes of digits, candidates and pointers
//   - layout.go: the panel below the grid
//   - gif.go, raster.go: writing GIF
//   - svg.go: writing SVG
//   - html.go, page.html: writing the page
package animate
