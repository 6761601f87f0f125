package count

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"sator/dimacs"
)

// Compilation. The search of a counter is a proof of its number: written down, it is a circuit in
// deterministic decomposable negation normal form (d-DNNF; Darwiche, "New advances in compiling CNF
// to decomposable negation normal form", ECAI 2004; Huang and Darwiche, "DPLL with a trace", IJCAI
// 2005). A component is a choice between the branches of its decision; a branch is a product of
// literals, of free variables, and of smaller components. Since each product is over disjoint
// variables and the two sides of a choice exclude each other, one pass over the circuit
// counts under other weights or more literals, a second one downwards counts for all literals at once
// (Darwiche, "A differential approach to inference in Bayesian networks", JACM 2003), and a walk from the
// root draws a model with its exact probability.

// A Circuit is a formula as d-DNNF: a smooth one, where nodes have all variables of their components.
// Several goroutines may use a Circuit at a time.
type Circuit struct {
	words   []uint32 // of all nodes, see product and choice; children come before
	ends    []int    // by node: where it ends in words
	root    uint32
	vars    []dimacs.Var // the numbers of the caller, by variable
	counted []bool       // by variable; nil if all are
	weights []number
	scale   *big.Int

	open []uint32 // parts of products under construction
}

// The first nodes: false has no words, true is the empty product.
const (
	falseNode = iota
	trueNode
)

func newCircuit(p *problem) *Circuit {
	return &Circuit{words: []uint32{0, 0}, ends: []int{0, 2}, vars: p.names, counted: p.counted, weights: p.weights, scale: p.scale}
}

// begin starts a product and returns its handle.
func (c *Circuit) begin(lits, free []uint32) number {
	at := uint64(len(c.open))
	c.open = append(append(append(c.open, uint32(len(lits)), uint32(len(free))), lits...), free...)
	return number{lo: at}
}

// product ends the product of a handle: the numbers of literals and free variables, these, and the
// children.
func (c *Circuit) product(handle number) number {
	n := c.open[handle.lo:]
	c.open = c.open[:handle.lo]
	switch {
	case len(n) == 2:
		return number{lo: trueNode}
	case len(n) == 3 && n[0]+n[1] == 0:
		return number{lo: uint64(n[2])}
	}
	return c.add(n)
}

// choice returns the node of two that exclude each other.
func (c *Circuit) choice(first, second number) number {
	switch {
	case first.lo == falseNode:
		return second
	case second.lo == falseNode:
		return first
	}
	return c.add([]uint32{isChoice, uint32(first.lo), uint32(second.lo)})
}

// isChoice is the first word of a choice.
const isChoice = 1<<32 - 1

// add adds a node.
func (c *Circuit) add(words []uint32) number {
	c.words = append(c.words, words...)
	c.ends = append(c.ends, len(c.words))
	return number{lo: uint64(len(c.ends) - 1)}
}

// node returns the words of a node.
func (c *Circuit) node(i uint32) []uint32 {
	if i == falseNode {
		return nil
	}
	return c.words[c.ends[i-1]:c.ends[i]]
}

// parts returns the parts of a product.
func parts(n []uint32) (lits, free, children []uint32) {
	return n[2 : 2+n[0]], n[2+n[0] : 2+n[0]+n[1]], n[2+n[0]+n[1]:]
}

// A query is an evaluation of a circuit.
type query struct {
	*Circuit
	arithmetic
	weights []number // by literal
	values  []number // by node
}

// evaluate returns the values of all nodes if the given literals are true.
func (c *Circuit) evaluate(given []dimacs.Lit) *query {
	q := &query{Circuit: c, values: make([]number, len(c.ends)), weights: make([]number, 2*len(c.vars))}
	for l := range q.weights {
		q.weights[l] = number{lo: 1}
		if c.weights != nil {
			q.weights[l] = c.weights[l]
		}
	}
	for _, l := range given {
		v, ok := slices.BinarySearch(c.vars, l.Var())
		if !ok || c.counted != nil && !c.counted[v] {
			panic(fmt.Sprintf("count: %v is not a literal of a counted variable", l))
		}
		q.weights[lit(2*v)|^l&1] = number{}
	}
	for i := range c.ends {
		q.values[i] = q.value(c.node(uint32(i)))
	}
	return q
}

func (q *query) value(n []uint32) number {
	switch {
	case n == nil:
		return number{}
	case n[0] == isChoice:
		return q.arithmetic.add(q.values[n[1]], q.values[n[2]])
	}
	x := number{lo: 1}
	lits, free, children := parts(n)
	for _, l := range lits {
		x = q.mul(x, q.weights[l])
	}
	for _, v := range free {
		x = q.mul(x, q.both(v))
	}
	for _, i := range children {
		x = q.mul(x, q.values[i])
	}
	return x
}

// both returns the sum of the weights of a variable.
func (q *query) both(v uint32) number { return q.arithmetic.add(q.weights[2*v], q.weights[2*v+1]) }

