package diagram_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sator/internal/diagram"
)

// Draw a graph of two nodes, for Graphviz.
func Example() {
	d := &diagram.Diagram{
		Name:        "implications",
		Caption:     "1 implies 2",
		DOTNode:     "shape=box",
		NodeClasses: []diagram.NodeClass{{}, {DOT: "fillcolor=red"}},
		Nodes:       []diagram.Node{{Label: "1"}, {Label: "2", Class: 1}},
		Edges:       []diagram.Edge{{From: 0, To: 1}},
	}
	d.DOT(os.Stdout)
	// Output:
	// digraph implications {
	// 	label="1 implies 2"
	// 	node [shape=box]
	// 	n1 [label="1"]
	// 	n2 [label="2", fillcolor=red]
	// 	n1 -> n2
	// }
}

// Draw a tree of three nodes as an SVG.
func ExampleDiagram_SVG() {
	d := &diagram.Diagram{
		Style:  "line { stroke: black }",
		Page:   `fill="white"`,
		Margin: 10,
		Nodes:  make([]diagram.Node, 3),
		Edges:  []diagram.Edge{{From: 0, To: 1, Label: "left"}, {From: 0, To: 2, Label: "right"}},
	}
	for i := range d.Nodes {
		d.Nodes[i].Width, d.Nodes[i].Height = 8, 8
	}
	d.LayOutTree(40, 50)
	d.SVG(os.Stdout)
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="100" height="60" viewBox="0 0 100 60">
	// <style>
	// line { stroke: black }
	// </style>
	// <rect fill="white" width="100%" height="100%"/>
	// <text class="caption" x="10" y="10"></text>
	// <line x1="50.0" y1="0.0" x2="30.0" y2="50.0"/>
	// <line x1="50.0" y1="0.0" x2="70.0" y2="50.0"/>
	// <rect x="46.0" y="-4.0" width="8" height="8"/>
	// <text x="40.0" y="29.0">left</text>
	// <text x="60.0" y="29.0">right</text>
	// <rect x="26.0" y="46.0" width="8" height="8"/>
	// <rect x="66.0" y="46.0" width="8" height="8"/>
	// </svg>
}

// TestEscape expects quoted texts in both formats.
func TestEscape(t *testing.T) {
	d := &diagram.Diagram{Name: "g", Caption: "a \"b\"\n\\c <d> & e", Page: `fill="white"`,
		Nodes: []diagram.Node{{Label: "<1>", Tooltip: `"&"`}, {}}, Edges: []diagram.Edge{{From: 0, To: 1, Label: "<"}}}
	var dot, svg bytes.Buffer
	if err := d.DOT(&dot); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`label="a \"b\"\n\\c <d> & e"`, `n1 [label="<1>", tooltip="\"&\""]`, "n2\n", `n1 -> n2 [label="<"]`} {
		if !strings.Contains(dot.String(), want) {
			t.Errorf("no %s in\n%s", want, &dot)
		}
	}
	if err := d.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	var image struct {
		Texts []string `xml:"text"`
		Rects []struct {
			Title string `xml:"title"`
		} `xml:"rect"`
	}
	if err := xml.Unmarshal(svg.Bytes(), &image); err != nil {
		t.Fatalf("%v:\n%s", err, &svg)
	}
	if len(image.Texts) != 3 || image.Texts[0] != d.Caption || image.Texts[1] != "<1>" || image.Texts[2] != "<" || image.Rects[1].Title != `"&"` {
		t.Errorf("%+v", image)
	}
}

