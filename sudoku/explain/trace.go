package explain

import (
	"fmt"
	"slices"
	"strings"

	"sator/sudoku"
)

// A trace is what follows from an assumption by singles, digit by digit, with
// the reason of each. It goes on in rounds, as a person would: first all singles
// that the assumption leaves, then those that these leave, so that what is found
// takes few steps. If it ends in a contradiction, only those steps are told on
// which it depends.
//
// No one notes who eliminated a candidate. Where it matters it is found out: of the
// steps so far, the first that excludes it.
type trace struct {
	rules  *sudoku.Rules
	before *sudoku.Candidates // to which the assumption was added; not changed
	after  *sudoku.Candidates
	steps  []traceStep // the first one is the assumption
	broken traceStep   // where it ended: a group or a cage that nothing is left of
}

// A traceStep is a digit placed, or candidates eliminated by a cage.
type traceStep struct {
	candidate  int // placed, or -1
	group      int // of which it was the last candidate, or -1
	cage       int // or -1
	eliminated []int
}

// newTrace returns a trace that begins with the candidates before, which must be
// at the fixpoint of singles. after is its scratch.
func newTrace(before, after *sudoku.Candidates) *trace {
	return &trace{rules: before.Rules(), before: before, after: after}
}

// assume follows what a candidate's being true, or being false, leads to and
// reports whether that is a contradiction.
func (t *trace) assume(candidate int, value bool) bool {
	t.after.CopyFrom(t.before)
	ok := false
	if value {
		t.steps = append(t.steps[:0], traceStep{candidate: candidate, group: -1, cage: -1})
		ok = t.after.Place(candidate)
	} else {
		t.steps = append(t.steps[:0], traceStep{candidate: -1, group: -1, cage: -1, eliminated: []int{candidate}})
		ok = t.after.Eliminate(candidate)
	}
	for ok {
		n := len(t.steps)
		if ok = t.singles() && t.cages(len(t.steps) == n); len(t.steps) == n {
			break
		}
	}
	if !ok {
		t.locate()
	}
	return !ok
}

// singles places the singles of a round. It returns false at a contradiction.
func (t *trace) singles() bool {
	for _, s := range singles(t.after) {
		if t.after.Digit(t.cellOf(s.candidate)) != 0 {
			continue // two groups had the same
		}
		t.steps = append(t.steps, s)
		if !t.after.Place(s.candidate) {
			return false
		}
	}
	return true
}

// singles returns the candidates that are the last ones of a group, cells first.
func singles(c *sudoku.Candidates) []traceStep {
	r := c.Rules()
	var list []traceStep
	var buf []int
	for g := range r.Groups() {
		if c.Left(g) != 1 {
			continue
		}
		buf = c.Live(g, buf[:0])
		if cell, _ := r.Split(buf[0]); c.Digit(cell) == 0 {
			list = append(list, traceStep{candidate: buf[0], group: g, cage: -1})
		}
	}
	return list
}

// cages has the cages looked at if there is nothing easier. It returns false at
// a contradiction.
func (t *trace) cages(now bool) bool {
	if !now {
		return true
	}
	for cage := range t.rules.Cages() {
		eliminated, ok := eliminateCage(t.after, cage)
		if len(eliminated) > 0 {
			t.steps = append(t.steps, traceStep{candidate: -1, group: -1, cage: cage, eliminated: eliminated})
		}
		if !ok {
			t.broken = traceStep{candidate: -1, group: -1, cage: cage}
			return false
		}
	}
	return true
}

// eliminateCage strikes what the sum of a cage excludes and returns what that is,
// and false at a contradiction.
func eliminateCage(c *sudoku.Candidates, cage int) (eliminated []int, ok bool) {
	r := c.Rules()
	var live []int
	for _, cell := range r.Cages()[cage].Cells {
		live = c.Live(cell, live)
	}
	ok = c.Cage(cage)
	for _, candidate := range live {
		if !c.Has(candidate) {
			eliminated = append(eliminated, candidate)
		}
	}
	return eliminated, ok
}

