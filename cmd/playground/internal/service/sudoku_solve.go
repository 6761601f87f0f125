package service

import (
	"errors"
	"fmt"
	"math"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// Solutions of a Sudoku: one, their number, or the proof that there is only one.

// A SudokuAnswer has the solutions that were found.
type SudokuAnswer struct {
	// Verdict is "none", "unique" or "several", "solution" if a solution was found and the
	// search for others did not end, and "unknown" if it was stopped without one.
	Verdict   string  `json:"verdict"`
	Count     int     `json:"count"`
	Complete  bool    `json:"complete"`            // there are no other solutions
	Solutions [][]int `json:"solutions,omitempty"` // the first two
	Differ    []int   `json:"differ,omitempty"`    // the cells in which these two differ

	Conflict []int  `json:"conflict,omitempty"` // the cells of a rule that the givens break
	Message  string `json:"message,omitempty"`  // about that rule
}

// verdict returns the answer of an engine for the page.
func verdict(a solve.Answer) (*SudokuAnswer, error) {
	if a.Err != nil {
		return nil, a.Err
	}
	v := &SudokuAnswer{Count: a.Count, Complete: a.Complete, Solutions: a.Solutions}
	switch {
	case a.Status == dimacs.Unsatisfiable:
		v.Verdict = "none"
	case a.Count > 1:
		v.Verdict = "several"
	case a.Unique():
		v.Verdict = "unique"
	case a.Count == 1:
		v.Verdict = "solution"
	default:
		v.Verdict = "unknown"
	}
	if a.Conflict != nil {
		v.Conflict, v.Message = a.Conflict.Cells, a.Conflict.Msg
	}
	if len(a.Solutions) == 2 {
		for cell, digit := range a.Solutions[0] {
			if a.Solutions[1][cell] != digit {
				v.Differ = append(v.Differ, cell)
			}
		}
	}
	return v, nil
}

type solveSudokuRequest struct {
	sudokuRequest
	Engine string `json:"engine,omitempty"` // a name in solve.Engines
}

// answer returns the answer of the engine of the request.
func (in *solveSudokuRequest) answer(count func(*solve.Solver) solve.Answer) (*SudokuAnswer, error) {
	o := solve.Options{Engine: in.Engine}
	if err := o.Check(); err != nil {
		return nil, err
	}
	return verdict(count(solve.New(o)))
}

// solveSudoku finds one solution. It does not search for others.
func solveSudoku(c *Call, g *sudoku.Grid, in solveSudokuRequest) (*SudokuAnswer, error) {
	return in.answer(func(s *solve.Solver) solve.Answer { return s.Solve(c.Context(), g) })
}

// uniqueSudoku proves that there is one solution, or finds two that differ in Differ.
func uniqueSudoku(c *Call, g *sudoku.Grid, in solveSudokuRequest) (*SudokuAnswer, error) {
	return in.answer(func(s *solve.Solver) solve.Answer { return s.Count(c.Context(), g, 2) })
}

type countSudokuRequest struct {
	sudokuRequest
	Limit int64 `json:"limit"` // at most maxCount
}

// maxCount is the largest limit of countSudoku. A number in JavaScript can have nine times as much.
const maxCount int64 = 1_000_000_000_000_000

// firstCount is the limit of the first of several searches of countSudoku.
const firstCount = 1000

// countSudoku counts solutions up to a limit. It searches with limits that grow tenfold, and
// sends the number so far after each of them, so a stopped count has a lower bound.
func countSudoku(c *Call, g *sudoku.Grid, in countSudokuRequest) (*SudokuAnswer, error) {
	if in.Limit < 1 || in.Limit > maxCount {
		return nil, fmt.Errorf("limit %d: want 1 to %d", in.Limit, maxCount)
	}
	s := solve.New(solve.Options{})
	for limit := min(firstCount, in.Limit); ; limit = min(10*limit, in.Limit) {
		found := s.Count(c.Context(), g, int(min(limit, math.MaxInt)))
		if limit == in.Limit || int64(found.Count) < limit {
			return verdict(found)
		}
		if c.Progress(countProgress{found.Count}); c.Yield() {
			return verdict(found)
		}
	}
}

type countProgress struct {
	Count int `json:"count"` // solutions found so far
}

// onlySolution returns the solution of a puzzle if it is unique. If the search was stopped,
// the error is that of the context.
func onlySolution(c *Call, g *sudoku.Grid) ([]int, error) {
	found := solve.New(solve.Options{}).Count(c.Context(), g, 2)
	switch {
	case found.Err != nil:
		return nil, found.Err
	case found.Unique():
		return found.Solutions[0], nil
	case found.Count > 1:
		return nil, errSeveral
	case found.Complete && found.Conflict != nil:
		return nil, fmt.Errorf("the puzzle has no solution: %w", found.Conflict)
	case found.Complete:
		return nil, errors.New("the puzzle has no solution")
	}
	return nil, c.Ctx.Err()
}

// errSeveral is the error of hints for a puzzle with several solutions.
var errSeveral = errors.New("the puzzle has more than one solution, so no digit follows from reasons alone; \"Check unique\" shows two solutions")
