package dpll

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/twosat/diagram"
)

// A trace, put together, is a tree: a node for the root and for every branch
// that was tried, with what followed there, in the order of Stats.Nodes. A tree
// is drawn as text, one node a line; in the language of Graphviz; and as an SVG.
// Package diagram has the formats and the layout.

// A Tree is the search tree of a call of Solve, or of an iteration. Its method
// Event goes into Options.Trace.
type Tree struct {
	// Caption is what a drawing says of the tree as a whole; it may be empty.
	Caption string

	limit int
	nodes []treeNode // the root first
	path  []int      // the nodes from the root to the one at hand
	full  bool
}

// A treeNode is the root or a branch.
type treeNode struct {
	lit      dimacs.Lit // that was tried; the root has none
	level    int        // assumptions and decisions above its branches
	children []int
	steps    []Event // what followed: Assume, Propagate, PureLiteral
	end      []Event // Conflict or Solution, if it came to that
}

// NewTree returns a tree that grows to at most limit nodes, the root included,
// and takes no notice of what comes then. It panics if limit is not positive.
func NewTree(limit int) *Tree {
	if limit < 1 {
		panic(fmt.Sprintf("dpll: a tree of %d nodes", limit))
	}
	return &Tree{limit: limit, nodes: make([]treeNode, 1), path: make([]int, 1)}
}

// Event adds a step of the search to the tree. All of them have to be of one
// call.
func (t *Tree) Event(e Event) {
	switch {
	case t.full:
	case e.Kind == Decide:
		t.grow(e)
	case e.Kind == Backtrack:
		for len(t.path) > 1 && t.at().level >= e.Level {
			t.path = t.path[:len(t.path)-1]
		}
		t.grow(e)
	case e.Kind == Conflict || e.Kind == Solution:
		t.at().end = append(t.at().end, e)
	default:
		t.at().level = e.Level // assumptions
		t.at().steps = append(t.at().steps, e)
	}
}

// at returns the node at hand.
func (t *Tree) at() *treeNode { return &t.nodes[t.path[len(t.path)-1]] }

// grow adds a branch to the node at hand.
func (t *Tree) grow(e Event) {
	n := len(t.nodes)
	if n == t.limit {
		t.full = true
		return
	}
	t.at().children = append(t.at().children, n)
	t.nodes = append(t.nodes, treeNode{lit: e.Lit, level: e.Level})
	t.path = append(t.path, n)
}

// Truncated reports whether the search had more nodes than the tree takes.
func (t *Tree) Truncated() bool { return t.full }

// Nodes returns how many nodes the tree has, the root included.
func (t *Tree) Nodes() int { return len(t.nodes) }

// Count returns how many nodes the search closed with such an event, Conflict or
// Solution, by a clause or none being open. That an assumption is false is not
// counted, as in Stats.Conflicts.
func (t *Tree) Count(k Kind) int {
	n := 0
	for i := range t.nodes {
		for _, e := range t.nodes[i].end {
			if e.Kind == k && !(k == Conflict && e.Clause < 0) {
				n++
			}
		}
	}
	return n
}

// Depth returns the most branches on a way from the root to a node.
func (t *Tree) Depth() int {
	depth := make([]int, len(t.nodes))
	deepest := 0
	for i := range t.nodes { // a node comes before its branches
		for _, c := range t.nodes[i].children {
			depth[c] = depth[i] + 1
			deepest = max(deepest, depth[c])
		}
	}
	return deepest
}

// name returns what a node is called: the literal that was tried.
func (t *Tree) name(n int) string {
	if n == 0 {
		return "root"
	}
	return t.nodes[n].lit.String()
}

// shownSteps is how many literals a drawing lists of those that followed at a
// node. On a Sudoku it can be hundreds, and a trace has them all.
const shownSteps = 20

// followed lists the literals that followed at a node, each with the number of
// its clause or what else made it true.
func (n *treeNode) followed() string {
	var words []string
	for i, e := range n.steps {
		if i == shownSteps {
			words = append(words, fmt.Sprintf("and %d more", len(n.steps)-i))
			break
		}
		why := fmt.Sprint(e.Clause + 1)
		switch e.Kind {
		case Assume:
			why = "assumed"
		case PureLiteral:
			why = "pure"
		}
		words = append(words, fmt.Sprintf("%v (%s)", e.Lit, why))
	}
	return strings.Join(words, ", ")
}

// ending says how the search closed a node: nothing, if it did not or if it
// went on with branches.
func (n *treeNode) ending(f *dimacs.Formula) string {
	var words []string
	for _, e := range n.end {
		text := string(appendText(nil, Event{Kind: e.Kind, Lit: e.Lit, Clause: e.Clause, Assigned: e.Assigned}, f))
		words = append(words, text)
	}
	if n.unfinished() {
		words = append(words, "not finished")
	}
	return strings.Join(words, "; ")
}

// unfinished reports whether the search, or the tree, ended at the node.
func (n *treeNode) unfinished() bool { return len(n.end) == 0 && len(n.children) == 0 }

// closed returns whether a conflict or a solution has closed the node.
func (n *treeNode) closed(k Kind) bool { return len(n.end) > 0 && n.end[0].Kind == k }

