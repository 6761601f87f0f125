package explain

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A method derives that a candidate is true or false, with a reason in words.
type method struct {
	name, help string

	// find returns the simplest step that places a digit or creates a single.
	// If there is no such step, it returns all steps, the simplest first.
	find func(*hinter, context.Context) []Step

	// derive derives the conclusion of a step from the current candidates, and
	// returns false if they do not imply it by this technique.
	derive func(*hinter, Step) (Step, bool)
}

// techniques lists the techniques, easiest first.
var techniques []method

func init() {
	techniques = []method{
		{"naked single", "a cell has one candidate left", (*hinter).naked, (*hinter).deriveNaked},
		{"hidden single", "a digit has one place left in a house", (*hinter).hidden, (*hinter).deriveHidden},
		{"cage", "the sum of a cage excludes digits", (*hinter).cage, (*hinter).deriveCage},
	}
	techniques = append(techniques, peopleMethods()...)
	techniques = append(techniques, []method{
		{"failed literal", "an assumption leads by singles to a contradiction", (*hinter).failed, (*hinter).deriveFailed},
		{"core", "a set of givens, found by search, forces a digit", (*hinter).core, (*hinter).deriveCore},
	}...)
}

// naked finds a cell with one candidate.
func (h *hinter) naked(context.Context) []Step {
	for cell := range h.rules.Cells() {
		if h.now.Left(cell) == 1 && h.now.Digit(cell) == 0 {
			return stepList(h.deriveNaked(h.step(h.now.Live(cell, nil)[0], true, "")))
		}
	}
	return nil
}

// stepList returns a list of the step, or an empty list if ok is false.
func stepList(s Step, ok bool) []Step {
	if !ok {
		return nil
	}
	return []Step{s}
}

func (h *hinter) deriveNaked(s Step) (Step, bool) {
	cell, _ := h.rules.Split(s.Placed)
	return h.step(s.Placed, true, h.nakedText(s.Placed)), h.now.Left(cell) == 1
}

// nakedText returns the reason of a naked single: the houses that contain the other
// digits, chosen greedily so that there are few of them.
func (h *hinter) nakedText(candidate int) string {
	r := h.rules
	cell, last := r.Split(candidate)
	missing := make([]bool, r.Size()+1)
	for digit := 1; digit <= r.Size(); digit++ {
		missing[digit] = digit != last
	}
	var parts []string
	for {
		house, digits := h.mostOf(cell, missing)
		if len(digits) == 0 {
			break
		}
		if len(digits) == r.Size()-1 {
			return fmt.Sprintf("%s has all other digits", r.Houses()[house])
		}
		parts = append(parts, are(digits)+" in "+r.Houses()[house].String())
		for _, digit := range digits {
			missing[digit] = false
		}
	}
	var before []int
	for digit, m := range missing {
		if m {
			before = append(before, digit)
		}
	}
	if before != nil {
		parts = append(parts, are(before)+" excluded already")
	}
	return listed(parts)
}

// mostOf returns the house of a cell with the most missing digits, and these
// digits.
func (h *hinter) mostOf(cell int, missing []bool) (house int, digits []int) {
	for _, other := range h.rules.HousesOf(cell) {
		var there []int
		for _, c := range h.rules.Houses()[other].Cells {
			if digit := h.now.Digit(c); digit != 0 && missing[digit] {
				there = append(there, digit)
			}
		}
		if len(there) > len(digits) {
			house, digits = other, there
		}
	}
	slices.Sort(digits)
	return house, digits
}

// are returns subject and verb of a sentence about digits: "1 and 2 are".
func are(digits []int) string {
	if len(digits) == 1 {
		return digitNames(digits) + " is"
	}
	return digitNames(digits) + " are"
}

// hidden finds a house with one place left for a digit.
func (h *hinter) hidden(context.Context) []Step {
	r := h.rules
	for g := r.Cells(); g < r.Groups(); g++ {
		if h.now.Left(g) != 1 {
			continue
		}
		candidate := h.now.Live(g, nil)[0]
		if cell, _ := r.Split(candidate); h.now.Digit(cell) == 0 {
			return stepList(h.deriveHidden(h.step(candidate, true, "")))
		}
	}
	return nil
}

// deriveHidden finds a house in which the digit of a step has no other place.
func (h *hinter) deriveHidden(s Step) (Step, bool) {
	r := h.rules
	cell, digit := r.Split(s.Placed)
	for _, house := range slices.Backward(r.HousesOf(cell)) { // boxes come last and are the easiest to see
		if h.now.Left(r.Cells()+house*r.Size()+digit-1) == 1 {
			return h.step(s.Placed, true, fmt.Sprintf("%d has no other place in %s", digit, r.Houses()[house])), true
		}
	}
	return Step{}, false
}

// cage finds a cage with a sum that excludes candidates.
func (h *hinter) cage(context.Context) []Step {
	for cage := range h.rules.Cages() {
		h.trial.CopyFrom(h.now)
		if eliminated, _ := eliminateCage(h.trial, cage); len(eliminated) > 0 {
			return []Step{h.cageStep(cage, eliminated)}
		}
	}
	return nil
}

func (h *hinter) cageStep(cage int, eliminated []int) Step {
	c := h.rules.Cages()[cage]
	return Step{
		rules: h.rules, Placed: -1, Eliminated: eliminated,
		Text: fmt.Sprintf("%s cannot have the sum of %d otherwise", cellNames(h.rules, c.Cells), c.Sum),
	}
}

// deriveCage eliminates candidates by the cage of a step.
func (h *hinter) deriveCage(s Step) (Step, bool) {
	cell, _ := h.rules.Split(s.Eliminated[0])
	cage := h.rules.CageOf(cell)
	h.trial.CopyFrom(h.now)
	eliminated, _ := eliminateCage(h.trial, cage)
	return h.cageStep(cage, eliminated), len(eliminated) > 0
}

