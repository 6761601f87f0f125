package diagram

// LayOutTree computes coordinates for a tree: Nodes[0] is the root, and every
// other node is entered by one edge. The arguments are the width of a column and
// the height of a row. Every leaf has a column of its own, and leaves are in the
// order of the edges. Any other node is one row above its children, in the middle
// between the first and the last of them. So edges do not cross. The time is
// linear.
//
// Tighter layouts (Reingold and Tilford, "Tidier Drawings of Trees", 1981) save
// little for search trees: nearly every node has two children or no child.
func (d *Diagram) LayOutTree(column, row float64) {
	out := d.outgoing()
	columns, depth := 0, 0
	var place func(node, level int)
	place = func(node, level int) {
		n := &d.Nodes[node]
		n.Y = row * float64(level)
		depth = max(depth, level)
		children := out[node]
		if len(children) == 0 {
			n.X = float64(columns)
			columns++
			return
		}
		for _, e := range children {
			place(d.Edges[e].To, level+1)
		}
		first, last := d.Edges[children[0]].To, d.Edges[children[len(children)-1]].To
		n.X = (d.Nodes[first].X + d.Nodes[last].X) / 2
	}
	place(0, 0)
	for i := range d.Nodes {
		d.Nodes[i].X = column * (d.Nodes[i].X + 0.5)
	}
	d.Width, d.Height = column*float64(columns), row*float64(depth)
}
