package explain

import (
	"context"
	"fmt"

	"sator/sudoku"
	"sator/sudoku/technique"
)

// A Step is a conclusion on the way to the solution: it places a digit or
// eliminates candidates.
type Step struct {
	Technique  string // one of [Techniques]
	Placed     int    // the candidate that is true, or -1
	Eliminated []int  // the candidates that are false
	Text       string // the reason, in a sentence of at most [technique.MaxReason] bytes

	// Rating is the difficulty of the step, 0 for the technique core.
	Rating technique.Difficulty

	// Details are all links of a chain, one in a line, or the givens of the technique core. They
	// are nil if the reason is whole.
	Details []string

	// Cells and Candidates are the pattern of the step: the cells that its reason is about,
	// and the candidates that it is made of.
	Cells, Candidates []int

	Strong, Weak [][2]int // the links of chains, see [technique.Board.Links]

	Givens []int // the cells of the givens that force the digit, if the technique is core

	rules    *sudoku.Rules
	premises []int // the candidates that had to be eliminated before, of package technique
}

// String returns the step as a sentence: "R3C5=7, hidden single: 7 has no other
// place in box 2".
func (s Step) String() string { return fmt.Sprintf("%s, %s: %s", s.Conclusion(), s.Technique, s.Text) }

// Conclusion returns the conclusion of the step, such as "R3C5=7" or "R1C78,R3C4<>7".
func (s Step) Conclusion() string {
	if s.Placed >= 0 {
		return statement(s.rules, s.Placed, true)
	}
	return eliminations(s.rules, s.Eliminated)
}

