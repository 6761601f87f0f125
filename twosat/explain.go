package twosat

import (
	"slices"
	"strings"

	"sator/dimacs"
)

// Refutations of 2-SAT are contradictory cycles that a person can follow: a chain
// of implications from a literal to its complement, so that the literal cannot be
// true, and a chain back, so that it cannot be false. Each step is a clause.
// Breadth-first search finds the chains, so that each is a shortest one between
// its ends. Among the contradictory literals, the solver looks for one with a
// shortest cycle, as far as linear time allows.
//
// A proof of a refutation has two derived clauses: the unit clause of the
// complement, and the empty clause. Along the first chain each clause becomes unit
// after the one before, and the last is falsified; so the chain is the list of
// hints of the unit clause. The unit clause and the chain back are the hints of
// the empty clause.

// A Chain is a sequence of literals each of which implies the next by a clause.
type Chain []dimacs.Lit

// String returns the chain with arrows between the literals, as in "1 -> -2".
func (c Chain) String() string {
	var b strings.Builder
	for i, l := range c {
		if i > 0 {
			b.WriteString(" -> ")
		}
		b.WriteString(l.String())
	}
	return b.String()
}

// Clauses returns the clauses of the implications in order: (not a or b) for the
// implication from a to b, and a unit clause if b is the complement of a.
func (c Chain) Clauses() [][]dimacs.Lit {
	var cs [][]dimacs.Lit
	for i := 1; i < len(c); i++ {
		if c[i-1] == c[i]^1 {
			cs = append(cs, []dimacs.Lit{c[i]})
		} else {
			cs = append(cs, []dimacs.Lit{c[i-1] ^ 1, c[i]})
		}
	}
	return cs
}

// A Refutation is a contradictory cycle: a literal that implies its complement
// and is implied by it. Both chains are empty if the solver has an empty clause.
type Refutation struct {
	To   Chain // from a literal to its complement
	Back Chain // from the complement to the literal
}

// String returns the cycle, as in "1 -> -1 -> 1".
func (r *Refutation) String() string {
	if len(r.To) == 0 {
		return "the empty clause"
	}
	return slices.Concat(r.To, r.Back[1:]).String()
}

// Clauses returns the clauses of both chains in order, with repetitions. They are
// unsatisfiable.
func (r *Refutation) Clauses() [][]dimacs.Lit {
	if len(r.To) == 0 {
		return [][]dimacs.Lit{{}}
	}
	return slices.Concat(r.To.Clauses(), r.Back.Clauses())
}

// Path returns a shortest chain of implications from a to b, or false if there is
// no chain. Without a chain, a can still imply b in all solutions because a is
// always false or b always true. The chain from a literal to itself is that
// literal. The time is linear.
func (s *Solver) Path(a, b dimacs.Lit) (Chain, bool) {
	s.Grow(int(max(a, b)>>1) + 1)
	return newFinder(s.Graph()).path(a, b)
}

// Why returns a shortest chain of implications from the complement of l to l, or
// false if there is no chain. A satisfiable formula has such a chain if and only
// if l is true in every solution. The time is linear.
func (s *Solver) Why(l dimacs.Lit) (Chain, bool) { return s.Path(l^1, l) }

// A finder finds shortest chains by breadth-first search.
type finder struct {
	g        *Graph
	parent   []uint32
	found    []uint32 // number of the last search that found a vertex
	queue    []uint32
	searches uint32
	steps    int // edges visited in all searches
}

func newFinder(g *Graph) *finder {
	return &finder{g: g, parent: make([]uint32, g.Len()), found: make([]uint32, g.Len())}
}

// path returns a shortest chain from a to b.
func (f *finder) path(a, b dimacs.Lit) (Chain, bool) {
	if _, ok := f.search(uint32(a), uint32(b), f.g.Len()); !ok {
		return nil, false
	}
	c := Chain{b}
	for v := uint32(b); v != uint32(a); {
		v = f.parent[v]
		c = append(c, dimacs.Lit(v))
	}
	slices.Reverse(c)
	return c, true
}

