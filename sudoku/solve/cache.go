package solve

import (
	"context"

	"sator/sudoku"
)

// A cache keeps the adapters of one engine, by the rules that they are loaded
// with.
type cache struct {
	engine  *Engine
	options *Options
	loaded  map[string]adapter // by rules as text
	rules   *sudoku.Rules      // the rules of the last puzzle
	key     string             // these rules as text
	last    adapter            // the adapter for these rules; nil if they are not loaded
	spent   Effort             // effort of adapters that were deleted, or made for one puzzle
}

const (
	// largeSize is the smallest size at which each puzzle has a formula of its
	// own.
	largeSize = 25

	// maxLoaded is the largest number of adapters in the cache. At size 9 each
	// takes a few megabytes.
	maxLoaded = 16
)

func newCache(e *Engine, o *Options) *cache {
	return &cache{engine: e, options: o, loaded: make(map[string]adapter)}
}

// count counts the solutions of a puzzle with the adapter for its rules, or with
// one for this puzzle alone.
//
// If a puzzle has several solutions, the first one that a stateful adapter
// finds may depend on earlier puzzles. So a stateful adapter searches for two
// solutions, whatever the limit; if there are two, a new adapter counts again,
// for this puzzle alone. Most puzzles have one solution, and the proof that it
// is the only one is cheap.
func (c *cache) count(ctx context.Context, g *sudoku.Grid, limit int) (tally, error) {
	a, err := c.adapter(ctx, g)
	if err != nil {
		return tally{}, err
	}
	var shared tally // found by the adapter of the rules
	if a != nil {
		if !a.stateful() {
			return a.count(ctx, g, limit), nil
		}
		if shared = a.count(ctx, g, 2); shared.n < 2 {
			return shared, nil
		}
	}
	if a, err = c.engine.load(ctx, c.options, g, true); err != nil {
		return shared, err
	}
	t := a.count(ctx, g, limit)
	c.spent.add(a.effort())
	if t.n < shared.n && t.n < limit { // ctx ended before the second count found as much
		t = shared
	}
	return t, nil
}

// adapter returns the adapter for the rules of a puzzle. It returns nil if the
// puzzle must have one of its own: in large grids, where a formula of the
// givens is far smaller than one of the rules; with cages or relations, since
// two puzzles hardly ever have the same ones; with the encoding reduced, which propagates
// the givens; and with irregular regions that are not loaded and differ from
// those of the previous puzzle, since often no second puzzle has the same
// regions.
func (c *cache) adapter(ctx context.Context, g *sudoku.Grid) (adapter, error) {
	if g.Rules == c.rules && c.last != nil {
		return c.last, nil
	}
	v := g.Rules.Variant()
	if v.Size >= largeSize || !g.Rules.OnlyDiffer() || c.options.Coding.Encoding == "reduced" {
		return nil, nil
	}
	previous := c.key
	c.rules, c.key, c.last = g.Rules, g.Rules.String(), nil
	if a, ok := c.loaded[c.key]; ok {
		c.last = a
		return a, nil
	}
	if v.Regions != nil && c.key != previous {
		return nil, nil
	}
	a, err := c.engine.load(ctx, c.options, sudoku.NewGrid(g.Rules), false)
	if err != nil {
		return nil, err
	}
	c.add(a)
	return a, nil
}

// add adds the adapter for the rules of the last puzzle. It deletes all others if
// the cache is full.
func (c *cache) add(a adapter) {
	if len(c.loaded) == maxLoaded {
		c.spent = c.effort()
		clear(c.loaded)
	}
	c.loaded[c.key] = a
	c.last = a
}

// effort returns the effort of all calls.
func (c *cache) effort() Effort {
	e := c.spent
	for _, a := range c.loaded {
		e.add(a.effort())
	}
	return e
}