// locate finds the group that nothing is left of. If there is none, the sum of a
// cage has failed, which is known already.
func (t *trace) locate() {
	for g := range t.rules.Groups() {
		if t.after.Left(g) == 0 {
			t.broken = traceStep{candidate: -1, group: g, cage: -1}
			return
		}
	}
}

func (t *trace) cellOf(candidate int) int {
	cell, _ := t.rules.Split(candidate)
	return cell
}

// needed returns the steps after the assumption on which the contradiction
// depends, in order.
func (t *trace) needed() []traceStep {
	need := make([]bool, len(t.steps))
	t.mark(need, t.broken, len(t.steps))
	for i := len(t.steps) - 1; i > 0; i-- {
		if need[i] {
			t.mark(need, t.steps[i], i)
		}
	}
	var list []traceStep
	for i, s := range t.steps {
		if i > 0 && need[i] {
			list = append(list, s)
		}
	}
	return list
}

// mark marks the steps, among the first n, that eliminated what step s needs to be
// eliminated.
func (t *trace) mark(need []bool, s traceStep, n int) {
	var candidates []int
	if s.cage >= 0 {
		for _, cell := range t.rules.Cages()[s.cage].Cells {
			candidates = t.rules.Group(cell, candidates)
		}
	} else {
		candidates = t.rules.Group(s.group, nil)
	}
	for _, candidate := range candidates {
		if !t.before.Has(candidate) {
			continue
		}
		if i := slices.IndexFunc(t.steps[:n], func(e traceStep) bool { return t.strikes(e, candidate) }); i >= 0 {
			need[i] = true
		}
	}
}

// strikes reports whether a step excludes a candidate.
func (t *trace) strikes(s traceStep, candidate int) bool {
	if s.candidate < 0 {
		return slices.Contains(s.eliminated, candidate)
	}
	return excludes(t.rules, s.candidate, candidate)
}

// excludes reports whether two different candidates cannot both be true, by the
// rule of a cell or the rule of peers.
func excludes(r *sudoku.Rules, a, b int) bool {
	cellA, digitA := r.Split(a)
	cellB, digitB := r.Split(b)
	if cellA == cellB {
		return digitA != digitB
	}
	if digitA != digitB {
		return false
	}
	_, peers := slices.BinarySearch(r.Peers(cellA), cellB)
	return peers
}

// text tells the steps and the contradiction they end in.
func (t *trace) text() string {
	needed := t.needed()
	if len(needed) == 0 {
		return t.brokenText()
	}
	var b strings.Builder
	for _, s := range needed {
		b.WriteString(t.stepText(s) + ", ")
	}
	return b.String() + "and " + t.brokenText()
}

func (t *trace) stepText(s traceStep) string {
	r := t.rules
	if s.cage >= 0 {
		return fmt.Sprintf("%s excludes %s", cageName(r, s.cage), candidateNames(r, s.eliminated))
	}
	if s.group < r.Cells() {
		return fmt.Sprintf("%s (its last digit)", equation(r, s.candidate))
	}
	_, digit := r.Split(s.candidate)
	return fmt.Sprintf("%s (the only place left for %d in %s)", equation(r, s.candidate), digit, houseOfGroup(r, s.group))
}

func (t *trace) brokenText() string {
	r := t.rules
	switch {
	case t.broken.cage >= 0:
		return fmt.Sprintf("%s cannot have its sum", cageName(r, t.broken.cage))
	case t.broken.group < r.Cells():
		return fmt.Sprintf("%s has no digit left", r.CellName(t.broken.group))
	}
	digit := (t.broken.group-r.Cells())%r.Size() + 1
	return fmt.Sprintf("%d has no place in %s", digit, houseOfGroup(r, t.broken.group))
}