// TestWriteErrors expects the errors of the writer.
func TestWriteErrors(t *testing.T) {
	d := &diagram.Diagram{Nodes: make([]diagram.Node, 1)}
	for _, write := range []func(io.Writer) error{d.DOT, d.SVG} {
		if err := write(fullDisk{}); err == nil {
			t.Error("no error")
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestLayOutTree expects nodes of random trees inside the area, a row below
// their parents, and at least a column apart in a row.
func TestLayOutTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		d := &diagram.Diagram{Nodes: make([]diagram.Node, 1+r.IntN(30))}
		for v := 1; v < len(d.Nodes); v++ {
			d.Edges = append(d.Edges, diagram.Edge{From: r.IntN(v), To: v})
		}
		d.LayOutTree(10, 20)
		for _, e := range d.Edges {
			if d.Nodes[e.To].Y != d.Nodes[e.From].Y+20 {
				t.Fatalf("round %d: edge %+v of %+v", round, e, d.Nodes)
			}
		}
		for i, a := range d.Nodes {
			if a.X < 5 || a.X > d.Width-5 || a.Y < 0 || a.Y > d.Height {
				t.Fatalf("round %d: node %+v in %v by %v", round, a, d.Width, d.Height)
			}
			for _, b := range d.Nodes[:i] {
				if a.Y == b.Y && max(a.X-b.X, b.X-a.X) < 10 {
					t.Fatalf("round %d: %+v is too near to %+v", round, a, b)
				}
			}
		}
	}
}

// TestLayOutLayers expects nodes of random graphs inside the area and apart, and
// routes that begin and end at the borders of their nodes; without cycles, edges
// lead down.
func TestLayOutLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		acyclic := round%2 == 0
		n := 2 + r.IntN(20)
		d := &diagram.Diagram{}
		for range n {
			d.Nodes = append(d.Nodes, diagram.Node{Width: float64(10 + r.IntN(50)), Height: 22})
		}
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			if a == b {
				continue
			}
			if acyclic {
				a, b = min(a, b), max(a, b)
			}
			d.Edges = append(d.Edges, diagram.Edge{From: a, To: b})
		}
		d.LayOutLayers()
		for i, a := range d.Nodes {
			if a.X-a.Width/2 < -1e-9 || a.X+a.Width/2 > d.Width+1e-9 || a.Y-a.Height/2 < 0 || a.Y+a.Height/2 > d.Height {
				t.Fatalf("round %d: node %+v in %v by %v", round, a, d.Width, d.Height)
			}
			for _, b := range d.Nodes[:i] {
				if a.Y == b.Y && max(a.X-b.X, b.X-a.X) < (a.Width+b.Width)/2 {
					t.Fatalf("round %d: %+v overlaps %+v", round, a, b)
				}
			}
		}
		for _, e := range d.Edges {
			from, to := d.Nodes[e.From], d.Nodes[e.To]
			first, last := e.Route[0], e.Route[len(e.Route)-1]
			down := from.Y < to.Y
			if !down {
				from, to, first, last = to, from, last, first
			}
			if acyclic && !down || first.Y != from.Y+from.Height/2 || last.Y != to.Y-to.Height/2 {
				t.Fatalf("round %d: route %+v from %+v to %+v", round, e.Route, from, to)
			}
		}
	}
}

// TestLegend expects an entry for each class that has a meaning and is used, inside the page
// and above the nodes.
func TestLegend(t *testing.T) {
	d := &diagram.Diagram{
		NodeClasses: []diagram.NodeClass{{Meaning: "inner"}, {Meaning: "unused"}, {Meaning: "a <long> meaning that is wider than the page", Shape: diagram.Circle}, {}},
		EdgeClasses: []diagram.EdgeClass{{}, {Meaning: "leads to"}},
		Nodes:       []diagram.Node{{Width: 30, Height: 20}, {Class: 2, Width: 8, Height: 8}, {Class: 3}},
		Edges:       []diagram.Edge{{From: 0, To: 1, Class: 1}, {From: 0, To: 2}},
		Margin:      10, Top: 30, Page: `fill="white"`,
	}
	d.LayOutTree(20, 40)
	var svg, dot bytes.Buffer
	if err := errors.Join(d.SVG(&svg), d.DOT(&dot)); err != nil {
		t.Fatal(err)
	}
	var page struct {
		Width float64 `xml:"width,attr"`
		Texts []struct {
			X    float64 `xml:"x,attr"`
			Y    float64 `xml:"y,attr"`
			Text string  `xml:",chardata"`
		} `xml:"g>text"`
		Nodes []struct {
			Y float64 `xml:"y,attr"`
		} `xml:"rect"`
	}
	source := strings.Replace(svg.String(), `width="100%" height="100%"`, "", 1)
	if err := xml.Unmarshal([]byte(source), &page); err != nil {
		t.Fatalf("%v:\n%s", err, &svg)
	}
	want := []string{"inner", "a <long> meaning that is wider than the page", "leads to"}
	if len(page.Texts) != len(want) {
		t.Fatalf("%d entries, want %d:\n%s", len(page.Texts), len(want), &svg)
	}
	for i, e := range page.Texts {
		if e.Text != want[i] || e.X+5*float64(len(e.Text)) > page.Width || e.Y > page.Nodes[1].Y {
			t.Errorf("entry %d is %+v on a page of width %v with nodes from %v", i, e, page.Width, page.Nodes[1].Y)
		}
		if n := strings.Count(dot.String(), `[label="`+want[i]+`"`); n != 1 {
			t.Errorf("%d entries %q in\n%s", n, want[i], &dot)
		}
	}
	if strings.Contains(dot.String(), "unused") {
		t.Errorf("an entry for an unused class:\n%s", &dot)
	}
}
