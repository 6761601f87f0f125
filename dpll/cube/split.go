package cube

import (
	"container/heap"
	"context"

	"sator/dimacs"
)

// Splitting a formula for cube and conquer (Heule, Kullmann, Wieringa and Biere,
// "Cube and conquer: guiding CDCL SAT solvers by lookaheads", HVC 2011). The split
// is a binary tree: each node branches on the literal of look-ahead, and the
// literals on the path to a leaf are its cube. Leaves that look-ahead refutes are
// cut. The cubes and the cut leaves cover all assignments, and no assignment is in
// two of them.
//
// The cutoff should make the cubes about equally hard. There are four rules; a node
// is a leaf as soon as one of them holds:
//
//   - Depth, a number of decisions, is simple and seldom right, since one branch
//     may imply much and another one nothing.
//   - Free is a number of unassigned variables.
//   - Dynamic is the rule of the paper: a node is a leaf if the product of its
//     decisions and its assigned variables exceeds a threshold times all variables.
//     The threshold grows by 5 % with each node and falls by 30 % with each refuted
//     node, so that it ends slightly above the value at which look-ahead refutes
//     every leaf by itself.
//   - Cubes is a number of cubes. While there are fewer, the leaf with the most
//     unassigned variables is split.
//
// Leaves are split in any order. The assignment of a leaf is therefore recomputed
// from the root, which costs little compared with one look-ahead.

// Limits say where to stop splitting. A limit of zero does not apply.
type Limits struct {
	Depth   int  // greatest number of decisions in a cube
	Free    int  // number of unassigned variables at which a node is not split
	Cubes   int  // greatest number of cubes
	Dynamic bool // use the rule by decisions and assigned variables
}

// A Result is the result of [Split].
type Result struct {
	// Cubes are the leaves that are not refuted, in the order of the tree, in
	// which neighbors have most literals in common.
	Cubes [][]dimacs.Lit

	Nodes   int   // nodes of the tree, leaves included
	Refuted int   // leaves refuted by look-ahead
	Failed  int64 // failed literals found
	Ticks   int64 // visits of clauses

	// Complete is false if ctx was done before the limits were met. The cubes
	// cover all models even then.
	Complete bool
}

// Split splits a formula. Unless ctx ends, the result depends on the formula and the
// limits alone.
func Split(ctx context.Context, f *dimacs.Formula, limits Limits) *Result {
	s := &splitter{Lookahead: NewLookahead(f), limits: limits, threshold: 1000}
	s.vars = len(s.vals)/2 - len(s.trail)
	s.nodes = []node{{parent: -1}}
	if s.Lookahead.refuted {
		s.nodes[0].refuted = true
		s.cut++
	} else {
		s.open.push(leaf{0, s.vars}, limits.Cubes > 0)
	}
	complete := s.grow(ctx)
	return &Result{
		Cubes: s.cubes(), Nodes: len(s.nodes), Refuted: s.cut, Failed: s.failed, Ticks: s.ticks,
		Complete: complete,
	}
}

// A splitter is the state of a split.
type splitter struct {
	*Lookahead
	limits    Limits
	vars      int      // number of variables that are unassigned at the root
	nodes     []node   // the root first
	open      frontier // leaves that may be split
	closed    int      // number of leaves that are cubes and are not split
	cut       int      // number of refuted leaves
	threshold float64  // of the rule Dynamic
}

// A node is a node of the tree.
type node struct {
	parent  int          // -1 for the root
	lit     dimacs.Lit   // the decision below the parent
	depth   int          // number of decisions
	implied []dimacs.Lit // complements of the failed literals found at the node
	kids    [2]int       // 0 for a leaf
	refuted bool
}

