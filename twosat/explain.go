package twosat

import (
	"slices"
	"strings"

	"sator/dimacs"
)

// An answer of "no" is a walk that a person can follow: from a literal along
// implications to its complement, so that it can not be true; and from there
// back, so that it can not be false. Each step is a clause. Walks are found by
// breadth-first search, so that there is none with fewer steps between the same
// literals; and of all literals that contradict themselves one is chosen for
// which the walk is shortest, as far as the search for it takes no more than
// linear time.
//
// In a proof these are two steps: the clause of the complement alone, which
// follows along the clauses of the way there, and the empty clause, which
// follows from that along the way back. Each clause on a way becomes unit when
// the one before it has, and the last is falsified, so that the ways are hints
// as they are.

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

// Clauses returns the clauses of the implications, in order: for one from a to b
// it is not a, or b. For one from a literal to its complement it is a unit
// clause.
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
// and is implied by it. If both chains are empty, the empty clause was given.
type Refutation struct {
	To   Chain // from a literal to its complement
	Back Chain // and back
}

// String returns both chains as one.
func (r *Refutation) String() string {
	if len(r.To) == 0 {
		return "the empty clause"
	}
	return slices.Concat(r.To, r.Back[1:]).String()
}

// Clauses returns the clauses of both chains, in order. They have no model. A
// clause may be there more than once.
func (r *Refutation) Clauses() [][]dimacs.Lit {
	if len(r.To) == 0 {
		return [][]dimacs.Lit{{}}
	}
	return slices.Concat(r.To.Clauses(), r.Back.Clauses())
}

// Path returns a shortest chain of implications from a to b, or false if there
// is none: that a implies b in all solutions can also be because a is false in
// all, or b true. From a literal to itself the chain is that literal. The time
// is linear.
func (s *Solver) Path(a, b dimacs.Lit) (Chain, bool) {
	s.Grow(int(max(a, b)>>1) + 1)
	return newFinder(s.Graph()).path(a, b)
}

// Why returns a shortest chain of implications from the complement of l to l, or
// false if there is none. If there is, l is true in every solution, and if there
// are solutions the converse holds as well. The time is linear.
func (s *Solver) Why(l dimacs.Lit) (Chain, bool) { return s.Path(l^1, l) }

// A finder looks for shortest chains.
type finder struct {
	g        *Graph
	parent   []uint32
	found    []uint32 // in which a vertex was last found
	queue    []uint32
	searches uint32
	steps    int // edges followed, in all rounds
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

// search returns how many edges lead from a to b, if they are at most so many.
func (f *finder) search(a, b uint32, most int) (distance int, ok bool) {
	if a == b {
		return 0, true
	}
	f.searches++
	f.found[a] = f.searches
	f.queue = append(f.queue[:0], a)
	end := 1 // of those at this distance
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

// refute returns a contradictory cycle. One goes through v; the literals on it
// all contradict themselves, and so do all others of their component. They are
// tried as well, for a shorter cycle, as long as all searches together have
// followed no more than a few times as many edges as there are.
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

// searchEffort is how many times the size of the kernel is spent on a shorter
// refutation.
const searchEffort = 4

// component returns the variables in the component of v, which contradicts
// itself.
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

// named returns a chain of the kernel in the literals outside.
func (k *kernel) toOriginal(c Chain) Chain {
	for i, l := range c {
		c[i] = k.original[l>>1].Lit() | l&1
	}
	return c
}

// prove tells the proof a refutation.
func (s *Solver) prove(r *Refutation) {
	if s.proof == nil || len(r.To) == 0 {
		return
	}
	to, back := s.idsOf(r.To), s.idsOf(r.Back)
	unit := s.proof.Learn([]dimacs.Lit{r.Back[0]}, s.hintsOf(to...))
	s.proof.Learn(nil, s.hintsOf(append([]int64{unit}, back...)...))
}

// idsOf returns the ids of the clauses of a chain, in order, if the proof wants
// hints: up to the first one that is falsified, which may be before the end. The
// time is linear in all clauses: ids are asked for once in a while, and a table
// of them would be as large as the graph.
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
