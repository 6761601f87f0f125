package circuit

import (
	"slices"

	"sator/dimacs"
)

// Clauses of gates: Tseitin ("On the complexity of derivation in propositional calculus",
// 1968), and in the directions that are needed alone, Plaisted and Greenbaum ("A
// structure-preserving clause form translation", JSC 1986).
//
// A tree of AND gates that nothing else uses is one gate of many inputs, and the two gates
// above an exclusive or or a multiplexer are one gate with four clauses, as in Eén, Mishchenko
// and Sörensson, "Applying logic synthesis for speeding up SAT", SAT 2007.

// A Target receives clauses and numbers variables: a *dimacs.Formula, or a solver.
type Target interface {
	// Add adds a clause. The slice is scratch memory.
	Add(lits ...dimacs.Lit)

	// NewVar adds a variable that nobody else has, and returns it.
	NewVar() dimacs.Var
}

// An Encoder writes the clauses of signals to a Target. It writes the clauses of a gate once,
// when a signal first depends on it; gates may be added to the graph at any time.
type Encoder struct {
	// Define writes clauses in both directions for all gates, so that each assignment of the
	// inputs has exactly one extension to the gates, and the number of models is kept. It
	// must not be changed after the first clause.
	Define bool

	g      *Graph
	to     Target
	lits   []dimacs.Lit // by node: one more than its literal, or 0
	done   []direction  // by node: the clauses that are written or open
	open   []task       // clauses to be written
	leaves []Signal     // scratch
	stack  []Signal     // scratch
	clause []dimacs.Lit // scratch
}

// A task is to write the clauses of a gate in some directions.
type task struct {
	node uint32
	d    direction
}

// A direction is a set of implications between the literal of a node and its gate.
type direction uint8

const (
	forth direction = 1 << iota // the literal implies the gate
	back                        // the gate implies the literal
	fixed                       // the gate is asserted
	both  = forth | back
)

// reverse returns the direction of the complement.
func (d direction) reverse() direction { return d>>1 | d<<1&both }

// NewEncoder returns an encoder of a graph.
func NewEncoder(g *Graph, to Target) *Encoder { return &Encoder{g: g, to: to} }

// Bind gives an input or a latch a literal of the target, in place of a new variable. It
// panics if the signal has a literal already, or is a gate or a constant.
func (e *Encoder) Bind(s Signal, l dimacs.Lit) {
	e.grow()
	if s.node() == 0 || e.g.isAnd(s.node()) || e.lits[s.node()] != 0 {
		panic("circuit: Bind of a signal that has a literal, or is a gate or a constant")
	}
	e.lits[s.node()] = (l ^ dimacs.Lit(s&1)) + 1
}

// Lit returns a literal that is equivalent to a signal.
func (e *Encoder) Lit(s Signal) dimacs.Lit {
	e.grow()
	l := e.need(s, both)
	e.write()
	return l
}

// Implied returns a literal that implies a signal: a literal to assume, for half of the
// clauses of [Encoder.Lit].
func (e *Encoder) Implied(s Signal) dimacs.Lit {
	e.grow()
	l := e.need(s, forth)
	e.write()
	return l
}

// Known returns the literal that a signal has so far.
func (e *Encoder) Known(s Signal) (dimacs.Lit, bool) {
	if int(s.node()) >= len(e.lits) || e.lits[s.node()] == 0 {
		return 0, false
	}
	return e.lits[s.node()] - 1 ^ dimacs.Lit(s&1), true
}

// Assert writes that a signal is true. It needs no variable for a disjunction or for an
// exclusive or.
func (e *Encoder) Assert(s Signal) {
	e.grow()
	e.assert(s)
	e.write()
}

// assert writes the clause or the clauses of a true signal, and opens gates below them.
func (e *Encoder) assert(s Signal) {
	n := s.node()
	switch {
	case s == True:
	case s == False:
		e.to.Add()
	case !e.g.isAnd(n):
		e.to.Add(e.need(s, forth))
	case s.complemented():
		e.assertOr(n)
	default:
		for _, l := range slices.Clone(e.inputs(n, true)) {
			e.assert(l)
		}
	}
}

// assertOr writes that the gate n is false: the clause of its false inputs. A multiplexer has two
// clauses, and if one input is the complement of a conjunction, there is a clause for each
// input of that.
func (e *Encoder) assertOr(n uint32) {
	if c, yes, no, ok := e.g.multiplexer(n); ok {
		k := e.need(c, both)
		e.to.Add(k^1, e.need(yes.Not(), forth))
		e.to.Add(k, e.need(no.Not(), forth))
		return
	}
	leaves := slices.Clone(e.inputs(n, false))
	conjunction := func(l Signal) bool { return l.complemented() && e.g.isAnd(l.node()) && e.private(l.node()) }
	i := slices.IndexFunc(leaves, conjunction)
	if i < 0 || slices.ContainsFunc(leaves[i+1:], conjunction) {
		e.addOr(0, leaves)
		return
	}
	for _, l := range slices.Clone(e.inputs(leaves[i].node(), false)) {
		leaves[i] = l.Not()
		e.addOr(0, leaves)
	}
}

