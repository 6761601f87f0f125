package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"sator/sudoku"
	"sator/sudoku/generate"
	"sator/sudoku/solve"
	"sator/sudoku/text"
)

// puzzleFacts holds properties of a puzzle.
type puzzleFacts struct {
	solution []int
	minimal  func() bool // no given is redundant
	order    []int       // the cells without a given, in the order in which with adds givens
}

// puzzleSubjects returns puzzles as subjects. A puzzle without a unique
// solution is an error. Random choices for a puzzle depend only on the seed and
// its number.
func puzzleSubjects(ctx context.Context, puzzles []*sudoku.Grid, seed uint64) ([]*Subject, error) {
	s := solve.New(solve.Options{})
	var subjects []*Subject
	for i, g := range puzzles {
		a := s.Count(ctx, g, 2)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case a.Err != nil:
			return nil, fmt.Errorf("puzzle %d: %v", i+1, a.Err)
		case a.Count == 0:
			return nil, fmt.Errorf("puzzle %d has no solution", i+1)
		case a.Count > 1:
			return nil, fmt.Errorf("puzzle %d has several solutions", i+1)
		}
		facts := &puzzleFacts{solution: a.Solutions[0]}
		facts.minimal = sync.OnceValue(func() bool {
			spare, err := generate.Redundant(context.Background(), generate.CounterFor(g.Rules), g)
			return err == nil && len(spare) == 0
		})
		for cell, digit := range g.Cells {
			if digit == 0 {
				facts.order = append(facts.order, cell)
			}
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		r.Shuffle(len(facts.order), func(a, b int) { facts.order[a], facts.order[b] = facts.order[b], facts.order[a] })
		subjects = append(subjects, &Subject{Text: text.Line(g), Puzzle: g, puzzle: facts})
	}
	return subjects, nil
}

// with returns the puzzle of a subject with extra correct givens. The givens
// added for a smaller number are a subset.
func (s *Subject) with(extra int) *sudoku.Grid {
	if extra == 0 {
		return s.Puzzle
	}
	g := s.Puzzle.Clone()
	for _, cell := range s.puzzle.order[:min(extra, len(s.puzzle.order))] {
		g.Cells[cell] = s.puzzle.solution[cell]
	}
	return g
}

// makePuzzles generates count puzzles.
func makePuzzles(ctx context.Context, o generate.Options, count int) ([]*sudoku.Grid, error) {
	g, err := generate.New(o)
	if err != nil {
		return nil, err
	}
	var puzzles []*sudoku.Grid
	err = g.Each(ctx, 0, uint64(count), 0, func(p *generate.Puzzle) error {
		puzzles = append(puzzles, p.Grid)
		return nil
	})
	return puzzles, err
}

// puzzleAttributes returns the number of givens of g, which is the puzzle of s
// with extra givens, and whether it is minimal.
func puzzleAttributes(s *Subject, g *sudoku.Grid, extra int) []string {
	return []string{strconv.Itoa(g.Givens()), yesNo(extra == 0 && s.puzzle.minimal())}
}

// givensOf returns the number of puzzles for each number of givens.
func givensOf(subjects []*Subject) map[int]int {
	count := map[int]int{}
	for _, s := range subjects {
		count[s.Puzzle.Givens()]++
	}
	return count
}

// minimal returns the number of minimal puzzles among the subjects.
func (p *Plan) minimal() int {
	n := 0
	for _, s := range p.subjects {
		if s.puzzle.minimal() {
			n++
		}
	}
	return n
}
