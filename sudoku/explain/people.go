package explain

import (
	"cmp"
	"context"

	"sator/sudoku"
	"sator/sudoku/scale"
	"sator/sudoku/technique"
)

// Scales returns the names of the scales of difficulty for people: se has the techniques, the order
// and the numbers of Sudoku Explainer 1.2.1, sukaku those of Sukaku Explainer, see package [scale]; all
// has those of package [technique], and rates variants, too; none rates nothing.
func Scales() []string { return []string{"se", "sukaku", "all", "none"} }

// ScaleTechniques returns the names of the techniques of a scale, easiest first. "" stands for se.
func ScaleTechniques(name string) []string {
	var names []string
	switch name = cmp.Or(name, "se"); name {
	case "se", "sukaku":
		return scale.Techniques(name)
	case "all":
		for _, t := range technique.All {
			names = append(names, t.Name)
		}
	}
	return names
}

// RatedSize is the largest size of a puzzle whose difficulty for people is rated. In
// larger grids nested chains can take hours.
const RatedSize = 9

// A PeopleRater rates the difficulty of puzzles with the same rules for people. It may be used by one
// goroutine at a time.
type PeopleRater struct {
	Scale string // the name of the scale in use: all for rules that Sudoku Explainer does not have
	scale *scale.Rater
	board *technique.Board
}

// NewPeopleRater returns a rater, or nil if puzzles with these rules have no rating: with cages or relations, in
// sizes above [RatedSize], and on the scale none. It panics at an unknown name.
func NewPeopleRater(r *sudoku.Rules, name string, without []string) *PeopleRater {
	switch {
	case name == "none" || r.Size() > RatedSize || !r.OnlyDiffer():
		return nil
	case name != "all" && scale.Rated(r):
		name = cmp.Or(name, "se")
		return &PeopleRater{Scale: name, scale: scale.NewRater(name, without...)}
	}
	board := technique.NewBoard(r)
	board.Without = without
	return &PeopleRater{Scale: "all", board: board}
}

// Rate rates a puzzle, which must have exactly one solution. The error is the cause of ctx.
func (r *PeopleRater) Rate(ctx context.Context, g *sudoku.Grid) (technique.Rating, error) {
	if r.scale != nil {
		return r.scale.Rate(ctx, g)
	}
	r.board.Load(g)
	r.board.Unique, r.board.Alone = true, givensDecide(ctx, g)
	return technique.Rate(ctx, r.board)
}
