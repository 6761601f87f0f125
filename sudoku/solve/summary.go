package solve

import (
	"fmt"
	"strings"
)

// A Summary counts puzzles by their answers.
type Summary struct {
	Puzzles int64 // puzzles answered
	unique  int64 // puzzles with exactly one solution
	several int64 // puzzles with more than one solution
	open    int64 // puzzles with a solution that is perhaps not unique
}

// Add counts an answer.
func (s *Summary) Add(a *Answer) {
	s.Puzzles++
	switch {
	case a.Unique():
		s.unique++
	case a.Count > 1:
		s.several++
	case a.Count == 1:
		s.open++
	}
}

// Merge adds the counts of another summary.
func (s *Summary) Merge(o *Summary) {
	s.Puzzles += o.Puzzles
	s.unique += o.unique
	s.several += o.several
	s.open += o.open
}

// String returns the counts as text, without those of rare cases that are 0:
// "2 puzzles, 1 solved, 1 unique, 1 without a solution". Puzzles are "perhaps
// unique" if one solution was found and the search for others was not finished.
func (s *Summary) String() string {
	solved := s.unique + s.several + s.open
	parts := []string{fmt.Sprintf("%d puzzles", s.Puzzles), fmt.Sprintf("%d solved", solved), fmt.Sprintf("%d unique", s.unique)}
	if s.Puzzles == 1 {
		parts[0] = "1 puzzle"
	}
	if s.open > 0 {
		parts = append(parts, fmt.Sprintf("%d perhaps unique", s.open))
	}
	if s.several > 0 {
		parts = append(parts, fmt.Sprintf("%d with several solutions", s.several))
	}
	if none := s.Puzzles - solved; none > 0 {
		parts = append(parts, fmt.Sprintf("%d without a solution", none))
	}
	return strings.Join(parts, ", ")
}
