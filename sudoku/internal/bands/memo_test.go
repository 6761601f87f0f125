package bands

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
)

// open returns a puzzle with hundreds of solutions or many more.
func open(r *rand.Rand) *sudoku.Grid {
	g := sudokutest.Parse(rules, "123456789456789123789123456214365897365897214897214365531642978642978531978531642")
	for _, cell := range r.Perm(81)[:58+r.IntN(3)] {
		g.Cells[cell] = 0
	}
	return g
}

// TestMemory counts many solutions with one memory for all puzzles, to limits, to an end of the context, and
// completely. Visit has no memory.
func TestMemory(t *testing.T) {
	var s, counter Solver
	limited, stopped, all := 0, 0, 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 3))
		g, want := open(r), 0
		if !s.Visit(context.Background(), g, func() bool { want++; return want < 50_000 }) {
			continue
		}
		for range 3 {
			limit := 1 + r.IntN(2*want)
			n, complete := counter.Count(context.Background(), g, limit, func() {})
			if n != min(limit, want) || complete != (limit > want) {
				t.Fatalf("seed %d: Count(%d) returns %d, %v; want %d", seed, limit, n, complete, want)
			}
			if !complete {
				limited++
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		n, complete := counter.Count(ctx, g, 1<<30, cancel)
		if n > want || complete && n < want {
			t.Fatalf("seed %d: stopped, Count returns %d, %v; want %d", seed, n, complete, want)
		}
		if !complete {
			stopped++
		}
		if n, complete := counter.Count(context.Background(), g, 1<<30, func() {}); n != want || !complete {
			t.Fatalf("seed %d: Count returns %d, %v; want %d", seed, n, complete, want)
		}
		all++
	}
	if limited < 30 || stopped < 3 || all < 30 {
		t.Errorf("%d counts to a limit, %d that were stopped, %d puzzles", limited, stopped, all)
	}
	if visited, counted := s.Stats().Branches, counter.Stats().Branches; 10*counted > visited {
		t.Errorf("%d branches, %d with a memory", visited, counted)
	}
}

// TestKey checks that the key of candidates has each candidate of an open cell, and no other.
func TestKey(t *testing.T) {
	var c candidates
	c.load(sudoku.NewGrid(rules))
	before, seen := c.key(), map[Key]bool{}
	for d := range c.cells {
		for i := range 81 {
			word, bit := bitOf(i)
			changed := c
			changed.cells[d][word] &^= bit
			seen[changed.key()] = true
			changed.fixed[word] |= bit
			seen[changed.key()] = true
		}
	}
	if seen[before] || len(seen) != 9*81+81 { // a fixed cell is the same for each digit
		t.Errorf("%d keys", len(seen))
	}
}
