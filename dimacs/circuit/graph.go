package circuit

import "fmt"

// A Signal is the output of a node or its complement: 2n for node n, 2n+1 for its
// complement. Node 0 is the constant false. AIGER numbers its literals in the same way.
type Signal uint32

// The constants.
const (
	False Signal = 0
	True  Signal = 1
)

// Free is the reset of a latch that begins with any value. It is no signal of a gate.
const Free Signal = 1<<32 - 1

// Not returns the complement of s.
func (s Signal) Not() Signal { return s ^ 1 }

// node returns the number of the node of s.
func (s Signal) node() uint32 { return uint32(s >> 1) }

// complemented reports whether s is the complement of its node.
func (s Signal) complemented() bool { return s&1 != 0 }

// A node is an AND gate with the inputs a < b; or, with a and b 0, the constant, an input or
// a latch.
type node struct{ a, b Signal }

// A Port is a signal with an optional name.
type Port struct {
	Name   string
	Signal Signal
}

// A Latch is a register of one bit.
type Latch struct {
	Name   string
	Signal Signal // its output
	Next   Signal // its output one step later
	Reset  Signal // its output at the start: False, True or Free
}

// A Graph is an and-inverter graph. Equal gates are one node (structural hashing), and gates
// with constants or equal inputs are simplified. The zero Graph is not ready; see [New].
type Graph struct {
	Inputs  []Port
	Latches []Latch

	// Outputs, Bad and Constraints belong to AIGER files and to [NewBounded]: a bad state is
	// one in which a signal of Bad is true; an execution is of interest as long as all
	// Constraints are true. Callers may append to them.
	Outputs, Bad, Constraints []Port

	nodes []node
	uses  []int32 // number of AND gates that have the node as an input
	gates map[node]Signal
}

// New returns a graph without gates.
func New() *Graph {
	return &Graph{nodes: make([]node, 1), uses: make([]int32, 1), gates: map[node]Signal{}}
}

// Gates returns the number of AND gates.
func (g *Graph) Gates() int { return len(g.gates) }

// add adds a node.
func (g *Graph) add(n node) Signal {
	if len(g.nodes) > maxNode {
		panic(fmt.Sprintf("circuit: more than %d nodes", maxNode))
	}
	g.nodes = append(g.nodes, n)
	g.uses = append(g.uses, 0)
	return Signal(2 * (len(g.nodes) - 1))
}

// maxNode is the highest number of a node.
const maxNode = 1<<31 - 2

// Input adds an input. The name may be empty.
func (g *Graph) Input(name string) Signal {
	s := g.add(node{})
	g.Inputs = append(g.Inputs, Port{name, s})
	return s
}

// Word adds inputs for the bits of an unsigned number, the least significant bit first:
// name[0], name[1] and so on.
func (g *Graph) Word(name string, bits int) []Signal {
	word := make([]Signal, bits)
	for i := range word {
		word[i] = g.Input(fmt.Sprintf("%s[%d]", name, i))
	}
	return word
}

// Latch adds a latch with the reset False, True or Free, and returns its output. It keeps its
// value until [Graph.SetNext] says what comes next.
func (g *Graph) Latch(name string, reset Signal) Signal {
	if reset > True && reset != Free {
		panic("circuit: the reset of a latch is no constant")
	}
	s := g.add(node{})
	g.Latches = append(g.Latches, Latch{Name: name, Signal: s, Next: s, Reset: reset})
	return s
}

// SetNext sets the value of a latch one step later. It panics if latch is no output of a
// latch. The time is linear in the number of latches.
func (g *Graph) SetNext(latch, next Signal) {
	g.check(next)
	for i := range g.Latches {
		if g.Latches[i].Signal == latch {
			g.Latches[i].Next = next
			return
		}
	}
	panic(fmt.Sprintf("circuit: signal %d is no latch", latch))
}

// check panics if s is a signal of another graph.
func (g *Graph) check(s Signal) {
	if int(s.node()) >= len(g.nodes) {
		panic(fmt.Sprintf("circuit: signal %d is not of this graph", s))
	}
}

// isAnd reports whether a node is an AND gate.
func (g *Graph) isAnd(n uint32) bool { return g.nodes[n] != node{} }

// And returns the conjunction of signals; without signals it is True. Many signals become a balanced
// tree of gates.
func (g *Graph) And(ss ...Signal) Signal {
	switch len(ss) {
	case 0:
		return True
	case 1:
		g.check(ss[0])
		return ss[0]
	case 2:
		return g.and(ss[0], ss[1])
	}
	half := len(ss) / 2
	return g.and(g.And(ss[:half]...), g.And(ss[half:]...))
}

// and returns the conjunction of two signals.
func (g *Graph) and(a, b Signal) Signal {
	g.check(a)
	g.check(b)
	if a > b {
		a, b = b, a
	}
	switch {
	case a == False, a == b.Not():
		return False
	case a == True, a == b:
		return b
	}
	key := node{a, b}
	if s, ok := g.gates[key]; ok {
		return s
	}
	s := g.add(key)
	g.gates[key] = s
	g.uses[a.node()]++
	g.uses[b.node()]++
	return s
}

// Or returns the disjunction of signals; without signals it is False.
func (g *Graph) Or(ss ...Signal) Signal {
	complements := make([]Signal, len(ss))
	for i, s := range ss {
		complements[i] = s.Not()
	}
	return g.And(complements...).Not()
}

// Implies returns "a implies b".
func (g *Graph) Implies(a, b Signal) Signal { return g.and(a, b.Not()).Not() }

// Xor returns the sum of signals modulo 2; without signals it is False.
func (g *Graph) Xor(ss ...Signal) Signal {
	switch len(ss) {
	case 0:
		return False
	case 1:
		g.check(ss[0])
		return ss[0]
	case 2:
		a, b := ss[0], ss[1]
		flip := (a ^ b) & 1 // one node for the four signs
		a, b = a&^1, b&^1
		return g.and(g.and(a, b.Not()).Not(), g.and(a.Not(), b).Not()).Not() ^ flip
	}
	half := len(ss) / 2
	return g.Xor(g.Xor(ss[:half]...), g.Xor(ss[half:]...))
}

// Equal returns "a equals b".
func (g *Graph) Equal(a, b Signal) Signal { return g.Xor(a, b).Not() }

// Ite returns "if c then t else e", a multiplexer.
func (g *Graph) Ite(c, t, e Signal) Signal {
	switch {
	case t == e:
		return t
	case t == e.Not():
		return g.Equal(c, t)
	}
	return g.and(g.and(c, t).Not(), g.and(c.Not(), e).Not()).Not()
}

// Majority returns "at least two of a, b and c".
func (g *Graph) Majority(a, b, c Signal) Signal {
	return g.Or(g.and(a, b), g.and(c, g.Or(a, b)))
}
