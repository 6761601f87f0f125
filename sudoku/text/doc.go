// Package text reads and writes puzzles in the forms that people, programs and
// collections use: lines of characters, drawn grids, numbers, CSV, JSON, game
// ids, unit clauses, pencil marks.
//
// A [Reader] finds out by itself which form a puzzle has, one after the other,
// however many there are; how is told in reader.go. A [Writer] writes the forms
// of the table [OutputFormats]. What it writes is read again as the same grid under
// the same rules: where a form does not show the rules, a line
//
//	# rules 9 boxes 3x3 x
//
// before it does, for all puzzles up to the next such line. The words are those
// of [sator/sudoku.ParseVariant]; "# rules" alone ends what was said before.
package text
