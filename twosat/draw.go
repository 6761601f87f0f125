package twosat

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
)

// Small implication graphs can be looked at: in the language of Graphviz, and as
// an SVG whose layout (layout.go) is ours, so that it needs no other program.

// A Drawing is a picture of an implication graph.
type Drawing struct {
	// Caption is what the picture says of the graph as a whole; it may be empty.
	Caption string

	vertices []drawnVertex
	edges    []drawnEdge
}

// A drawnVertex is a literal or a set of equivalent ones.
type drawnVertex struct {
	label, title string
	look         look
}

// A drawnEdge leads from one vertex of the drawing to another.
type drawnEdge struct {
	from, to int
	title    string
	marked   bool
}

// A look is how a vertex is drawn.
type look uint8

const (
	lookFree  look = iota // true in some solutions, false in others
	lookTrue              // in every solution
	lookFalse             // in every solution
	lookClash             // equivalent to its complement
)

var looks = [...]struct{ class, color, says string }{
	lookFree:  {"free", "#ffffff", "free"},
	lookTrue:  {"true", "#b7dfc5", "true in every solution"},
	lookFalse: {"false", "#d9d9d9", "false in every solution"},
	lookClash: {"clash", "#eeb4a7", "implies its complement and is implied by it"},
}

const markedColor = "#1f5fbf"

// A drawing has no more than so many vertices and edges: larger ones could be
// made, but not read.
const (
	MaxDrawnVertices = 400
	MaxDrawnEdges    = 1000
)

// A DrawingSizeError says that a graph is too large for a drawing.
type DrawingSizeError struct{ Vertices, Edges int }

func (e *DrawingSizeError) Error() string {
	return fmt.Sprintf("the graph has %d vertices and %d edges; up to %d and %d can be drawn", e.Vertices, e.Edges, MaxDrawnVertices, MaxDrawnEdges)
}

// Draw returns a picture of the implication graph: a vertex for each literal of
// the variables that occur in clauses, or, condensed, for each set of literals
// that imply each other. Literals that are true or false in every solution are
// colored, and so are those that contradict themselves. The edges of chains are
// marked. The same clauses in the same order give the same picture. The error is
// a [*DrawingSizeError] if there are more than [MaxDrawnVertices] or
// [MaxDrawnEdges].
func (s *Solver) Draw(condensed bool, chains ...Chain) (*Drawing, error) {
	g := s.Graph().Simple()
	c := Condense(g)
	p := &painter{Solver: s, c: c, condensed: condensed, shown: g, of: func(l dimacs.Lit) uint32 { return uint32(l) }}
	if condensed {
		p.shown, p.of = c.DAG(), func(l dimacs.Lit) uint32 { return c.Of(uint32(l)) }
	}
	p.choose(g)
	if len(p.members) > MaxDrawnVertices || p.shown.Size() > MaxDrawnEdges {
		return nil, &DrawingSizeError{len(p.members), p.shown.Size()}
	}
	return p.paint(chains), nil
}

// A painter makes a drawing.
type painter struct {
	*Solver
	c         *Condensation
	condensed bool
	shown     *Graph                  // what is drawn of the graph
	of        func(dimacs.Lit) uint32 // its vertex for a literal
	at        map[uint32]int          // the place of a vertex among those that are drawn
	members   [][]dimacs.Lit          // of these, in their order
}

// choose finds what is drawn: literals of variables that occur, in their order.
func (p *painter) choose(g *Graph) {
	p.at = make(map[uint32]int)
	for l := range dimacs.Lit(g.Len()) {
		if len(g.Row(uint32(l))) == 0 && len(g.Row(uint32(l^1))) == 0 {
			continue
		}
		v := p.of(l)
		i, ok := p.at[v]
		if !ok {
			i = len(p.members)
			p.at[v] = i
			p.members = append(p.members, nil)
		}
		p.members[i] = append(p.members[i], l)
	}
}

// paint draws vertices and edges.
func (p *painter) paint(chains []Chain) *Drawing {
	forced, status := p.Forced(context.Background())
	d := new(Drawing)
	for _, ls := range p.members {
		v := drawnVertex{label: labelOf(ls), look: lookFree}
		switch {
		case p.c.Of(uint32(ls[0])) == p.c.Of(uint32(ls[0]^1)):
			v.look = lookClash
		case status != dimacs.Satisfiable:
		case forced.Value(ls[0]) == dimacs.True:
			v.look = lookTrue
		case forced.Value(ls[0]) == dimacs.False:
			v.look = lookFalse
		}
		v.title = spaced(ls)
		if status == dimacs.Satisfiable || v.look == lookClash {
			v.title += ": " + looks[v.look].says
		}
		d.vertices = append(d.vertices, v)
	}
	marked := p.marked(chains)
	for i, ls := range p.members {
		v := p.of(ls[0])
		for _, w := range p.shown.Row(v) {
			e := drawnEdge{from: i, to: p.at[w], marked: marked[Edge{v, w}]}
			e.title = d.vertices[i].label + " -> " + d.vertices[e.to].label
			if !p.condensed {
				e.title += ", since " + spaced(Chain{ls[0], dimacs.Lit(w)}.Clauses()[0])
			}
			d.edges = append(d.edges, e)
		}
	}
	return d
}

// marked returns the edges of chains.
func (p *painter) marked(chains []Chain) map[Edge]bool {
	marked := make(map[Edge]bool)
	for _, c := range chains {
		for i := 1; i < len(c); i++ {
			marked[Edge{p.of(c[i-1]), p.of(c[i])}] = true
		}
	}
	return marked
}

// shownMembers is how many literals a label lists. A tooltip has the others.
const shownMembers = 6

