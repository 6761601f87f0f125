package solve_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku/solve"
	"sator/sudoku/text"
)

// TestMemory checks that a stream of plain puzzles of size 9 allocates nothing for a puzzle
// if they are read in runs and the memory of answers is used again, and that the answers are the same.
func TestMemory(t *testing.T) {
	lines := []string{
		"000000010400000000020000000000050407008000300001090000300400200050100000000806000",
		"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9.......", // several solutions
		"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
		".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........", // no solution
	}
	fresh := solve.New(solve.Options{})
	var want []solve.Answer
	for _, l := range lines {
		want = append(want, fresh.Count(context.Background(), sudokutest.Parse(sudokutest.Nine, l), 2))
	}
	const n = 500
	s, src := solve.New(solve.Options{}), strings.Repeat(strings.Join(lines, "\n")+"\n", n)
	allocs := testing.AllocsPerRun(1, func() {
		r := text.NewFileReader(context.Background(), []string{""}, func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(src)), nil
		})
		var a solve.Answer
		var run text.Lines
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(lines) * n {
			if i > 0 && !run.Next(p) && (!r.Lines(&run, 100) || !run.Next(p)) {
				if p, err = r.Next(); err != nil {
					t.Fatal(err)
				}
			}
			a = s.CountReusing(context.Background(), p.Grid, 2, a)
			w := &want[i%len(lines)]
			if a.Status != w.Status || a.Count != w.Count || a.Complete != w.Complete || !slices.EqualFunc(a.Solutions, w.Solutions, slices.Equal) {
				t.Fatalf("puzzle %d: %+v, want %+v", i, a, w)
			}
		}
	})
	if allocs > float64(len(lines)*n/2) { // most of them for the rules
		t.Errorf("%v allocations for %d puzzles", allocs, len(lines)*n)
	}
}
