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
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// Lines returns puzzles of size 9, see [Parse].
func Lines(lines ...string) []*sudoku.Grid {
	var all []*sudoku.Grid
	for _, line := range lines {
		all = append(all, Parse(Nine, line))
	}
	return all
}

// Solutions returns solutions of a puzzle, sorted, all or as many as a limit above 0. It shares no code
// with the solvers: it tries the digits of the cell with the fewest that no peer has.
func Solutions(g *sudoku.Grid, limit int) [][]int {
	if g.Conflict() != nil {
		return nil
	}
	var found [][]int
	work := g.Clone()
	var try func()
	try = func() {
		cell, digits := -1, []int(nil)
		for c, digit := range work.Cells {
			if digit != 0 {
				continue
			}
			if fits := Allowed(work, c); cell < 0 || len(fits) < len(digits) {
				cell, digits = c, fits
			}
		}
		if cell < 0 {
			if work.Conflict() == nil { // cages
				found = append(found, slices.Clone(work.Cells))
			}
			return
		}
		for _, digit := range digits {
			work.Cells[cell] = digit
			if try(); len(found) == limit && limit > 0 {
				return
			}
		}
		work.Cells[cell] = 0
	}
	try()
	slices.SortFunc(found, slices.Compare[[]int])
	return found
}

// Allowed returns the digits of a cell that its marks allow and no peer has.
func Allowed(g *sudoku.Grid, cell int) []int {
	var digits []int
	for digit := 1; digit <= g.Rules.Size(); digit++ {
		seen := slices.ContainsFunc(g.Rules.Peers(cell), func(peer int) bool { return g.Cells[peer] == digit })
		if !seen && (g.Marks == nil || g.Marks[g.Rules.Candidate(cell, digit)]) {
			digits = append(digits, digit)
		}
	}
	return digits
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
	return Lines(strings.Fields(generated)...)
}

//go:embed testdata/published.txt
var published string

// Published returns published puzzles with rules of nearly all kinds, with one solution each, in lines
// of rules and lines of digits.
func Published() (puzzles []*sudoku.Grid) {
	var rules *sudoku.Rules
	for line := range strings.Lines(published) {
		line = strings.TrimSpace(line)
		if words, ok := strings.CutPrefix(line, "# rules "); ok {
			v, err := sudoku.ParseVariant(words)
			if err != nil {
				panic("sudokutest: " + err.Error())
			}
			rules = sudoku.Must(v)
		} else if rules != nil && line != "" {
			puzzles = append(puzzles, Parse(rules, line))
		}
	}
	return puzzles
}

// A Search is a puzzle, and an encoding and a heuristic of dpll for it.
type Search struct {
	Name, Encoding, Heuristic string

	Grid *sudoku.Grid
}

// Searches returns searches of all kinds, for programs that draw them: with and without a
// solution, with auxiliary variables, with propagated givens, with other rules, and of a grid too
// large for marks that are digits. The search named hard has hundreds of nodes.
func Searches() []Search {
	const (
		four  = "..1....33......."
		hard  = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
		wrong = "11.............."
		empty = "................"
	)
	parse := func(v sudoku.Variant, digits string) *sudoku.Grid { return Parse(sudoku.Must(v), digits) }
	small := sudoku.Standard(4)
	cage := sudoku.Standard(4)
	cage.X = true
	cage.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{1, 2}}}
	large := sudoku.NewGrid(sudoku.Must(sudoku.Standard(12)))
	for cell := range 12 {
		large.Cells[cell] = cell + 1
	}
	return []Search{
		{"four", "extended", "dlcs", parse(small, four)},
		{"minimal", "minimal", "positive", parse(small, four)},
		{"none", "extended", "mom", parse(small, "1..2.3....4..2..")},
		{"wrong", "extended", "mom", parse(small, wrong)},
		{"spent", "reduced", "mom", parse(small, wrong)},
		{"reduced", "reduced", "mom", Parse(Nine, hard)},
		{"hard", "extended", "positive", Parse(Nine, hard)},
		{"triad", "triad", "mom", Parse(Nine, hard)},
		{"2sat", "2sat", "mom", parse(small, empty)},
		{"variant", "extended", "first", parse(cage, empty)},
		{"large", "reduced", "positive", large},
		{"one", "extended", "mom", parse(sudoku.Standard(1), ".")},
		{"straight", "efficient", "jw2", parse(sudoku.Latin(5), "1...2..4.................")},
	}
}

// Golden compares an output with the file of this name in testdata. With the environment
// variable UPDATE set, it writes the file first.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (UPDATE=1 rewrites it):\n%s", file, got)
	}
}
