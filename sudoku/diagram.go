package sudoku

import (
	"errors"
	"fmt"

	"sator/dimacs"
)

// Decision diagrams of relations. The automaton of a part is unrolled over its cells: a
// layer for each cell, and in a layer a node for each state that the digits before it can
// lead to and from which the other digits can end well. Nodes with the same continuations
// are one, so the diagram is the smallest one for its order of cells (Bryant, "Graph-based
// algorithms for Boolean function manipulation", 1986; with digits for bits).
//
// A digit of a cell is possible if an edge with it is on a path through the diagram whose
// digits are all possible. Two passes find these edges: forward from the root, backward
// from the end (Pesant, "A regular language membership constraint for finite sequences of
// variables", 2004). No relation needs other code to propagate, whatever it says.
//
// As clauses, a diagram has a variable for each node: the path leads through it (after
// Bacchus, "GAC via unit propagation", 2007, without his variables for the edges). The
// digits determine the path, so that a solution stays one model. Two cells need no
// variables: a clause for each pair of digits that the relation forbids.

// A diagram is the decision diagram of a part.
type diagram struct {
	Relation         // the kind, the value and the cells of the part
	part             // for checks
	nodes    []int   // by layer: the number of nodes; the root is alone in layer 0, the end in the last one
	next     [][]int // by layer, node*size + digit-1: the node in the next layer, or reject
}

// The errors of a relation that no digits satisfy, or too many to list.
var (
	errNoDigits = errors.New("no digits satisfy")
	errTooLong  = errors.New("too many digits satisfy")
)

// maxNodes and maxEdges limit the size of a diagram.
const (
	maxNodes = 1 << 18
	maxEdges = 1 << 22
)

// newDiagram returns the diagram of a part in a grid of size n, or one of the errors above.
func newDiagram(r *Relation, p part, n int) (*diagram, error) {
	d := &diagram{Relation: Relation{r.Kind, r.Value, p.cells}, part: p}
	states, nodes := []int{0}, 0
	for i := range p.cells {
		number := make(map[int]int)
		var after []int
		next := make([]int, 0, len(states)*n)
		if nodes += len(states); nodes > maxNodes || nodes*n > maxEdges {
			return nil, errTooLong
		}
		for _, state := range states {
			for digit := 1; digit <= n; digit++ {
				to := p.step(i, state, digit)
				if to != reject && i == len(p.cells)-1 {
					if p.ends != nil && !p.ends(to) {
						to = reject
					} else {
						to = 0
					}
				}
				if to != reject {
					k, known := number[to]
					if !known {
						k = len(after)
						number[to], after = k, append(after, to)
					}
					to = k
				}
				next = append(next, to)
			}
		}
		d.next, states = append(d.next, next), after
	}
	d.reduce(n)
	if d.nodes[0] == 0 {
		return nil, errNoDigits
	}
	return d, nil
}

// reduce removes nodes without a path to the end and merges those with the same
// continuations.
func (d *diagram) reduce(n int) {
	d.nodes = make([]int, len(d.next)+1)
	d.nodes[len(d.next)] = 1
	name := []int{0} // by node of the next layer: its new number, or reject
	for i := len(d.next) - 1; i >= 0; i-- {
		next, kept := d.next[i], d.next[i][:0]
		var names []int
		known := make(map[string]int)
		for ; len(next) > 0; next = next[n:] {
			var key []byte
			alive := false
			for digit, to := range next[:n] {
				if to != reject {
					next[digit] = name[to]
				}
				alive = alive || next[digit] != reject
				key = fmt.Append(key, next[digit], " ")
			}
			number, found := known[string(key)]
			switch {
			case !alive:
				number = reject
			case !found:
				number = len(known)
				known[string(key)] = number
				kept = append(kept, next[:n]...)
			}
			names = append(names, number)
		}
		d.next[i], d.nodes[i], name = kept, len(known), names
	}
}

// holds reports whether the digits of a full grid satisfy the relation.
func (d *diagram) holds(cells []int) bool {
	state := 0
	for i, cell := range d.part.cells {
		if state = d.step(i, state, cells[cell]); state == reject {
			return false
		}
	}
	return d.ends == nil || d.ends(state)
}

// A RelationFilter finds the candidates that relations exclude. It may be used by one goroutine at a
// time.
type RelationFilter struct {
	rules   *Rules
	reached [][]bool // by layer and node: whether a path of possible digits leads there
	leads   []bool   // its next layer
}

// NewRelationFilter returns a filter for the relations of some rules.
func NewRelationFilter(r *Rules) *RelationFilter { return &RelationFilter{rules: r} }

