package diagram

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// charWidth is the width of a character of the caption, in pixels.
	charWidth = 7
	// baseline is the distance of the baseline of a text below its middle.
	baseline = 4
	// cornerRadius is the radius of the corners of a RoundedBox.
	cornerRadius = 6
)

// SVG writes the diagram as an SVG image: the caption, the legend, the outlines of
// groups, then the edges, and over them the nodes, each followed by the labels of its
// outgoing edges. A layout must have been computed.
func (d *Diagram) SVG(w io.Writer) error {
	legend := d.legend()
	width := max(d.MinWidth, d.Width+2*d.Margin, float64(charWidth*len(d.Caption))+2*d.Margin, legendWidth(legend)+2*d.Margin)
	own := *d
	own.Top += placeLegend(legend, width-2*d.Margin)
	d = &own
	height := d.Top + d.Height + d.Margin
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n", width, height, width, height)
	fmt.Fprintf(b, "<style>\n%s\n", strings.TrimSpace(d.Style))
	if d.Dark != "" {
		fmt.Fprintf(b, "@media (prefers-color-scheme: dark) {\n%s\n}\n", strings.TrimSpace(d.Dark))
	}
	fmt.Fprintln(b, "</style>")
	d.svgArrows(b)
	fmt.Fprintf(b, "<rect %s width=\"100%%\" height=\"100%%\"/>\n", d.Page)
	fmt.Fprintf(b, "<text class=\"caption\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", d.Margin, d.Margin, xmlEscape(d.Caption))
	d.svgLegend(b, legend, d.Margin, d.Margin+legendGap)
	for _, g := range d.Groups {
		d.svgGroup(b, g)
	}
	for class := range d.edgeClasses() {
		for i := range d.Edges {
			if d.Edges[i].Class == class {
				d.svgEdge(b, &d.Edges[i])
			}
		}
	}
	out := d.outgoing()
	for i := range d.Nodes {
		d.svgNode(b, &d.Nodes[i])
		for _, j := range out[i] {
			d.svgEdgeLabel(b, &d.Edges[j])
		}
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// onPage returns the coordinates of a point on the page.
func (d *Diagram) onPage(p Point) Point { return Point{d.Margin + p.X, d.Top + p.Y} }

// center returns the coordinates of the center of a node on the page.
func (d *Diagram) center(node int) Point {
	return d.onPage(Point{d.Nodes[node].X, d.Nodes[node].Y})
}

// svgArrows defines the arrowheads of all edge classes.
func (d *Diagram) svgArrows(w io.Writer) {
	var defs strings.Builder
	for _, c := range d.EdgeClasses {
		if c.Arrow > 0 {
			fmt.Fprintf(&defs, "<marker id=\"%[1]stip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"%[2]d\" markerHeight=\"%[2]d\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"%[1]stip\" d=\"M0 0L8 4L0 8z\"/></marker>\n", c.Name, c.Arrow)
		}
	}
	if defs.Len() > 0 {
		fmt.Fprintf(w, "<defs>\n%s</defs>\n", &defs)
	}
}

// svgGroup outlines a group: with a band along its nodes and edges, over a wider band. The rim of
// the wider one is the outline.
func (d *Diagram) svgGroup(w io.Writer, nodes []int) {
	fmt.Fprintln(w, "<g class=\"group\">")
	for _, class := range [2]string{"rim", "band"} {
		for _, i := range nodes {
			n := &d.Nodes[i]
			svgElement(w, "rect", class, "", box(n, d.center(i)))
		}
		for i := range d.Edges {
			if e := &d.Edges[i]; len(e.Route) > 0 && slices.Contains(nodes, e.From) && slices.Contains(nodes, e.To) {
				svgElement(w, "path", class, "", fmt.Sprintf(" d=\"%s\"", d.curve(e.Route)))
			}
		}
	}
	fmt.Fprintln(w, "</g>")
}

// svgEdge draws an edge, a curve or a line.
func (d *Diagram) svgEdge(w io.Writer, e *Edge) {
	class := d.edgeClasses()[e.Class]
	if len(e.Route) == 0 {
		from, to := d.center(e.From), d.center(e.To)
		svgElement(w, "line", class.Name, e.Tooltip, fmt.Sprintf(" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", from.X, from.Y, to.X, to.Y))
		return
	}
	svgElement(w, "path", class.Name, e.Tooltip, fmt.Sprintf("%s d=\"%s\"", class.arrow(), d.curve(e.Route)))
}

// arrow returns the attribute for the arrowhead of a curve, if there is one.
func (c *EdgeClass) arrow() string {
	if c.Arrow == 0 {
		return ""
	}
	return fmt.Sprintf(" marker-end=\"url(#%stip)\"", c.Name)
}

// curve returns the path data of cubic Bézier curves through the points of a
// route. The curves are vertical at each point.
func (d *Diagram) curve(route []Point) string {
	var path strings.Builder
	a := d.onPage(route[0])
	fmt.Fprintf(&path, "M%.1f %.1f", a.X, a.Y)
	for _, p := range route[1:] {
		b := d.onPage(p)
		half := (a.Y + b.Y) / 2
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", a.X, half, b.X, half, b.X, b.Y)
		a = b
	}
	return path.String()
}

// svgNode draws a node with its label.
func (d *Diagram) svgNode(w io.Writer, n *Node) {
	c := d.onPage(Point{n.X, n.Y})
	d.svgShape(w, n, c)
	if n.Label != "" {
		fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", c.X, c.Y+baseline, xmlEscape(n.Label))
	}
}

// svgShape draws the outline of a node with its center at c.
func (d *Diagram) svgShape(w io.Writer, n *Node, c Point) {
	class := d.nodeClasses()[n.Class]
	if class.Shape == Circle {
		svgElement(w, "circle", class.Name, n.Tooltip, fmt.Sprintf(" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"", c.X, c.Y, n.Width/2))
	} else {
		attributes := box(n, c)
		if class.Shape == RoundedBox {
			attributes += fmt.Sprintf(" rx=\"%d\"", cornerRadius)
		}
		svgElement(w, "rect", class.Name, n.Tooltip, attributes)
	}
}

// box returns the attributes of a rectangle of the size of a node with its center at c.
func box(n *Node, c Point) string {
	return fmt.Sprintf(" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"", c.X-n.Width/2, c.Y-n.Height/2, n.Width, n.Height)
}

// svgEdgeLabel writes the label of an edge at the middle of its line.
func (d *Diagram) svgEdgeLabel(w io.Writer, e *Edge) {
	if e.Label == "" {
		return
	}
	from, to := d.center(e.From), d.center(e.To)
	fmt.Fprintf(w, "<text%s x=\"%.1f\" y=\"%.1f\">%s</text>\n", svgClass(d.edgeClasses()[e.Class].Label), (from.X+to.X)/2, (from.Y+to.Y)/2+baseline, xmlEscape(e.Label))
}

// svgElement writes an element with its tooltip.
func svgElement(w io.Writer, name, class, tooltip, attributes string) {
	fmt.Fprintf(w, "<%s%s%s", name, svgClass(class), attributes)
	if tooltip == "" {
		fmt.Fprintln(w, "/>")
		return
	}
	fmt.Fprintf(w, "><title>%s</title></%s>\n", xmlEscape(tooltip), name)
}

// svgClass returns the class attribute of an element, or nothing for no class.
func svgClass(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" class=\"%s\"", name)
}

// xmlEscape returns a text as the content of an XML element.
func xmlEscape(text string) string { return xmlEscaper.Replace(text) }

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
