// Package diagram writes node-link diagrams of directed graphs and trees, in
// the DOT language of Graphviz and as SVG. It computes the layout of the SVG
// itself, so that a picture needs no other program.
//
//	d := &diagram.Diagram{
//		Name:    "implications",
//		Caption: "1 implies 2",
//		Style:   "rect, path { fill: none; stroke: black }",
//		Nodes:   []diagram.Node{{Label: "1"}, {Label: "2"}},
//		Edges:   []diagram.Edge{{From: 0, To: 1}},
//	}
//	for i := range d.Nodes {
//		d.Nodes[i].Width, d.Nodes[i].Height = 30, 22
//	}
//	d.LayOutLayers()
//	err := d.SVG(os.Stdout) // or d.DOT
//
// [Diagram.LayOutLayers] is the layered layout of Sugiyama, Tagawa and Toda for
// any directed graph; [Diagram.LayOutTree] is for trees. Both are meant for
// pictures that a person can read, of some hundred nodes. The same diagram has
// the same picture each time: a layout uses no random numbers.
//
// Files:
//   - diagram.go: the parts of a diagram
//   - dot.go, svg.go: the two formats
//   - legend.go: the names of the looks
//   - boxes.go: diagrams of labeled boxes, with their colors
//   - layers.go: layout of directed graphs in layers
//   - tree.go: layout of trees
package diagram
