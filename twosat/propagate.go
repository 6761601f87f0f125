package twosat

import (
	"context"

	"sator/dimacs"
)

// The kernel is decided by unit propagation with limited backtracking: a literal
// is assigned with all literals that it implies. Without a contradiction the
// assignment is kept: no implication leads out of the assigned literals, so that
// the remaining clauses have a solution if all clauses had one. After a
// contradiction the literal is false in every solution, and its complement is
// tried. If that fails too, there is no solution.
//
// Propagation visits every literal that becomes true once, and its complement
// never: this is half of the graph. A visit reads a byte of the model and a row;
// Tarjan's algorithm reads two numbers and a row, and uses a stack. The literal
// of a variable with fewer direct implications is tried first.
//
// The work of a failed try is wasted. Even, Itai and Shamir ("On the complexity
// of timetable and multicommodity flow problems", 1976) guarantee linear time by
// propagating both literals of a variable in parallel. This would double the
// visits whenever the first try succeeds. Instead, the solver counts unassigned
// literals: if they exceed the number of vertices and edges, strongly connected
// components decide the kernel, since their search wastes nothing. This happens,
// for example, if many literals lead down the same long chain to a contradiction,
// and each is tried before its complement.

// A propagator assigns literals with their implications.
type propagator struct {
	g     *Graph // an implication graph
	vals  dimacs.Model
	trail []dimacs.Lit // true literals in the order of assignment
}

func newPropagator(g *Graph) *propagator {
	return &propagator{g: g, vals: make(dimacs.Model, g.Len()/2)}
}

// imply assigns l and the literals that it implies, in breadth-first order. It
// stops at an implied literal that is false, the clash.
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

// undo unassigns all but the first n literals of the trail.
func (p *propagator) undo(n int) {
	for _, l := range p.trail[n:] {
		p.vals[l>>1] = dimacs.Unassigned
	}
	p.trail = p.trail[:n]
}

// A kernel has the clauses that peeling left, over renumbered variables.
type kernel struct {
	*propagator
	original []dimacs.Var // solver variable of each kernel variable
}

// newKernel numbers the variables of the clauses in the order of their first
// occurrence, and builds the implication graph. It overwrites pairs.
func newKernel(vars int, pairs []pair) *kernel {
	if len(pairs) == 0 {
		return &kernel{propagator: newPropagator(implications(0, nil))}
	}
	k := &kernel{original: make([]dimacs.Var, 0, min(vars, 2*len(pairs)))}
	indices := make([]uint32, vars) // kernel variable plus 1, or 0
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

// decide assigns all variables of the kernel, or returns a variable both of whose
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

// preferred returns the literal of v with fewer direct implications.
func (k *kernel) preferred(v dimacs.Var) dimacs.Lit {
	l := v.Lit()
	if len(k.g.Row(uint32(l))) > len(k.g.Row(uint32(l^1))) {
		return l ^ 1
	}
	return l
}

// try assigns l, or reports false and leaves the assignment unchanged.
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

// condense decides the kernel by its strongly connected components. There is no
// solution if a literal and its complement are in the same component; otherwise
// the literal whose component is later in topological order becomes true.
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

// complete copies the values of the kernel to the model m.
func (k *kernel) complete(m dimacs.Model) {
	for v, name := range k.original {
		m[name] = k.vals[v]
	}
}
