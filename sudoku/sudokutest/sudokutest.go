// Package sudokutest has puzzles for the tests of the packages about Sudoku.
//
//	for _, g := range sudokutest.Generated() {
//		check(t, g)
//	}
//	for _, g := range sudokutest.List(t, "top1465.txt") { // skipped without SATOR_SUDOKU
//		check(t, g)
//	}
package sudokutest

import (
	"bufio"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/sudoku"
)

// Nine has the rules of plain grids of size 9.
var Nine = sudoku.Must(sudoku.Standard(9))

// Parse returns the grid of a text with a character for each cell: a digit, or a dot or 0 for an
// empty cell. It panics if the text is too short or has other characters.
func Parse(r *sudoku.Rules, text string) *sudoku.Grid {
	g := sudoku.NewGrid(r)
	for cell := range g.Cells {
		switch c := text[cell]; {
		case c >= '1' && c <= '9':
			g.Cells[cell] = int(c - '0')
		case c != '.' && c != '0':
			panic(fmt.Sprintf("sudokutest: character %q in a puzzle", c))
		}
	}
	return g
}

// List returns the puzzles of a file with a puzzle of size 9 on each line, in the directory that
// the environment variable SATOR_SUDOKU names. Lines that begin with # are comments. List skips
// the test if the variable is not set, and fails it if the file has no puzzle.
func List(t testing.TB, name string) []*sudoku.Grid {
	t.Helper()
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU names no directory of puzzles")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*sudoku.Grid
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); len(line) >= 81 && !strings.HasPrefix(line, "#") {
			all = append(all, Parse(Nine, line))
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: no puzzles", name)
	}
	return all
}

//go:embed testdata/generated.txt
var generated string

// Generated returns 100 puzzles of size 9 with one solution each, those of "sator sudoku generate
// -n 100 --seed 1" as of one version.
func Generated() []*sudoku.Grid {
	var all []*sudoku.Grid
	for _, line := range strings.Fields(generated) {
		all = append(all, Parse(Nine, line))
	}
	return all
}
