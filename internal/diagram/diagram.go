package diagram

// A Diagram is a node-link diagram: a directed graph with the look of its nodes
// and edges. Only the SVG uses coordinates, which a layout computes.
type Diagram struct {
	Name    string // identifier of the graph in DOT
	Caption string // text above the picture; may be empty

	Nodes []Node
	Edges []Edge

	// Groups are sets of nodes that belong together, as indices into Nodes. The SVG outlines
	// each of them along the edges between its nodes; in DOT it is a cluster.
	Groups [][]int

	// NodeClasses are the looks of nodes. Without any, nodes are plain boxes.
	NodeClasses []NodeClass
	// EdgeClasses are the looks of edges. The SVG draws edges of later classes
	// over edges of earlier ones. Without any, edges are plain lines.
	EdgeClasses []EdgeClass

	// Ordered makes DOT keep the order of the edges that leave a node, from left
	// to right.
	Ordered bool
	// DOTNode has the DOT attributes of all nodes, as in "shape=box".
	DOTNode string

	Style    string  // CSS rules of the SVG; the legend is a group of the class "legend"
	Dark     string  // more CSS rules, for viewers that prefer dark pages
	Page     string  // attributes of the SVG's background rectangle, as in `fill="white"`
	Margin   float64 // left of, right of and below the nodes, in pixels
	Top      float64 // height above the nodes, for the caption; the legend needs more
	MinWidth float64 // of the SVG

	Width, Height float64 // of the area that the nodes cover, set by a layout
}

// A Node is a vertex of a diagram.
type Node struct {
	Label   string // text inside the node; may be empty
	Tooltip string // text that a viewer shows on demand; may be empty
	Class   int    // index into Diagram.NodeClasses

	Width, Height float64 // in pixels; a circle has the diameter Width
	X, Y          float64 // center within the area of the nodes, set by a layout
}

// An Edge leads from one node to another.
type Edge struct {
	From, To int    // indices into Diagram.Nodes
	Label    string // text beside a straight edge; may be empty
	Tooltip  string // text that a viewer of the SVG shows on demand
	Class    int    // index into Diagram.EdgeClasses

	// Route has the points of a curve in the SVG. Without any, the edge is a
	// straight line between the centers of its nodes.
	Route []Point
}

// A Point is a place within the area of the nodes, in pixels, with y downward.
type Point struct{ X, Y float64 }

// A NodeClass is a look that several nodes share.
type NodeClass struct {
	Name  string // CSS class in the SVG; may be empty
	DOT   string // attributes in DOT, as in "fillcolor=red"; may be empty
	Shape Shape  // in the SVG

	Meaning string // text of the class in the legend; without a text it is not there
}

// An EdgeClass is a look that several edges share.
type EdgeClass struct {
	Name  string // CSS class in the SVG; may be empty
	DOT   string // attributes in DOT, as in "color=red"; may be empty
	Label string // CSS class of edge labels in the SVG

	// Arrow is the size of the arrowheads of curves in the SVG, 0 for no
	// arrowheads. Their CSS class is Name followed by "tip".
	Arrow int

	Meaning string // text of the class in the legend; without a text it is not there
}

// A Shape is the outline of a node in an SVG.
type Shape uint8

// The shapes.
const (
	Box        Shape = iota // rectangle
	RoundedBox              // rectangle with rounded corners
	Circle
)

// outgoing returns for each node the indices of its edges in their order.
func (d *Diagram) outgoing() [][]int {
	out := make([][]int, len(d.Nodes))
	for i, e := range d.Edges {
		out[e.From] = append(out[e.From], i)
	}
	return out
}

// nodeClasses returns the looks of nodes, at least one.
func (d *Diagram) nodeClasses() []NodeClass {
	if len(d.NodeClasses) == 0 {
		return make([]NodeClass, 1)
	}
	return d.NodeClasses
}

// edgeClasses returns the looks of edges, at least one.
func (d *Diagram) edgeClasses() []EdgeClass {
	if len(d.EdgeClasses) == 0 {
		return make([]EdgeClass, 1)
	}
	return d.EdgeClasses
}