// grow splits leaves until a limit is met. It reports false if ctx is done before.
func (s *splitter) grow(ctx context.Context) bool {
	for s.open.Len() > 0 {
		if s.limits.Cubes > 0 && s.open.Len()+s.closed >= s.limits.Cubes {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		if i := s.open.pop(s.limits.Cubes > 0); !s.split(ctx, i.node) {
			return false
		}
	}
	return true
}

// split splits leaf i, closes it as a cube, or refutes it. It reports false if ctx
// is done before.
func (s *splitter) split(ctx context.Context, i int) bool {
	defer s.undo(s.root)
	s.threshold *= 1.05
	n := &s.nodes[i]
	if !s.enter(i) {
		s.refute(n)
		return true
	}
	if s.cutOff(n) {
		s.closed++
		return true
	}
	before := len(s.trail)
	l, v := s.decide(ctx)
	n.implied = append(n.implied, s.trail[before:]...)
	switch v {
	case refuted:
		s.refute(n)
	case solved:
		s.closed++
	case branches:
		s.branch(i, l)
	}
	return v != stopped
}

// enter assigns the decisions on the path to a node and the failed literals found
// there. It reports false if there is a conflict.
func (s *splitter) enter(i int) bool {
	n := &s.nodes[i]
	if n.parent >= 0 && (!s.enter(n.parent) || !s.assign(n.lit)) {
		return false
	}
	for _, l := range n.implied {
		if !s.assign(l) {
			return false
		}
	}
	return true
}

// cutOff reports whether the limits make the entered node a leaf.
func (s *splitter) cutOff(n *node) bool {
	l := &s.limits
	assigned := len(s.trail) - s.root
	return l.Depth > 0 && n.depth >= l.Depth ||
		l.Free > 0 && s.vars-assigned <= l.Free ||
		l.Dynamic && float64(n.depth)*float64(assigned) > s.threshold*float64(s.vars)
}

// refute makes a node a refuted leaf.
func (s *splitter) refute(n *node) {
	n.refuted = true
	s.cut++
	s.threshold *= 0.7
}

// branch gives node i two children, the one with l first.
func (s *splitter) branch(i int, l dimacs.Lit) {
	left := s.vars - len(s.trail) + s.root
	for k := range 2 {
		lit := l ^ dimacs.Lit(k)
		s.nodes = append(s.nodes, node{parent: i, lit: lit, depth: s.nodes[i].depth + 1})
		s.nodes[i].kids[k] = len(s.nodes) - 1
	}
	best := s.limits.Cubes > 0
	for k := 1; k >= 0; k-- {
		free := left
		if best {
			n := len(s.trail)
			s.assign(l ^ dimacs.Lit(k))
			free -= len(s.trail) - n
			s.undo(n)
		}
		s.open.push(leaf{s.nodes[i].kids[k], free}, best)
	}
}

// cubes returns the cubes of the leaves that are not refuted.
func (s *splitter) cubes() [][]dimacs.Lit {
	var cubes [][]dimacs.Lit
	var path []dimacs.Lit
	var walk func(i int)
	walk = func(i int) {
		n := &s.nodes[i]
		switch {
		case n.kids[0] != 0:
			for _, k := range n.kids {
				path = append(path, s.nodes[k].lit)
				walk(k)
				path = path[:len(path)-1]
			}
		case !n.refuted:
			cubes = append(cubes, append([]dimacs.Lit{}, path...))
		}
	}
	walk(0)
	return cubes
}

// A leaf is a node that may be split.
type leaf struct {
	node int
	free int // number of unassigned variables
}

// A frontier is a stack of leaves or, with best set in push and pop, a heap by the
// number of unassigned variables. The greatest number is on top, and the older node
// wins ties.
type frontier []leaf

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	return f[i].free > f[j].free || f[i].free == f[j].free && f[i].node < f[j].node
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(leaf)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	x := (*f)[last]
	*f = (*f)[:last]
	return x
}

// push adds a leaf.
func (f *frontier) push(x leaf, best bool) {
	if best {
		heap.Push(f, x)
	} else {
		f.Push(x)
	}
}

// pop removes and returns the top leaf.
func (f *frontier) pop(best bool) leaf {
	if best {
		return heap.Pop(f).(leaf)
	}
	return f.Pop().(leaf)
}
