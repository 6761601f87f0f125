package technique

import "context"

// A Rating measures how hard a puzzle is for people: by the techniques that it needs,
// when each step uses the easiest one.
type Rating struct {
	Hardest   Difficulty // the rating of the hardest step; 0 for a full grid
	Technique string     // the technique of the first step as hard as that; "none" for a full grid
	Pearl     Difficulty // the rating of the hardest step up to the first digit
	Diamond   Difficulty // the rating of the first step
	Sum       Difficulty // the ratings of all steps, added up
	Steps     int
	Solved    bool // false if all techniques together do not solve the puzzle
}

// Rate solves the puzzle on the board by hints, and returns its rating: that of the hardest step of
// all hints. The error is the cause of ctx.
//
// A puzzle of size 9 takes a fraction of a millisecond without chains, some ten
// milliseconds with chains, and seconds if it needs nested chains.
func Rate(ctx context.Context, b *Board) (Rating, error) { return Path(ctx, b, nil) }

// Add adds a step.
func (r *Rating) Add(technique string, d Difficulty, places bool) {
	if r.Steps == 0 {
		r.Diamond = d
	}
	r.Steps++
	r.Sum += d
	if d > r.Hardest {
		r.Hardest, r.Technique = d, technique
	}
	if r.Pearl == 0 && places {
		r.Pearl = r.Hardest
	}
}
