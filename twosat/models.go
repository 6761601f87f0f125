package twosat

import (
	"context"
	"encoding/binary"
	"iter"
	"math/big"
	"slices"

	"sator/dimacs"
)

// Once all forced literals are true, no guess fails any more: if a literal that
// is neither true nor false implied a contradiction with what is true, this
// would have made it false; and if it implied one by itself, its complement
// would be forced. So the tree of guesses has no dead ends: every leaf is a
// model, and the way from one to the next takes back a part of the trail and
// fills it again.
//
// Counting is as hard as counting the models of any formula (Valiant, "The
// complexity of enumeration and reliability problems", 1979), and this is a
// method for small ones: guess, and count the parts independently that have no
// clause in common. What is left of the clauses depends on nothing but which
// variables are left, so that counts are remembered by that. Chains, trees and
// other narrow formulas then take polynomial time.

// Models iterates over all models, each once, in the order of the first
// variable, true before false, then the second, and so on. The time between
// two of them is linear in the clauses. A model is overwritten by the next one;
// the iteration ends early if ctx does. Nothing may be added meanwhile.
func (s *Solver) Models(ctx context.Context) iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) {
		p, ok := s.afterForced(ctx)
		if !ok {
			return
		}
		guesses := []guess{}
		v := dimacs.Var(0)
		for {
			for ; int(v) < len(p.vals); v++ {
				if p.vals[v] == dimacs.Unassigned {
					guesses = append(guesses, guess{v.Lit(), len(p.trail)})
					p.imply(v.Lit())
				}
			}
			if over(ctx) || !yield(p.vals) {
				return
			}
			for len(guesses) > 0 && guesses[len(guesses)-1].lit.Neg() {
				guesses = guesses[:len(guesses)-1]
			}
			if len(guesses) == 0 {
				return
			}
			last := &guesses[len(guesses)-1]
			p.undo(last.trail)
			last.lit ^= 1
			p.imply(last.lit)
			v = last.lit.Var() + 1
		}
	}
}

// A guess is a literal, and how long the trail was before.
type guess struct {
	lit   dimacs.Lit
	trail int
}

// afterForced returns a propagator in which the forced literals are true, or
// false if there is no model or ctx ended.
func (s *Solver) afterForced(ctx context.Context) (*propagator, bool) {
	f, status := s.Forced(ctx)
	if status != dimacs.Satisfiable {
		return nil, false
	}
	p := newPropagator(s.Graph())
	for _, l := range f.Lits() {
		p.imply(l)
	}
	return p, true
}

// Count returns the number of models over all variables of the solver, or
// false if ctx ended before it was known. It is meant for small instances, or
// such that fall into small parts: the time is exponential for others.
func (s *Solver) Count(ctx context.Context) (*big.Int, bool) {
	if over(ctx) {
		return nil, false
	}
	switch s.decide(ctx) {
	case dimacs.Unsatisfiable:
		return new(big.Int), true
	case dimacs.Unknown:
		return nil, false
	}
	p, ok := s.afterForced(ctx)
	if !ok {
		return nil, false
	}
	c := &counter{propagator: p, ctx: ctx, known: map[string]*big.Int{}, seen: make([]uint32, len(p.vals))}
	var all []dimacs.Var
	for v := range dimacs.Var(len(p.vals)) {
		all = append(all, v)
	}
	n := c.parts(all)
	return n, n != nil
}

// A counter counts the models of parts of a formula.
type counter struct {
	*propagator
	ctx   context.Context
	known map[string]*big.Int // by the variables of a part
	seen  []uint32            // the search for parts that last found a variable
	round uint32
}

// maxKnown bounds how many counts are remembered.
const maxKnown = 1 << 18

// parts returns the number of assignments to those of the variables that have no
// value yet: the product over the parts into which they fall. The variables
// include all that are connected with them. It returns nil if ctx has ended.
func (c *counter) parts(vars []dimacs.Var) *big.Int {
	n := big.NewInt(1)
	c.round++
	round := c.round
	for _, v := range vars {
		if c.vals[v] != dimacs.Unassigned || c.seen[v] == round {
			continue
		}
		part := c.part(v, round)
		m := c.count(part)
		if m == nil {
			return nil
		}
		n.Mul(n, m)
		for _, u := range part { // since the recursion has other rounds
			c.seen[u] = round
		}
	}
	return n
}

// part returns the variables without a value that are connected with v by
// clauses.
func (c *counter) part(v dimacs.Var, round uint32) []dimacs.Var {
	part := []dimacs.Var{v}
	c.seen[v] = round
	for i := 0; i < len(part); i++ {
		l := uint32(part[i].Lit())
		for _, row := range [][]uint32{c.g.Row(l), c.g.Row(l ^ 1)} {
			for _, w := range row {
				if u := dimacs.Lit(w).Var(); c.vals[u] == dimacs.Unassigned && c.seen[u] != round {
					c.seen[u] = round
					part = append(part, u)
				}
			}
		}
	}
	return part
}

// count returns the number of assignments to the variables of a part.
func (c *counter) count(part []dimacs.Var) *big.Int {
	if len(part) == 1 {
		return big.NewInt(2)
	}
	if over(c.ctx) {
		return nil
	}
	key := c.key(part)
	if n, ok := c.known[key]; ok {
		return n
	}
	l, n := c.busiest(part).Lit(), new(big.Int)
	for _, l := range []dimacs.Lit{l, l ^ 1} {
		trail := len(c.trail)
		c.imply(l)
		m := c.parts(part)
		c.undo(trail)
		if m == nil {
			return nil
		}
		n.Add(n, m)
	}
	if len(c.known) < maxKnown {
		c.known[key] = n
	}
	return n
}

// key returns a string that tells the part from others: its variables in
// ascending order.
func (c *counter) key(part []dimacs.Var) string {
	sorted := slices.Clone(part)
	slices.Sort(sorted)
	var key []byte
	for _, v := range sorted {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// busiest returns the variable that is in most clauses.
func (c *counter) busiest(part []dimacs.Var) dimacs.Var {
	best, most := part[0], -1
	for _, v := range part {
		l := uint32(v.Lit())
		if n := len(c.g.Row(l)) + len(c.g.Row(l^1)); n > most {
			best, most = v, n
		}
	}
	return best
}
