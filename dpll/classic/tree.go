package classic

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/internal/diagram"
)

// Search trees from traces. A tree has a node for the root and for each branch
// that was tried, in the order of Stats.Nodes, with the literals that followed
// there. It is written as text, one node per line, as a DOT graph for Graphviz, or
// as an SVG. Package diagram lays the tree out and writes the last two formats.

// A Tree is the search tree of a call of Solve or of an enumeration. Set
// Options.Trace to its method Event.
type Tree struct {
	// Caption is the caption of drawings; it may be empty.
	Caption string

	limit int
	nodes []treeNode // the root first
	path  []int      // the nodes from the root to the current node
	full  bool       // the search had more nodes than limit
}

// A treeNode is the root or a branch.
type treeNode struct {
	lit      dimacs.Lit // the literal of the branch; the root has none
	level    int        // number of assumptions and decisions at the node
	children []int
	steps    []Event // Assume, Propagate and PureLiteral
	end      []Event // Conflict or Solution
}

// NewTree returns a tree of at most limit nodes, the root included; it ignores
// later events. It panics if limit is not positive.
func NewTree(limit int) *Tree {
	if limit < 1 {
		panic(fmt.Sprintf("classic: a tree of %d nodes", limit))
	}
	return &Tree{limit: limit, nodes: make([]treeNode, 1), path: make([]int, 1)}
}

// Event adds a step of the search to the tree. All steps must be of one call.
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
		t.at().level = e.Level // an assumption raises it
		t.at().steps = append(t.at().steps, e)
	}
}

// at returns the current node.
func (t *Tree) at() *treeNode { return &t.nodes[t.path[len(t.path)-1]] }

// grow adds a child to the current node and makes it the current node.
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

// Truncated reports whether the search had more nodes than the limit of the tree.
func (t *Tree) Truncated() bool { return t.full }

// Nodes returns the number of nodes, the root included.
func (t *Tree) Nodes() int { return len(t.nodes) }

// Count returns the number of nodes that were closed by the event k, Conflict or
// Solution. As in Stats.Conflicts, false assumptions are not counted.
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

// Depth returns the greatest number of branches on a path from the root.
func (t *Tree) Depth() int {
	depth := make([]int, len(t.nodes))
	deepest := 0
	for i := range t.nodes { // parents come before their children
		for _, c := range t.nodes[i].children {
			depth[c] = depth[i] + 1
			deepest = max(deepest, depth[c])
		}
	}
	return deepest
}

// name returns the label of a node: the literal of its branch.
func (t *Tree) name(n int) string {
	if n == 0 {
		return "root"
	}
	return t.nodes[n].lit.String()
}

// shownSteps is the greatest number of implied literals that a drawing lists per
// node. On Sudokus there can be hundreds; a trace contains all of them.
const shownSteps = 20

// followed lists the literals that were assigned at the node after its branch,
// each with its clause, "assumed" or "pure".
func (n *treeNode) followed() string {
	var words []string
	for i, e := range n.steps {
		if i == shownSteps {
			words = append(words, fmt.Sprintf("and %d more", len(n.steps)-i))
			break
		}
		reason := fmt.Sprint(e.Clause + 1)
		switch e.Kind {
		case Assume:
			reason = "assumed"
		case PureLiteral:
			reason = "pure"
		}
		words = append(words, fmt.Sprintf("%v (%s)", e.Lit, reason))
	}
	return strings.Join(words, ", ")
}

// ending describes the conflict or the solution that closed the node, or says that
// the node is not finished. It is empty if the node has children only.
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

// unfinished reports whether the search or the tree ended before the node was
// closed or had a child.
func (n *treeNode) unfinished() bool { return len(n.end) == 0 && len(n.children) == 0 }

// closed reports whether an event of kind k, Conflict or Solution, closed the node.
func (n *treeNode) closed(k Kind) bool { return len(n.end) > 0 && n.end[0].Kind == k }

// Text writes the tree as text, one node per line with its children below it:
//
//	root: 5 (7)
//	|-- 1: -2 (3); conflict in clause 4: -1 2
//	`-- -1: 3 (1), 4 (pure); solution, 5 assigned
//
// A line has the literal of the branch, the assigned literals with their clauses,
// and the conflict or solution. The literals of clauses are taken from f. If f is
// nil, they are left out.
func (t *Tree) Text(w io.Writer, f *dimacs.Formula) error {
	b := bufio.NewWriter(w)
	t.text(b, f, 0, "", "")
	if t.Caption != "" {
		fmt.Fprintln(b, t.Caption)
	}
	return b.Flush()
}

