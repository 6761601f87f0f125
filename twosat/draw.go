package twosat

import (
	"context"
	"fmt"
	"strings"

	"sator/dimacs"
	"sator/internal/diagram"
)

// Diagrams of small implication graphs, in the DOT language of Graphviz and as
// SVG. Package diagram has the formats and the layout.

// The classes of nodes in a diagram, by what all solutions have in common.
const (
	classFree  = iota // true in some solutions, false in others
	classTrue         // in every solution
	classFalse        // in every solution
	classClash        // equivalent to its complement
)

// nodeClasses has the CSS class, the color and the tooltip of each class.
var nodeClasses = [...]struct{ name, color, tooltip string }{
	classFree:  {"free", "#ffffff", "free"},
	classTrue:  {"true", "#b7dfc5", "true in every solution"},
	classFalse: {"false", "#d9d9d9", "false in every solution"},
	classClash: {"clash", "#eeb4a7", "implies its complement and is implied by it"},
}

// The classes of edges in a diagram.
const (
	classPlain  = iota
	classMarked // part of a chain
)

const markedColor = "#1f5fbf"

// Limits of a diagram. Larger ones would be unreadable.
const (
	MaxDrawnVertices = 400
	MaxDrawnEdges    = 1000
)

// A DrawingSizeError says that a graph is too large for a drawing.
type DrawingSizeError struct{ Vertices, Edges int }

func (e *DrawingSizeError) Error() string {
	return fmt.Sprintf("the graph has %d vertices and %d edges; up to %d and %d can be drawn", e.Vertices, e.Edges, MaxDrawnVertices, MaxDrawnEdges)
}

// Draw returns a diagram of the implication graph: a node for each literal of
// the variables that occur in clauses, or, condensed, for each strongly connected
// component, a set of equivalent literals. Colors show forced literals and
// contradictory components. The edges of chains are marked. The same clauses in
// the same order give the same diagram. The error is a [*DrawingSizeError] if
// there are more than [MaxDrawnVertices] or [MaxDrawnEdges].
func (s *Solver) Draw(condensed bool, chains ...Chain) (*diagram.Diagram, error) {
	g := s.Graph().Simple()
	c := Condense(g)
	p := &painter{Solver: s, components: c, condensed: condensed, drawn: g, vertex: func(l dimacs.Lit) uint32 { return uint32(l) }}
	if condensed {
		p.drawn, p.vertex = c.DAG(), func(l dimacs.Lit) uint32 { return c.Of(uint32(l)) }
	}
	p.findMembers(g)
	if len(p.members) > MaxDrawnVertices || p.drawn.Size() > MaxDrawnEdges {
		return nil, &DrawingSizeError{len(p.members), p.drawn.Size()}
	}
	d := emptyDiagram()
	d.Nodes = p.nodes()
	d.Edges = p.edges(chains)
	d.LayOutLayers()
	return d, nil
}

// The measures of an SVG, in pixels.
const (
	nodeHeight  = 22
	charWidth   = 7
	nodePadding = 14 // of a label, both sides together
	svgMargin   = 20
	svgTop      = 44 // for the caption
)

// emptyDiagram returns a diagram without nodes.
func emptyDiagram() *diagram.Diagram {
	d := &diagram.Diagram{
		Name:    "implications",
		DOTNode: `shape=box, style="rounded,filled", fillcolor=white`,
		EdgeClasses: []diagram.EdgeClass{
			classPlain:  {Arrow: 8, Meaning: "implies"},
			classMarked: {Name: "marked", DOT: fmt.Sprintf("color=%q, penwidth=2.5", markedColor), Arrow: 11, Meaning: "chain of implications of an explanation"},
		},
		Style:  svgStyle(),
		Dark:   svgDark,
		Page:   `class="page"`,
		Margin: svgMargin,
		Top:    svgTop,
	}
	for i, c := range nodeClasses {
		class := diagram.NodeClass{Name: c.name, Shape: diagram.RoundedBox, Meaning: c.tooltip}
		if i != classFree {
			class.DOT = fmt.Sprintf("fillcolor=%q", c.color)
		}
		d.NodeClasses = append(d.NodeClasses, class)
	}
	return d
}

