package count

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"sator/dimacs"
)

// Circuits as text, in the forms of the compilers c2d and d4, for other programs. Free
// variables are left out of both, so that these circuits are not smooth.

// A Form is a text form of circuits.
type Form struct {
	Name  string
	write func(c *Circuit, w *bufio.Writer, vars int)
}

// Forms lists the text forms.
var Forms = []Form{
	{"c2d", (*Circuit).writeC2D}, // lines for nodes, with the root last
	{"d4", (*Circuit).writeD4},   // lines for nodes and for edges with literals, with the root first
}

// Write writes the circuit of a formula with so many variables. The error is that of w.
func (f Form) Write(w io.Writer, c *Circuit, vars int) error {
	b := bufio.NewWriter(w)
	f.write(c, b, vars)
	return b.Flush()
}

// needed marks the nodes below the root.
func (c *Circuit) needed() []bool {
	needed := make([]bool, len(c.ends))
	needed[c.root] = true
	for i := c.root; i > 0; i-- {
		if needed[i] {
			for _, k := range c.children(i) {
				needed[k] = true
			}
		}
	}
	return needed
}

// children returns the children of a node.
func (c *Circuit) children(i uint32) []uint32 {
	switch n := c.node(i); {
	case n == nil:
		return nil
	case n[0] == isChoice:
		return n[1:]
	default:
		_, _, children := parts(n)
		return children
	}
}

// lits returns the literals of a product as the caller numbers them.
func (c *Circuit) lits(i uint32) []dimacs.Lit {
	n := c.node(i)
	if n == nil || n[0] == isChoice {
		return nil
	}
	own, _, _ := parts(n)
	lits := make([]dimacs.Lit, len(own))
	for k, l := range own {
		lits[k] = c.vars[l>>1].Lit() | lit(l&1)
	}
	return lits
}

// kind returns "O" for a choice and false, and "A" for a product.
func (c *Circuit) kind(i uint32) string {
	if n := c.node(i); n == nil || n[0] == isChoice {
		return "O"
	}
	return "A"
}

// decision returns the number of the variable of a choice, and 0 for false.
func (c *Circuit) decision(i uint32) int {
	if k := c.children(i); len(k) == 2 {
		second := c.lits(k[1])
		for _, l := range c.lits(k[0]) {
			if slices.Contains(second, l^1) {
				return l.Var().Int()
			}
		}
	}
	return 0
}

func (c *Circuit) writeC2D(w *bufio.Writer, vars int) {
	var lines []string
	edges, line, leaf := 0, make([]int, len(c.ends)), map[dimacs.Lit]int{}
	for i, needed := range c.needed() {
		if !needed {
			continue
		}
		i := uint32(i)
		var children []int
		for _, l := range c.lits(i) {
			if _, ok := leaf[l]; !ok {
				leaf[l] = len(lines)
				lines = append(lines, fmt.Sprintf("L %v", l))
			}
			children = append(children, leaf[l])
		}
		for _, k := range c.children(i) {
			children = append(children, line[k])
		}
		head := c.kind(i)
		if head == "O" {
			head += " " + strconv.Itoa(c.decision(i))
		}
		edges += len(children)
		line[i] = len(lines)
		lines = append(lines, fmt.Sprint(head, " ", len(children), string(spaced(children))))
	}
	fmt.Fprintf(w, "nnf %d %d %d\n", len(lines), edges, vars)
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
}

func spaced[T int | int64](list []T) []byte {
	var b []byte
	for _, x := range list {
		b = strconv.AppendInt(append(b, ' '), int64(x), 10)
	}
	return b
}

func (c *Circuit) writeD4(w *bufio.Writer, _ int) {
	number, next := make([]int, len(c.ends)), 0
	for i, needed := range slices.Backward(c.needed()) {
		if needed {
			next++
			number[i] = next
		}
	}
	if number[trueNode] == 0 {
		number[trueNode] = next + 1 // the target of literals alone
	}
	for i := len(number) - 1; i >= 0; i-- {
		switch kind := map[string]string{"A": "a", "O": "o"}[c.kind(uint32(i))]; {
		case number[i] == 0:
		case i == falseNode:
			fmt.Fprintf(w, "f %d 0\n", number[i])
		case i == trueNode:
			fmt.Fprintf(w, "t %d 0\n", number[i])
		default:
			fmt.Fprintf(w, "%s %d 0\n", kind, number[i])
		}
	}
	for i := len(number) - 1; i > trueNode; i-- {
		if number[i] == 0 {
			continue
		}
		lits := c.lits(uint32(i))
		if len(lits) > 0 {
			fmt.Fprintf(w, "%d %d%s 0\n", number[i], number[trueNode], spaced(dimacs.Ints(lits)))
		}
		for _, k := range c.children(uint32(i)) {
			fmt.Fprintf(w, "%d %d 0\n", number[i], number[k])
		}
	}
}
