package twosat

import (
	"context"

	"sator/dimacs"
)

// A literal is forced, true in every solution, if and only if its complement
// implies it. One way to find all forced literals is reachability between all
// pairs ([Closure.Forced]); its table is quadratic. This is the way for millions
// of variables.
//
// It starts from a model. A literal that is false in it may be true in another
// one, and then so is all that it implies: these changes are flips. Flipping
// one variable makes others flip, those in clauses where it had the only true
// literal. So a clause with one true literal is an edge between two variables,
// and a clause with two is a conflict, since they can not both flip; a unit
// clause is a conflict of a variable with itself. A variable is forced if and
// only if its flip leads, along edges, to both ends of a conflict. (If not,
// flipping all of these gives another model.) This graph has one vertex for two
// of the implication graph, and one entry for two edges.
//
// Three steps, in files of their own or here:
//
//   - Thinning (thin.go) drops what can be no part of two ways from the same
//     variable to both ends of a conflict. Like peeling it passes over the
//     clauses in order. Random instances with 0.99 clauses a variable keep 63 of
//     100 clauses, which does not seem much, but searches shrink more than that.
//   - Searches (search.go) decide all variables of what is left, the core.
//   - Whatever leads to a variable that was found forced, in the whole graph, is
//     forced as well: its complement implies a contradiction too. Nothing else
//     is, since a conflict with both its ways is in the core.
//
// With n variables and m clauses, the first and the last step take O(n+m). So
// does searching where searches from single variables are small. Where they are
// not, blocks of B = 512 of them (fewer beyond two million components) are
// searched at a time, in O((n+m)B/64) operations on words each, for n and m of
// the core. If its components can be covered by w chains, O(w log n) draws are
// expected to decide them, so that 1 + O(w log n / B) blocks do. The worst cases
// are wide graphs in which every search is large: many variables that lead
// through the same hub to many others, and exclude one of them each (the family
// "hub" of the benchmarks). They take n/B blocks and quadratic time. To tell
// which of these are forced is to answer as many independent questions about
// reachability, for which nothing better is known.
//
// Equivalent literals are strongly connected components too, and those of the
// flips do: literals that imply each other are all true or all false in the
// model, and their components come in complementary pairs.
//
// What did not help: searching the whole graph of flips, without thinning, takes
// twice as long at 0.99 clauses a variable. More rounds of thinning drop little.

// Forced says what the solutions of an instance have in common.
type Forced struct {
	vars         int
	model        dimacs.Model
	flips        []flip
	forced       []bool        // by variable
	predecessors *Graph        // for each variable those that make it flip; made when needed
	components   *Condensation // of that; made when asked for

	Core     int // clauses that thinning left
	Searches int // from one variable
	Blocks   int // of searches from many at a time
}

// Forced finds all literals that are true in every solution. The status is
// Satisfiable; Unsatisfiable, if there is no solution; or Unknown, if ctx
// ended before the answer was there. In the last two cases there is no other
// result.
//
// The time is linear but for families that are told at the top of forced.go;
// about 30 bytes are needed for a variable, and 24 for a clause.
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

// spread takes over what was found in the core, and what follows from it.
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

// graph returns the graph of the flips without conflicts, turned round.
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

// Lits returns the forced literals, by variable.
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
// every one, and otherwise Unassigned.
func (f *Forced) Value(l dimacs.Lit) dimacs.Value {
	if v := l.Var(); int(v) >= len(f.forced) || !f.forced[v] {
		return dimacs.Unassigned
	}
	return f.model.Lit(l)
}

// Free returns the variables that are true in some solutions and false in
// others, in ascending order.
func (f *Forced) Free() []dimacs.Var {
	var vs []dimacs.Var
	for v := range dimacs.Var(f.vars) {
		if f.Value(v.Lit()) == dimacs.Unassigned {
			vs = append(vs, v)
		}
	}
	return vs
}

// Classes returns the sets of two or more literals that are equal in every
// solution but not the same in all, each in order of variables, and the sets in
// order of their first literal, which is positive. The set of the complements
// is not listed. The first call takes linear time.
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
