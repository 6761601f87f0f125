package portfolio

import (
	"slices"

	"sator/dimacs"
)

// Refutations of cubes are combined in a binary tree with the cubes as leaves. If both
// children of a node are refuted, by a clause each, the resolvent of these clauses
// refutes the node. If the clause of one child does not contain the branching literal,
// this clause refutes the node alone, and the other child need not be solved. So the
// root is refuted only if all its leaves are covered.
//
// The cubes of a split formula form one tree. Some leaves may be missing because
// look-ahead refuted them, or because the list is incomplete. So the missing leaves are
// added, and a solver has to refute each of them. A solver refutes a leaf that
// look-ahead refuted in an instant.
//
// Other lists of cubes may form no tree. Then each cube is the root of a tree of its
// own, and after all roots are refuted a solver decides whether the formula has a model
// that satisfies the refuting clauses of all cubes (Coordinator.Cover).

// A node is a node of a tree of cubes.
type node struct {
	parent   int32        // -1 for a root
	lit      dimacs.Lit   // branching literal between the parent and this node
	base     []dimacs.Lit // of a root: literals that are true in the whole tree
	children []int32      // empty or two, in the order in which they were found
	refuted  bool
	added    bool // missing in the list of cubes

	// The clause that refutes a refuted node consists of complements of literals on
	// the path from the root. Leaves below a refuted node may have no clause.
	clause []dimacs.Lit
	id     int64   // of clause in the proof
	done   float64 // refuted share of the subtree
}

// A forest is the trees of the cubes of a run.
type forest struct {
	nodes []node
	roots []int32
	learn func(lits []dimacs.Lit, hints ...int64) int64 // adds a resolvent to the proof
}

// newForest returns the trees of a list of cubes. An empty list stands for the empty
// cube.
func newForest(cubes [][]dimacs.Lit, learn func([]dimacs.Lit, ...int64) int64) *forest {
	if len(cubes) == 0 {
		cubes = [][]dimacs.Lit{nil}
	}
	f := &forest{learn: learn}
	if f.buildTree(cubes) {
		f.addMissing()
		return f
	}
	f.nodes, f.roots = nil, nil
	seen := map[string]bool{}
	for _, c := range cubes {
		if c, ok := normalized(c); ok && !seen[key(c)] {
			seen[key(c)] = true
			f.addRoot(c)
		}
	}
	return f
}

