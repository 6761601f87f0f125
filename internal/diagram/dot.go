package diagram

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// DOT writes the diagram in the DOT language of Graphviz: a node statement
// "n1" for Nodes[0] and so on, then the edges. The legend precedes them. If the diagram is Ordered, the
// edges that leave a node follow its statement. The clusters of groups come last.
func (d *Diagram) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %s {\n", d.Name)
	if d.Ordered {
		fmt.Fprintln(b, "\tordering=out")
	}
	fmt.Fprintf(b, "\tlabel=%s\n\tnode [%s]\n", dotQuote(d.Caption), d.DOTNode)
	d.dotLegend(b)
	classes, out := d.nodeClasses(), d.outgoing()
	for i, n := range d.Nodes {
		fmt.Fprintf(b, "\tn%d%s\n", i+1, dotAttributes("label", n.Label, "tooltip", n.Tooltip, "", classes[n.Class].DOT))
		if d.Ordered {
			for _, j := range out[i] {
				d.dotEdge(b, j)
			}
		}
	}
	if !d.Ordered {
		for j := range d.Edges {
			d.dotEdge(b, j)
		}
	}
	for i, g := range d.Groups {
		fmt.Fprintf(b, "\tsubgraph cluster_%d {", i+1)
		for _, n := range g {
			fmt.Fprintf(b, " n%d;", n+1)
		}
		fmt.Fprintln(b, " }")
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// dotEdge writes an edge statement.
func (d *Diagram) dotEdge(w io.Writer, j int) {
	e := d.Edges[j]
	fmt.Fprintf(w, "\tn%d -> n%d%s\n", e.From+1, e.To+1, dotAttributes("label", e.Label, "", d.edgeClasses()[e.Class].DOT))
}

// dotAttributes returns an attribute list of names and values without those that
// are empty. A value without a name is a list of attributes already.
func dotAttributes(pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i], pairs[i+1]
		switch {
		case value == "":
		case name == "":
			list = append(list, value)
		default:
			list = append(list, name+"="+dotQuote(value))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " [" + strings.Join(list, ", ") + "]"
}

// dotQuote returns a text as a DOT string.
func dotQuote(text string) string { return `"` + dotEscaper.Replace(text) + `"` }

var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