// Techniques returns the names of all techniques, easiest first, and a line of help
// for each.
func Techniques() (names, help []string) {
	for _, t := range technique.All {
		text := t.Help
		if t.Unique {
			text += "; assumes one solution"
		}
		names, help = append(names, t.Name), append(help, text)
	}
	return append(names, coreName), append(help, coreHelp)
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
// are needed. Each step uses the easiest technique that finds a step: the
// techniques of [technique.All] in their order, and core if none of them does.
// For a full grid Hint returns no steps.
//
// The error is a [*Contradiction] if the puzzle has no solution, an
// [*Ambiguity] if it has several, and otherwise the cause of ctx. In puzzles
// larger than [ProvedSize], where a proof of uniqueness could take hours, Hint
// returns a single without that check.
func Hint(ctx context.Context, g *sudoku.Grid) ([]Step, error) {
	h := newHinter(g)
	if g.Rules.Size() > ProvedSize && g.Conflict() == nil {
		if s, ok := h.single(); ok {
			return []Step{s}, nil
		}
	}
	if err := h.prove(ctx); err != nil || h.solved() {
		return nil, err
	}
	var steps []Step
	if h.board != nil {
		h.board.SetContext(ctx)
		h.board.Follow(h.board.Hint(), func(now *technique.Board, s *technique.Step) { steps = append(steps, stepOf(now, s)) })
	}
	if len(steps) > 0 {
		return steps, nil
	}
	s, err := h.core(ctx)
	return []Step{s}, err
}

// Find returns the steps of a technique, by its name in [technique.All], that a puzzle allows at once,
// each with all its eliminations. The errors are those of [Hint]. In puzzles larger than
// [technique.MaxSize] it finds nothing.
func Find(ctx context.Context, g *sudoku.Grid, name string) ([]Step, error) {
	t := technique.ByName(name)
	if t == nil {
		return nil, fmt.Errorf("unknown technique %q", name)
	}
	h := newHinter(g)
	if err := h.prove(ctx); err != nil || h.board == nil {
		return nil, err
	}
	var steps []Step
	h.board.SetContext(ctx)
	for _, s := range h.board.Find(t) {
		steps = append(steps, stepOf(h.board, s))
	}
	return steps, context.Cause(ctx)
}

// ProvedSize is the largest size at which Hint always proves that the puzzle has
// one solution.
const ProvedSize = 16

// Path returns the steps to the solution of a puzzle. It is a sequence of hints as
// [Hint] returns them, without the steps that repeat eliminations of earlier hints. The
// errors are those of Hint.
func Path(ctx context.Context, g *sudoku.Grid) ([]Step, error) {
	h := newHinter(g)
	if err := h.prove(ctx); err != nil {
		return nil, err
	}
	var path []Step
	for !h.solved() {
		if h.board != nil {
			_, err := technique.Path(ctx, h.board, func(now *technique.Board, s *technique.Step) { path = append(path, stepOf(now, s)) })
			if err != nil || h.solved() {
				return path, err
			}
		}
		s, ok := h.largeSingle()
		if !ok {
			var err error
			if s, err = h.core(ctx); err != nil {
				return nil, err
			}
		}
		h.place(s.Placed)
		path = append(path, s)
	}
	return path, nil
}

// A hinter finds the steps to the solution of a puzzle.
type hinter struct {
	puzzle *sudoku.Grid
	rules  *sudoku.Rules
	board  *technique.Board   // nil above technique.MaxSize
	large  *sudoku.Candidates // in place of board above technique.MaxSize, nil otherwise
}

// newHinter returns a hinter before the first step. Its puzzle must have one solution, unless it is
// asked for singles only.
func newHinter(g *sudoku.Grid) *hinter {
	h := &hinter{puzzle: g, rules: g.Rules}
	if g.Rules.Size() > technique.MaxSize {
		h.large = sudoku.NewCandidates(g.Rules)
		h.large.Load(g)
		return h
	}
	h.board = technique.NewBoard(g.Rules)
	h.board.Load(g)
	h.board.Unique = true
	return h
}

// digit returns the digit of a cell, or 0 if it is open.
func (h *hinter) digit(cell int) int {
	if h.board == nil {
		return h.large.Digit(cell)
	}
	return h.board.Digit(cell)
}

// solved reports whether all cells have a digit.
func (h *hinter) solved() bool {
	if h.board == nil {
		return h.large.Solved()
	}
	return h.board.Solved()
}

// place places a digit.
func (h *hinter) place(candidate int) {
	if h.board == nil {
		h.large.Place(candidate)
	} else {
		h.board.Place(candidate)
	}
}

// stepOf returns a step of package technique with its words. The board is that before the step.
func stepOf(b *technique.Board, found *technique.Step) Step {
	s := Step{
		Technique: found.Technique.Name, Rating: found.Rating, Placed: found.Placed, Eliminated: found.Eliminated,
		Text: b.Reason(found), Details: b.Details(found),
		rules: b.Rules(), premises: b.Premises(found),
	}
	s.Cells, s.Candidates = b.Pattern(found)
	s.Strong, s.Weak = b.Links(found)
	return s
}

// single returns a last cell, a hidden or a naked single, if there is one.
func (h *hinter) single() (Step, bool) {
	if h.board == nil {
		return h.largeSingle()
	}
	found := h.board.Single()
	if found == nil {
		return Step{}, false
	}
	return stepOf(h.board, found), true
}

// largeSingle returns a single of a grid above technique.MaxSize, if there is one.
func (h *hinter) largeSingle() (Step, bool) {
	if h.board != nil {
		return Step{}, false
	}
	for g := range h.rules.Groups() {
		if h.large.Left(g) != 1 {
			continue
		}
		candidate := h.large.Live(g, nil)[0]
		cell, digit := h.rules.Split(candidate)
		if h.large.Digit(cell) != 0 {
			continue
		}
		s := Step{Technique: "naked single", Placed: candidate, Text: "all other digits are excluded", Cells: []int{cell}, Candidates: []int{candidate}, rules: h.rules}
		if g >= h.rules.Cells() {
			house := (g - h.rules.Cells()) / h.rules.Size()
			s.Technique, s.Text = "hidden single", fmt.Sprintf("%d has no other place in %s", digit, h.rules.Houses()[house])
		}
		s.Rating = technique.ByName(s.Technique).Rating
		return s, true
	}
	return Step{}, false
}