func labelOf(ls []dimacs.Lit) string {
	if more := len(ls) - shownMembers; more > 0 {
		return fmt.Sprintf("%s and %d more", spaced(ls[:shownMembers]), more)
	}
	return spaced(ls)
}

// spaced returns the literals as DIMACS writes them.
func spaced(ls []dimacs.Lit) string { return strings.Trim(fmt.Sprint(ls), "[]") }

// DOT writes the drawing in the language of Graphviz.
func (d *Drawing) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph implications {\n\tlabel=%q\n\tnode [shape=box, style=\"rounded,filled\", fillcolor=white]\n", d.Caption)
	for i, v := range d.vertices {
		fmt.Fprintf(b, "\tn%d [label=%q, tooltip=%q", i+1, v.label, v.title)
		if v.look != lookFree {
			fmt.Fprintf(b, ", fillcolor=%q", looks[v.look].color)
		}
		fmt.Fprintln(b, "]")
	}
	for _, e := range d.edges {
		mark := ""
		if e.marked {
			mark = fmt.Sprintf(" [color=%q, penwidth=2.5]", markedColor)
		}
		fmt.Fprintf(b, "\tn%d -> n%d%s\n", e.from+1, e.to+1, mark)
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// The measures of an SVG, in pixels.
const (
	svgLayer  = 64 // from one layer to the next
	svgHeight = 22 // of a vertex
	svgDigit  = 7  // width of a character
	svgPad    = 14 // of a label, both sides together
	svgMargin = 20
	svgTop    = 44 // for the caption
	svgBack   = 7  // by how much edges that lead up stand beside the others
)

// SVG writes the drawing as an image: implications lead down, but for those that
// close a cycle.
func (d *Drawing) SVG(w io.Writer) error {
	widths := make([]float64, len(d.vertices))
	for i, v := range d.vertices {
		widths[i] = float64(svgDigit*len(v.label) + svgPad)
	}
	ends := make([][2]int, len(d.edges))
	for i, e := range d.edges {
		ends[i] = [2]int{e.from, e.to}
	}
	l := newLayout(widths, ends)
	width := max(l.right+2*svgMargin, float64(svgDigit*len(d.Caption)+2*svgMargin))
	height := svgTop + svgLayer*len(l.layers) + svgMargin
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" viewBox=\"0 0 %.0f %d\">\n", width, height, width, height)
	b.WriteString(svgStyle())
	fmt.Fprintf(b, "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"caption\" x=\"%d\" y=\"%d\">%s</text>\n", svgMargin, svgMargin, escaper.Replace(d.Caption))
	for _, marked := range []bool{false, true} { // these above the others
		for i, e := range d.edges {
			if e.marked == marked {
				d.svgEdge(b, l, i)
			}
		}
	}
	for i := range d.vertices {
		d.svgVertex(b, l, i)
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// svgStyle is how lines and letters look, and what arrows end with.
func svgStyle() string {
	var b strings.Builder
	b.WriteString("<style>\n")
	for _, l := range looks {
		fmt.Fprintf(&b, ".%s { fill: %s }\n", l.class, l.color)
	}
	fmt.Fprintf(&b, `.page { fill: white; stroke: none }
rect { stroke: #444 }
path { stroke: #888; fill: none }
.marked { stroke: %[1]s; stroke-width: 2.5 }
.tip { fill: #888; stroke: none }
.markedtip { fill: %[1]s; stroke: none }
text { font: 11px sans-serif; fill: #222; text-anchor: middle }
.caption { font-size: 13px; text-anchor: start }
</style>
<defs>
<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker>
<marker id="markedtip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto"><path class="markedtip" d="M0 0L8 4L0 8z"/></marker>
</defs>
`, markedColor)
	return b.String()
}

// svgY returns where the middle of a layer is.
func svgY(layer int) float64 { return svgTop + svgLayer*(float64(layer)+0.5) }

// svgEdge draws an edge as a curve through the places of its route, from the one
// vertex's border to the other's.
func (d *Drawing) svgEdge(w io.Writer, l *layout, i int) {
	route, up := l.routes[i], l.reversed[i]
	x := func(k int) float64 {
		if up {
			return svgMargin + l.x[route[k]] + svgBack
		}
		return svgMargin + l.x[route[k]]
	}
	y := func(k int) float64 {
		middle := svgY(l.layerOf[route[k]])
		switch k {
		case 0:
			return middle + svgHeight/2
		case len(route) - 1:
			return middle - svgHeight/2
		}
		return middle
	}
	first, last, step := 0, len(route)-1, 1
	if up {
		first, last, step = last, first, -1
	}
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", x(first), y(first))
	for k := first; k != last; k += step {
		half := (y(k) + y(k+step)) / 2
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", x(k), half, x(k+step), half, x(k+step), y(k+step))
	}
	class, tip := "", "tip"
	if d.edges[i].marked {
		class, tip = ` class="marked"`, "markedtip"
	}
	fmt.Fprintf(w, "<path%s marker-end=\"url(#%s)\" d=\"%s\"><title>%s</title></path>\n", class, tip, &path, escaper.Replace(d.edges[i].title))
}

// svgVertex draws a vertex with its label.
func (d *Drawing) svgVertex(w io.Writer, l *layout, i int) {
	v := d.vertices[i]
	x, y := svgMargin+l.x[i], svgY(l.layerOf[i])
	fmt.Fprintf(w, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%d\" rx=\"6\"><title>%s</title></rect>\n",
		looks[v.look].class, x-l.width[i]/2, y-svgHeight/2, l.width[i], svgHeight, escaper.Replace(v.title))
	fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y+4, escaper.Replace(v.label))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
