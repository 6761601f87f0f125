package twosat

import (
	"context"

	"sator/dimacs"
)

// Forced literals, the backbone of 2-SAT: a literal is true in every solution if
// and only if its complement implies it. Reachability between all pairs of
// literals finds them ([Closure.Forced]), but with a quadratic table. The method
// here is for millions of variables.
//
// It starts from a model. If another solution differs in the value of a variable,
// the variable flips. A flip forces other flips: the variable may have the only
// true literal of a clause. So the clauses give a graph of flips over the
// variables. A clause with one true literal is an edge from the variable of that
// literal to the other variable. A clause with two true literals is a conflict:
// not both of its variables can flip. A unit clause is a conflict of a variable
// with itself. A variable is forced if and only if it reaches both ends of a
// conflict. (Otherwise flipping all variables that it reaches gives another
// model.) The graph of flips has half as many vertices as the implication graph
// and one edge for two.
//
// The method has three steps:
//
//   - Thinning (thin.go) drops edges and conflicts that cannot be part of two
//     paths from one variable to both ends of a conflict. Like peeling, it passes
//     over the clauses in order. Random instances with 0.99 clauses a variable
//     keep 63 of 100 clauses, which does not seem much, but searches become
//     smaller by more than that.
//   - Searches (search.go) decide all variables of the remaining graph, the core.
//   - Every variable that reaches a forced variable in the whole graph is forced
//     too, since its complement implies a contradiction as well. No other variable
//     is forced, because a conflict and both paths to it are in the core.
//
// With n variables and m clauses, the first and the last step take O(n+m). The
// searches take O(n+m) too if each search from a single variable is small.
// Otherwise, blocks of B = 512 components (fewer beyond two million components)
// are searched at a time, with O((n+m)B/64) operations on words a block, for n and
// m of the core. If w chains cover the components of the core, O(w log n) random
// draws are expected to decide them, that is, 1 + O(w log n / B) blocks. The worst
// cases are wide graphs in which every search is large: many sources reach many
// targets through one hub, and each source is in conflict with one target (the
// family "hub" of the benchmarks). They take n/B blocks and quadratic time.
// Deciding the sources means answering as many independent reachability queries,
// for which no better method is known.
//
// Equivalent literals are strongly connected components of the graph of flips as
// well: literals that imply each other are all true or all false in the model,
// and their components in the implication graph come in complementary pairs.
//
// Two alternatives did not help. Searching the whole graph of flips without
// thinning takes twice as long at 0.99 clauses a variable. More rounds of
// thinning drop little.

// Forced is the result of [Solver.Forced]: forced and equivalent literals.
type Forced struct {
	vars         int
	model        dimacs.Model
	flips        []flip
	forced       []bool        // by variable
	predecessors *Graph        // graph of flips with reversed edges; built on demand
	components   *Condensation // of predecessors; computed on demand

	Core     int // number of clauses left by thinning
	Searches int // number of searches from a single variable
	Blocks   int // number of searches from a block of components
}

// Forced finds the backbone: all literals that are true in every solution. The
// status is Satisfiable, or Unsatisfiable if there is no solution, or Unknown if
// ctx ended before. The result is nil unless the status is Satisfiable.
//
// The time is linear except for wide graphs, see the top of forced.go. Forced
// takes about 30 bytes a variable and 24 a clause.
func (s *Solver) Forced(ctx context.Context) (*Forced, dimacs.Status) {
	if ended(ctx) {
		return nil, dimacs.Unknown
	}
	if status := s.decide(ctx); status != dimacs.Satisfiable {
		return nil, status
	}
	f := &Forced{vars: s.vars, model: s.model, forced: make([]bool, len(s.model))}
	t := newThinner(s.model, s.pairs)
	f.flips = t.all
	left := t.thin(ctx)
	c := newCore(len(s.model), left)
	if !c.decide(ctx) {
		return nil, dimacs.Unknown
	}
	f.Core, f.Searches, f.Blocks = len(left), c.searches, c.blocks
	f.spread(c)
	return f, dimacs.Satisfiable
}

// spread marks the forced variables of the core and all variables that reach them.
func (f *Forced) spread(c *core) {
	var found []uint32
	for v, d := range c.verdicts {
		if d == unflippable {
			found = append(found, c.original[v])
			f.forced[c.original[v]] = true
		}
	}
	if len(found) == 0 {
		return
	}
	g := f.reversed()
	for len(found) > 0 {
		v := found[len(found)-1]
		found = found[:len(found)-1]
		for _, u := range g.Row(v) {
			if !f.forced[u] {
				f.forced[u] = true
				found = append(found, u)
			}
		}
	}
}

// reversed returns the graph of flips, without conflicts, with reversed edges.
func (f *Forced) reversed() *Graph {
	if f.predecessors == nil {
		b := newRowBuilder(len(f.model), len(f.flips))
		for _, e := range f.flips {
			if e.to&1 == 0 {
				b.count(e.to >> 1)
			}
		}
		b.open()
		for _, e := range f.flips {
			if e.to&1 == 0 {
				b.put(e.to>>1, e.from)
			}
		}
		f.predecessors = b.graph()
	}
	return f.predecessors
}

// Lits returns the forced literals in the order of their variables.
func (f *Forced) Lits() []dimacs.Lit {
	var ls []dimacs.Lit
	for v, forced := range f.forced {
		if forced {
			ls = append(ls, f.lit(uint32(v)))
		}
	}
	return ls
}

// Value returns True if l is true in every solution, False if it is false in
// every solution, and otherwise Unassigned.
func (f *Forced) Value(l dimacs.Lit) dimacs.Value {
	if v := l.Var(); int(v) >= len(f.forced) || !f.forced[v] {
		return dimacs.Unassigned
	}
	return f.model.Lit(l)
}

// Free returns the variables that are not forced, in ascending order: each is
// true in some solutions and false in others.
func (f *Forced) Free() []dimacs.Var {
	var vs []dimacs.Var
	for v := range dimacs.Var(f.vars) {
		if f.Value(v.Lit()) == dimacs.Unassigned {
			vs = append(vs, v)
		}
	}
	return vs
}

// Classes returns the sets of two or more equivalent literals that are not
// forced: the literals of a set are equal in every solution. Literals are in the
// order of their variables, and sets in the order of their first literal, which
// is positive. The set of the complements is not listed. The first call takes
// linear time.
func (f *Forced) Classes() [][]dimacs.Lit {
	if f.components == nil {
		f.components = Condense(f.reversed())
	}
	var classes [][]dimacs.Lit
	for v := range uint32(len(f.model)) {
		members := f.components.Members(f.components.Of(v))
		if len(members) < 2 || members[0] != v || f.forced[v] {
			continue
		}
		sign := f.lit(v) & 1
		set := make([]dimacs.Lit, len(members))
		for i, u := range members {
			set[i] = f.lit(u) ^ sign
		}
		classes = append(classes, set)
	}
	return classes
}

// lit returns the literal of variable v that is true in the model.
func (f *Forced) lit(v uint32) dimacs.Lit {
	l := dimacs.Var(v).Lit()
	if f.model[v] == dimacs.False {
		l ^= 1
	}
	return l
}
