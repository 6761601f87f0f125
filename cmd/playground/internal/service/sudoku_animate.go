package service

import (
	"fmt"

	"sator/cmd/internal/film"
	"sator/dpll/classic"
	"sator/sudoku"
)

// The search for the solution of a Sudoku as frames of an animation.

type animateSudokuRequest struct {
	sudokuRequest
	Encoding  string `json:"encoding"`
	Heuristic string `json:"heuristic"`
	Pure      string `json:"pure"`
	Seed      uint64 `json:"seed"`
	Frames    int    `json:"frames"` // at most; 0 for defaultFrames
}

// Limits of the number of frames. The frames of a grid of size 25 take about 300 bytes each.
const (
	defaultFrames = 2000
	maxFrames     = 20_000
)

// A SudokuFilm is a recorded search. Each cell has size+2 slots: a mark for each candidate, a
// digit, and a pointer at the cell, see package film. A frame lists the slots that change.
type SudokuFilm struct {
	Status    string       `json:"status"`
	Caption   string       `json:"caption"`
	Events    int          `json:"events"`
	Truncated bool         `json:"truncated"`
	Styles    int          `json:"styles"`          // the value of a digit is 1 + style + styles*(digit-1)
	Found     []int        `json:"found,omitempty"` // by cell: the digit that follows from the givens without a variable
	Counters  []string     `json:"counters"`
	Frames    []film.Still `json:"frames"`
}

// animateSudoku records the search of the classic engine. A canceled search has the frames up
// to then.
func animateSudoku(c *Call, g *sudoku.Grid, in animateSudokuRequest) (_ *SudokuFilm, err error) {
	o := classic.DefaultOptions()
	o.Seed = in.Seed
	if in.Heuristic != "" {
		o.Heuristic = in.Heuristic
	}
	if in.Pure != "" {
		if o.Pure, err = classic.ParsePure(in.Pure); err != nil {
			return nil, err
		}
	}
	if in.Frames == 0 {
		in.Frames = defaultFrames
	}
	if in.Frames < film.MinFrames || in.Frames > maxFrames {
		return nil, fmt.Errorf("%d frames: want %d to %d", in.Frames, film.MinFrames, maxFrames)
	}
	recording, err := film.Record(c.Context(), g, sudoku.Coding{Encoding: in.Encoding}, o)
	if err != nil {
		return nil, err
	}
	return &SudokuFilm{
		Status: recording.Status.String(), Caption: recording.Caption, Events: recording.Events(), Truncated: recording.Truncated,
		Styles: film.Styles, Found: recording.Found(), Counters: film.CounterNames[:], Frames: recording.Stills(recording.Group(in.Frames)),
	}, nil
}
