package diagram

import "fmt"

// Diagrams of labeled boxes and arrows, as of implication graphs and proofs, with colors for light
// and for dark pages.

// A Look is a class of nodes or edges.
type Look struct {
	Name, Meaning string
	Light, Dark   string // the color on light and on dark pages; nodes and edges without colors are plain
	Shape         Shape  // of a node
}

const (
	boxStyle = `.page { fill: white; stroke: none }
rect { fill: white; stroke: #444 }
path { stroke: #888; fill: none }
.tip { fill: #888; stroke: none }
text { font: 11px sans-serif; fill: #222; text-anchor: middle }
.caption { font-size: 13px; text-anchor: start }
.legend text { text-anchor: start }`
	boxDark = `.page { fill: #14181d }
rect { fill: #1e242b; stroke: #a5afba }
text { fill: #e6e9ed }`

	groupStyle = `
.group { stroke-linejoin: round; stroke-linecap: round }
rect.rim { fill: #8a4fa3 }
.rim { stroke: #8a4fa3; stroke-width: 14 }
rect.band { fill: #f5edf9 }
.band { stroke: #f5edf9; stroke-width: 12 }`
	groupDark = `
rect.band { fill: #2b2133 }
.band { stroke: #2b2133 }`
)

// Boxes returns a diagram without nodes, with these classes of nodes and edges.
func Boxes(name, caption string, nodes, edges []Look) *Diagram {
	d := &Diagram{Name: name, Caption: caption, DOTNode: `shape=box, style="rounded,filled", fillcolor=white`,
		Style: boxStyle, Dark: boxDark, Page: `class="page"`, Margin: 20, Top: 44}
	for _, l := range nodes {
		c := NodeClass{Name: l.Name, Shape: l.Shape, Meaning: l.Meaning}
		if l.Light != "" {
			c.DOT = fmt.Sprintf("fillcolor=%q", l.Light)
			d.Style += fmt.Sprintf("\n.%s { fill: %s }", l.Name, l.Light)
			d.Dark += fmt.Sprintf("\n.%s { fill: %s }", l.Name, l.Dark)
		}
		d.NodeClasses = append(d.NodeClasses, c)
	}
	for _, l := range edges {
		c := EdgeClass{Name: l.Name, Arrow: 8, Meaning: l.Meaning}
		if l.Light != "" {
			c.DOT, c.Arrow = fmt.Sprintf("color=%q, penwidth=2.5", l.Light), 11
			d.Style += fmt.Sprintf("\n.%s { stroke: %[2]s; stroke-width: 2.5 }\n.%[1]stip { fill: %[2]s; stroke: none }", l.Name, l.Light)
			d.Dark += fmt.Sprintf("\n.%s { stroke: %[2]s }\n.%[1]stip { fill: %[2]s }", l.Name, l.Dark)
		}
		d.EdgeClasses = append(d.EdgeClasses, c)
	}
	return d
}

// Outline sets the groups of a diagram of boxes.
func (d *Diagram) Outline(groups [][]int) {
	if len(groups) > 0 {
		d.Groups, d.Style, d.Dark = groups, d.Style+groupStyle, d.Dark+groupDark
	}
}

// BoxNode returns a node that is as wide as its label.
func BoxNode(label, tooltip string, class int) Node {
	const padding, height = 14, 22
	return Node{Label: label, Tooltip: tooltip, Class: class, Width: float64(charWidth*len(label) + padding), Height: height}
}

// The limits of a diagram that a person can read.
const (
	MaxNodes = 400
	MaxEdges = 1000
)

// A SizeError says that a graph is too large for a drawing.
type SizeError struct{ Nodes, Edges int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the graph has %d nodes and %d edges; up to %d and %d can be drawn", e.Nodes, e.Edges, MaxNodes, MaxEdges)
}

// CheckSize returns a [*SizeError] for a graph that is too large for a drawing.
func CheckSize(nodes, edges int) error {
	if nodes > MaxNodes || edges > MaxEdges {
		return &SizeError{nodes, edges}
	}
	return nil
}
