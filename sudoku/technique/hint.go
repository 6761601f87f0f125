package technique

import (
	"context"
	"fmt"
	"slices"
)

// Hints: the steps to the next digit. A hint starts from the digits of the board and forgets the
// candidates that earlier hints eliminated, so it depends on the digits alone. Hint after
// hint gives the steps of [Path], and the hardest of them is the rating.

// Hint returns the steps to the next digit of the board; the board does not change. The last step
// places the digit; the steps before it eliminate candidates, and the last step depends on all of
// them. Each step uses the easiest technique that finds one. Hint returns nil if no technique finds a step, if
// the board is solved or broken, or if the context of the board ends.
func (b *Board) Hint() []*Step {
	if b.Solved() || b.broken {
		return nil
	}
	now := b.copied()
	var steps []*Step
	for {
		found := now.nextSteps()
		if len(found) == 0 || b.ctx.Err() != nil {
			return nil
		}
		for _, s := range found {
			s.premises = now.Premises(s)
		}
		for _, s := range found {
			if !now.changes(s) {
				continue
			}
			now.apply(s)
			if steps = append(steps, s); s.Placed >= 0 {
				return b.trim(steps, now)
			}
			if now.Single() != nil {
				break
			}
		}
	}
}

// copied returns the scratch board as a copy of the board.
func (b *Board) copied() *Board {
	if b.scratch == nil {
		b.scratch = b.clone()
	} else {
		b.scratch.copyFrom(b)
	}
	return b.scratch
}

// nextSteps returns the steps of the easiest technique that finds one, as far as they have the
// rating of the first, or only the first if it places a digit.
func (b *Board) nextSteps() []*Step {
	var steps []*Step
	for _, t := range All {
		if t.refusal(b) != "" {
			continue
		}
		t.find(b, func(s *Step) bool {
			t.sign(s)
			if len(steps) > 0 && s.Rating != steps[0].Rating {
				return false
			}
			steps = append(steps, s)
			return s.Placed < 0 && t != All[len(All)-1] // nested chains, of which the first one is used
		})
		if len(steps) > 0 {
			break
		}
	}
	return steps
}

// Find returns the steps of a technique on the board, the shortest chains first; of several steps with
// the same conclusion the first. It finds all chains, not only the shortest ones.
func (b *Board) Find(t *Technique) []*Step {
	var steps []*Step
	if t.refusal(b) != "" {
		return nil
	}
	b.everything = true
	defer func() { b.everything = false }()
	known := make(map[string]bool)
	t.find(b, func(s *Step) bool {
		if key := fmt.Sprint(s.Placed, s.Eliminated); b.changes(s) && !known[key] {
			known[key] = true
			steps = append(steps, t.sign(s))
		}
		return b.ctx.Err() == nil
	})
	return steps
}

// Single returns a last cell, a hidden single or a naked single; nil without a single.
func (b *Board) Single() *Step {
	for _, name := range []string{"last cell", "hidden single", "naked single"} {
		if s := ByName(name).first(b); s != nil {
			return s
		}
	}
	return nil
}

// changes reports whether a step places a digit or eliminates a candidate.
func (b *Board) changes(s *Step) bool {
	return s.Placed >= 0 && !b.placed[s.Placed/b.size] || slices.ContainsFunc(s.Eliminated, b.holds)
}

// trim removes steps that the last one does not depend on. Most steps of a long list are not
// needed: trim tries to remove half of them at a time, then a quarter, down to single steps. It
// overwrites scratch.
func (b *Board) trim(steps []*Step, scratch *Board) []*Step {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for end := len(steps) - 1; end > 0; end -= size {
			without := slices.Delete(slices.Clone(steps), max(end-size, 0), end)
			if b.follows(without, scratch) {
				steps = without
			}
		}
	}
	return steps
}

// follows reports whether the premises of steps hold from the board on. It overwrites scratch.
func (b *Board) follows(steps []*Step, scratch *Board) bool {
	scratch.copyFrom(b)
	for _, s := range steps {
		if slices.ContainsFunc(s.premises, scratch.holds) {
			return false
		}
		scratch.apply(s)
	}
	return true
}

// Follow calls use for the steps of a hint, each with the board before it and without the
// eliminations of steps before it. The board b does not change.
func (b *Board) Follow(steps []*Step, use func(now *Board, s *Step)) {
	now := b.copied()
	for _, s := range steps {
		only := *s
		only.Eliminated = slices.DeleteFunc(slices.Clone(s.Eliminated), func(c int) bool { return !now.holds(c) })
		use(now, &only)
		now.apply(s)
	}
}

// Path solves the puzzle on the board by hints, and returns its rating. It calls use, unless it is
// nil, for the steps of all hints as [Board.Follow] does, except for steps that only repeat
// eliminations of earlier hints that were as hard. The error is the cause of ctx.
func Path(ctx context.Context, b *Board, use func(now *Board, s *Step)) (Rating, error) {
	r := Rating{Technique: "none"}
	before := b.ctx
	b.ctx = ctx
	defer func() { b.ctx = before }()
	known := make([]Difficulty, len(b.digits)*b.size) // by candidate: the hardest step that eliminated it
	for !b.Solved() && !b.broken {
		steps := b.Hint()
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if len(steps) == 0 {
			return r, nil
		}
		b.Follow(steps, func(now *Board, s *Step) {
			repeats := s.Placed < 0
			for _, c := range s.Eliminated {
				repeats = repeats && known[c] >= s.Rating
				known[c] = max(known[c], s.Rating)
			}
			if repeats {
				return
			}
			r.Add(s.Technique.Name, s.Rating, s.Placed >= 0)
			if use != nil {
				use(now, s)
			}
		})
		b.Place(steps[len(steps)-1].Placed)
	}
	r.Solved = !b.broken
	return r, nil
}
