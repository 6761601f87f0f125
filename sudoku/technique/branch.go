package technique

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Dynamic and nested forcing chains. A candidate is assumed to be true. All consequences
// together, not only one line of them, lead to a contradiction, so the candidate is
// false. A dynamic chain derives consequences by singles. A dynamic chain "+" also uses
// locked candidates, pairs and X-wings behind the assumption; a nested one uses chains,
// forcing chains, dynamic chains, and at last nested chains. The last one tries all
// assumptions behind assumptions, and solves every puzzle.
//
// In the terms of SAT solvers a dynamic forcing chain is a failed literal. Sudoku
// Explainer also asks for consequences that an assumption and its negation, or all
// candidates of a group, have in common; failed literals find nearly all of these.
//
// Consequences are propagated breadth first. Each one records the premise that it follows
// from, so that the explanation contains only those that the contradiction depends on.
// Of all assumptions the one with the shortest explanation is reported. Nested chains are
// an exception: the first one found is reported.
//
// If an assumption does not fail, its consequences would not fail either, and are not
// assumed in turn. That halves the time.

// A branch has the consequences of an assumption.
type branch struct {
	base, now *Board
	inner     []*Technique
	trail     []event
	onAt      []int32 // by candidate: 1 + index of its event in trail, 0 if it is not known to be true
	offAt     []int32 // likewise, for false
}

// An event is a literal of a branch. It follows from a step, or else from a group, the
// other candidates of which are false, or else from a true candidate that excludes it, or
// else it is the assumption.
type event struct {
	literal
	step  *Step
	group int // -1 without one
	from  int // -1 without one
}

// newBranch returns a branch of a board, with the techniques that it uses besides singles.
func newBranch(base *Board, inner []*Technique) *branch {
	all := len(base.digits) * base.size
	return &branch{base: base, now: base.clone(), inner: inner, onAt: make([]int32, all), offAt: make([]int32, all)}
}

// assume derives the consequences of a candidate. It returns a group without a candidate
// left, or -1.
func (r *branch) assume(candidate int) int {
	r.now.copyFrom(r.base)
	for _, e := range r.trail {
		r.onAt[e.candidate()], r.offAt[e.candidate()] = 0, 0
	}
	r.trail = r.trail[:0]
	r.push(event{on(candidate), nil, -1, -1})
	for i := 0; ; i++ {
		if i == len(r.trail) && !r.step() {
			return -1
		}
		if empty := r.propagate(r.trail[i].literal); empty >= 0 {
			return empty
		}
	}
}

// push appends an event.
func (r *branch) push(e event) {
	r.trail = append(r.trail, e)
	if e.isOff() {
		r.offAt[e.candidate()] = int32(len(r.trail))
		r.now.remove(e.candidate())
	} else {
		r.onAt[e.candidate()] = int32(len(r.trail))
	}
}

// propagate derives the direct consequences of a literal. It returns a group without a
// candidate left, or -1.
func (r *branch) propagate(l literal) int {
	c := l.candidate()
	cell, d := c/r.now.size, c%r.now.size
	if l.isOff() {
		if empty := r.check(cell); empty >= 0 {
			return empty
		}
		for _, s := range r.now.spots[cell] {
			if empty := r.check(r.now.groupOf(s.house, d)); empty >= 0 {
				return empty
			}
		}
		return -1
	}
	for others := r.now.digits[cell] &^ (1 << d); others != 0; others &= others - 1 {
		r.push(event{off(cell*r.now.size + bits.TrailingZeros64(others)), nil, -1, c})
	}
	for w := range r.now.words {
		for peers := r.now.peers[cell*r.now.words+w] & r.now.cells[d*r.now.words+w]; peers != 0; peers &= peers - 1 {
			r.push(event{off((64*w+bits.TrailingZeros64(peers))*r.now.size + d), nil, -1, c})
		}
	}
	return -1
}

// check returns a group if it is empty, and otherwise -1. If one candidate is left, check
// makes it true.
func (r *branch) check(group int) int {
	set := r.now.group(group)
	switch {
	case set == 0:
		return group
	case set&(set-1) == 0:
		if c := r.now.candidateOf(group, bits.TrailingZeros64(set)); r.onAt[c] == 0 {
			r.push(event{on(c), nil, group, -1})
		}
	}
	return -1
}

// step applies the first inner technique that finds a step, and reports whether one did.
func (r *branch) step() bool {
	before := len(r.trail)
	for _, t := range r.inner {
		s := t.first(r.now)
		if s == nil {
			continue
		}
		if s.Placed >= 0 && r.onAt[s.Placed] == 0 {
			r.push(event{on(s.Placed), s, -1, -1})
		}
		for _, candidate := range s.Eliminated {
			r.push(event{off(candidate), s, -1, -1})
		}
		if len(r.trail) > before {
			return true
		}
	}
	return false
}

// explain returns the events that an empty group depends on, by index, and the groups that
// they use.
func (r *branch) explain(empty int) (needed []int, groups []int) {
	marked := make([]bool, len(r.trail))
	r.need(empty, len(r.trail), marked)
	groups = []int{empty}
	for i, e := range slices.Backward(r.trail) {
		if !marked[i] {
			continue
		}
		needed = append(needed, i)
		switch {
		case e.step != nil:
			for _, g := range e.step.groups {
				r.need(g, i, marked)
			}
			groups = append(groups, e.step.groups...)
		case e.group >= 0:
			r.need(e.group, i, marked)
			groups = append(groups, e.group)
		case e.from >= 0:
			marked[r.onAt[e.from]-1] = true
		}
	}
	slices.Reverse(needed)
	slices.Sort(groups)
	return needed, slices.Compact(groups)
}