// grow makes the tables as long as the graph is.
func (e *Encoder) grow() {
	missing := len(e.g.nodes) - len(e.lits)
	e.lits = append(e.lits, make([]dimacs.Lit, missing)...)
	e.done = append(e.done, make([]direction, missing)...)
}

// need returns the literal of a signal, and opens the clauses that are needed for it.
func (e *Encoder) need(s Signal, d direction) dimacs.Lit {
	if s.complemented() {
		d = d.reverse()
	}
	if e.Define {
		d = both
	}
	n := s.node()
	if e.lits[n] == 0 {
		e.lits[n] = e.to.NewVar().Lit() + 1
		if n == 0 {
			e.to.Add(e.lits[0] - 1 ^ 1)
		}
	}
	if d &^= e.done[n]; d != 0 && e.g.isAnd(n) {
		e.done[n] |= d
		e.open = append(e.open, task{n, d})
	}
	return e.lits[n] - 1 ^ dimacs.Lit(s&1)
}

// write writes the open clauses, and the clauses of all gates below.
func (e *Encoder) write() {
	for len(e.open) > 0 {
		t := e.open[len(e.open)-1]
		e.open = e.open[:len(e.open)-1]
		if c, yes, no, ok := e.g.multiplexer(t.node); ok {
			e.writeMultiplexer(t, c, yes, no)
		} else {
			e.writeAnd(t)
		}
	}
}

// writeAnd writes the clauses of an AND gate.
func (e *Encoder) writeAnd(t task) {
	x := e.lits[t.node] - 1
	leaves := e.inputs(t.node, false)
	if t.d&forth != 0 {
		for _, l := range leaves {
			e.to.Add(x^1, e.need(l, forth))
		}
	}
	if t.d&back != 0 {
		e.addOr(x+1, leaves)
	}
}

// addOr adds the clause that some leaf is false, or the literal before x is true, if x is
// not 0.
func (e *Encoder) addOr(x dimacs.Lit, leaves []Signal) {
	e.clause = e.clause[:0]
	if x != 0 {
		e.clause = append(e.clause, x-1)
	}
	for _, l := range leaves {
		e.clause = append(e.clause, e.need(l.Not(), forth))
	}
	e.to.Add(e.clause...)
}

// writeMultiplexer writes the clauses of the gate "if c then yes else no".
func (e *Encoder) writeMultiplexer(t task, c, yes, no Signal) {
	x, k := e.lits[t.node]-1, e.need(c, both)
	if t.d&forth != 0 {
		e.to.Add(x^1, k^1, e.need(yes, forth))
		e.to.Add(x^1, k, e.need(no, forth))
	}
	if t.d&back != 0 {
		e.to.Add(x, k^1, e.need(yes, back)^1)
		e.to.Add(x, k, e.need(no, back)^1)
	}
}

// multiplexer returns the inputs of the gate "if c then yes else no" if the node and the two
// gates below it are one. An exclusive or has complementary yes and no.
func (g *Graph) multiplexer(n uint32) (c, yes, no Signal, ok bool) {
	a, b := g.nodes[n].a, g.nodes[n].b
	if !a.complemented() || !b.complemented() || !g.isAnd(a.node()) || !g.isAnd(b.node()) {
		return 0, 0, 0, false
	}
	p, q := g.nodes[a.node()], g.nodes[b.node()]
	switch {
	case p.a == q.a.Not():
		return p.a, p.b.Not(), q.b.Not(), true
	case p.a == q.b.Not():
		return p.a, p.b.Not(), q.a.Not(), true
	case p.b == q.a.Not():
		return p.b, p.a.Not(), q.b.Not(), true
	case p.b == q.b.Not():
		return p.b, p.a.Not(), q.a.Not(), true
	}
	return 0, 0, 0, false
}

// inputs returns the inputs of the tree of AND gates at a node. The tree has gates that
// nothing else uses and that have no literal; with all, it has all AND gates below that are
// not asserted yet, and they are asserted from then on.
func (e *Encoder) inputs(n uint32, all bool) []Signal {
	g := e.g
	e.leaves = e.leaves[:0]
	e.stack = append(e.stack[:0], g.nodes[n].b, g.nodes[n].a)
	for len(e.stack) > 0 {
		s := e.stack[len(e.stack)-1]
		e.stack = e.stack[:len(e.stack)-1]
		n := s.node()
		switch {
		case s.complemented() || !g.isAnd(n) || !all && !e.private(n):
			e.leaves = append(e.leaves, s)
		case all && e.done[n]&fixed != 0:
		default:
			if all {
				e.done[n] |= fixed
			}
			e.stack = append(e.stack, g.nodes[n].b, g.nodes[n].a)
		}
	}
	return e.leaves
}

// private reports whether an AND gate belongs to the tree of the one gate that uses it.
func (e *Encoder) private(n uint32) bool {
	_, _, _, multiplexer := e.g.multiplexer(n)
	return e.g.uses[n] == 1 && e.lits[n] == 0 && !multiplexer
}
