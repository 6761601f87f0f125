package twosat

import (
	"context"
	"encoding/binary"
	"iter"
	"math/big"
	"slices"

	"sator/dimacs"
)

// Enumerating the solutions of 2-SAT has no dead ends once all forced literals
// are true: no decision fails. A decision could fail in two ways. If the literal
// implied the complement of a true one, propagation would have made it false
// already. If it implied a contradiction by itself, its complement would be
// forced. So every leaf of the decision tree is a model, and the step from one
// model to the next replaces a suffix of the trail.
//
// Counting the models of 2-SAT is as hard as counting those of any formula
// (Valiant, "The complexity of enumeration and reliability problems", 1979). The
// method here is for small formulas: branch on a variable, and count connected
// components independently. The remaining clauses depend only on the set of
// unassigned variables, so that a cache maps these sets to counts. Chains, trees
// and other narrow formulas then take polynomial time.

// Models iterates over all models, each once. It orders models by the value of
// the first variable, true before false, then of the second, and so on. The time
// between two models is linear in the clauses. The iterator overwrites a model
// with the next one, and ends early if ctx does. No clause may be added during
// the iteration.
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

// A decision is a literal and the length of the trail before it.
type decision struct {
	lit   dimacs.Lit
	trail int
}

// afterForced returns a propagator with the forced literals assigned, or false if
// there is no model or ctx ended.
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

// Count returns the number of models over all variables of the solver, or false
// if ctx ended before. It is for small instances and for instances with small
// connected components; for others the time is exponential.
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

// A counter counts the models of connected components of a formula.
type counter struct {
	*propagator
	ctx      context.Context
	cache    map[string]*big.Int // counts by the variables of a component, see key
	seen     []uint32            // number of the last search that found a variable
	searches uint32              // for components
}

// maxCached bounds the entries of the cache.
const maxCached = 1 << 18

// countAll returns the number of assignments to the unassigned variables among
// vars, the product over their connected components. The components must lie in
// vars. It returns nil if ctx has ended.
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
		for _, u := range component { // the recursion overwrote the numbers
			c.seen[u] = search
		}
	}
	return n
}

// component returns the unassigned variables that clauses connect with v.
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

// countComponent returns the number of assignments to the variables of a
// component, or nil if ctx has ended.
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

// key returns the cache key of a component: its variables in ascending order.
func (c *counter) key(component []dimacs.Var) string {
	sorted := slices.Clone(component)
	slices.Sort(sorted)
	var key []byte
	for _, v := range sorted {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// mostFrequent returns the variable of a component with most occurrences.
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
