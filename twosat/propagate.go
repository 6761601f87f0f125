package twosat

import (
	"context"

	"sator/dimacs"
)

// The kernel is decided by guessing: a literal is made true, with everything
// that it implies. Is there no contradiction, this stays: nothing outside is
// implied by it, so that the rest of the clauses has a solution if they all had
// one. Otherwise the literal is false in every solution, and its complement is
// made true; if that does not go either, there is no solution.
//
// Every literal that stays true is visited once, and its complement never: this
// is half of the graph, and each visit asks for a byte of the model and a row,
// where Tarjan's algorithm asks for two indices, a row and a stack. Of a variable
// the literal that implies less at once is tried first.
//
// What a wrong guess implies is visited for nothing. Even, Itai and Shamir ("On
// the complexity of timetable and multicommodity flow problems", 1976) make the
// time linear by pursuing both literals of a variable in turns. That is not done
// here, since it visits twice as much in all those cases in which the guess is
// right. Instead the visits taken back are counted: if they exceed all vertices
// and edges, the kernel is left to the search for components, which wastes none.
// A family where this happens: many literals that lead down the same long chain
// to a contradiction, each of which is tried before its complement.

// A propagator makes literals true with what they imply.
type propagator struct {
	g     *Graph // an implication graph
	vals  dimacs.Model
	trail []dimacs.Lit // the true literals, in the order in which they became so
}

func newPropagator(g *Graph) *propagator {
	return &propagator{g: g, vals: make(dimacs.Model, g.Len()/2)}
}

// imply makes l true and all that it implies, in the order of their distance.
// If it finds a literal that is false already, the clash, it stops there.
func (p *propagator) imply(l dimacs.Lit) (clash dimacs.Lit, ok bool) {
	switch p.vals.Lit(l) {
	case dimacs.True:
		return 0, true
	case dimacs.False:
		return l, false
	}
	g, vals, trail := p.g, p.vals, p.trail
	head := len(trail)
	vals.Set(l)
	trail = append(trail, l)
	for ; head < len(trail); head++ {
		for _, w := range g.Row(uint32(trail[head])) {
			value := dimacs.Value(1 - 2*int8(w&1))
			switch vals[w>>1] {
			case value:
			case dimacs.Unassigned:
				vals[w>>1] = value
				trail = append(trail, dimacs.Lit(w))
			default:
				p.trail = trail
				return dimacs.Lit(w), false
			}
		}
	}
	p.trail = trail
	return 0, true
}

// undo takes back what became true after the first n literals of the trail.
func (p *propagator) undo(n int) {
	for _, l := range p.trail[n:] {
		p.vals[l>>1] = dimacs.Unassigned
	}
	p.trail = p.trail[:n]
}

// A kernel has the clauses that peeling left, over variables of its own.
type kernel struct {
	*propagator
	original []dimacs.Var // of its variables, outside
}

// newKernel renames the variables of the clauses in the order in which they
// occur, and makes the graph.
func newKernel(vars int, pairs []pair) *kernel {
	if len(pairs) == 0 {
		return &kernel{propagator: newPropagator(implications(0, nil))}
	}
	k := &kernel{original: make([]dimacs.Var, 0, min(vars, 2*len(pairs)))}
	indices := make([]uint32, vars) // of a variable in the kernel, plus 1
	for i, c := range pairs {
		for j, l := range c {
			n := indices[l>>1]
			if n == 0 {
				k.original = append(k.original, l.Var())
				n = uint32(len(k.original))
				indices[l>>1] = n
			}
			pairs[i][j] = dimacs.Lit(n-1)<<1 | l&1
		}
	}
	k.propagator = newPropagator(implications(len(k.original), pairs))
	return k
}

// decide assigns all variables of the kernel, or returns one both of whose
// literals imply a contradiction.
func (k *kernel) decide(ctx context.Context, st *Stats) (clash dimacs.Var, status dimacs.Status) {
	limit := k.g.Len() + k.g.Size()
	for v := range dimacs.Var(len(k.original)) {
		if k.vals[v] != dimacs.Unassigned {
			continue
		}
		n := len(k.trail)
		if l := k.preferred(v); !k.try(l, st) && !k.try(l^1, st) {
			return v, dimacs.Unsatisfiable
		}
		st.Propagated += len(k.trail) - n
		switch {
		case st.Unassigned > limit:
			st.Condensed = true
			return k.condense(ctx)
		case v%1024 == 0 && ended(ctx):
			return 0, dimacs.Unknown
		}
	}
	return 0, dimacs.Satisfiable
}

// guess returns the literal of v that implies fewer others at once.
func (k *kernel) preferred(v dimacs.Var) dimacs.Lit {
	l := v.Lit()
	if len(k.g.Row(uint32(l))) > len(k.g.Row(uint32(l^1))) {
		return l ^ 1
	}
	return l
}

// try makes l true, or leaves everything as it was.
func (k *kernel) try(l dimacs.Lit, st *Stats) bool {
	n := len(k.trail)
	if _, ok := k.imply(l); ok {
		return true
	}
	st.Propagated += len(k.trail) - n
	st.Unassigned += len(k.trail) - n
	k.undo(n)
	return false
}

// condense decides the kernel by its components. There is no solution if a
// literal and its complement are in the same one; otherwise that of the two is
// true that comes later in topological order.
func (k *kernel) condense(ctx context.Context) (clash dimacs.Var, status dimacs.Status) {
	c := condense(ctx, k.g)
	if c == nil {
		return 0, dimacs.Unknown
	}
	for v := range dimacs.Var(len(k.original)) {
		l := v.Lit()
		switch x, y := c.Of(uint32(l)), c.Of(uint32(l^1)); {
		case x == y:
			return v, dimacs.Unsatisfiable
		case x < y:
			k.vals.Set(l)
		default:
			k.vals.Set(l ^ 1)
		}
	}
	return 0, dimacs.Satisfiable
}

// complete puts the values of the kernel into a model of the rest.
func (k *kernel) complete(m dimacs.Model) {
	for v, name := range k.original {
		m[name] = k.vals[v]
	}
}
