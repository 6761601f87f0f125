package service

import (
	"slices"

	"sator/sudoku"
	"sator/sudoku/explain"
)

// Hints for a Sudoku, the path to its solution, and its rating.

type hintSudokuRequest struct {
	sudokuRequest       // the givens
	Entries       []int `json:"entries"`    // by cell: the digit that was entered, or 0
	Eliminated    []int `json:"eliminated"` // candidates that earlier hints eliminated
}

// A SudokuHint has the steps to the next digit. The last one places it.
type SudokuHint struct {
	Steps []SudokuStep `json:"steps"`
	Marks []int        `json:"marks"`           // the candidates before the first step
	Wrong []int        `json:"wrong,omitempty"` // cells whose entry is not the digit of the solution; then there are no steps
}

// A SudokuStep is a conclusion. Candidates are numbers: cell*size + digit-1.
type SudokuStep struct {
	Technique  string   `json:"technique"`
	Rating     string   `json:"rating,omitempty"` // such as "4.2"; "" for the technique core
	Conclusion string   `json:"conclusion"`
	Text       string   `json:"text"`
	Details    []string `json:"details,omitempty"`
	Placed     int      `json:"placed"` // a candidate, or -1
	Eliminated []int    `json:"eliminated,omitempty"`
	Cells      []int    `json:"cells,omitempty"`
	Candidates []int    `json:"candidates,omitempty"`
	Givens     []int    `json:"givens,omitempty"` // the cells of the givens that force the digit
}

func stepsOf(steps []explain.Step) []SudokuStep {
	list := make([]SudokuStep, 0, len(steps))
	for _, s := range steps {
		j := SudokuStep{
			Technique: s.Technique, Conclusion: s.Conclusion(), Text: s.Text, Details: s.Details,
			Placed: s.Placed, Eliminated: s.Eliminated, Cells: s.Cells, Candidates: s.Candidates, Givens: s.Givens,
		}
		if s.Rating != 0 {
			j.Rating = s.Rating.String()
		}
		list = append(list, j)
	}
	return list
}

// current returns the puzzle with the entries as placed digits and without the eliminated
// candidates. Entries in the cells of givens are ignored.
func (in *hintSudokuRequest) current(puzzle *sudoku.Grid) (*sudoku.Grid, error) {
	current := sudoku.NewGrid(puzzle.Rules)
	if len(in.Entries) > 0 {
		if err := setDigits(current, in.Entries); err != nil {
			return nil, err
		}
		current.Placed = make([]bool, len(puzzle.Cells))
		for cell, digit := range puzzle.Cells {
			current.Placed[cell] = digit == 0
		}
	}
	if err := setDigits(current, puzzle.Cells); err != nil {
		return nil, err
	}
	return current, exclude(current, slices.Concat(in.Grid.Excluded, in.Eliminated))
}

// hintSudoku returns the next hint. The puzzle must have one solution; up to
// explain.ProvedSize that is proved first, and wrong entries are found.
func hintSudoku(c *Call, puzzle *sudoku.Grid, in hintSudokuRequest) (*SudokuHint, error) {
	current, err := in.current(puzzle)
	if err != nil {
		return nil, err
	}
	if puzzle.Rules.Size() <= explain.ProvedSize {
		solution, err := onlySolution(c, puzzle)
		if err != nil {
			return nil, err
		}
		hint := &SudokuHint{Steps: []SudokuStep{}, Marks: []int{}}
		for cell, digit := range current.Cells {
			if digit != 0 && digit != solution[cell] {
				hint.Wrong = append(hint.Wrong, cell)
			}
		}
		if hint.Wrong != nil {
			return hint, nil
		}
	}
	steps, err := explain.Hint(c.Context(), current)
	if err != nil {
		return nil, err
	}
	return &SudokuHint{Steps: stepsOf(steps), Marks: openCandidates(current)}, nil
}

// A SudokuPath has all steps to the solution.
type SudokuPath struct {
	Steps []SudokuStep `json:"steps"`
}

// pathSudoku returns the steps of all hints from the puzzle to its solution.
func pathSudoku(c *Call, g *sudoku.Grid, _ sudokuRequest) (*SudokuPath, error) {
	steps, err := explain.Path(c.Context(), g)
	if err != nil {
		return nil, err
	}
	return &SudokuPath{stepsOf(steps)}, nil
}

// A SudokuRating tells how hard a puzzle is.
type SudokuRating struct {
	Class     string `json:"class"`
	ClassHelp string `json:"classHelp"`
	Solutions int    `json:"solutions"` // 0, 1, or 2 for more than one
	Message   string `json:"message,omitempty"`

	// Cells is the number of empty cells, and the others are how many of them an inference
	// fills: singles, the 2SAT rule, and failed literals.
	Cells       int `json:"cells"`
	Propagation int `json:"propagation"`
	TwoSAT      int `json:"twoSAT"`
	Probing     int `json:"probing"`

	People *PeopleRating `json:"people,omitempty"` // of puzzles up to size 9 with one solution and without cages
	Runs   []RatedRun    `json:"runs"`
}

// A PeopleRating is the difficulty for people.
type PeopleRating struct {
	Rating    string `json:"rating"`
	Technique string `json:"technique"`
	Steps     int    `json:"steps"`
	Solved    bool   `json:"solved"` // false if the techniques do not suffice
}

// A RatedRun is the search of an engine.
type RatedRun struct {
	Encoding  string `json:"encoding"`
	Engine    string `json:"engine"`
	Status    string `json:"status"`
	Decisions int64  `json:"decisions"`
	Conflicts int64  `json:"conflicts"`
}

// rateSudoku rates a puzzle.
func rateSudoku(c *Call, g *sudoku.Grid, _ sudokuRequest) (*SudokuRating, error) {
	found, err := explain.Rate(c.Context(), g, explain.RateOptions{})
	if err != nil {
		return nil, err
	}
	r := &SudokuRating{
		Class: found.Class.String(), ClassHelp: classHelp[found.Class], Solutions: found.Solutions,
		Cells: found.Cells, Propagation: found.Propagation, TwoSAT: found.TwoSAT, Probing: found.Probing, Runs: []RatedRun{},
	}
	if found.Conflict != nil {
		r.Message = found.Conflict.Msg
	}
	if p := found.People; p != nil {
		r.People = &PeopleRating{p.Hardest.String(), p.Technique, p.Steps, p.Solved}
	}
	for _, run := range found.Runs {
		r.Runs = append(r.Runs, RatedRun{run.Encoding, run.Engine, run.Status.String(), run.Decisions, run.Conflicts})
	}
	return r, nil
}
