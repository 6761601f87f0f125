package diagram

import (
	"fmt"
	"io"
)

// The legend names the looks of a diagram. It has an entry for each class of nodes
// and edges that has a Meaning and that the diagram uses, with a sample. In the SVG
// the entries stand in rows below the caption; in DOT they are a cluster of their own.

// The measures of an entry in the SVG, in pixels.
const (
	legendRow    = 20 // height of a row
	legendSample = 22 // width of a sample; the text follows after legendGap
	legendGap    = 8
	legendSpace  = 18 // after an entry
)

// An entry is a line of the legend: a sample, a node or an edge, and its text.
type entry struct {
	text string
	node *Node // the first one of the class; nil for an edge
	edge *Edge // the first one of the class; nil for a node
	x, y float64
}

// width returns the width of the entry without the space after it.
func (e *entry) width() float64 {
	return legendSample + legendGap + float64(charWidth*len(e.text))
}

// legend returns the entries: the classes of nodes and then those of edges, in their
// order.
func (d *Diagram) legend() []entry {
	var entries []entry
	for class, c := range d.nodeClasses() {
		for i := range d.Nodes {
			if c.Meaning != "" && d.Nodes[i].Class == class {
				entries = append(entries, entry{text: c.Meaning, node: &d.Nodes[i]})
				break
			}
		}
	}
	for class, c := range d.edgeClasses() {
		for i := range d.Edges {
			if c.Meaning != "" && d.Edges[i].Class == class {
				entries = append(entries, entry{text: c.Meaning, edge: &d.Edges[i]})
				break
			}
		}
	}
	return entries
}

// placeLegend arranges the entries in rows of at most the given width, and returns
// their height. A row has at least one entry, so that a long text exceeds the width.
func placeLegend(entries []entry, width float64) (height float64) {
	x := 0.0
	for i := range entries {
		e := &entries[i]
		if x > 0 && x+e.width() > width {
			x, height = 0, height+legendRow
		}
		e.x, e.y = x, height
		x += e.width() + legendSpace
	}
	if len(entries) > 0 {
		height += legendRow
	}
	return height
}

// legendWidth returns the width of the widest entry.
func legendWidth(entries []entry) float64 {
	width := 0.0
	for i := range entries {
		width = max(width, entries[i].width())
	}
	return width
}

// svgLegend draws the entries, with the top left corner of the legend at x and y.
func (d *Diagram) svgLegend(w io.Writer, entries []entry, x, y float64) {
	if len(entries) == 0 {
		return
	}
	fmt.Fprintln(w, "<g class=\"legend\">")
	for i := range entries {
		e := &entries[i]
		left, middle := x+e.x, y+e.y+legendRow/2
		if e.node != nil {
			n := Node{Class: e.node.Class, Width: min(e.node.Width, legendSample), Height: min(e.node.Height, legendRow-6)}
			n.X, n.Y = left+legendSample/2, middle
			d.svgShape(w, &n, Point{n.X, n.Y})
		} else {
			d.svgSampleEdge(w, e.edge, Point{left, middle}, Point{left + legendSample, middle})
		}
		fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left+legendSample+legendGap, middle+baseline, xmlEscape(e.text))
	}
	fmt.Fprintln(w, "</g>")
}

// svgSampleEdge draws an edge of the class of e, from one point to another.
func (d *Diagram) svgSampleEdge(w io.Writer, e *Edge, from, to Point) {
	class := d.edgeClasses()[e.Class]
	if len(e.Route) == 0 {
		svgElement(w, "line", class.Name, "", fmt.Sprintf(" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", from.X, from.Y, to.X, to.Y))
		return
	}
	svgElement(w, "path", class.Name, "", fmt.Sprintf("%s d=\"M%.1f %.1fL%.1f %.1f\"", class.arrow(), from.X, from.Y, to.X, to.Y))
}

// dotLegend writes the legend as a cluster: for each entry a row of a sample and a
// text without a frame, and the rows one below the other.
func (d *Diagram) dotLegend(w io.Writer) {
	entries := d.legend()
	if len(entries) == 0 {
		return
	}
	fmt.Fprintln(w, "\tsubgraph cluster_legend {\n\t\tlabel=\"\"")
	for i, e := range entries {
		sample, edge := "shape=point, style=invis", d.edgeClassDOT(e.edge)
		if e.node != nil {
			sample, edge = d.nodeClasses()[e.node.Class].DOT, "style=invis"
		}
		fmt.Fprintf(w, "\t\t{ rank=same; k%[1]d%[2]s; m%[1]d%[3]s; k%[1]d -> m%[1]d%[4]s }\n", i+1,
			dotAttributes("", "label=\"\"", "", sample), dotAttributes("label", e.text, "", "shape=plaintext, style=\"\", fixedsize=false"), dotAttributes("", edge))
		if i > 0 {
			fmt.Fprintf(w, "\t\tk%d -> k%d [style=invis]\n", i, i+1)
		}
	}
	fmt.Fprintln(w, "\t}")
}

// edgeClassDOT returns the attributes of the class of an edge, nothing for nil.
func (d *Diagram) edgeClassDOT(e *Edge) string {
	if e == nil {
		return ""
	}
	return d.edgeClasses()[e.Class].DOT
}
