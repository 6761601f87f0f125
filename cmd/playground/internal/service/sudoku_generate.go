package service

import (
	"fmt"
	"time"

	"sator/sudoku"
	"sator/sudoku/generate"
	"sator/sudoku/technique"
)

// New Sudokus by class and rating.

type generateSudokuRequest struct {
	Rules     string `json:"rules"` // as in sudoku.ParseVariant, without cages
	Jigsaw    bool   `json:"jigsaw"`
	Killer    bool   `json:"killer"`
	Symmetry  string `json:"symmetry"`
	Class     string `json:"class"`
	MinRating string `json:"minRating"` // such as "4.2", or "" for no bound
	MaxRating string `json:"maxRating"`
	MinGivens *int   `json:"minGivens"` // null for no bound
	MaxGivens *int   `json:"maxGivens"`
	Minimal   bool   `json:"minimal"`
	Seed      uint64 `json:"seed"`
	Effort    int    `json:"effort"` // 0 for generate.DefaultEffort
}

// GenerateProgress is the progress of generateSudoku.
type GenerateProgress struct {
	Effort int    `json:"effort"` // spent so far
	Limit  int    `json:"limit"`
	Why    string `json:"why"` // why the last attempt failed
}

// progressPeriod is the time between two progress messages.
const progressPeriod = 100 * time.Millisecond

// generateSudoku makes a puzzle with its solution. The same request returns the same puzzle.
// A request that is canceled, or has spent its effort, is an error.
func generateSudoku(c *Call, in generateSudokuRequest) (*SudokuPuzzle, error) {
	o, err := in.options()
	if err != nil {
		return nil, err
	}
	last := time.Now()
	o.Progress = func(effort int, why string) {
		if time.Since(last) >= progressPeriod {
			last = time.Now()
			c.Progress(GenerateProgress{effort, o.Effort, why})
		}
		c.Yield()
	}
	g, err := generate.New(o)
	if err != nil {
		return nil, err
	}
	made, err := g.Make(c.Context(), 0)
	if err != nil {
		return nil, err
	}
	p := describe(made.Grid)
	p.Solution = made.Solution
	return p, nil
}

// options returns the options of the generator.
func (in *generateSudokuRequest) options() (o generate.Options, err error) {
	if o.Variant, err = sudoku.ParseVariant(in.Rules); err != nil {
		return o, fmt.Errorf("invalid rules: %w", err)
	}
	if err := checkShown(o.Variant); err != nil {
		return o, err
	}
	o.Variant.Cages = nil
	o.Jigsaw, o.Killer, o.Minimal, o.Class, o.Seed = in.Jigsaw, in.Killer, in.Minimal, in.Class, in.Seed
	if in.Symmetry != "" {
		if o.Symmetry, err = generate.ParseSymmetry(in.Symmetry); err != nil {
			return o, err
		}
	}
	if in.MinRating != "" || in.MaxRating != "" {
		o.MinRating, o.MaxRating = technique.Difficulty(1), technique.Difficulty(999)
	}
	if in.MinRating != "" {
		if o.MinRating, err = technique.ParseDifficulty(in.MinRating); err != nil {
			return o, err
		}
	}
	if in.MaxRating != "" {
		if o.MaxRating, err = technique.ParseDifficulty(in.MaxRating); err != nil {
			return o, err
		}
	}
	o.LimitGivens = in.MinGivens != nil || in.MaxGivens != nil || o.Killer && !o.Minimal
	if in.MinGivens != nil {
		o.MinGivens, o.MaxGivens = *in.MinGivens, o.Variant.Size*o.Variant.Size
	}
	if in.MaxGivens != nil {
		o.MaxGivens = *in.MaxGivens
	}
	if o.Effort = in.Effort; o.Effort == 0 {
		o.Effort = generate.DefaultEffort
	}
	return o, nil
}
