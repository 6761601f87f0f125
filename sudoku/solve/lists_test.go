package solve_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"testing"

	"sator/sudoku"
	"sator/sudoku/solve"
)

// Each engine finds exactly one solution of each puzzle in well-known lists. The
// environment variable SATOR_SUDOKU names their directory.
func TestLists(t *testing.T) {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU does not name the directory of the lists")
	}
	for _, l := range []struct {
		file string
		size int
		most int // puzzles that are solved
	}{
		{"17clue-8000.txt", 9, 1000}, {"top1465.txt", 9, 300}, {"study-1011.txt", 9, 300}, {"damnhard-35.txt", 9, 35},
		{"top95.txt", 9, 95}, {"easy50.txt", 9, 50}, {"4x4-1000.txt", 4, 1000}, {"16x16-1000.txt", 16, 30},
	} {
		rules := sudoku.Must(sudoku.Standard(l.size))
		f, err := os.Open(filepath.Join(dir, l.file))
		if err != nil {
			t.Fatal(err)
		}
		solvers := map[string]*solve.Solver{}
		for _, e := range solve.Engines {
			solvers[e.Name] = solve.New(solve.Options{Engine: e.Name})
		}
		for lines, n := bufio.NewScanner(f), 0; lines.Scan() && n < l.most; {
			line := lines.Text()
			if len(line) < rules.Cells() || line[0] == '#' {
				continue
			}
			n++
			g := sudoku.NewGrid(rules)
			for cell := range g.Cells {
				g.Cells[cell] = digit(line[cell])
			}
			for name, s := range solvers {
				if a := s.Count(context.Background(), g, 2); !a.Unique() {
					t.Errorf("%s, puzzle %d, %s: %d solutions, complete is %v", l.file, n, name, a.Count, a.Complete)
				}
			}
		}
		f.Close()
	}
}

// digit returns the digit of a character, 0 for a blank.
func digit(c byte) int {
	switch {
	case '1' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'Z':
		return int(c-'A') + 10
	}
	return 0
}
