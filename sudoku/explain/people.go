package explain

import (
	"context"
	"slices"

	"sator/sudoku/technique"
)

// Techniques of package technique, as rows of the table of hints. A step of that package
// knows its premises: the candidates that had to be eliminated before. So it is derived
// again, after other steps were removed, by a look at the premises alone.

// boardSizes are the largest sizes of techniques with a rating of at least that of the
// row: chains of large grids take too long.
var boardSizes = []struct {
	rating technique.Difficulty
	size   int
}{{0, technique.MaxSize}, {66, 25}, {80, ProvedSize}}

// peopleMethods returns the techniques between singles and failed literals.
func peopleMethods() []method {
	var list []method
	first, last := technique.ByName("pointing"), technique.ByName("forcing chains")
	for _, t := range technique.All[slices.Index(technique.All, first) : slices.Index(technique.All, last)+1] {
		help := t.Help
		if t.Unique {
			help += "; assumes one solution"
		}
		list = append(list, method{t.Name, help, func(h *hinter, ctx context.Context) []Step { return h.byBoard(ctx, t) }, (*hinter).derivePeople})
	}
	return list
}

// byBoard returns the first step of a technique.
func (h *hinter) byBoard(ctx context.Context, t *technique.Technique) []Step {
	for _, limit := range boardSizes {
		if t.Rating >= limit.rating && h.rules.Size() > limit.size {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	b := technique.NewBoard(h.rules)
	b.LoadCandidates(h.now)
	b.Unique = h.rules.Size() <= ProvedSize && h.puzzle.Marks == nil
	found := t.Find(b)
	if found == nil {
		return nil
	}
	return []Step{{
		Rating: found.Rating, Placed: found.Placed, Eliminated: found.Eliminated, Text: b.Reason(found),
		rules: h.rules, premises: b.Premises(found),
	}}
}

// derivePeople returns the step unchanged if its premises hold.
func (h *hinter) derivePeople(s Step) (Step, bool) {
	return s, !slices.ContainsFunc(s.premises, h.now.Has)
}
