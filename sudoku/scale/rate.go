package scale

import (
	"context"
	"slices"

	"sator/sudoku"
	"sator/sudoku/technique"
)

// A Step is a step of a path. Candidates are numbered as in [sudoku.Rules.Candidate].
type Step struct {
	Technique  string
	Rating     technique.Difficulty
	Placed     int   // the candidate that is true, or -1
	Eliminated []int // the candidates that are false; a digit placed excludes more
}

// A Rater rates puzzles. It may be used by one goroutine at a time.
type Rater struct {
	board   board
	rules   []finder
	without []string
}

// Techniques returns the names of the steps of a scale, easiest first. It panics if the scale is not "se" or "sukaku".
func Techniques(scale string) []string {
	names := []string{
		"last cell", "hidden single", "direct pointing", "direct claiming", "direct hidden pair", "naked single",
		"direct hidden triple", "pointing", "claiming", "naked pair", "X-wing", "hidden pair", "naked triple", "swordfish",
		"hidden triple", linkNames[2], "XY-wing", "XYZ-wing", "unique rectangle", "unique loop", "naked quad", "jellyfish",
		"hidden quad", linkNames[3], wingNames[4], graveName, linkNames[4], wingNames[5], "aligned pair exclusion",
		wingNames[6], "X-cycle", "XY-cycle", "X-chain", "alternating inference cycle", "alternating inference chain",
		wingNames[7], "aligned triple exclusion", "nishio forcing chains", "forcing chains", "dynamic forcing chains",
		"dynamic forcing chains +", "nested forcing chains",
	}
	switch scale {
	case "sukaku":
		return names
	case "se":
		return slices.DeleteFunc(names, func(name string) bool {
			return slices.Contains(linkNames[:], name) || slices.Contains(wingNames[:], name)
		})
	}
	panic("scale: no scale " + scale)
}

// NewRater returns a rater that uses all techniques of a scale but the named ones. It panics at a scale or a
// name that [Techniques] does not have.
func NewRater(scale string, without ...string) *Rater {
	known := Techniques(scale)
	for _, name := range without {
		if !slices.Contains(known, name) {
			panic("scale: no technique " + name)
		}
	}
	r := &Rater{without: without}
	chains := func(name string, multiple, dynamic, nishio bool, level int, rating float64) finder {
		var c *chainer
		return func(b *board, yield func(*step) bool) {
			if c == nil {
				c = newChainer(b, name, multiple, dynamic, nishio, level, rating)
			}
			chains := c.search()
			for i := range chains {
				if !yield(&chains[i].step) {
					return
				}
			}
		}
	}
	more := func(find finder) []finder {
		if scale == "sukaku" {
			return []finder{find}
		}
		return nil
	}
	r.rules = slices.Concat([]finder{
		hiddenSingles, directLocked, directHiddenSets(2), nakedSingles, directHiddenSets(3),
		locked, nakedSets(2), fish(2), hiddenSets(2), nakedSets(3), fish(3), hiddenSets(3),
	}, more(strongLinks(2)), []finder{
		wings(2), wings(3), uniqueLoops, nakedSets(4), fish(4), hiddenSets(4),
	}, more(strongLinks(3)), more(lockedWings(4)), []finder{
		universalGraves,
	}, more(strongLinks(4)), more(lockedWings(5)), []finder{
		alignedPairs,
	}, more(lockedWings(6)), []finder{
		chains("", false, false, false, 0, 0),
	}, more(lockedWings(7)), []finder{
		alignedTriples,
		chains("nishio forcing chains", false, true, true, 0, 7.5),
		chains("forcing chains", true, false, false, 0, 8.0),
		chains("dynamic forcing chains", true, true, false, 0, 8.5),
		chains("dynamic forcing chains +", true, true, false, 1, 9.0),
		chains("nested forcing chains", true, true, false, 2, 9.5),
		chains("nested forcing chains", true, true, false, 3, 10.0),
		chains("nested forcing chains", true, true, false, 4, 10.5),
		chains("nested forcing chains", true, true, false, 5, 11.0),
	})
	return r
}

// Rated reports whether there are ratings for puzzles with these rules: size 9 with boxes of three by
// three cells, and nothing else.
func Rated(r *sudoku.Rules) bool { return r.String() == "9 boxes 3x3" }

// Rate rates a puzzle. The error is the cause of ctx.
func (r *Rater) Rate(ctx context.Context, g *sudoku.Grid) (technique.Rating, error) {
	return r.Path(ctx, g, nil)
}

// Path rates a puzzle, and calls use, unless it is nil, for each step. The puzzle must have one
// solution, since some techniques assume it. The error is the cause of ctx. It panics if [Rated] is
// false for the rules.
func (r *Rater) Path(ctx context.Context, g *sudoku.Grid, use func(*Step)) (technique.Rating, error) {
	if !Rated(g.Rules) {
		panic("scale: not a puzzle of size 9 without further rules")
	}
	b := &r.board
	b.reset()
	b.done = func() bool { return ctx.Err() != nil }
	for c, possible := range g.Marks {
		if !possible {
			b.remove(candidate(c))
		}
	}
	for cell, digit := range g.Cells {
		if digit != 0 {
			b.place(candidate(9*cell + digit - 1))
		}
	}
	rating := technique.Rating{Technique: "none"}
	for {
		s := r.next()
		if ctx.Err() != nil {
			return rating, context.Cause(ctx)
		}
		if s == nil {
			rating.Solved = b.empty == [27]int8{}
			return rating, nil
		}
		rating.Add(s.name, tenths(s.rating), s.placed >= 0)
		if use != nil {
			use(s.exported())
		}
		for _, c := range s.off {
			b.remove(c)
		}
		if s.placed >= 0 {
			b.place(s.placed)
		}
	}
}

// next returns the first step of the easiest technique that has one that changes the board, or nil.
func (r *Rater) next() *step {
	var found *step
	for _, find := range r.rules {
		find(&r.board, func(s *step) bool {
			if s.placed < 0 && len(s.off) == 0 || slices.Contains(r.without, s.name) {
				return true
			}
			found = s
			return false
		})
		if found != nil || r.board.done() {
			break
		}
	}
	return found
}

// tenths returns a rating as a number of tenths.
func tenths(rating float64) technique.Difficulty { return technique.Difficulty((rating + 0.05) * 10) }

// exported returns a step as one of the package's users.
func (s *step) exported() *Step {
	e := &Step{Technique: s.name, Rating: tenths(s.rating), Placed: int(s.placed)}
	for _, c := range s.off {
		e.Eliminated = append(e.Eliminated, int(c))
	}
	return e
}
