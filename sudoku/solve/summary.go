package solve

import (
	"fmt"
	"strings"
)

// A Summary counts puzzles by their answers.
type Summary struct {
	Puzzles int64 // puzzles answered
	Solved  int64 // puzzles with a solution
	Unique  int64 // puzzles with exactly one solution
	Several int64 // puzzles with more than one solution
	None    int64 // puzzles without a solution
}

// Add counts an answer.
func (s *Summary) Add(a *Answer) {
	s.Puzzles++
	switch {
	case a.Count == 0:
		s.None++
		return
	case a.Unique():
		s.Unique++
	case a.Count > 1:
		s.Several++
	}
	s.Solved++
}

// String returns the counts as text, without those of rare cases that are 0:
// "2 puzzles, 1 solved, 1 unique, 1 without a solution". Puzzles are "perhaps
// unique" if one solution was found and the search for others was not finished.
func (s *Summary) String() string {
	parts := []string{fmt.Sprintf("%d puzzles", s.Puzzles), fmt.Sprintf("%d solved", s.Solved), fmt.Sprintf("%d unique", s.Unique)}
	if s.Puzzles == 1 {
		parts[0] = "1 puzzle"
	}
	if open := s.Solved - s.Unique - s.Several; open > 0 {
		parts = append(parts, fmt.Sprintf("%d perhaps unique", open))
	}
	if s.Several > 0 {
		parts = append(parts, fmt.Sprintf("%d with several solutions", s.Several))
	}
	if s.None > 0 {
		parts = append(parts, fmt.Sprintf("%d without a solution", s.None))
	}
	return strings.Join(parts, ", ")
}
