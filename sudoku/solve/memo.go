package solve

import (
	"context"
	"math/rand/v2"

	"sator/dimacs"
	"sator/internal/infer"
	"sator/sudoku"
	"sator/sudoku/internal/bands"
)

// Many solutions, for rules that say no more than that digits differ: a search that infers and
// branches, and remembers the numbers of solutions of nodes with the same candidates in open cells
// (see package bands). It places the digits of a row before those of the next one, since what is
// below a row depends on the sets of digits above alone. The key of the candidates is the
// exclusive or of 128 random bits for each; it is the same for two different sets with probability 2^-128.

// manySolutions is the number of solutions from which on the engine auto begins again with a memory.
const manySolutions = 1000

// A counter counts the solutions of puzzles with the same rules.
type counter struct {
	rules    *sudoku.Rules
	interval int64 // nodes between two looks at the context, a tenth of a millisecond
	memory   bands.Memory
	keys     []bands.Key // by candidate
	levels   []*sudoku.Candidates
	stats    infer.Stats // without the puzzles, which are those of the trial
}

func newCounter(r *sudoku.Rules) *counter {
	c := &counter{rules: r, interval: 1 + 1<<16/int64(r.Cells()*r.Size()), keys: make([]bands.Key, r.Cells()*r.Size())}
	random := rand.New(rand.NewChaCha8([32]byte{}))
	for i := range c.keys {
		c.keys[i] = bands.Key{Hi: random.Uint64(), Lo: random.Uint64()}
	}
	return c
}

// count returns the number of solutions, up to a limit.
func (c *counter) count(ctx context.Context, g *sudoku.Grid, limit int) (n int, complete bool) {
	c.memory.Begin(limit)
	if c.at(0).Load(g) {
		n = c.below(ctx, 0)
	}
	return n, !c.memory.Over()
}

// at returns the candidates of a level of the search.
func (c *counter) at(depth int) *sudoku.Candidates {
	if depth == len(c.levels) {
		c.levels = append(c.levels, sudoku.NewCandidates(c.rules))
	}
	return c.levels[depth]
}

// below returns the number of solutions below the node at a depth, or of those that were found when the
// search was over.
func (c *counter) below(ctx context.Context, depth int) (n int) {
	at := c.levels[depth]
	if c.stats.Nodes++; c.stats.Nodes%c.interval == 0 && dimacs.Canceled(ctx) {
		c.memory.End()
	}
	switch {
	case !at.Singles() || at.Locked() && !at.Singles():
		c.stats.DeadEnds++
		return 0
	case at.Solved():
		return c.memory.Found(1)
	}
	key := c.key(at)
	if known, ok := c.memory.Known(key); ok || c.memory.Over() {
		return known
	}
	c.stats.Branches++
	next := c.at(depth + 1)
	next.CopyFrom(at)
	choice := c.choose(at)
	if next.Place(choice) {
		n = c.below(ctx, depth+1)
	}
	if at.Eliminate(choice) {
		n += c.below(ctx, depth)
	}
	c.memory.Keep(key, n)
	return n
}

// key returns the key of the candidates of open cells.
func (c *counter) key(at *sudoku.Candidates) (k bands.Key) {
	size := c.rules.Size()
	for cell := range c.rules.Cells() {
		if at.Digit(cell) != 0 {
			continue
		}
		for i := cell * size; i < (cell+1)*size; i++ {
			if at.Has(i) {
				k.Hi ^= c.keys[i].Hi
				k.Lo ^= c.keys[i].Lo
			}
		}
	}
	return k
}

// choose returns the first candidate of the cell with the fewest, in the first row with an open cell.
func (c *counter) choose(at *sudoku.Candidates) (choice int) {
	size := c.rules.Size()
	fewest := size + 1
	for cell := range c.rules.Cells() {
		if cell%size == 0 && fewest <= size {
			break
		}
		if n := at.Left(cell); at.Digit(cell) == 0 && n < fewest {
			fewest, choice = n, cell*size
		}
	}
	for !at.Has(choice) {
		choice++
	}
	return choice
}