// svgStyle returns the CSS rules of a diagram.
func svgStyle() string {
	var b strings.Builder
	for _, c := range nodeClasses {
		fmt.Fprintf(&b, ".%s { fill: %s }\n", c.name, c.color)
	}
	fmt.Fprintf(&b, `.page { fill: white; stroke: none }
rect { stroke: #444 }
path { stroke: #888; fill: none }
.marked { stroke: %[1]s; stroke-width: 2.5 }
.tip { fill: #888; stroke: none }
.markedtip { fill: %[1]s; stroke: none }
text { font: 11px sans-serif; fill: #222; text-anchor: middle }
.caption { font-size: 13px; text-anchor: start }
.legend text { text-anchor: start }`, markedColor)
	return b.String()
}

// svgDark has the CSS rules of a diagram on a dark page.
const svgDark = `.page, .free { fill: #14181d }
.true { fill: #1f5132 }
.false { fill: #464d55 }
.clash { fill: #7a2a20 }
rect { stroke: #a5afba }
text { fill: #e6e9ed }
.marked { stroke: #7db1ff }
.markedtip { fill: #7db1ff }`

// A painter builds a diagram.
type painter struct {
	*Solver
	components *Condensation
	condensed  bool
	drawn      *Graph                  // the implication graph or its condensation
	vertex     func(dimacs.Lit) uint32 // of drawn
	node       map[uint32]int          // index of a vertex in the diagram
	members    [][]dimacs.Lit          // literals of each node
}

// findMembers collects the literals of each node. Nodes are in the order of
// their first literal.
func (p *painter) findMembers(g *Graph) {
	p.node = make(map[uint32]int)
	for l := range dimacs.Lit(g.Len()) {
		if len(g.Row(uint32(l))) == 0 && len(g.Row(uint32(l^1))) == 0 {
			continue
		}
		v := p.vertex(l)
		i, ok := p.node[v]
		if !ok {
			i = len(p.members)
			p.node[v] = i
			p.members = append(p.members, nil)
		}
		p.members[i] = append(p.members[i], l)
	}
}

// nodes returns the nodes with their classes.
func (p *painter) nodes() []diagram.Node {
	forced, status := p.Forced(context.Background())
	var nodes []diagram.Node
	for _, ls := range p.members {
		n := diagram.Node{Label: labelOf(ls), Tooltip: spaced(ls), Height: nodeHeight}
		n.Width = float64(charWidth*len(n.Label) + nodePadding)
		switch {
		case p.components.Of(uint32(ls[0])) == p.components.Of(uint32(ls[0]^1)):
			n.Class = classClash
		case status != dimacs.Satisfiable:
		case forced.Value(ls[0]) == dimacs.True:
			n.Class = classTrue
		case forced.Value(ls[0]) == dimacs.False:
			n.Class = classFalse
		}
		if status == dimacs.Satisfiable || n.Class == classClash {
			n.Tooltip += ": " + nodeClasses[n.Class].tooltip
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// edges returns the edges, those of chains marked.
func (p *painter) edges(chains []Chain) []diagram.Edge {
	marked := p.marked(chains)
	var edges []diagram.Edge
	for i, ls := range p.members {
		v := p.vertex(ls[0])
		for _, w := range p.drawn.Row(v) {
			e := diagram.Edge{From: i, To: p.node[w]}
			if marked[Edge{v, w}] {
				e.Class = classMarked
			}
			e.Tooltip = labelOf(ls) + " -> " + labelOf(p.members[e.To])
			if !p.condensed {
				e.Tooltip += ", since " + spaced(Chain{ls[0], dimacs.Lit(w)}.Clauses()[0])
			}
			edges = append(edges, e)
		}
	}
	return edges
}

// marked returns the edges of chains.
func (p *painter) marked(chains []Chain) map[Edge]bool {
	marked := make(map[Edge]bool)
	for _, c := range chains {
		for i := 1; i < len(c); i++ {
			marked[Edge{p.vertex(c[i-1]), p.vertex(c[i])}] = true
		}
	}
	return marked
}

// maxLabelLits bounds the literals of a label. The tooltip lists all.
const maxLabelLits = 6

func labelOf(ls []dimacs.Lit) string {
	if more := len(ls) - maxLabelLits; more > 0 {
		return fmt.Sprintf("%s and %d more", spaced(ls[:maxLabelLits]), more)
	}
	return spaced(ls)
}

// spaced returns the literals in DIMACS notation.
func spaced(ls []dimacs.Lit) string { return strings.Trim(fmt.Sprint(ls), "[]") }
