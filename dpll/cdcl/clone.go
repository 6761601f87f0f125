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
// memory are linear in the size of the solver. Open enumerations stay with s: the next call of
// the copy deletes their clauses. Clone panics if s has a proof, an exchange or a
// propagator, which work with one solver, or if called from a callback.
func (s *Solver) Clone() *Solver {
	s.requireIdle()
	if s.proof.log != nil || s.opts.Exchange != nil || s.user != nil {
		panic("cdcl: Clone of a solver with a proof, an exchange or a propagator")
	}
	if s.interrupted() {
		s.settle()
	}
	s.opts.Memory.Require(s.bytes())
	c := *s
	c.passes.scratch, c.passes.graph = nil, [3]*reservation{}
	c.trail.clone()
	c.clauses.clone()
	c.removal.clone()
	c.connecting = nil // the next call counts again
	c.groups.sizes = maps.Clone(s.groups.sizes)
	c.groups.enumerations, c.groups.inherited = nil, slices.Concat(s.groups.inherited, s.groups.enumerations)
	c.decisions.queue.Links = slices.Clone(s.decisions.queue.Links)
	c.decisions.heap.Items, c.decisions.heap.Score, c.decisions.heap.Pos = slices.Clone(s.decisions.heap.Items), slices.Clone(s.decisions.heap.Score), slices.Clone(s.decisions.heap.Pos)
	p := &c.decisions.phases
	p.saved, p.initial = slices.Clone(p.saved), slices.Clone(p.initial)
	p.target.values, p.best.values = slices.Clone(p.target.values), slices.Clone(p.best.values)
	random := *s.decisions.random
	c.decisions.random = &random
	c.analysis = analysis{marks: make([]uint8, len(s.analysis.marks)), stamps: make([]uint32, len(s.analysis.stamps))}
	c.proof = proofLog{}
	c.decisions.keys, c.decisions.keys2 = nil, nil
	c.passes.probed = slices.Clone(s.passes.probed)
	c.passes.elimination.tried, c.passes.elimination.binaries = slices.Clone(s.passes.elimination.tried), slices.Clone(s.passes.elimination.binaries)
	c.passes.factoring.tried = slices.Clone(s.passes.factoring.tried)
	if s.reports != nil {
		o := *s.reports
		c.reports = &o
	}
	c.call.assumptions, c.call.failed, c.call.model = slices.Clone(s.call.assumptions), slices.Clone(s.call.failed), slices.Clone(s.call.model)
	c.link()
	return &c
}

func (t *trail) clone() {
	t.vals, t.vars = slices.Clone(t.vals), slices.Clone(t.vars)
	t.levels, t.space = slices.Clone(t.levels), nil
	t.lits = append(make([]dimacs.Lit, 0, cap(t.lits)), t.lits...)
}

func (c *clauses) clone() {
	c.arena, c.arenaSpace = copied(c.arena)
	c.pool, c.poolSpace = copied(c.pool)
	c.pending.chunks, c.pending.space = slices.Clone(c.pending.chunks), nil
	for i, p := range c.pending.chunks { // with their capacity, see push
		c.pending.chunks[i] = append(make([]pendingBinary, 0, cap(p)), p...)
	}
	c.watches = slices.Clone(c.watches)
	c.binaryIDs = slices.Clone(c.binaryIDs)
}

func (r *removal) clone() {
	r.flags = slices.Clone(r.flags)
	k := &r.stack
	k.words, k.space = copied(k.words)
	k.top = slices.Clone(k.top)
}
