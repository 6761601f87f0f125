package technique

import "context"

// A Rating measures how hard a puzzle is for people: by the techniques that it needs,
// when each step uses the easiest one.
type Rating struct {
	Hardest   Difficulty // the rating of the hardest step; 0 for a full grid
	technique *Technique // the technique of that step; nil for a full grid
	Sum       Difficulty // the ratings of all steps, added up
	Steps     int
	Solved    bool // false if all techniques together do not solve the puzzle
}

// Name returns the name of the hardest technique, "none" for a full grid.
func (r *Rating) Name() string {
	if r.technique == nil {
		return "none"
	}
	return r.technique.Name
}

// Rate solves the puzzle on the board by hints, and returns its rating: that of the hardest step of
// all hints. The error is the cause of ctx.
//
// A puzzle of size 9 takes a fraction of a millisecond without chains, some ten
// milliseconds with chains, and seconds if it needs nested chains.
func Rate(ctx context.Context, b *Board) (Rating, error) { return Path(ctx, b, nil) }

// add adds a step.
func (r *Rating) add(s *Step) {
	r.Steps++
	r.Sum += s.Rating
	if s.Rating > r.Hardest {
		r.Hardest, r.technique = s.Rating, s.Technique
	}
}
