// Package text reads and writes Sudoku puzzles in the formats that people,
// programs and collections use: lines of characters, drawn grids, numbers, CSV,
// JSON, game ids, unit clauses, and pencil marks.
//
//	r := text.NewReader(os.Stdin, "stdin")
//	w, err := text.NewWriter(os.Stdout, "grid")
//	for err == nil {
//		var p *text.Puzzle
//		if p, err = r.Next(); err == nil {
//			err = w.WritePuzzle(p)
//		}
//	}
//	if err != io.EOF {
//		log.Fatal(err)
//	}
//
// A [Reader] recognizes the format of each puzzle by its content; reader.go
// states the rules. An input can contain any number of puzzles in different
// formats ([InputFormats]). A [FileReader] reads the puzzles of several files
// as one stream. A [Writer] writes the formats of the table [OutputFormats].
//
// A Reader reads the output of a Writer as the same grid with the same rules.
// If the format cannot express the rules, the Writer writes a comment before
// the grid:
//
//	# rules 9 boxes 3x3 x
//
// It applies to all puzzles until the next such comment. The words are those of
// [sator/sudoku.ParseVariant]. The comment "# rules" without words resets the
// rules.
//
// # Invalid puzzles
//
// After a syntax error, [Reader.Resume] skips the rest of the invalid puzzle, so that
// Next returns the one behind it. With [FileReader.KeepGoing] a FileReader does so by
// itself and returns an error in the place of each invalid puzzle.
//
// # Files
//
//   - Reading: reader.go has the rules of recognition, the table of input
//     formats and the [Reader]; scan.go splits the input into lines; between.go
//     reads the lines between puzzles; puzzle.go has the
//     [Puzzle], rules.go its rules;
//     alphabet.go converts characters to digits; resume.go finds the end of an
//     invalid puzzle; files.go reads several files.
//   - Formats of lines and grids: lines.go reads puzzles in one line, plain.go
//     runs of such lines, grid.go puzzles in rows, with the shapes of lines in shape.go and the scanner of a
//     row in row.go; spaced.go reads grids with spaces for blanks, and
//     empty_fields.go with empty fields; marks.go reads pencil marks, and grids.go several
//     grids that share cells.
//   - Other formats: csv.go, json.go with json_cells.go and json_array.go, sgt.go
//     (game ids), triples.go, units.go and units_map.go (unit clauses), hodoku.go,
//     xml.go (OpenSudoku), ksudoku.go, gnome.go, latex.go
//     and formula.go (formulas about cells); links.go, fpuzzles.go,
//     fclues.go, sudokupad.go and lzstring.go read links and codes of f-puzzles and SudokuPad; foreign.go has
//     the formats that are refused, passage.go positions in texts of several lines.
//   - Writing: write.go has the table of output formats and the [Writer];
//     write_forms.go and write_sgt.go write them.
package text
