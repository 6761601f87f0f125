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
// would be forced. So the tree of decisions has no dead ends: every leaf is a
// model, and the way from one to the next takes back a component of the trail and
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
		decisions := []decision{}
		v := dimacs.Var(0)
		for {
			for ; int(v) < len(p.vals); v++ {
				if p.vals[v] == dimacs.Unassigned {
					decisions = append(decisions, decision{v.Lit(), len(p.trail)})
					p.imply(v.Lit())
				}
			}
			if ended(ctx) || !yield(p.vals) {
				return
			}
			for len(decisions) > 0 && decisions[len(decisions)-1].lit.Neg() {
				decisions = decisions[:len(decisions)-1]
			}
			if len(decisions) == 0 {
				return
			}
			last := &decisions[len(decisions)-1]
			p.undo(last.trail)
			last.lit ^= 1
			p.imply(last.lit)
			v = last.lit.Var() + 1
		}
	}
}

// A guess is a literal, and how long the trail was before.
type decision struct {
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
	if ended(ctx) {
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
	c := &counter{propagator: p, ctx: ctx, cache: map[string]*big.Int{}, seen: make([]uint32, len(p.vals))}
	var all []dimacs.Var
	for v := range dimacs.Var(len(p.vals)) {
		all = append(all, v)
	}
	n := c.countAll(all)
	return n, n != nil
}

// A counter counts the models of parts of a formula.
type counter struct {
	*propagator
	ctx      context.Context
	cache    map[string]*big.Int // by the variables of a component
	seen     []uint32            // the search for parts that last found a variable
	searches uint32
}

// maxCached bounds how many counts are remembered.
const maxCached = 1 << 18

// parts returns the number of assignments to those of the variables that have no
// value yet: the product over the parts into which they fall. The variables
// include all that are connected with them. It returns nil if ctx has ended.
func (c *counter) countAll(vars []dimacs.Var) *big.Int {
	n := big.NewInt(1)
	c.searches++
	search := c.searches
	for _, v := range vars {
		if c.vals[v] != dimacs.Unassigned || c.seen[v] == search {
			continue
		}
		component := c.component(v, search)
		m := c.countComponent(component)
		if m == nil {
			return nil
		}
		n.Mul(n, m)
		for _, u := range component { // since the recursion has other rounds
			c.seen[u] = search
		}
	}
	return n
}

// component returns the variables without a value that are connected with v by
// clauses.
func (c *counter) component(v dimacs.Var, search uint32) []dimacs.Var {
	component := []dimacs.Var{v}
	c.seen[v] = search
	for i := 0; i < len(component); i++ {
		l := uint32(component[i].Lit())
		for _, row := range [][]uint32{c.g.Row(l), c.g.Row(l ^ 1)} {
			for _, w := range row {
				if u := dimacs.Lit(w).Var(); c.vals[u] == dimacs.Unassigned && c.seen[u] != search {
					c.seen[u] = search
					component = append(component, u)
				}
			}
		}
	}
	return component
}

// count returns the number of assignments to the variables of a component.
func (c *counter) countComponent(component []dimacs.Var) *big.Int {
	if len(component) == 1 {
		return big.NewInt(2)
	}
	if ended(c.ctx) {
		return nil
	}
	key := c.key(component)
	if n, ok := c.cache[key]; ok {
		return n
	}
	l, n := c.mostFrequent(component).Lit(), new(big.Int)
	for _, l := range []dimacs.Lit{l, l ^ 1} {
		trail := len(c.trail)
		c.imply(l)
		m := c.countAll(component)
		c.undo(trail)
		if m == nil {
			return nil
		}
		n.Add(n, m)
	}
	if len(c.cache) < maxCached {
		c.cache[key] = n
	}
	return n
}

// key returns a string that tells the component from others: its variables in
// ascending order.
func (c *counter) key(component []dimacs.Var) string {
	sorted := slices.Clone(component)
	slices.Sort(sorted)
	var key []byte
	for _, v := range sorted {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// mostFrequent returns the variable that is in most clauses.
func (c *counter) mostFrequent(component []dimacs.Var) dimacs.Var {
	best, most := component[0], -1
	for _, v := range component {
		l := uint32(v.Lit())
		if n := len(c.g.Row(l)) + len(c.g.Row(l^1)); n > most {
			best, most = v, n
		}
	}
	return best
}
