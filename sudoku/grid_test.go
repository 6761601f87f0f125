package sudoku_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sator/sudoku"
)

// TestConflict compares the conflicts of random grids with a comparison of all peers.
func TestConflict(t *testing.T) {
	seen := map[bool]int{}
	for _, rules := range []*sudoku.Rules{sudoku.Must(sudoku.Standard(9)), sudoku.Must(sudoku.Standard(6))} {
		n := rules.Size()
		for seed := range uint64(3000) {
			r := rand.New(rand.NewPCG(seed, 5))
			g := sudoku.NewGrid(rules)
			for range 1 + r.IntN(12) {
				g.Cells[r.IntN(len(g.Cells))] = r.IntN(n) + 1
			}
			if r.IntN(20) == 0 {
				g.Cells[r.IntN(len(g.Cells))] = []int{-1, n + 1, 15, 16, 31, 32, 63, 64, 65, math.MaxInt}[r.IntN(10)]
			}
			wrong := false
			for cell, digit := range g.Cells {
				wrong = wrong || digit < 0 || digit > n
				for _, peer := range rules.Peers(cell) {
					wrong = wrong || digit != 0 && g.Cells[peer] == digit
				}
			}
			if c := g.Conflict(); (c != nil) != wrong {
				t.Fatalf("size %d, seed %d: conflict %v, want one: %v", n, seed, c, wrong)
			}
			seen[wrong]++
		}
	}
	if seen[true] < 1000 || seen[false] < 1000 {
		t.Errorf("grids with and without a conflict: %v", seen)
	}
}
