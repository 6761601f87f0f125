package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// A literal that implies its own complement along binary clauses is false in
// every model: the backbone of the binary clauses. Propagation along these alone
// finds it, at a small part of the price of probing (Biere, Froleyks, Wang,
// "CadiBack", SAT 2023, and Kissat's backbone, which goes by the idea that
// follows).
//
// Literals are decided one after the other without taking anything back. When
// all that a literal implies was assigned without a conflict, no binary clause
// is left with one literal false and the other unassigned: had one of what is
// assigned implied the complement of a literal that is not, that complement
// would be assigned. So the next literal can not come into conflict with those
// before, but only with itself. Literals that were assigned true do not fail, and
// those that were assigned false wait for the next round, in which they come
// first. So a round looks once at the edges of each literal, but for those that
// failing ones reach.
//
// A literal that fails reaches two complements by ways that part at some point,
// and that is the one to learn: all before it follow along binary clauses. Its
// complement then takes part in the round as a decision of its own. If that
// fails as well, the formula is refuted.
//
// Roots, which no binary clause implies, come first: a root that does not fail
// takes everything it reaches out of the round's way.
//
// What it finds is little, and less where literals are probed, which finds it too;
// what it costs is a walk over the binary clauses.

// backboneRounds is a limit for formulas of large sets of literals of which at
// most one is true: each round tries one of these.
const backboneRounds = 100

// A backbonePass is a pass that looks for the backbone of the binary clauses.
type backbonePass struct {
	s     *Solver
	g     *inprocess.Implications
	limit int64 // ticks at which it ends
	vals  []int8
	nodes []backboneNode // by variable
	trail []dimacs.Lit
	units []inprocess.Unit
}

// A backboneNode says how an assigned literal came to be true: along an edge from
// its parent, or as a decision if it is its own parent. The place is where it
// stands on the path.
type backboneNode struct {
	parent   dimacs.Lit
	edge     uint32
	position uint32
}

// backbone looks for units among the binary clauses.
func (s *Solver) backbone(budget int64) {
	g := s.implications()
	if g == nil || len(g.Heads) == 0 {
		return
	}
	b := &backbonePass{s: s, g: g, limit: s.stats.Ticks + budget}
	b.vals = make([]int8, len(s.vals))
	b.nodes = make([]backboneNode, len(s.vars))
	todo := b.candidates()
	for round := 0; round < backboneRounds && len(todo) > 0 && !b.spent(); round++ {
		todo = b.round(todo)
		b.backtrack(0)
		if !b.assignUnits() {
			return
		}
	}
}

func (b *backbonePass) spent() bool {
	return b.s.stats.Ticks >= b.limit || b.s.stats.Ticks >= b.s.pollAt && b.s.poll(b.s.stats.Ticks)
}

// candidates returns the literals that imply others, roots first.
func (b *backbonePass) candidates() []dimacs.Lit {
	var roots, inner []dimacs.Lit
	for l := range dimacs.Lit(len(b.vals)) {
		switch {
		case b.g.Degree(l) == 0:
		case b.g.Degree(l^1) == 0:
			roots = append(roots, l)
		default:
			inner = append(inner, l)
		}
	}
	return append(roots, inner...)
}

// round tries the literals and returns those for another round.
func (b *backbonePass) round(todo []dimacs.Lit) []dimacs.Lit {
	kept := todo[:0]
	for i, l := range todo {
		if b.spent() {
			return append(kept, todo[i:]...)
		}
		switch {
		case b.s.vals[l] != 0 || b.vals[l] > 0:
		case b.vals[l] < 0:
			kept = append(kept, l)
		case !b.try(l):
			return nil
		}
	}
	return kept
}

// try assigns l and what it implies; if it fails, it assigns what follows from
// that. It reports false if that fails as well.
func (b *backbonePass) try(l dimacs.Lit) bool {
	place := len(b.trail)
	from, edge, ok := b.propagate(l)
	if ok {
		return true
	}
	u := b.learnUIP(from, edge)
	b.backtrack(place)
	b.units = append(b.units, u)
	b.s.stats.BackboneUnits++
	_, _, ok = b.propagate(u.Lit)
	return ok
}

// propagate assigns l and what it implies. If it does not report success, the edge
// leads from a literal to a false one.
func (b *backbonePass) propagate(l dimacs.Lit) (from dimacs.Lit, edge uint32, ok bool) {
	at := len(b.trail)
	b.assign(l, l, 0)
	for ; at < len(b.trail); at++ {
		m := b.trail[at]
		b.s.stats.Ticks += b.g.Cost(m)
		for i := b.g.Start[m]; i < b.g.Start[m+1]; i++ {
			switch h := dimacs.Lit(b.g.Heads[i]); {
			case b.vals[h] < 0:
				return m, i, false
			case b.vals[h] == 0:
				b.assign(h, m, i)
			}
		}
	}
	return 0, 0, true
}

func (b *backbonePass) assign(l, parent dimacs.Lit, edge uint32) {
	b.vals[l], b.vals[l^1] = 1, -1
	b.nodes[l>>1] = backboneNode{parent, edge, uint32(len(b.trail))}
	b.trail = append(b.trail, l)
}

// backtrack takes back what stands from this place on.
func (b *backbonePass) backtrack(place int) {
	for _, l := range b.trail[place:] {
		b.vals[l], b.vals[l^1] = 0, 0
	}
	b.trail = b.trail[:place]
}

// learnUIP derives the unit of a conflict: edge leads from a true literal to a false
// one. The two ways back, from that literal and from the complement of the
// other, are walked in step, the later place first, until they meet.
func (b *backbonePass) learnUIP(from dimacs.Lit, edge uint32) inprocess.Unit {
	s := b.s
	x, y := from, dimacs.Lit(b.g.Heads[edge])^1
	s.chain = append(s.chain[:0], s.refID(b.g.Refs[edge]))
	for x != y {
		if b.nodes[x>>1].position < b.nodes[y>>1].position {
			x, y = y, x
		}
		n := &b.nodes[x>>1]
		s.chain = append(s.chain, s.refID(b.g.Refs[n.edge]))
		x = n.parent
	}
	slices.Reverse(s.chain)
	return s.deriveUnit(x ^ 1)
}

// assignUnits assigns the units of a round at the root, and gives their values, and those
// of what follows, to the rounds to come. It reports whether there may be any.
func (b *backbonePass) assignUnits() bool {
	s := b.s
	if len(b.units) == 0 {
		return true
	}
	at := len(s.trail)
	if !s.assignUnits(b.units) {
		return false
	}
	b.units = b.units[:0]
	for _, l := range s.trail[at:] {
		b.vals[l], b.vals[l^1] = 1, -1
	}
	return true
}