// Excluded appends the candidates that relation i of [Rules.Relations] excludes to buf, by the
// candidates that are possible. It returns false if no assignment is left; then all are excluded.
func (f *RelationFilter) Excluded(i int, possible func(candidate int) bool, buf []int) ([]int, bool) {
	d, n := f.rules.diagrams[i], f.rules.Size()
	for len(f.reached) <= len(d.next) {
		f.reached = append(f.reached, nil)
	}
	for i, nodes := range d.nodes {
		f.reached[i] = append(f.reached[i][:0], make([]bool, nodes)...)
	}
	f.reached[0][0] = true
	for i, cell := range d.part.cells {
		for digit := range n {
			if !possible(cell*n + digit) {
				continue
			}
			for node, reached := range f.reached[i] {
				if to := d.next[i][node*n+digit]; reached && to != reject {
					f.reached[i+1][to] = true
				}
			}
		}
	}
	for i := len(d.next) - 1; i >= 0; i-- {
		cell, after := d.part.cells[i], f.reached[i+1]
		f.leads = append(f.leads[:0], make([]bool, d.nodes[i])...)
		for digit := range n {
			if !possible(cell*n + digit) {
				continue
			}
			supported := false
			for node, reached := range f.reached[i] {
				if to := d.next[i][node*n+digit]; reached && to != reject && after[to] {
					f.leads[node], supported = true, true
				}
			}
			if !supported {
				buf = append(buf, cell*n+digit)
			}
		}
		f.reached[i], f.leads = f.leads, f.reached[i]
	}
	return buf, f.reached[0][0]
}

// writeRelation encodes a relation.
func (b *builder) writeRelation(d *diagram) {
	b.notes.begin(clauseKind(d.Kind + ": " + d.Help()))
	if len(d.next) == 2 {
		b.writePairs(d)
		return
	}
	b.writeDiagram(d, b.Rules.Size(), func(i, digit int) dimacs.Lit { return b.digit(d.part.cells[i], digit) })
}

// writeDiagram encodes a diagram of n digits. The literal of a digit in a layer is that of the function.
func (b *builder) writeDiagram(d *diagram, n int, literal func(i, digit int) dimacs.Lit) {
	nodes := []dimacs.Lit{trueNode}
	for i := range d.next {
		after := []dimacs.Lit{trueNode}
		if i+1 < len(d.next) {
			after = b.newLits(d.nodes[i+1])
		}
		into := make([][]dimacs.Lit, len(after))
		with := make([][]dimacs.Lit, n) // by digit: the nodes with an edge of it
		for node, from := range nodes {
			edges, possible := make([][]dimacs.Lit, len(after)), 0
			for digit := range n {
				l, to := literal(i, digit+1), d.next[i][node*n+digit]
				switch {
				case l == falseNode:
				case to == reject:
					b.imply(falseNode, from, l)
				default:
					b.imply(after[to], from, l)
					edges[to] = append(edges[to], l)
					possible++
					with[digit] = append(with[digit], from)
				}
			}
			for to, digits := range edges {
				if len(digits) > 0 {
					into[to] = append(into[to], from)
				}
				if len(digits) > 0 && len(digits) < possible { // else no other digit is left
					b.implyAny(digits, from, after[to])
				}
			}
		}
		for to, froms := range into {
			b.implyAny(froms, after[to])
		}
		for digit, froms := range with {
			b.implyAny(froms, literal(i, digit+1))
		}
		nodes = after
	}
}

// writePairs writes that two cells do not have two digits that a relation forbids.
func (b *builder) writePairs(d *diagram) {
	n := b.Rules.Size()
	for first, node := range d.next[0] {
		for second := range n {
			if node == reject || d.next[1][node*n+second] == reject {
				b.imply(falseNode, b.digit(d.part.cells[0], first+1), b.digit(d.part.cells[1], second+1))
			}
		}
	}
}

// digit returns the literal of a candidate: its variable, or trueNode or falseNode if the givens
// are propagated and decide it.
func (b *builder) digit(cell, digit int) dimacs.Lit {
	l := b.lit[b.Rules.Candidate(cell, digit)]
	switch {
	case l != noLit:
		return l
	case b.left.Digit(cell) == digit:
		return trueNode
	}
	return falseNode
}

// imply writes that the literals of if imply another one.
func (b *builder) imply(then dimacs.Lit, ifs ...dimacs.Lit) {
	b.implyAny([]dimacs.Lit{then}, ifs...)
}

// implyAny writes that the literals of if imply one of others. All can be trueNode or falseNode.
func (b *builder) implyAny(then []dimacs.Lit, ifs ...dimacs.Lit) {
	var clause []dimacs.Lit
	for _, l := range ifs {
		switch l {
		case falseNode:
			return
		case trueNode:
		default:
			clause = append(clause, l.Not())
		}
	}
	for _, l := range then {
		switch l {
		case trueNode:
			return
		case falseNode:
		default:
			clause = append(clause, l)
		}
	}
	b.clause(clause...)
}
