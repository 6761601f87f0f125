// Package sudoku holds Sudoku puzzles and turns them into formulas and back.
//
// [Rules] say which cells there are and which of them must differ: grids of any
// size up to 255 with boxes of any shape or none, regions, diagonals, windows,
// cages, cells a knight's move apart. A [Grid] has digits in some of its cells:
// a puzzle, a solution, or something between.
//
// [Grid.Encode] writes a puzzle as a formula by any of the [Encodings];
// [Map.Decode] reads the model that any solver finds, and checks it. The map
// between the two travels in the comments of the formula.
//
// The package needs no engine. Reading and writing puzzles as text is the matter
// of package sudoku/text, solving them that of sudoku/solve.
package sudoku
