package solve

import (
	"fmt"
	"strings"
)

// A Summary counts puzzles by their answers.
type Summary struct {
	Puzzles int64 // puzzles answered
	solved  int64 // puzzles with a solution
	unique  int64 // puzzles with exactly one solution
	several int64 // puzzles with more than one solution
	none    int64 // puzzles without a solution
}

// Add counts an answer.
func (s *Summary) Add(a *Answer) {
	s.Puzzles++
	switch {
	case a.Count == 0:
		s.none++
		return
	case a.Unique():
		s.unique++
	case a.Count > 1:
		s.several++
	}
	s.solved++
}

// String returns the counts as text, without those of rare cases that are 0:
// "2 puzzles, 1 solved, 1 unique, 1 without a solution". Puzzles are "perhaps
// unique" if one solution was found and the search for others was not finished.
func (s *Summary) String() string {
	parts := []string{fmt.Sprintf("%d puzzles", s.Puzzles), fmt.Sprintf("%d solved", s.solved), fmt.Sprintf("%d unique", s.unique)}
	if s.Puzzles == 1 {
		parts[0] = "1 puzzle"
	}
	if open := s.solved - s.unique - s.several; open > 0 {
		parts = append(parts, fmt.Sprintf("%d perhaps unique", open))
	}
	if s.several > 0 {
		parts = append(parts, fmt.Sprintf("%d with several solutions", s.several))
	}
	if s.none > 0 {
		parts = append(parts, fmt.Sprintf("%d without a solution", s.none))
	}
	return strings.Join(parts, ", ")
}
