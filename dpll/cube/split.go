package cube

import (
	"container/heap"
	"context"

	"sator/dimacs"
)

// A formula is split by a binary tree: each node branches on a literal that
// look-ahead chooses, and the literals on the way to a leaf are its cube. Leaves
// that look-ahead refutes are cut. So the cubes that are left, and those that
// were cut, cover all assignments by construction, and no two of them have one
// in common (Heule, Kullmann, Wieringa and Biere, "Cube and conquer: guiding
// CDCL SAT solvers by lookaheads", HVC 2011).
//
// What matters is where to stop, so that the cubes are about equally hard. There
// are four rules, and the first that holds makes a leaf:
//
//   - depth, the number of decisions, which is simple and seldom right, since one
//     branch may imply much and another one nothing;
//   - the number of variables that are left;
//   - the rule of the paper: a node is a leaf if its decisions, times the
//     variables that are assigned, exceed a threshold times all variables. The
//     threshold grows by 5 % with each node, and falls by 30 % with each node that
//     is refuted, so that it ends a little above where look-ahead refutes
//     everything by itself;
//   - the number of cubes: as long as there are fewer, the leaf with the most
//     variables left is split.
//
// A node is not visited but made again from the root, since the leaves come in
// any order: to assign its literals costs little beside one look-ahead.

// Limits say when to stop splitting. Those that are zero do not hold.
type Limits struct {
	Depth   int  // decisions in a cube
	Free    int  // variables of the formula that a cube leaves unassigned
	Cubes   int  // in all
	Dynamic bool // by decisions and assigned variables
}

// A Result is what became of a formula.
type Result struct {
	// Cubes are the leaves that are left, in the order of the tree: neighbors
	// have most in common.
	Cubes [][]dimacs.Lit

	Nodes   int   // of the tree, leaves included
	Refuted int   // leaves, by look-ahead
	Failed  int64 // literals
	Ticks   int64 // visits of clauses

	// Complete is false if the context ended before the limits were met. The
	// cubes are a cover all the same.
	Complete bool
}

// Split splits a formula. The result depends on the formula and the limits alone,
// unless ctx ends.
func Split(ctx context.Context, f *dimacs.Formula, limits Limits) *Result {
	s := &splitter{Lookahead: NewLookahead(f), limits: limits, threshold: 1000}
	s.vars = len(s.vals)/2 - len(s.trail)
	s.nodes = []node{{parent: -1}}
	if s.Lookahead.refuted {
		s.nodes[0].refuted = true
		s.count++
	} else {
		s.open.push(leaf{0, s.vars}, limits.Cubes > 0)
	}
	complete := s.grow(ctx)
	return &Result{
		Cubes: s.cubes(), Nodes: len(s.nodes), Refuted: s.count, Failed: s.failed, Ticks: s.ticks,
		Complete: complete,
	}
}

// A splitter grows a tree.
type splitter struct {
	*Lookahead
	limits    Limits
	vars      int // not assigned at the root
	nodes     []node
	open      frontier
	closed    int // leaves that are cubes for good
	count     int // refuted leaves
	threshold float64
}

// A node of the tree.
type node struct {
	parent  int
	lit     dimacs.Lit // decided on the way to it
	depth   int
	implied []dimacs.Lit // failed literals that were found here, complemented
	kids    [2]int       // 0 for a leaf
	refuted bool
}

// grow splits leaves until a limit is met.
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

// split branches at a leaf, or leaves it as it is. It reports false if ctx ended
// before that was known.
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

// enter assigns what leads to a node. It reports false if that is a conflict.
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

// cutOff reports whether the node that was entered is to be a leaf.
func (s *splitter) cutOff(n *node) bool {
	l := &s.limits
	assigned := len(s.trail) - s.root
	return l.Depth > 0 && n.depth >= l.Depth ||
		l.Free > 0 && s.vars-assigned <= l.Free ||
		l.Dynamic && float64(n.depth)*float64(assigned) > s.threshold*float64(s.vars)
}

func (s *splitter) refute(n *node) {
	n.refuted = true
	s.count++
	s.threshold *= 0.7
}

// branch makes a node with two children, the one with l first.
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

// cubes returns the leaves that are not refuted.
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

// A leaf may be split.
type leaf struct{ node, free int }

// A frontier is a stack of leaves, or a heap with the one on top that leaves most
// variables unassigned; of several the one that was made first.
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

func (f *frontier) push(x leaf, best bool) {
	if best {
		heap.Push(f, x)
	} else {
		f.Push(x)
	}
}

func (f *frontier) pop(best bool) leaf {
	if best {
		return heap.Pop(f).(leaf)
	}
	return f.Pop().(leaf)
}