// search returns the distance from a to b, or false if it exceeds most.
func (f *finder) search(a, b uint32, most int) (distance int, ok bool) {
	if a == b {
		return 0, true
	}
	f.searches++
	f.found[a] = f.searches
	f.queue = append(f.queue[:0], a)
	end := 1 // of the vertices at this distance in queue
	for i := 0; i < len(f.queue); i++ {
		if i == end {
			distance, end = distance+1, len(f.queue)
		}
		if distance >= most {
			return 0, false
		}
		v := f.queue[i]
		for _, w := range f.g.Row(v) {
			f.steps++
			if f.found[w] == f.searches {
				continue
			}
			f.found[w], f.parent[w] = f.searches, v
			if w == b {
				return distance + 1, true
			}
			f.queue = append(f.queue, w)
		}
	}
	return 0, false
}

// refute returns a contradictory cycle, given that v implies its complement and is
// implied by it. All literals of the component of v have such cycles. refute tries
// them in turn and returns the shortest cycle that it finds before its searches
// exceed searchEffort times the size of the kernel in steps.
func (k *kernel) refute(v dimacs.Var) *Refutation {
	f := newFinder(k.g)
	best, length := v, k.g.Len()+1
	limit := searchEffort * (k.g.Len() + k.g.Size())
	for _, u := range append([]dimacs.Var{v}, k.component(v)...) {
		if f.steps > limit {
			break
		}
		l := uint32(u.Lit())
		to, ok := f.search(l, l^1, length-1)
		if !ok {
			continue
		}
		if back, ok := f.search(l^1, l, length-1-to); ok {
			best, length = u, to+back
		}
	}
	l := best.Lit()
	to, _ := f.path(l, l^1)
	back, _ := f.path(l^1, l)
	return &Refutation{k.toOriginal(to), k.toOriginal(back)}
}

// searchEffort bounds the steps for a shorter refutation, as a multiple of the
// size of the kernel.
const searchEffort = 4

// component returns the variables in the contradictory component of v.
func (k *kernel) component(v dimacs.Var) []dimacs.Var {
	c := Condense(k.g)
	var vars []dimacs.Var
	for _, l := range c.Members(c.Of(uint32(v.Lit()))) {
		if l&1 == 0 {
			vars = append(vars, dimacs.Lit(l).Var())
		}
	}
	return vars
}

// toOriginal replaces the literals of the kernel in a chain by original ones.
func (k *kernel) toOriginal(c Chain) Chain {
	for i, l := range c {
		c[i] = k.original[l>>1].Lit() | l&1
	}
	return c
}

// prove logs a refutation.
func (s *Solver) prove(r *Refutation) {
	if s.proof == nil || len(r.To) == 0 {
		return
	}
	to, back := s.idsOf(r.To), s.idsOf(r.Back)
	unit := s.proof.Learn([]dimacs.Lit{r.Back[0]}, s.hintsOf(to...))
	s.proof.Learn(nil, s.hintsOf(append([]int64{unit}, back...)...))
}

// idsOf returns the proof ids of the clauses of a chain in order, up to the first
// clause that propagation falsifies, or nil if the proof needs no hints. The time
// is linear in all clauses: calls are rare, and a table of ids would be as large
// as the graph.
func (s *Solver) idsOf(c Chain) []int64 {
	if !s.hints {
		return nil
	}
	needed := make(map[pair]int64, len(c))
	steps := make([]pair, 0, len(c))
	held := map[dimacs.Lit]bool{c[0]: true}
	for i := 1; i < len(c) && !held[c[i-1]^1]; i++ {
		p := pair{min(c[i-1]^1, c[i]), max(c[i-1]^1, c[i])}
		needed[p] = 0
		steps = append(steps, p)
		held[c[i]] = true
	}
	for i, p := range s.pairs {
		if _, ok := needed[p]; ok {
			needed[p] = s.ids[i]
		}
	}
	ids := make([]int64, len(steps))
	for i, p := range steps {
		ids[i] = needed[p]
	}
	return ids
}