// Count returns the number of models, or the sum of their weights, in which the given literals are
// true. It panics, as Marginals and Sampler do, if one of them is of a variable that is not counted. The time is linear in the circuit for numbers of constant size.
func (c *Circuit) Count(given ...dimacs.Lit) *big.Rat {
	return new(big.Rat).SetFrac(c.evaluate(given).values[c.root].int(), c.scale)
}

// Marginals calls yield for each literal of the variables that are counted, in order, with the number of models, or the sum
// of their weights, in which it is true together with the given literals. The time is that of two passes over the circuit.
func (c *Circuit) Marginals(yield func(l dimacs.Lit, n *big.Rat), given ...dimacs.Lit) {
	q := c.evaluate(given)
	sums := q.literals()
	for i, v := range c.vars {
		if c.counted != nil && !c.counted[i] {
			continue
		}
		for sign := range dimacs.Lit(2) {
			yield(v.Lit()|sign, new(big.Rat).SetFrac(sums[lit(2*i)|sign].int(), c.scale))
		}
	}
}

// literals returns the sum of the models of each literal, by derivatives of the value of the root from the root
// down: that of a part of a product is that of the product times the values of the other parts.
func (q *query) literals() []number {
	derivative := make([]number, len(q.ends))
	sums := make([]number, len(q.weights))
	derivative[q.root] = number{lo: 1}
	for i := int(q.root); i > 0; i-- {
		switch n, d := q.node(uint32(i)), derivative[i]; {
		case d.zero():
		case n[0] == isChoice:
			derivative[n[1]] = q.arithmetic.add(derivative[n[1]], d)
			derivative[n[2]] = q.arithmetic.add(derivative[n[2]], d)
		default:
			q.descend(n, d, derivative, sums)
		}
	}
	return sums
}

// descend adds the contributions of a product with the derivative d to its parts.
func (q *query) descend(n []uint32, d number, derivative, sums []number) {
	lits, free, children := parts(n)
	var factors []number
	for _, l := range lits {
		factors = append(factors, q.weights[l])
	}
	for _, v := range free {
		factors = append(factors, q.both(v))
	}
	for _, i := range children {
		factors = append(factors, q.values[i])
	}
	after := make([]number, len(factors)+1) // products of the factors from i on
	after[len(factors)] = number{lo: 1}
	for i := len(factors) - 1; i >= 0; i-- {
		after[i] = q.mul(factors[i], after[i+1])
	}
	before := d
	for i, x := range factors {
		others := q.mul(before, after[i+1])
		switch j := i - len(lits); {
		case j < 0:
			l := lits[i]
			sums[l] = q.arithmetic.add(sums[l], q.mul(others, x))
		case j < len(free):
			for _, l := range []uint32{2 * free[j], 2*free[j] + 1} {
				sums[l] = q.arithmetic.add(sums[l], q.mul(others, q.weights[l]))
			}
		default:
			k := children[j-len(free)]
			derivative[k] = q.arithmetic.add(derivative[k], others)
		}
		before = q.mul(before, x)
	}
}

// Sampler returns a function that draws a model in which the given literals are true, each with its exact
// probability: its weight by the sum of all, or the same for all without weights. Variables that are not counted
// are unassigned. The function returns nil if there is no model.
func (c *Circuit) Sampler(r *rand.Rand, given ...dimacs.Lit) func() dimacs.Model {
	q := c.evaluate(given)
	return func() dimacs.Model {
		if q.values[q.root].zero() {
			return nil
		}
		size := 0
		if len(c.vars) > 0 {
			size = int(c.vars[len(c.vars)-1]) + 1
		}
		m := make(dimacs.Model, size)
		q.draw(r, q.root, m)
		return m
	}
}

// draw draws values of the variables of a node.
func (q *query) draw(r *rand.Rand, i uint32, m dimacs.Model) {
	n := q.node(i)
	if n[0] == isChoice {
		k := n[2]
		if q.first(r, q.values[n[1]], q.values[n[2]]) {
			k = n[1]
		}
		q.draw(r, k, m)
		return
	}
	lits, free, children := parts(n)
	for _, l := range lits {
		m.Set(q.vars[l>>1].Lit() | lit(l&1))
	}
	for _, v := range free {
		l := q.vars[v].Lit()
		if !q.first(r, q.weights[2*v], q.weights[2*v+1]) {
			l ^= 1
		}
		m.Set(l)
	}
	for _, k := range children {
		q.draw(r, k, m)
	}
}

// first returns true with the probability x/(x+y).
func (q *query) first(r *rand.Rand, x, y number) bool {
	sum := q.arithmetic.add(x, y)
	if sum.large == nil && sum.hi == 0 {
		return r.Uint64N(sum.lo) < x.lo
	}
	return uniform(r, sum.int()).Cmp(x.int()) < 0
}

// uniform returns a number below n, each with the same probability.
func uniform(r *rand.Rand, n *big.Int) *big.Int {
	words := make([]byte, (n.BitLen()+7)/8)
	for {
		for i := range words {
			words[i] = byte(r.Uint32())
		}
		if extra := 8*len(words) - n.BitLen(); extra > 0 {
			words[0] &= 0xff >> extra
		}
		if x := new(big.Int).SetBytes(words); x.Cmp(n) < 0 {
			return x
		}
	}
}