// A choice is a conclusion of a technique.
type choice struct {
	candidate int
	value     bool
	single    bool // the conclusion places a digit or creates a single
	length    int  // length of the reason
}

// simplest returns the conclusion with the shortest reason among the
// conclusions that place a digit or create a single. If no conclusion does,
// simplest returns all of them, the shortest reason first.
func simplest(choices []choice) []choice {
	slices.SortStableFunc(choices, func(a, b choice) int {
		if a.single != b.single {
			if a.single {
				return -1
			}
			return 1
		}
		return a.length - b.length
	})
	if len(choices) > 0 && choices[0].single {
		return choices[:1]
	}
	return choices
}

// makesSingle reports whether a truth value of a candidate places a digit or
// creates a single.
func (h *hinter) makesSingle(candidate int, value bool) bool {
	if value {
		return true
	}
	cell, digit := h.rules.Split(candidate)
	if h.now.Left(cell) == 2 {
		return true
	}
	for _, house := range h.rules.HousesOf(cell) {
		if h.now.Left(h.rules.Cells()+house*h.rules.Size()+digit-1) == 2 {
			return true
		}
	}
	return false
}

// failed finds failed literals whose contradiction needs few steps.
func (h *hinter) failed(ctx context.Context) []Step {
	var choices []choice
	t := newTrace(h.now, h.trial)
	single, work := false, failedWork
	for _, candidate := range open(h.now, nil) {
		if ctx.Err() != nil || len(choices) > 0 && work <= 0 {
			break
		}
		work -= h.rules.Groups()
		cell, _ := h.rules.Split(candidate)
		for _, value := range []bool{true, false} {
			c := choice{candidate: candidate, value: !value, single: h.makesSingle(candidate, !value)}
			if !value && h.rules.CageOf(cell) < 0 || single && !c.single {
				continue
			}
			if h.fails(candidate, value) && t.assume(candidate, value) {
				c.length = len(t.needed())
				choices = append(choices, c)
				single = single || c.single
			}
		}
	}
	var steps []Step
	for _, c := range simplest(choices) {
		steps = append(steps, stepList(h.deriveByAssumption(t, c.candidate, c.value))...)
	}
	return steps
}

// failedWork limits the search for a simpler failed literal after the first one
// is found. It is the work of probing each candidate of a grid of size 16
// twice, so larger grids use one of the first failed literals.
const failedWork = 2 * 4096 * 1024

// fails reports whether an assumption fails. It is faster than a trace.
func (h *hinter) fails(candidate int, value bool) bool {
	h.trial.CopyFrom(h.now)
	if value {
		return !h.trial.Place(candidate) || !h.trial.Singles()
	}
	return !h.trial.Eliminate(candidate) || !h.trial.Singles()
}

// deriveFailed derives a contradiction from the assumption of a step.
func (h *hinter) deriveFailed(s Step) (Step, bool) {
	candidate, value := s.conclusion()
	if !h.fails(candidate, !value) {
		return Step{}, false
	}
	return h.deriveByAssumption(newTrace(h.now, h.trial), candidate, value)
}

func (h *hinter) deriveByAssumption(t *trace, candidate int, value bool) (Step, bool) {
	if !t.assume(candidate, !value) {
		return Step{}, false
	}
	return h.step(candidate, value, fmt.Sprintf("if %s, then %s", statement(h.rules, candidate, !value), t.text())), true
}

// coreTrials is the number of cells that easiest compares.
const coreTrials = 100

// core places the digit of the cell that is easiest for the solver; the reason is
// the set of givens that forces it.
func (h *hinter) core(ctx context.Context) []Step {
	f, err := newForcer(ctx, h.puzzle)
	if err != nil {
		return nil
	}
	cell, ok := h.easiest(ctx, f)
	if !ok {
		return nil
	}
	reason, err := f.why(ctx, Question{Cell: cell}, WhyOptions{Effort: coreEffort, coarse: h.rules.Size() > coreSize})
	if err != nil {
		return nil
	}
	var list []string
	for _, given := range reason.Givens {
		list = append(list, equation(h.rules, h.rules.Candidate(given, h.puzzle.Cells[given])))
	}
	s := h.step(h.rules.Candidate(cell, reason.Digit), true,
		fmt.Sprintf("nothing simpler leads on; %d givens leave no other digit, as a search shows: %s", len(list), listed(list)))
	s.Givens = reason.Givens
	return []Step{s}
}

// coreEffort bounds the search for a smallest set in a hint.
const coreEffort = 5000

// coreSize is the largest size at which the set is made minimal: in larger grids
// that can take minutes.
const coreSize = 16

// deriveCore returns the step unchanged, since it depends on the givens alone.
func (h *hinter) deriveCore(s Step) (Step, bool) { return s, true }

// easiest returns the open cell whose digit the solver proves with the fewest
// conflicts.
func (h *hinter) easiest(ctx context.Context, f *forcer) (cell int, ok bool) {
	if f.solver.Solve(ctx, f.lits...) != dimacs.Satisfiable {
		return 0, false
	}
	solution := f.solution()
	best, trials := int64(0), 0
	for c, digit := range solution {
		if h.now.Digit(c) != 0 || trials == coreTrials {
			continue
		}
		trials++
		before := f.solver.Stats().Conflicts
		if f.solver.Solve(ctx, append([]dimacs.Lit{f.lit(c, digit).Not()}, f.lits...)...) != dimacs.Unsatisfiable {
			continue
		}
		if took := f.solver.Stats().Conflicts - before; !ok || took < best {
			cell, best, ok = c, took, true
		}
	}
	return cell, ok
}
