package portfolio

import (
	"slices"

	"sator/dimacs"
)

// The cubes of a conquest are the leaves of binary trees. That is what makes a
// refutation of all of them one of the formula: where both children of a node are
// refuted, by a clause each, the resolvent of these refutes the node, and if one of
// the clauses does not have the literal that leads to the child, that one does by
// itself, and the other child need not be looked at. What is missing in the tree is
// missing in the end; nothing is taken for granted.
//
// Cubes that splitting made are one tree, in which some leaves may be missing that
// were cut, since look-ahead refuted them. To whoever reads the cubes a cut leaf is
// the same as one that was lost. So both are added to the tree, and have to be
// refuted; a solver finds in an instant what look-ahead has found.
//
// Other lists of cubes may be no tree. Then each is the root of its own, and
// clauses that refute all of them are not yet a refutation: whether they, with the
// formula, have a model is left to a solver.

// A leaf is in one of these states; so are the nodes above, which are refuted or
// just nodes.
const (
	open uint8 = iota
	refuted
)

// A node is a node of a tree.
type node struct {
	parent   int32        // -1 for a root
	lit      dimacs.Lit   // that leads here
	base     []dimacs.Lit // of a root: literals that hold in the whole tree
	children []int32      // two or none; first the one that comes first
	state    uint8
	added    bool // it was missing
	tries    int  // budgets that a leaf has used up

	// If it is refuted, a clause of complements of literals on the way from the root,
	// and its id in the proof. A leaf that was not looked at, since a node above is
	// refuted, has none.
	clause []dimacs.Lit
	id     int64
	done   float64 // share that is refuted
}

// A forest is the trees of a conquest.
type forest struct {
	nodes []node
	roots []int32
	learn func(lits []dimacs.Lit, hints ...int64) int64
}

// grow makes the trees of cubes. No cube at all is one that is empty: there is the
// formula.
func newForest(cubes [][]dimacs.Lit, learn func([]dimacs.Lit, ...int64) int64) *forest {
	if len(cubes) == 0 {
		cubes = [][]dimacs.Lit{nil}
	}
	w := &forest{learn: learn}
	if w.buildTree(cubes) {
		w.addMissing()
		return w
	}
	w.nodes, w.roots = nil, nil
	for _, c := range cubes {
		if c, ok := cleaned(c); ok {
			w.addRoot(c)
		}
	}
	return w
}

