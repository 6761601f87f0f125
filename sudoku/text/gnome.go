package text

import "encoding/json"

// JSON of a game of GNOME Sudoku:
//
//	{"difficulty_category":"EASY_CATEGORY","cells":[{"position":[0,1],"value":5,"fixed":true,"earmarks":[]},...],...}
//
// The cells have a digit or notes; empty ones are left out. Rows and columns count from 0. A digit that is
// not fixed is one of the player.

// A gnomeGame has the members of a game that are read.
type gnomeGame struct {
	Cells []struct {
		Position []int `json:"position"`
		Value    int   `json:"value"`
		Fixed    bool  `json:"fixed"`
		Earmarks []int `json:"earmarks"`
	} `json:"cells"`
}

// readGnome reads a game of GNOME Sudoku, which has size 9.
func (r *Reader) readGnome(l line, text []byte) (*Puzzle, error) {
	const n = 9
	var game gnomeGame
	if err := json.Unmarshal(text, &game); err != nil {
		return nil, r.in.at(l, 0, "JSON of GNOME Sudoku: %v", err)
	} else if len(game.Cells) == 0 {
		return nil, r.in.at(l, 0, "JSON of GNOME Sudoku without \"cells\"")
	}
	symbols := make([]symbol, n*n)
	for i := range symbols {
		symbols[i] = l.blank()
	}
	for _, c := range game.Cells {
		at := c.Position
		if len(at) != 2 || min(at[0], at[1], c.Value) < 0 || max(at[0], at[1]) >= n || c.Value > n {
			return nil, r.in.at(l, 0, "JSON of GNOME Sudoku: the digit %d at the position %v: want a row and a column from 0 to 8", c.Value, at)
		}
		if len(c.Earmarks) > 0 {
			r.warnOnce(l.number, playerNotes)
		}
		s := &symbols[n*at[0]+at[1]]
		s.set(c.Value)
		s.found = !c.Fixed
	}
	if size := r.size(); size > 0 && size != n {
		return nil, r.in.at(l, 0, "JSON of GNOME Sudoku has size 9, want %d", size)
	}
	return r.puzzleOf(symbols, r.rulesFor(n, 0), "json")
}
