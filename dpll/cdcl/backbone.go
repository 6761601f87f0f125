package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// Backbone of the binary clauses. A literal that implies its own complement along
// binary clauses is false in every model. Propagation along binary clauses alone finds
// such literals, at a small part of the price of failed literal probing (Biere,
// Froleyks, Wang, "CadiBack", SAT 2023). The pass works as in Kissat.
//
// Candidates are decided one after the other, each on top of the assignments of the
// earlier ones. When a decision was propagated without a conflict, no binary clause has
// one false and one unassigned literal. So no assigned literal implies the complement
// of an unassigned one, and a new decision can only conflict with its own implications.
// Candidates that are true already do not fail. Candidates that are false already are
// kept for the next round. So a round visits the edges of each literal once, except for
// the edges of literals that failing candidates reach.
//
// A failing candidate reaches two complementary literals along two paths. The last
// literal that both paths share, the first unique implication point (UIP), is learned
// to be false: the complements of the literals before it follow along binary clauses.
// The learned unit is then propagated in the same round. If that fails too, the formula
// is refuted.
//
// Roots of the implication graph, literals that no binary clause implies, are tried
// first: all literals that a root reaches are true after it, and need no try in this
// round.
//
// The pass finds few units. Failed literal probing finds the same ones, and leaves
// fewer to this pass. The price of the pass is a walk over the binary clauses.

// backboneRounds bounds the rounds of a pass. Each round tries only one literal of an
// at-most-one constraint, so that large constraints would take as many rounds.
const backboneRounds = 100

// A backbonePass looks for the backbone of the binary clauses.
type backbonePass struct {
	s     *Solver
	g     *inprocess.Implications // implication graph
	limit int64                   // end of the budget, in ticks
	vals  []int8                  // by literal, root assignments and this pass's
	nodes []backboneNode          // by variable
	trail []dimacs.Lit            // literals assigned by this pass
	units []inprocess.Unit        // learned in this round
}

// A backboneNode records why a variable is assigned.
type backboneNode struct {
	parent   dimacs.Lit // literal that implied it; for a decision, the literal itself
	edge     uint32     // from the parent
	position uint32     // on the trail
}

// backbone learns units from the binary clauses alone.
func (s *Solver) backbone(budget int64) {
	g := s.implications(s.proof.log != nil)
	if g == nil || len(g.Heads) == 0 {
		return
	}
	b := &backbonePass{s: s, g: g, limit: s.stats.Ticks + budget}
	b.vals = make([]int8, len(s.trail.vals))
	b.nodes = scratchTable[backboneNode](s, len(s.trail.vars))[:len(s.trail.vars)]
	todo := b.candidates()
	for round := 0; round < backboneRounds && len(todo) > 0 && !b.spent(); round++ {
		todo = b.round(todo)
		b.backtrack(0)
		if !b.assignUnits() {
			return
		}
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (b *backbonePass) spent() bool {
	s := b.s
	return s.stats.Ticks >= b.limit || s.stats.Ticks >= s.call.pollAt && s.poll(s.stats.Ticks)
}

// candidates returns the literals that imply others, roots first. It returns nil if the
// call is stopped.
func (b *backbonePass) candidates() []dimacs.Lit {
	var roots, inner []dimacs.Lit
	for l := range dimacs.Lit(len(b.vals)) {
		if b.s.pausing(int(l) + 1) {
			return nil
		}
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

// round tries the candidates and returns those for the next round.
func (b *backbonePass) round(todo []dimacs.Lit) []dimacs.Lit {
	kept := todo[:0]
	for i, l := range todo {
		if b.spent() {
			return append(kept, todo[i:]...)
		}
		switch {
		case b.s.trail.vals[l] != 0 || b.vals[l] > 0:
		case b.vals[l] < 0:
			kept = append(kept, l)
		case !b.try(l):
			return nil
		}
	}
	return kept
}

// try decides l and propagates. If l fails, it learns a unit and propagates that. It
// reports false if the unit fails too.
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

// propagate assigns l and all literals that it implies. On a conflict it returns the
// edge from a true literal, from, to a false one, and not ok.
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

// backtrack unassigns the literals of the trail from a position on.
func (b *backbonePass) backtrack(place int) {
	for _, l := range b.trail[place:] {
		b.vals[l], b.vals[l^1] = 0, 0
	}
	b.trail = b.trail[:place]
}

// learnUIP derives the unit of a conflict, where edge leads from a true literal to a
// false one. It follows the parents from two literals, from and the complement of the
// edge's head. Each step starts at the literal later on the trail, until both meet in
// the UIP.
func (b *backbonePass) learnUIP(from dimacs.Lit, edge uint32) inprocess.Unit {
	s := b.s
	x, y := from, dimacs.Lit(b.g.Heads[edge])^1
	s.proof.chain = append(s.proof.chain[:0], s.clauses.edgeID(b.g, edge))
	for x != y {
		if b.nodes[x>>1].position < b.nodes[y>>1].position {
			x, y = y, x
		}
		n := &b.nodes[x>>1]
		s.proof.chain = append(s.proof.chain, s.clauses.edgeID(b.g, n.edge))
		x = n.parent
	}
	slices.Reverse(s.proof.chain)
	return s.proof.deriveUnit(x ^ 1)
}

// assignUnits assigns the units of a round at the root, propagates, and copies the new
// root values for the next rounds. It reports whether the pass may go on.
func (b *backbonePass) assignUnits() bool {
	s := b.s
	if len(b.units) == 0 {
		return true
	}
	at := len(s.trail.lits)
	if !s.assignUnits(b.units) {
		return false
	}
	b.units = b.units[:0]
	for _, l := range s.trail.lits[at:] {
		b.vals[l], b.vals[l^1] = 1, -1
	}
	return true
}