// cleaned returns a cube without literals that it has twice, or reports that it has
// one and its complement.
func cleaned(c []dimacs.Lit) (out []dimacs.Lit, ok bool) {
	for _, l := range c {
		if slices.Contains(out, l^1) {
			return nil, false
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out, true
}

func (w *forest) addRoot(base []dimacs.Lit) {
	w.nodes = append(w.nodes, node{parent: -1, base: base})
	w.roots = append(w.roots, int32(len(w.nodes)-1))
}

// buildTree makes one tree. It reports false if there is none that has these leaves.
func (w *forest) buildTree(cubes [][]dimacs.Lit) bool {
	w.addRoot(nil)
	leaves := map[int32]bool{}
	for _, c := range cubes {
		c, ok := cleaned(c)
		if !ok {
			continue
		}
		n := int32(0)
		for len(c) > 0 && !leaves[n] {
			i := w.branchOn(n, c)
			if i < 0 {
				return false
			}
			n = w.child(n, c[i])
			c = slices.Delete(c, i, i+1)
		}
		if !leaves[n] {
			w.nodes[n].children = nil // longer cubes came before this one
			leaves[n] = true
		}
	}
	return true
}

// branchOn returns which literal of a cube leads on from a node, or -1.
func (w *forest) branchOn(n int32, c []dimacs.Lit) int {
	kids := w.nodes[n].children
	if len(kids) == 0 {
		return 0
	}
	v := w.nodes[kids[0]].lit >> 1
	return slices.IndexFunc(c, func(l dimacs.Lit) bool { return l>>1 == v })
}

// child returns the child of a node that a literal leads to.
func (w *forest) child(n int32, l dimacs.Lit) int32 {
	for _, k := range w.nodes[n].children {
		if w.nodes[k].lit == l {
			return k
		}
	}
	w.nodes = append(w.nodes, node{parent: n, lit: l})
	k := int32(len(w.nodes) - 1)
	w.nodes[n].children = append(w.nodes[n].children, k)
	return k
}

// addMissing adds what is missing.
func (w *forest) addMissing() {
	for n := range w.nodes { // which do not include those that are added
		if kids := w.nodes[n].children; len(kids) == 1 {
			k := w.child(int32(n), w.nodes[kids[0]].lit^1)
			w.nodes[k].added = true
		}
	}
}

// split makes two leaves of one, unless that was done, and returns them.
func (w *forest) split(n int32, l dimacs.Lit) [2]int32 {
	if kids := w.nodes[n].children; len(kids) > 0 {
		return [2]int32(kids)
	}
	return [2]int32{w.child(n, l), w.child(n, l^1)}
}

// path returns the literals that lead to a node.
func (w *forest) path(n int32) []dimacs.Lit {
	var lits []dimacs.Lit
	for ; w.nodes[n].parent >= 0; n = w.nodes[n].parent {
		lits = append(lits, w.nodes[n].lit)
	}
	slices.Reverse(lits)
	return append(slices.Clip(w.nodes[n].base), lits...)
}

// leaves lists the open leaves from left to right.
func (w *forest) leaves() []int32 {
	var all []int32
	stack := slices.Clone(w.roots)
	slices.Reverse(stack)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := &w.nodes[n]
		switch {
		case b.state == refuted:
		case len(b.children) == 0:
			all = append(all, n)
		default:
			for i := len(b.children) - 1; i >= 0; i-- {
				stack = append(stack, b.children[i])
			}
		}
	}
	return all
}

// key returns a cube as what a map can have for a key.
func key(cube []dimacs.Lit) string {
	b := make([]byte, 0, 4*len(cube))
	for _, l := range cube {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}

// covered reports whether a node is refuted or below one that is.
func (w *forest) covered(n int32) bool {
	for ; n >= 0; n = w.nodes[n].parent {
		if w.nodes[n].state == refuted {
			return true
		}
	}
	return false
}

// refute takes note that a clause refutes a leaf, and concludes what follows for the
// nodes above.
func (w *forest) refute(n int32, clause []dimacs.Lit, id int64) {
	for {
		b := &w.nodes[n]
		b.state, b.clause, b.id, b.done = refuted, clause, id, 1
		if b.parent < 0 {
			return
		}
		if contains(clause, b.lit^1) {
			s := w.sibling(n)
			if s.state != refuted {
				w.updateDone(b.parent)
				return
			}
			clause = resolvent(clause, s.clause, b.lit^1)
			id = w.learn(clause, id, s.id)
		}
		n = b.parent
	}
}

// sibling returns the other child of the parent of n.
func (w *forest) sibling(n int32) *node {
	kids := w.nodes[w.nodes[n].parent].children
	if kids[0] == n {
		return &w.nodes[kids[1]]
	}
	return &w.nodes[kids[0]]
}

// updateDone works out the shares of a node and of those above it.
func (w *forest) updateDone(n int32) {
	for ; n >= 0; n = w.nodes[n].parent {
		b := &w.nodes[n]
		b.done = (w.nodes[b.children[0]].done + w.nodes[b.children[1]].done) / 2
	}
}

// done returns the share of the trees that is refuted.
func (w *forest) done() float64 {
	sum := 0.0
	for _, r := range w.roots {
		sum += w.nodes[r].done
	}
	return sum / float64(max(1, len(w.roots)))
}

func contains(ls []dimacs.Lit, l dimacs.Lit) bool { return slices.Contains(ls, l) }

// resolvent returns the resolvent of c, which has l, and d, which has its complement.
func resolvent(c, d []dimacs.Lit, l dimacs.Lit) []dimacs.Lit {
	out := make([]dimacs.Lit, 0, len(c)+len(d))
	for _, k := range c {
		if k != l {
			out = append(out, k)
		}
	}
	for _, k := range d {
		if k != l^1 && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