// text writes node n and its descendants. The line of n starts with the prefix
// first, and the other lines with the prefix rest.
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

// DOT writes the tree in the DOT language of Graphviz. Edges have the literals of
// the branches as labels. Boxes are conflicts, double circles are solutions, and
// dashed circles are unfinished nodes. Tooltips have the assigned literals and the
// clauses. The literals of clauses are taken from f. If f is nil, they are left
// out.
func (t *Tree) DOT(w io.Writer, f *dimacs.Formula) error { return t.diagram(f).DOT(w) }

// SVG writes the tree as an SVG image. Edges have the literals of the branches as
// labels. Squares are conflicts, rings are solutions, and dashed circles are
// unfinished nodes. Tooltips are the same as in DOT.
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
	classInner:      {Name: "inner", Shape: diagram.Circle, Meaning: "branched on"},
	classConflict:   {Name: "conflict", DOT: `shape=box, fillcolor="` + conflictColor + `"`, Meaning: "conflict"},
	classSolution:   {Name: "solution", DOT: `shape=doublecircle, fillcolor="` + solutionColor + `"`, Shape: diagram.Circle, Meaning: "solution"},
	classUnfinished: {Name: "unfinished", DOT: "style=dashed", Shape: diagram.Circle, Meaning: "unfinished"},
}

// The measures of an SVG, in pixels.
const (
	svgRow    = 44 // from a node to its branches
	svgMargin = 24
	svgTop    = 52 // for the caption
	svgDigit  = 7  // width of a character of an edge's literal
	svgWidth  = 260
)

// svgSizes are the diameters or sides of nodes, by class.
var svgSizes = [...]float64{classInner: 8, classConflict: 10, classSolution: 12, classUnfinished: 12}

// svgStyle has the CSS rules of an SVG. Literals have a white outline, since edges
// run behind them.
const svgStyle = `line { stroke: #888; stroke-width: 1.2 }
text { font: 11px sans-serif; fill: #222 }
.caption { font-size: 13px }
.literal { text-anchor: middle; stroke: white; stroke-width: 4; paint-order: stroke }
.inner { fill: #444 }
.conflict { fill: ` + conflictColor + ` }
.solution { fill: white; stroke: ` + solutionColor + `; stroke-width: 4 }
.unfinished { fill: white; stroke: #444; stroke-dasharray: 2 2 }
.page { fill: white }`

// svgDark has the CSS rules of an SVG on a dark page.
const svgDark = `.page, .unfinished, .solution { fill: #14181d }
text { fill: #e6e9ed }
.literal { stroke: #14181d }
.inner { fill: #a5afba }
.unfinished { stroke: #a5afba }`

// diagram returns the tree as a diagram with its layout.
func (t *Tree) diagram(f *dimacs.Formula) *diagram.Diagram {
	d := &diagram.Diagram{
		Name:        "search",
		Caption:     t.Caption,
		Ordered:     true,
		DOTNode:     `shape=circle, width=0.2, fixedsize=true, label="", style=filled, fillcolor=white`,
		NodeClasses: nodeClasses,
		EdgeClasses: []diagram.EdgeClass{{Label: "literal", Meaning: "branch, with its literal: first try on the left"}},
		Style:       svgStyle,
		Dark:        svgDark,
		Page:        `class="page"`,
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

// tooltip returns the number of the node and its text.
func (t *Tree) tooltip(n int, f *dimacs.Formula) string {
	text := fmt.Sprintf("node %d: %s", n+1, t.name(n))
	for _, part := range []string{t.nodes[n].followed(), t.nodes[n].ending(f)} {
		if part != "" {
			text += "; " + part
		}
	}
	return text
}

// columnWidth returns a width at which the literals of neighboring edges do not
// touch.
func (t *Tree) columnWidth() float64 {
	longest := 2
	for i := range t.nodes {
		longest = max(longest, len(t.name(i)))
	}
	return float64(svgDigit*longest + 10)
}
