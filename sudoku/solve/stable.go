package solve

import (
	"context"

	"sator/sudoku"
)

// A stable keeps the workers of an engine by the rules that they are for.
type stable struct {
	engine  *Engine
	options *Options
	rules   *sudoku.Rules // of the last puzzle
	text    string        // its rules as text
	worker  worker        // for these; nil if they are not loaded
	loaded  map[string]worker
	effort  Effort // of workers that are gone
}

const (
	// largeSize is the size from which on each puzzle has its own formula.
	largeSize = 25

	// manyRules is how many rules are kept loaded. At size 9 each takes a few
	// megabytes.
	manyRules = 16
)

func newStable(e *Engine, o *Options) *stable {
	return &stable{engine: e, options: o, loaded: make(map[string]worker)}
}

// count has a worker for the rules count, if there is one, or one for the
// puzzle alone.
//
// Which one of several solutions a worker finds first may depend on what it
// has learned from other puzzles. So such a worker is asked for two, whatever
// the limit: if there are, a new worker is asked again. Most puzzles have one
// solution, and that it is the only one is proved cheaply.
func (s *stable) count(ctx context.Context, g *sudoku.Grid, limit int) (tally, error) {
	w, err := s.shared(g)
	if err != nil {
		return tally{}, err
	}
	var before tally
	if w != nil {
		if !w.remembers() {
			return w.count(ctx, g, limit), nil
		}
		if before = w.count(ctx, g, 2); before.n < 2 {
			return before, nil
		}
	}
	if w, err = s.engine.load(s.options, g, true); err != nil {
		return tally{}, err
	}
	t := w.count(ctx, g, limit)
	s.effort.Add(w.effort())
	if t.n < before.n && t.n < limit { // out of time: more was known before
		t = before
	}
	return t, nil
}

// shared returns the worker for the rules of a puzzle, nil if it is to have one
// of its own.
func (s *stable) shared(g *sudoku.Grid) (worker, error) {
	if g.Rules == s.rules && s.worker != nil {
		return s.worker, nil
	}
	v := g.Rules.Variant()
	if v.Size >= largeSize || len(v.Cages) > 0 || s.options.Coding.Encoding == "reduced" {
		return nil, nil
	}
	before := s.text
	s.rules, s.text, s.worker = g.Rules, g.Rules.String(), nil
	if w, ok := s.loaded[s.text]; ok {
		s.worker = w
		return w, nil
	}
	if v.Regions != nil && s.text != before {
		return nil, nil
	}
	w, err := s.engine.load(s.options, sudoku.NewGrid(g.Rules), false)
	if err != nil {
		return nil, err
	}
	s.keep(w)
	return w, nil
}

// keep keeps a worker for the rules of the last puzzle.
func (s *stable) keep(w worker) {
	if len(s.loaded) == manyRules {
		s.effort = s.Effort()
		clear(s.loaded)
	}
	s.loaded[s.text] = w
	s.worker = w
}

// Effort returns what all calls took so far.
func (s *stable) Effort() Effort {
	e := s.effort
	for _, w := range s.loaded {
		e.Add(w.effort())
	}
	return e
}
