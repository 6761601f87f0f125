package solve_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// list reads the puzzles of size 9 in a file of the directory that the environment
// variable SATOR_SUDOKU names. It skips the benchmark if that is not set.
func list(b *testing.B, name string) []*sudoku.Grid {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		b.Skip("SATOR_SUDOKU does not name the directory of the lists")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	rules := sudoku.Must(sudoku.Standard(9))
	var puzzles []*sudoku.Grid
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); len(line) >= 81 && line[0] != '#' {
			g := sudokutest.Parse(sudokutest.Nine, line[:81])
			g.Rules = rules
			puzzles = append(puzzles, g)
		}
	}
	if len(puzzles) == 0 {
		b.Fatal("no puzzles")
	}
	return puzzles
}

// BenchmarkUnique proves that the puzzles of two lists have one solution. Each
// pass over a list begins with a new solver:
//
//	SATOR_SUDOKU=DIR go test -bench Unique -cpu 1 ./sudoku/solve
func BenchmarkUnique(b *testing.B) {
	for _, name := range []string{"17clue-8000.txt", "top1465.txt"} {
		for _, o := range []solve.Options{{Engine: "cdcl"}, {Engine: "cdcl", Coding: sudoku.Coding{Encoding: "extended"}}, {Engine: "dpll"}} {
			b.Run(name+"/"+o.Engine+o.Coding.Encoding, func(b *testing.B) {
				puzzles := list(b, name)
				s := solve.New(o)
				b.ResetTimer()
				for i := range b.N {
					if i%len(puzzles) == 0 {
						s = solve.New(o)
					}
					if a := s.Count(context.Background(), puzzles[i%len(puzzles)], 2); !a.Unique() {
						b.Fatalf("puzzle %d has %d solutions", i, a.Count)
					}
				}
				e := s.Effort()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
				b.ReportMetric(float64(e.Conflicts)/float64(len(puzzles)), "conflicts/puzzle")
			})
		}
	}
}
