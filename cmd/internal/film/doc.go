// Package film records the DPLL search for the solution of a Sudoku and groups its
// events into frames, as the changes on a grid with captions and counters. It draws
// nothing; package cmd/internal/animate draws recordings as GIF, SVG and HTML.
//
//	recording, err := film.Record(ctx, grid, sudoku.Coding{}, classic.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	board := film.NewBoard(recording)
//	for _, frame := range recording.Group(200) {
//		changes := board.Advance(frame)
//		fmt.Println(board.Readout(frame).Caption, changes)
//	}
//
// A [Recording] holds the events of a search by [sator/dpll]. A candidate of the
// grid is a variable of the formula, so every event has a cell, except events of
// auxiliary variables.
//
// # Files
//
//   - recording.go: running the search and recording its events
//   - frames.go: grouping events into frames
//   - board.go: the state of the grid after each frame
//   - captions.go: the texts of a frame
package film
