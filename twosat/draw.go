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

// nodeLooks has the looks of the classes.
var nodeLooks = []diagram.Look{
	classFree:  {Name: "free", Meaning: "free", Shape: diagram.RoundedBox},
	classTrue:  {Name: "true", Light: "#b7dfc5", Dark: "#1f5132", Meaning: "true in every solution", Shape: diagram.RoundedBox},
	classFalse: {Name: "false", Light: "#d9d9d9", Dark: "#464d55", Meaning: "false in every solution", Shape: diagram.RoundedBox},
	classClash: {Name: "clash", Light: "#eeb4a7", Dark: "#7a2a20", Meaning: "implies its complement and is implied by it", Shape: diagram.RoundedBox},
}

// The classes of edges in a diagram.
const (
	classPlain  = iota
	classInner  // within a strongly connected component
	classMarked // part of a chain
)

var edgeLooks = []diagram.Look{
	classPlain:  {Meaning: "implies"},
	classInner:  {Name: "inner", Light: "#8a4fa3", Dark: "#cf9fe3", Meaning: "within a component: equivalent literals"},
	classMarked: {Name: "marked", Light: "#1f5fbf", Dark: "#7db1ff", Meaning: "chain of implications of an explanation"},
}

// A DrawingSizeError says that a graph is too large for a drawing.
type DrawingSizeError = diagram.SizeError

// Draw returns a diagram of the implication graph: a node for each literal of
// the variables that occur in clauses, or, condensed, for each strongly connected
// component, a set of equivalent literals. Colors show forced literals,
// contradictory components and the edges within components, and outlines the components of
// several literals; the edges of chains are marked. The same clauses in the same order give the same diagram. The error is a [*DrawingSizeError] if
// there are more than 400 nodes or 1000 edges.
func (s *Solver) Draw(condensed bool, chains ...Chain) (*diagram.Diagram, error) {
	g := s.Graph().Simple()
	c := Condense(g)
	p := &painter{Solver: s, components: c, condensed: condensed, drawn: g, vertex: func(l dimacs.Lit) uint32 { return uint32(l) }}
	if condensed {
		p.drawn, p.vertex = c.DAG(), func(l dimacs.Lit) uint32 { return c.Of(uint32(l)) }
	}
	p.findMembers(g)
	if err := diagram.CheckSize(len(p.members), p.drawn.Size()); err != nil {
		return nil, err
	}
	d := diagram.Boxes("implications", "", nodeLooks, edgeLooks)
	d.Nodes = p.nodes()
	d.Edges = p.edges(chains)
	if !condensed {
		d.Outline(p.groups())
	}
	d.LayOutLayers()
	return d, nil
}

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
		n := diagram.BoxNode(labelOf(ls), spaced(ls), classFree)
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
			n.Tooltip += ": " + nodeLooks[n.Class].Meaning
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// groups returns the nodes of each component with several nodes.
func (p *painter) groups() (all [][]int) {
	for _, ls := range p.members {
		c := p.components.Members(p.components.Of(uint32(ls[0])))
		if len(c) < 2 || c[0] != uint32(ls[0]) {
			continue // a single literal, or one that is not the first of its component
		}
		var group []int
		for _, v := range c {
			group = append(group, p.node[v])
		}
		all = append(all, group)
	}
	return all
}

// edges returns the edges, those of chains marked.
func (p *painter) edges(chains []Chain) []diagram.Edge {
	marked := p.marked(chains)
	var edges []diagram.Edge
	for i, ls := range p.members {
		v := p.vertex(ls[0])
		for _, w := range p.drawn.Row(v) {
			e := diagram.Edge{From: i, To: p.node[w]}
			switch {
			case marked[Edge{v, w}]:
				e.Class = classMarked
			case !p.condensed && p.components.Of(v) == p.components.Of(w):
				e.Class = classInner
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
