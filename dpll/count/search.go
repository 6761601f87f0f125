package count

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// The search: DPLL over residual components with a cache (Sang, Bacchus, Beame, Kautz and Pitassi,
// "Combining component caching and clause learning for effective model counting", SAT 2004;
// Thurley, "sharpSAT", SAT 2006). A component is counted by the two values of one of its
// variables; under each, propagation splits it into components, and their numbers are multiplied.
//
// A conflict refutes a decision. Its level may be lower than the present one: then the branch
// of that decision has no model, and all calls above it return. What they counted on the way
// may be wrong: a learned clause may propagate into a component B from a sibling A, and that is
// right only if A has models. So each call that is left by such a conflict removes from the
// cache the entries stored since it was entered (Sang et al., section 3).
//
// Tried: two searches with opposite decisions that share what is certain (no gain).

type search struct {
	engine
	structure
	arithmetic
	cache   *cache
	weights []number  // by literal; nil if all are 1
	circuit *Circuit  // that records the search, or nil
	rank    []float64 // by variable: its bonus in the order
	bias    []int32   // by variable: the positive less the negative occurrences

	single, free []uint32 // scratch of split: literals, variables

	ctx     context.Context
	stopped bool
	target  int     // the calls above this level return: their branch was refuted
	reason  ref     // of the complement of the refuted decision
	share   float64 // of the search that is done
	report  func()
	ticks   int64 // members of components visited, a quarter of structure.steps, and engine.visits
	polled  int64 // ticks of the next poll
	most    int64 // the search gives up after so many ticks
}

// noTarget is the target while no conflict is open.
const noTarget = math.MaxInt

// pollTicks is the number of ticks between polls.
const pollTicks = 200_000

// poll stops the search if the context is done.
func (s *search) poll() {
	s.polled = s.ticks + pollTicks
	if s.ctx.Err() != nil || s.ticks > s.most {
		s.stopped, s.target = true, -1
	}
	s.report()
}

// count returns the number of models of the whole formula. If it was stopped, that is a lower
// bound.
func (s *search) count() number {
	s.target = noTarget
	all := component{counted: true}
	for v := range uint32(len(s.levels)) {
		s.members = append(s.members, v)
	}
	all.clauses = len(s.members)
	for n := range uint32(len(s.refs)) {
		s.members = append(s.members, n)
	}
	all.end = len(s.members)
	s.parts = append(s.parts, all)
	return s.rest(all, 1)
}

// component returns the number of models of a component without assigned variables, and stores
// it. The trail is then as before. part is its share of the search.
func (s *search) component(c component, part float64) number {
	position, base := len(s.trail), s.level()
	s.reduce()
	l := s.choose(c)
	s.decide(l)
	first := s.rest(c, part/2)
	s.undo(position, base)
	switch {
	case s.target < base:
		return s.partial(first)
	case s.target == base:
		s.target = noTarget
		if len(s.lits(s.reason)) > 1 { // a unit is asserted by rest
			s.assign(l^1, s.reason)
		}
	case !c.counted:
		s.share += part / 2
		s.remember(c, first)
		return first
	default:
		s.decide(l ^ 1)
	}
	second := s.rest(c, part/2)
	s.undo(position, base)
	if s.target < base {
		return s.partial(s.sum(c, first, second))
	}
	s.target = noTarget
	n := s.sum(c, first, second)
	s.remember(c, n)
	return n
}

// partial returns a lower bound of the number of models when a search ends early: 0 unless it was
// stopped.
func (s *search) partial(n number) number {
	if !s.stopped {
		return number{}
	}
	return n
}

// sum returns the number of models of a component with two branches.
func (s *search) sum(c component, first, second number) number {
	switch {
	case s.circuit != nil:
		return s.circuit.choice(first, second)
	case !c.counted:
		return s.small(1)
	}
	return s.add(first, second)
}

func (s *search) remember(c component, n number) {
	s.cache.store(c.key, s.members[c.vars:c.end], n)
}

// rest returns the number of models of a component under the trail, after propagation.
func (s *search) rest(c component, part float64) number {
	if s.ticks += int64(c.end - c.vars); s.ticks >= s.polled {
		s.poll()
	}
	if s.stopped || !s.consistent() {
		s.share += part
		return number{}
	}
	height, members, mark := len(s.parts), len(s.members), s.cache.mark()
	n := s.split(c)
	parts := s.parts[height:]
	slices.SortFunc(parts, func(c, d component) int { return cmp.Compare(c.end-c.vars, d.end-d.vars) })
	if len(parts) == 0 {
		s.share += part
	}
	n = s.product(n, height, part)
	if s.target != noTarget && !s.stopped {
		s.cache.clean(mark)
		n = number{}
	}
	s.parts, s.members = s.parts[:height], s.members[:members]
	return n
}

// split pushes the components of c under the trail, and returns the number of assignments of the variables
// outside of them.
func (s *search) split(c component) number {
	s.begin(c)
	before := s.steps
	s.single, s.free = s.single[:0], s.free[:0]
	for _, v := range s.members[c.vars:c.clauses] {
		switch {
		case s.vals[2*v] == 0 && (s.varMarks[v] == s.mark || s.explore(&s.engine, v)):
		case s.structure.counted != nil && !s.structure.counted[v]:
		case s.vals[2*v] > 0:
			s.single = append(s.single, 2*v)
		case s.vals[2*v] < 0:
			s.single = append(s.single, 2*v+1)
		default:
			s.free = append(s.free, v)
		}
	}
	s.ticks += (s.steps - before) / 4
	switch {
	case s.circuit != nil:
		return s.circuit.begin(s.single, s.free)
	case s.weights == nil:
		return s.shift(s.small(1), len(s.free))
	}
	n := s.small(1)
	for _, l := range s.single {
		n = s.mul(n, s.weights[l])
	}
	for _, v := range s.free {
		n = s.mul(n, s.add(s.weights[2*v], s.weights[2*v+1]))
	}
	return n
}

// product returns n times the numbers of models of the components above a height of the stack.
func (s *search) product(n number, height int, part float64) number {
	part /= float64(len(s.parts) - height)
	handle := n
	for i := height; i < len(s.parts); i++ {
		x := s.value(s.parts[i], part)
		switch {
		case s.circuit != nil && s.target != noTarget:
			s.circuit.open = s.circuit.open[:handle.lo]
			return number{}
		case s.circuit != nil:
			s.circuit.open = append(s.circuit.open, uint32(x.lo))
		case s.stopped && i < len(s.parts)-1:
			return number{}
		default:
			n = s.mul(n, x)
		}
		if s.target != noTarget {
			return n
		}
	}
	if s.circuit != nil {
		return s.circuit.product(handle)
	}
	return n
}

// value returns the number of models of a component, from the cache if it is there.
func (s *search) value(c component, part float64) number {
	if n, found := s.cache.value(c.key, s.members[c.vars:c.end]); found {
		s.share += part
		return n
	}
	return s.component(c, part)
}

// consistent propagates, and learns from a conflict.
func (s *search) consistent() bool {
	conflict, before := s.assertUnits(), s.visits
	if conflict == 0 {
		conflict = s.propagate()
	}
	if conflict != 0 {
		f := s.analyze(conflict)
		s.target, s.reason = f.level-1, f.reason
	}
	s.ticks += s.visits - before
	return conflict == 0
}
