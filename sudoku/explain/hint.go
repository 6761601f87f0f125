package explain

import (
	"context"
	"fmt"
	"slices"

	"sator/sudoku"
	"sator/sudoku/technique"
)

// A Step is a conclusion on the way to the solution: it places a digit or
// eliminates candidates.
type Step struct {
	Technique  string // one of [Techniques]
	Placed     int    // the candidate that is true, or -1
	Eliminated []int  // the candidates that are false
	Text       string // the reason, in words
	Givens     []int  // the cells of the givens that force the digit, if the technique is core

	// Rating is the difficulty of a technique between singles and failed literals, 0
	// for others.
	Rating technique.Difficulty

	rules    *sudoku.Rules
	premises []int // the candidates that had to be eliminated before, if Rating is not 0
}

// String returns the step as a sentence: "R3C5=7, hidden single: 7 has no other
// place in box 2".
func (s Step) String() string { return fmt.Sprintf("%s, %s: %s", s.Conclusion(), s.Technique, s.Text) }

// Conclusion returns the conclusion of the step, such as "R3C5=7" or "R3C5<>7".
func (s Step) Conclusion() string {
	if s.Placed >= 0 {
		return equation(s.rules, s.Placed)
	}
	names := make([]string, len(s.Eliminated))
	for i, candidate := range s.Eliminated {
		names[i] = inequation(s.rules, candidate)
	}
	return listed(names)
}

// conclusion returns the candidate of a step and its truth value.
func (s Step) conclusion() (candidate int, value bool) {
	if s.Placed >= 0 {
		return s.Placed, true
	}
	return s.Eliminated[0], false
}

// Techniques returns the names of all techniques, easiest first, and a line of help
// for each.
func Techniques() (names, help []string) {
	for _, t := range techniques {
		names, help = append(names, t.name), append(help, t.help)
	}
	return names, help
}

// An Ambiguity error reports that a puzzle has more than one solution.
type Ambiguity struct {
	Solutions [2][]int
	Cell      int // the first cell in which the solutions differ
	rules     *sudoku.Rules
}

func (e *Ambiguity) Error() string {
	return fmt.Sprintf("the puzzle has more than one solution: %s is %d in one and %d in another",
		e.rules.CellName(e.Cell), e.Solutions[0][e.Cell], e.Solutions[1][e.Cell])
}

// Hint returns the steps to the next digit of a puzzle. The last step places
// the digit; the steps before it, if any, eliminate candidates, and all of them
// are needed. Each step uses the easiest technique that finds a step. For a
// full grid Hint returns no steps.
//
// The error is a [*Contradiction] if the puzzle has no solution, an
// [*Ambiguity] if it has several, and otherwise the cause of ctx. In puzzles
// larger than [ProvedSize], where a proof of uniqueness could take hours, Hint
// returns a single without that check.
func Hint(ctx context.Context, g *sudoku.Grid) ([]Step, error) {
	if g.Rules.Size() > ProvedSize && g.Conflict() == nil {
		if s, ok := newHinter(g).single(ctx); ok {
			return []Step{s}, nil
		}
	}
	if err := checkUnique(ctx, g); err != nil {
		return nil, err
	}
	h := newHinter(g)
	if h.now.Solved() {
		return nil, nil
	}
	return h.next(ctx)
}

// ProvedSize is the largest size at which Hint always proves that the puzzle has
// one solution.
const ProvedSize = 16

// Path returns the steps to the solution of a puzzle. It is a sequence of hints as
// [Hint] returns them, except that eliminated candidates stay eliminated. The
// errors are those of Hint.
func Path(ctx context.Context, g *sudoku.Grid) ([]Step, error) {
	if err := checkUnique(ctx, g); err != nil {
		return nil, err
	}
	h := newHinter(g)
	var path []Step
	for !h.now.Solved() {
		steps, err := h.next(ctx)
		if err != nil {
			return nil, err
		}
		path = append(path, steps...)
	}
	return path, nil
}

// A hinter finds the steps to the solution of a puzzle, which must have exactly one
// solution.
type hinter struct {
	puzzle *sudoku.Grid
	rules  *sudoku.Rules
	now    *sudoku.Candidates // the candidates after all steps so far
	start  *sudoku.Candidates // the candidates before the first step of the current hint
	trial  *sudoku.Candidates // scratch
}

// newHinter returns a hinter before the first step.
func newHinter(g *sudoku.Grid) *hinter {
	r := g.Rules
	h := &hinter{puzzle: g, rules: r, now: sudoku.NewCandidates(r), start: sudoku.NewCandidates(r), trial: sudoku.NewCandidates(r)}
	h.now.Load(g)
	return h
}

// single returns a naked or hidden single, if there is one.
func (h *hinter) single(ctx context.Context) (Step, bool) {
	for _, t := range techniques[:2] {
		for _, s := range t.find(h, ctx) {
			s.Technique = t.name
			return s, true
		}
	}
	return Step{}, false
}

// step returns a step about one candidate.
func (h *hinter) step(candidate int, value bool, text string) Step {
	s := Step{rules: h.rules, Placed: -1, Text: text}
	if value {
		s.Placed = candidate
	} else {
		s.Eliminated = []int{candidate}
	}
	return s
}

// apply updates the candidates by a step.
func (h *hinter) apply(s Step) {
	if s.Placed >= 0 {
		h.now.Place(s.Placed)
	}
	for _, candidate := range s.Eliminated {
		h.now.Eliminate(candidate)
	}
}

// next returns the steps up to the next digit.
func (h *hinter) next(ctx context.Context) ([]Step, error) {
	h.start.CopyFrom(h.now)
	var steps []Step
	for {
		found, err := h.find(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			h.apply(s)
			steps = append(steps, s)
			if s.Placed >= 0 {
				return h.trim(steps), nil
			}
			if _, ok := h.single(ctx); ok {
				break
			}
		}
	}
}

// find returns the steps of the easiest technique that finds a step.
func (h *hinter) find(ctx context.Context) ([]Step, error) {
	for _, t := range techniques {
		steps := t.find(h, ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(steps) > 0 {
			for i := range steps {
				steps[i].Technique = t.name
			}
			return steps, nil
		}
	}
	panic("explain: no technique finds a digit of a puzzle that has one solution")
}

// trim removes steps that the last one does not depend on, and derives the others
// again without them. Most steps of a long list are not needed: trim tries to
// remove half of them at a time, then a quarter, down to single steps.
func (h *hinter) trim(steps []Step) []Step {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for end := len(steps) - 1; end > 0; end -= size {
			without := slices.Delete(slices.Clone(steps), max(end-size, 0), end)
			if shorter, ok := h.replay(without); ok {
				steps = shorter
			}
		}
	}
	steps, _ = h.replay(steps)
	return steps
}

// replay applies steps from the start of the hint and returns them with new
// reasons. The second result is false if a step cannot be derived.
func (h *hinter) replay(steps []Step) ([]Step, bool) {
	h.now.CopyFrom(h.start)
	for i, s := range steps {
		again, ok := h.derive(s)
		if !ok {
			return nil, false
		}
		again.Technique = s.Technique
		steps[i] = again
		h.apply(again)
	}
	return steps, true
}

// derive derives the conclusion of a step from the current candidates, by the
// technique of the step.
func (h *hinter) derive(s Step) (Step, bool) {
	for _, t := range techniques {
		if t.name == s.Technique {
			return t.derive(h, s)
		}
	}
	panic("explain: a step without a technique")
}