// need marks the false candidates of a group whose event is before an index.
func (r *branch) need(group, before int, marked []bool) {
	for set := r.base.group(group); set != 0; set &= set - 1 {
		c := r.base.candidateOf(group, bits.TrailingZeros64(set))
		if at := int(r.offAt[c]) - 1; at >= 0 && at < before {
			marked[at] = true
		}
	}
}

// refute returns the step that eliminates a candidate if it leads to a contradiction, and
// otherwise nil.
func (r *branch) refute(candidate int, more Difficulty) *Step {
	empty := r.assume(candidate)
	if empty < 0 {
		return nil
	}
	needed, groups := r.explain(empty)
	s := &Step{Placed: -1, Eliminated: []int{candidate}, groups: groups, empty: empty, length: len(needed)}
	for _, i := range needed {
		s.events = append(s.events, r.trail[i])
		if inner := r.trail[i].step; inner != nil {
			s.length += inner.length
		}
	}
	s.Rating = more + LengthMore(s.length-1)
	return s
}

// assumptions calls use for the steps of assumptions with some inner techniques, the
// shortest first, or, if any is true, as they are found.
func assumptions(b *Board, inner []*Technique, more Difficulty, any bool, use func(*Step) bool) {
	r := newBranch(b, inner)
	sound := make([]bool, len(b.digits)*b.size)
	var steps []*Step
	for c := range sound {
		if b.ctx.Err() != nil {
			return
		}
		if b.placed[c/b.size] || sound[c] || !b.holds(c) {
			continue
		}
		s := r.refute(c, more)
		if s == nil {
			for _, e := range r.trail {
				sound[e.candidate()] = sound[e.candidate()] || !e.isOff()
			}
			continue
		}
		if any {
			if !use(s) {
				return
			}
			continue
		}
		steps = append(steps, s)
	}
	slices.SortStableFunc(steps, func(a, b *Step) int { return a.length - b.length })
	useAll(steps, use)
}

// levelMore is the difficulty of each further level of nested chains.
const levelMore = 5

func dynamicChains(b *Board, use func(*Step) bool) {
	assumptions(b, rows("cage", "relation"), 0, false, use)
}

func dynamicPlus(b *Board, use func(*Step) bool) { assumptions(b, basic(), 0, false, use) }

// basic returns the techniques that dynamic chains "+" use behind an assumption.
func basic() []*Technique {
	return rows("cage", "relation", "pointing", "claiming", "naked pair", "X-wing", "hidden pair")
}

// rows returns the techniques with some names.
func rows(names ...string) []*Technique {
	var list []*Technique
	for _, name := range names {
		list = append(list, ByName(name))
	}
	return list
}

// nestedChains tries the levels in turn: it returns when a level finds a step. A level of
// as many assumptions as there are open cells finds one.
func nestedChains(b *Board, use func(*Step) bool) {
	found := false
	for level := 0; !found && level <= b.open+len(levels); level++ {
		assumptions(b, nestedInner(level), Difficulty(level)*levelMore, true, func(s *Step) bool {
			found = true
			return use(s)
		})
	}
}

// levels has the techniques of the first levels of nested chains. The dynamic chains of this table
// are the first ones found, not the shortest.
var levels = []*Technique{
	{Name: "alternating inference chain", find: chains(anyChain), reason: chainReason},
	{Name: "forcing chains", find: forcingChains, reason: forcingReason},
	{Name: "dynamic forcing chains", reason: assumptionReason, find: func(b *Board, use func(*Step) bool) {
		assumptions(b, rows("cage", "relation"), 0, true, use)
	}},
}

// nestedInner returns the techniques behind an assumption at a level of nested chains.
// After the levels of the table, each level uses the one before.
func nestedInner(level int) []*Technique {
	if level < len(levels) {
		return append(basic(), levels[level])
	}
	return append(basic(), &Technique{
		Name: "nested forcing chains", reason: assumptionReason, find: func(b *Board, use func(*Step) bool) {
			assumptions(b, nestedInner(level-1), 0, true, use)
		},
	})
}

// assumptionReason states the consequences in order: the digits that are placed, and the
// steps behind the assumption.
func assumptionReason(b *Board, s *Step) string {
	text := b.assumptionText(s)
	if len(text) <= MaxReason {
		return text
	}
	return fmt.Sprintf("if %s, then %s, after %d implications", b.statement(on(s.Eliminated[0])), b.emptied(s.empty), s.length-1)
}

func (b *Board) assumptionText(s *Step) string {
	var parts []string
	for _, e := range s.events[1:] {
		switch {
		case e.step != nil:
			parts = append(parts, fmt.Sprintf("%s (%s)", b.statement(e.literal), e.step.Technique.Name))
		case e.group >= 0:
			parts = append(parts, b.statement(e.literal))
		}
	}
	parts = append(parts, b.emptied(s.empty))
	return fmt.Sprintf("if %s, then %s", b.statement(on(s.Eliminated[0])), strings.Join(parts, ", "))
}

// emptied states that a group has no candidate left.
func (b *Board) emptied(group int) string {
	if group < len(b.digits) {
		return b.rules.CellName(group) + " has no digit left"
	}
	group -= len(b.digits)
	return fmt.Sprintf("%d has no place in %s", group%b.size+1, b.rules.Houses()[group/b.size])
}
