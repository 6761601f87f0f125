package count

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Certificates in the format CPOG, described and checked by proof.CheckCount. The nodes of the
// circuit are its operations. That the root follows from the formula is one refutation by package
// cdcl: of the formula, the clauses that define the nodes, and the complement of the root. Its lemmas, with the root
// as a further literal, are the clauses of the certificate (the monolithic method of Bryant et al.).
// That a clause of the formula follows from the root shows an evaluation from below: under the
// complement of the clause, nodes become false from the literals up to the root.

// Certify writes a certificate of the number of models of f, the formula of the circuit, without projection
// and assumptions. The error is that of w, or of ctx if the refutation did not end before. The time is that of the
// refutation and of an evaluation for each clause.
func (c *Circuit) Certify(ctx context.Context, f *dimacs.Formula, w io.Writer) error {
	b := bufio.NewWriter(w)
	t := &certifier{Circuit: c, w: b, f: f, next: int64(f.Len()), node: make([]int, len(c.ends)), first: make([]int64, len(c.ends)), state: make([]int, len(c.ends))}
	t.define()
	if err := t.refute(ctx); err != nil {
		return err
	}
	for id := t.lemmas; id < t.unit; id++ {
		fmt.Fprintf(b, "d %d %d 0\n", id, t.unit)
	}
	for i, clause := range f.Clauses() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.remove(i, clause)
	}
	return b.Flush()
}

// A certifier writes a certificate.
type certifier struct {
	*Circuit
	w     *bufio.Writer
	f     *dimacs.Formula
	next  int64   // the last number of a clause
	node  []int   // by node: its number in the certificate
	first []int64 // by node: the first of the clauses that define it
	root  int     // a literal

	clauses [][]int // that define nodes
	ids     []int64 // their numbers
	lemmas  int64   // the first lemma
	unit    int64   // the lemma of the root alone

	state   []int // by node: 2n+1 if it is false under clause n, 2n+2 if it is not
	falsify map[dimacs.Lit]bool
	hints   []int64
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
			t.defined(1, number, args)
		}
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
	t.defined(-1, t.node[i], args)
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

// defined records the clauses that define a node.
func (t *certifier) defined(sign, node int, args []int) {
	long := []int{sign * node}
	for _, l := range args {
		long = append(long, -sign*l)
	}
	list := [][]int{long}
	for _, l := range args {
		list = append(list, []int{-sign * node, sign * l})
	}
	for _, c := range list {
		t.next++
		t.clauses, t.ids = append(t.clauses, c), append(t.ids, t.next)
	}
}

// refute writes the lemmas of a refutation of the complement of the root.
func (t *certifier) refute(ctx context.Context) error {
	log := &lemmaWriter{certifier: t}
	t.lemmas = t.next + 1
	s := cdcl.New(cdcl.Options{Proof: log, NoSymmetry: true})
	s.Grow(t.f.Vars() + len(t.node))
	for i, c := range t.f.Clauses() {
		log.original = int64(i + 1)
		s.Add(c...)
	}
	for i, c := range t.clauses {
		log.original = t.ids[i]
		s.Add(dimacs.Lits(c...)...)
	}
	log.original = 0
	s.Add(dimacs.FromInt(-t.root))
	switch s.Solve(ctx) {
	case dimacs.Satisfiable:
		return errors.New("internal error: the circuit lacks a model of the formula")
	case dimacs.Unknown:
		return s.Why()
	}
	t.unit = t.next
	return nil
}

// A lemmaWriter writes the lemmas of a proof with the root as a further literal.
type lemmaWriter struct {
	*certifier
	original int64   // the number of the clause that is added; 0 for the complement of the root
	numbers  []int64 // by id less 1
}

func (p *lemmaWriter) Hints() bool                { return true }
func (p *lemmaWriter) Delete(int64, []dimacs.Lit) {}

func (p *lemmaWriter) Original([]dimacs.Lit) int64 {
	p.numbers = append(p.numbers, p.original)
	return int64(len(p.numbers))
}

func (p *lemmaWriter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.next++
	var known []int64
	for _, h := range hints {
		if n := p.numbers[h-1]; n != 0 {
			known = append(known, n)
		}
	}
	var others []int
	for _, l := range lits {
		if n := l.Int(); n != p.certifier.root {
			others = append(others, n)
		}
	}
	fmt.Fprintf(p.w, "%d a %d%s 0%s 0\n", p.next, p.certifier.root, spaced(others), spaced(known))
	p.numbers = append(p.numbers, p.next)
	return int64(len(p.numbers))
}

// remove writes the deletion of clause i.
func (t *certifier) remove(i int, clause []dimacs.Lit) {
	t.falsify, t.hints = map[dimacs.Lit]bool{}, t.hints[:0]
	for _, l := range clause {
		t.falsify[l] = true
	}
	if t.Circuit.root != falseNode {
		t.falsified(t.Circuit.root, 2*i+1)
	} else {
		t.hints = append(t.hints, t.first[trueNode])
	}
	fmt.Fprintf(t.w, "d %d%s %d 0\n", i+1, spaced(t.hints), t.unit)
}

// falsified reports whether a node is false, and appends the hints that show it.
func (t *certifier) falsified(i uint32, mark int) bool {
	if t.state[i] >= mark {
		return t.state[i] == mark
	}
	t.state[i] = mark + 1
	if at := t.falseArg(i, mark); at >= 0 {
		t.state[i] = mark
		t.hints = append(t.hints, t.first[i]+int64(at))
	}
	return t.state[i] == mark
}

// falseArg returns the number of the clause that makes a node false, counted from its first one, or -1.
func (t *certifier) falseArg(i uint32, mark int) int {
	lits, children := t.lits(i), t.children(i)
	if t.kind(i) == "O" {
		if t.falsified(children[0], mark) && t.falsified(children[1], mark) {
			return 0
		}
		return -1
	}
	for at, l := range lits {
		if t.falsify[l] {
			return at + 1
		}
	}
	for at, k := range children {
		if t.falsified(k, mark) {
			return len(lits) + at + 1
		}
	}
	return -1
}