// normalized returns a cube without duplicate literals. It reports false if the cube
// has complementary literals.
func normalized(c []dimacs.Lit) (out []dimacs.Lit, ok bool) {
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

// addRoot adds a tree of one node, with literals that are true in the whole tree.
func (f *forest) addRoot(base []dimacs.Lit) {
	f.nodes = append(f.nodes, node{parent: -1, base: base})
	f.roots = append(f.roots, int32(len(f.nodes)-1))
}

// buildTree builds one tree with the cubes as leaves. It reports false if there is no
// such tree.
func (f *forest) buildTree(cubes [][]dimacs.Lit) bool {
	f.addRoot(nil)
	leaves := map[int32]bool{}
	for _, c := range cubes {
		c, ok := normalized(c)
		if !ok {
			continue
		}
		n := int32(0)
		for len(c) > 0 && !leaves[n] {
			i := f.branchOn(n, c)
			if i < 0 {
				return false
			}
			n = f.child(n, c[i])
			c = slices.Delete(c, i, i+1)
		}
		if !leaves[n] {
			f.nodes[n].children = nil // of longer cubes; this cube covers them
			leaves[n] = true
		}
	}
	return true
}

// branchOn returns the index of the literal of a cube that leads to a child of a node,
// or -1 if the cube has no literal of the branching variable.
func (f *forest) branchOn(n int32, c []dimacs.Lit) int {
	children := f.nodes[n].children
	if len(children) == 0 {
		return 0
	}
	v := f.nodes[children[0]].lit >> 1
	return slices.IndexFunc(c, func(l dimacs.Lit) bool { return l>>1 == v })
}

// child returns the child of a node with branching literal l, and adds it if it does
// not exist.
func (f *forest) child(n int32, l dimacs.Lit) int32 {
	for _, k := range f.nodes[n].children {
		if f.nodes[k].lit == l {
			return k
		}
	}
	f.nodes = append(f.nodes, node{parent: n, lit: l})
	k := int32(len(f.nodes) - 1)
	f.nodes[n].children = append(f.nodes[n].children, k)
	return k
}

// addMissing adds the second child of each node that has only one.
func (f *forest) addMissing() {
	for n := range f.nodes { // does not visit added nodes
		if children := f.nodes[n].children; len(children) == 1 {
			k := f.child(int32(n), f.nodes[children[0]].lit^1)
			f.nodes[k].added = true
		}
	}
}

// split splits a leaf into two children, unless it has been split before, and returns
// the children.
func (f *forest) split(n int32, l dimacs.Lit) [2]int32 {
	if children := f.nodes[n].children; len(children) > 0 {
		return [2]int32(children)
	}
	return [2]int32{f.child(n, l), f.child(n, l^1)}
}

// path returns the cube of a node: the literals on the path to it.
func (f *forest) path(n int32) []dimacs.Lit {
	var lits []dimacs.Lit
	for ; f.nodes[n].parent >= 0; n = f.nodes[n].parent {
		lits = append(lits, f.nodes[n].lit)
	}
	slices.Reverse(lits)
	return append(slices.Clip(f.nodes[n].base), lits...)
}

// descend appends the node with this cube to nodes, if it is in the tree of root. The
// first k literals of the cube are those of the root.
func (f *forest) descend(nodes []int32, root int32, cube []dimacs.Lit, k int) []int32 {
	n := root
	for _, l := range cube[k:] {
		i := slices.IndexFunc(f.nodes[n].children, func(c int32) bool { return f.nodes[c].lit == l })
		if i < 0 {
			return nodes
		}
		n = f.nodes[n].children[i]
	}
	return append(nodes, n)
}

// leaves lists the leaves that no refutation covers, from left to right.
func (f *forest) leaves() []int32 {
	var all []int32
	stack := slices.Clone(f.roots)
	slices.Reverse(stack)
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &f.nodes[k]
		switch {
		case n.refuted:
		case len(n.children) == 0:
			all = append(all, k)
		default:
			for _, child := range slices.Backward(n.children) {
				stack = append(stack, child)
			}
		}
	}
	return all
}

// key returns a cube as a map key.
func key(cube []dimacs.Lit) string {
	b := make([]byte, 0, 4*len(cube))
	for _, l := range cube {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}

// covered reports whether a node or one of its ancestors is refuted.
func (f *forest) covered(n int32) bool {
	for ; n >= 0; n = f.nodes[n].parent {
		if f.nodes[n].refuted {
			return true
		}
	}
	return false
}

// refute marks a node as refuted by a clause, and then its ancestors as far as their
// refutation follows. It reports whether the clause covers a sibling that is not refuted.
func (f *forest) refute(k int32, clause []dimacs.Lit, id int64) (spares bool) {
	for {
		n := &f.nodes[k]
		n.refuted, n.clause, n.id, n.done = true, clause, id, 1
		if n.parent < 0 {
			return spares
		}
		s := f.sibling(k)
		switch {
		case !contains(clause, n.lit^1):
			spares = spares || !s.refuted
		case !s.refuted:
			f.updateDone(n.parent)
			return spares
		default:
			clause = resolvent(clause, s.clause, n.lit^1)
			id = f.learn(clause, id, s.id)
		}
		k = n.parent
	}
}

// sibling returns the other child of the parent of node k.
func (f *forest) sibling(k int32) *node {
	children := f.nodes[f.nodes[k].parent].children
	if children[0] == k {
		return &f.nodes[children[1]]
	}
	return &f.nodes[children[0]]
}

// updateDone recomputes the refuted shares of a node and its ancestors.
func (f *forest) updateDone(k int32) {
	for ; k >= 0; k = f.nodes[k].parent {
		n := &f.nodes[k]
		n.done = (f.nodes[n.children[0]].done + f.nodes[n.children[1]].done) / 2
	}
}

// done returns the refuted share of all trees.
func (f *forest) done() float64 {
	sum := 0.0
	for _, r := range f.roots {
		sum += f.nodes[r].done
	}
	return sum / float64(max(1, len(f.roots)))
}

func contains(ls []dimacs.Lit, l dimacs.Lit) bool { return slices.Contains(ls, l) }

// resolvent returns the resolvent of c and d on l, a literal of c.
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
