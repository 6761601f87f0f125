package count

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Certificates in the format CPOG, described and checked by proof.CheckCount. The nodes of the
// circuit are its operations. File prove.go shows that the root follows from the formula.
// That a clause of the formula follows from the root shows an evaluation from below: under the
// complement of the clause, nodes become false from the literals up to the root.

// Certify writes a certificate of the number of models of f, the formula of the circuit, without projection
// and assumptions. The error is that of w, or of ctx if the certificate was not complete before. The time is that of
// the refutations of literals, and for each clause of f that of a walk over the nodes that its complement makes false.
func (c *Circuit) Certify(ctx context.Context, f *dimacs.Formula, w io.Writer) error {
	b := bufio.NewWriter(w)
	t := &certifier{
		Circuit: c, ctx: ctx, w: b, f: f, next: int64(f.Len()), node: make([]int, len(c.ends)), first: make([]int64, len(c.ends)),
		up: newEngine(f.Vars()), proved: make([]nodeLemma, len(c.ends)), state: make([]int, len(c.ends)), marks: make([]int, 2*f.Vars()),
	}
	t.define()
	t.lemmas = t.next + 1
	t.load()
	if err := t.proveRoot(); err != nil {
		return err
	}
	for id := t.lemmas; id < t.unit; id++ {
		fmt.Fprintf(b, "d %d %d 0\n", id, t.unit)
	}
	t.connect()
	for i, clause := range f.Clauses() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.remove(i, clause)
	}
	return b.Flush()
}

// A certifier writes a certificate. Its engine has the clauses of the formula and lemmas about its variables,
// with their numbers in the certificate in place of activities.
type certifier struct {
	*Circuit
	up    engine
	ctx   context.Context
	w     *bufio.Writer
	f     *dimacs.Formula
	next  int64   // the last number of a clause
	node  []int   // by node: its number in the certificate
	first []int64 // by node: the first of the clauses that define it
	root  int     // a literal

	proved []nodeLemma // by node
	solver *cdcl.Solver
	log    lemmaWriter
	lemmas int64 // the first lemma
	unit   int64 // the lemma of the root alone

	parents [][]uint32 // by node
	holders [][]uint32 // by literal: the products that have it
	state   []int      // by node: what is known under the complement of clause n, plus 3n
	marks   []int      // by literal: 3n+1 if it is one of clause n
	hints   []int64
}

// A nodeLemma says that a node follows from literals.
type nodeLemma struct {
	id   int64
	from []lit
}

// define writes the nodes below the root. A refuted formula has the complement of the empty product as its root.
func (t *certifier) define() {
	number := t.f.Vars()
	needed := t.needed()
	needed[trueNode] = needed[trueNode] || t.Circuit.root == falseNode
	for i, is := range needed {
		if !is || i == falseNode {
			continue
		}
		number++
		t.node[i], t.first[i] = number, t.next+1
		args := t.args(uint32(i))
		if t.kind(uint32(i)) == "O" {
			t.sum(uint32(i), args)
		} else {
			fmt.Fprintf(t.w, "%d p %d%s 0\n", t.first[i], number, spaced(args))
		}
		t.next += 1 + int64(len(args)) // a clause for the node, one for each argument
	}
	t.root = t.node[t.Circuit.root]
	if t.Circuit.root == falseNode {
		t.root = -t.node[trueNode]
	}
	fmt.Fprintf(t.w, "r %d\n", t.root)
}

// args returns the arguments of a node: its literals, then its children.
func (t *certifier) args(i uint32) []int {
	args := dimacs.Ints(t.lits(i))
	for _, k := range t.children(i) {
		args = append(args, t.node[k])
	}
	return args
}

// sum writes a sum. Its sides have the decision and its complement.
func (t *certifier) sum(i uint32, args []int) {
	k, v := t.children(i), t.decision(i)
	fmt.Fprintf(t.w, "%d s %d%s %d %d 0\n", t.first[i], t.node[i], spaced(args), t.literalClause(k[0], v), t.literalClause(k[1], v))
}

// literalClause returns the number of the clause of a product and its literal of a variable.
func (t *certifier) literalClause(i uint32, v int) int64 {
	for at, l := range t.lits(i) {
		if l.Var().Int() == v {
			return t.first[i] + int64(at) + 1
		}
	}
	panic("count: a choice without a decision")
}

// connect finds the parents of nodes, and the products that have a literal.
func (t *certifier) connect() {
	t.parents, t.holders = make([][]uint32, len(t.ends)), make([][]uint32, 2*t.f.Vars())
	for i, is := range t.needed() {
		if !is {
			continue
		}
		for _, k := range t.children(uint32(i)) {
			t.parents[k] = append(t.parents[k], uint32(i))
		}
		for _, l := range t.lits(uint32(i)) {
			t.holders[l] = append(t.holders[l], uint32(i))
		}
	}
}

// remove writes the deletion of clause i.
func (t *certifier) remove(i int, clause []dimacs.Lit) {
	t.hints = t.hints[:0]
	if t.Circuit.root == falseNode {
		t.hints = append(t.hints, t.first[trueNode])
	} else if t.falsify(clause, 3*i); t.state[t.Circuit.root] >= 3*i+nodeFalse { // not under a tautology
		t.show(t.Circuit.root, 3*i)
	}
	fmt.Fprintf(t.w, "d %d%s %d 0\n", i+1, spaced(t.hints), t.unit)
}

// The states of nodes, beside the mark of a clause.
const (
	sideFalse  = 1 // one side of a choice
	nodeFalse  = 2
	nodeProved = 3 // to be false, by the hints
)

// falsify marks the nodes that are false under the complement of a clause, until the root is one.
func (t *certifier) falsify(clause []dimacs.Lit, mark int) {
	var queue []uint32
	push := func(i uint32, state int) {
		if t.state[i] < state {
			if t.state[i] = state; state == mark+nodeFalse {
				queue = append(queue, i)
			}
		}
	}
	for _, l := range clause {
		t.marks[l] = mark + 1
		for _, i := range t.holders[l] {
			push(i, mark+nodeFalse)
		}
	}
	for at := 0; at < len(queue) && t.state[t.Circuit.root] < mark+nodeFalse; at++ {
		for _, i := range t.parents[queue[at]] {
			if t.kind(i) == "O" && t.state[i] < mark+sideFalse {
				push(i, mark+sideFalse)
			} else {
				push(i, mark+nodeFalse)
			}
		}
	}
}

// show appends the hints that show a node to be false.
func (t *certifier) show(i uint32, mark int) {
	if t.state[i] >= mark+nodeProved {
		return
	}
	t.state[i] = mark + nodeProved
	lits, children := t.lits(i), t.children(i)
	if t.kind(i) == "O" {
		t.show(children[0], mark)
		t.show(children[1], mark)
		t.hints = append(t.hints, t.first[i])
		return
	}
	at := slices.IndexFunc(lits, func(l lit) bool { return t.marks[l] == mark+1 })
	if at < 0 {
		k := slices.IndexFunc(children, func(k uint32) bool { return t.state[k] >= mark+nodeFalse })
		t.show(children[k], mark)
		at = len(lits) + k
	}
	t.hints = append(t.hints, t.first[i]+int64(at)+1)
}
