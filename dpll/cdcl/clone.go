package cdcl

import (
	"maps"
	"slices"

	"sator/dimacs"
)

// A copy of a solver, with its learned clauses, scores, phases and schedules. The tables
// hold no pointers, so that a copy is a few dozen copies of slices. Scratch memory, which
// is clean between calls, is not copied.

// Clone returns a copy of the solver, which continues as s would: with the same options,
// answer, learned clauses and callbacks. The two share no state, so that they may be used by
// different goroutines, unless a callback or Options.Memory binds them. The time and the
// memory are linear in the size of the solver. Clone panics if s has a proof, an exchange or a
// propagator, which work with one solver, or if called from a callback.
func (s *Solver) Clone() *Solver {
	switch {
	case s.ctx != nil:
		panic("cdcl: called while solving")
	case s.proof != nil || s.opts.Exchange != nil || s.user != nil:
		panic("cdcl: Clone of a solver with a proof, an exchange or a propagator")
	}
	if s.interrupted() {
		s.reset()
		s.completeOrFill()
	}
	s.opts.Memory.Require(s.bytes())
	c := *s
	c.scratchSpace, c.graphSpace = nil, [3]*reservation{}
	c.cloneAssignment()
	c.cloneClauses()
	c.queue.Links = slices.Clone(s.queue.Links)
	c.heap.Items, c.heap.Score, c.heap.Pos = slices.Clone(s.heap.Items), slices.Clone(s.heap.Score), slices.Clone(s.heap.Pos)
	p := &c.phases
	p.saved, p.target, p.best, p.initial = slices.Clone(p.saved), slices.Clone(p.target), slices.Clone(p.best), slices.Clone(p.initial)
	random := *s.random
	c.random = &random
	c.analysis = analysis{marks: make([]uint8, len(s.marks)), stamps: make([]uint32, len(s.stamps))}
	c.explanation = explanation{}
	c.probed = slices.Clone(s.probed)
	c.elimination.tried, c.elimination.binaries = slices.Clone(s.elimination.tried), slices.Clone(s.elimination.binaries)
	c.factoring.tried = slices.Clone(s.factoring.tried)
	c.external = nil
	if s.reports != nil {
		o := *s.reports
		c.reports = &o
	}
	c.assumptions, c.failed, c.model = slices.Clone(s.assumptions), slices.Clone(s.failed), slices.Clone(s.model)
	return &c
}

func (s *Solver) cloneAssignment() {
	s.vals, s.vars = slices.Clone(s.vals), slices.Clone(s.vars)
	s.levels, s.levelSpace = slices.Clone(s.levels), nil
	s.trail = append(make([]dimacs.Lit, 0, cap(s.trail)), s.trail...)
}

func (s *Solver) cloneClauses() {
	s.arena, s.arenaSpace = copied(s.arena)
	s.pool, s.poolSpace = copied(s.pool)
	s.pending.chunks, s.pending.space = slices.Clone(s.pending.chunks), nil
	for i, c := range s.pending.chunks { // with their capacity, see push
		s.pending.chunks[i] = append(make([]pendingBinary, 0, cap(c)), c...)
	}
	s.watches = slices.Clone(s.watches)
	s.binaryIDs, s.unitIDs = slices.Clone(s.binaryIDs), slices.Clone(s.unitIDs)
	s.connecting = nil // the next call counts again
	s.sizes = maps.Clone(s.sizes)
	s.flags = slices.Clone(s.flags)
	k := &s.reconstruction
	k.words, k.space = copied(k.words)
	k.top = slices.Clone(k.top)
}
