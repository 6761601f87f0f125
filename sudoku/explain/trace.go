package explain

import (
	"fmt"
	"slices"
	"strings"

	"sator/sudoku"
)

// A trace derives the consequences of an assumption by singles, with a reason
// for each. It works in rounds, as a person would: first it places all singles
// that the assumption leaves, then all singles that result from those
// placements, and so on. This breadth-first order leads to a contradiction in
// few steps. The text of a trace has only the steps that the contradiction
// depends on.
//
// The trace does not record which step eliminated a candidate. If needed, that
// step is recomputed as the first one that excludes the candidate.
type trace struct {
	rules  *sudoku.Rules
	before *sudoku.Candidates // the candidates without the assumption; not changed
	after  *sudoku.Candidates // the candidates after the steps
	steps  []traceStep        // the first one is the assumption
	broken traceStep          // the contradiction: a group without candidates, or a cage
}

// A traceStep places a digit, or eliminates candidates by the sum of a cage.
type traceStep struct {
	candidate  int   // the candidate placed, or -1
	group      int   // the group whose single the candidate is, or -1
	cage       int   // the cage whose sum eliminates candidates, or -1
	eliminated []int // the candidates that the cage or the assumption eliminates
}

// newTrace returns a trace that begins with the candidates before, which must have
// no singles. The trace overwrites after.
func newTrace(before, after *sudoku.Candidates) *trace {
	return &trace{rules: before.Rules(), before: before, after: after}
}

// assume derives the consequences of a truth value of a candidate, and reports
// whether they contain a contradiction.
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
			continue // the single of another group, too
		}
		t.steps = append(t.steps, s)
		if !t.after.Place(s.candidate) {
			return false
		}
	}
	return true
}

// singles returns the naked and then the hidden singles.
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

// cages eliminates candidates by the sums of cages, if now is true. The caller
// sets now in rounds without a single. It returns false at a contradiction.
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

// eliminateCage eliminates the candidates that the sum of a cage excludes, and
// returns them. It returns false at a contradiction.
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

// locate sets broken to a group without candidates. If there is none, broken is
// the cage whose sum led to the contradiction.
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

// needed returns the steps after the assumption that the contradiction depends on,
// in order.
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

// mark marks the steps that step s depends on: the steps among the first n that
// eliminated the other candidates of its group or cage.
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
		if i := slices.IndexFunc(t.steps[:n], func(e traceStep) bool { return t.excludes(e, candidate) }); i >= 0 {
			need[i] = true
		}
	}
}

// excludes reports whether a step excludes a candidate.
func (t *trace) excludes(s traceStep, candidate int) bool {
	if s.candidate < 0 {
		return slices.Contains(s.eliminated, candidate)
	}
	return excludes(t.rules, s.candidate, candidate)
}

// excludes reports whether two different candidates are mutually exclusive: two
// digits of a cell, or a digit in two cells that are peers.
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

// text describes the needed steps and the contradiction.
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