// Text writes the tree as text, one node a line and its branches below it:
//
//	root: 5 (7)
//	|-- 1: -2 (3); conflict in clause 4: -1 2
//	`-- -1: 3 (1), 4 (pure); solution, 5 assigned
//
// A line has the literal that was tried, those that followed with their
// clauses, and how the node was closed. The literals of clauses are those of f;
// if f is nil, they are left out.
func (t *Tree) Text(w io.Writer, f *dimacs.Formula) error {
	b := bufio.NewWriter(w)
	t.text(b, f, 0, "", "")
	if t.Caption != "" {
		fmt.Fprintln(b, t.Caption)
	}
	return b.Flush()
}

// text writes the node n, its own line beginning with first and those of its
// branches with rest.
func (t *Tree) text(w io.Writer, f *dimacs.Formula, n int, first, rest string) {
	node := &t.nodes[n]
	line := first + t.name(n)
	sep := ": "
	for _, part := range []string{node.followed(), node.ending(f)} {
		if part != "" {
			line += sep + part
			sep = "; "
		}
	}
	fmt.Fprintln(w, line)
	for i, c := range node.children {
		if i < len(node.children)-1 {
			t.text(w, f, c, rest+"|-- ", rest+"|   ")
		} else {
			t.text(w, f, c, rest+"`-- ", rest+"    ")
		}
	}
}

// DOT writes the tree in the DOT language of Graphviz: labels of edges are the
// literals that were tried, boxes are conflicts, double circles are solutions,
// and dashed circles are unfinished nodes. Tooltips have the propagated literals
// and the clauses, whose literals are those of f; if f is nil, they are left out.
func (t *Tree) DOT(w io.Writer, f *dimacs.Formula) error { return t.diagram(f).DOT(w) }

// SVG writes the tree as an SVG image: the literal that was tried stands beside
// its branch, squares are conflicts, rings are solutions, and dashed circles are
// unfinished nodes. Tooltips are those of DOT.
func (t *Tree) SVG(w io.Writer, f *dimacs.Formula) error { return t.diagram(f).SVG(w) }

// The classes of nodes in a diagram.
const (
	classInner = iota
	classConflict
	classSolution
	classUnfinished
)

const (
	conflictColor = "#c8553d"
	solutionColor = "#4c9f70"
)

var nodeClasses = []diagram.NodeClass{
	classInner:      {Name: "inner", Shape: diagram.Circle},
	classConflict:   {Name: "conflict", DOT: `shape=box, fillcolor="` + conflictColor + `"`},
	classSolution:   {Name: "solution", DOT: `shape=doublecircle, fillcolor="` + solutionColor + `"`, Shape: diagram.Circle},
	classUnfinished: {Name: "unfinished", DOT: "style=dashed", Shape: diagram.Circle},
}

// The measures of an SVG, in pixels.
const (
	svgRow    = 44 // from a node to its branches
	svgMargin = 24
	svgTop    = 52 // for the caption
	svgDigit  = 7  // width of a character of an edge's literal
	svgWidth  = 260
)

// svgSizes has the diameter or the side of a node by its class.
var svgSizes = [...]float64{classInner: 8, classConflict: 10, classSolution: 12, classUnfinished: 12}

// svgStyle has the CSS rules of an SVG. Literals have a white outline, since
// they stand on lines.
const svgStyle = `line { stroke: #888; stroke-width: 1.2 }
text { font: 11px sans-serif; fill: #222 }
.caption { font-size: 13px }
.literal { text-anchor: middle; stroke: white; stroke-width: 4; paint-order: stroke }
.inner { fill: #444 }
.conflict { fill: ` + conflictColor + ` }
.solution { fill: white; stroke: ` + solutionColor + `; stroke-width: 4 }
.unfinished { fill: white; stroke: #444; stroke-dasharray: 2 2 }`

// diagram returns the tree as a diagram with its layout.
func (t *Tree) diagram(f *dimacs.Formula) *diagram.Diagram {
	d := &diagram.Diagram{
		Name:        "search",
		Caption:     t.Caption,
		Ordered:     true,
		DOTNode:     `shape=circle, width=0.2, fixedsize=true, label="", style=filled, fillcolor=white`,
		NodeClasses: nodeClasses,
		EdgeClasses: []diagram.EdgeClass{{Label: "literal"}},
		Style:       svgStyle,
		Page:        `fill="white"`,
		Margin:      svgMargin,
		Top:         svgTop,
		MinWidth:    svgWidth,
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		class := n.class()
		d.Nodes = append(d.Nodes, diagram.Node{Tooltip: t.tooltip(i, f), Class: class, Width: svgSizes[class], Height: svgSizes[class]})
		for _, c := range n.children {
			d.Edges = append(d.Edges, diagram.Edge{From: i, To: c, Label: t.name(c)})
		}
	}
	d.LayOutTree(t.columnWidth(), svgRow)
	return d
}

// class returns the class of a node in a diagram.
func (n *treeNode) class() int {
	switch {
	case n.closed(Conflict):
		return classConflict
	case n.closed(Solution):
		return classSolution
	case n.unfinished():
		return classUnfinished
	}
	return classInner
}

// tooltip returns all that is known of a node.
func (t *Tree) tooltip(n int, f *dimacs.Formula) string {
	text := fmt.Sprintf("node %d: %s", n+1, t.name(n))
	for _, part := range []string{t.nodes[n].followed(), t.nodes[n].ending(f)} {
		if part != "" {
			text += "; " + part
		}
	}
	return text
}

// columnWidth is so wide that the literals of two branches do not touch.
func (t *Tree) columnWidth() float64 {
	longest := 2
	for i := range t.nodes {
		longest = max(longest, len(t.name(i)))
	}
	return float64(svgDigit*longest + 10)
}
