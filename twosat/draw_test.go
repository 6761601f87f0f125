package twosat_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/diagram"
	"sator/twosat"
)

// drawnSolver returns a solver with a unit clause, equivalences, forced literals
// and a pure literal, and with more clauses.
func drawnSolver(more ...[]int) *twosat.Solver {
	s := twosat.New(nil)
	for _, c := range append([][]int{{1, 2}, {-2, 3}, {-1, 3}, {-3, 4}, {-4, 5}, {-5, 4}, {6, 7}, {-7, -8}, {8, 7}, {-4, 7}, {10}}, more...) {
		s.Add(dimacs.Lits(c...)...)
	}
	return s
}

// TestDrawings compares diagrams with the files in testdata/draw. UPDATE=1 go test
// ./twosat writes these files.
func TestDrawings(t *testing.T) {
	sat, clash := drawnSolver(), drawnSolver([]int{-3, 1}, []int{-1, -2}, []int{-3, 2})
	why, ok := sat.Why(dimacs.FromInt(3))
	if !ok {
		t.Fatal("3 is not forced")
	}
	for _, tt := range []struct {
		name      string
		s         *twosat.Solver
		condensed bool
		chain     twosat.Chain
	}{{"sat", sat, false, why}, {"sat-condensed", sat, true, why}, {"clash", clash, false, nil}, {"clash-condensed", clash, true, nil}} {
		d, err := tt.s.Draw(tt.condensed, tt.chain)
		if err != nil {
			t.Fatal(err)
		}
		d.Caption = "a <caption> & more"
		compareDrawing(t, tt.name+".dot", d.DOT)
		compareDrawing(t, tt.name+".svg", d.SVG)
	}
}

// compareDrawing compares a diagram with a file.
func compareDrawing(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "draw", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b.Bytes()) {
		t.Errorf("%s differs; UPDATE=1 go test ./twosat writes it", file)
	}
}

// An svgImage has the elements of an SVG that the tests check.
type svgImage struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Rects  []struct {
		Class  string  `xml:"class,attr"`
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Title  string  `xml:"title"`
	} `xml:"rect"`
	Paths []struct {
		Class string `xml:"class,attr"`
		D     string `xml:"d,attr"`
		Title string `xml:"title"`
	} `xml:"path"`
	Groups []svgImage `xml:"g"` // the legend, and the outlines of components
}

// readSVG writes a diagram as SVG and parses it, without the rectangle of the page.
func readSVG(t *testing.T, d *diagram.Diagram) *svgImage {
	t.Helper()
	var b bytes.Buffer
	if err := d.SVG(&b); err != nil {
		t.Fatal(err)
	}
	m := new(svgImage)
	text := strings.Replace(b.String(), `width="100%" height="100%"`, "", 1)
	if err := xml.Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	m.Rects = m.Rects[1:]
	return m
}

// TestDrawingsComplete draws random instances. It expects every literal of a clause
// once, inside the page and without overlaps, and every implication once, between
// its literals.
func TestDrawingsComplete(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		vars := 1 + r.IntN(20)
		s := twosat.New(nil)
		implications := map[string]bool{}
		literals := map[string]bool{}
		for range r.IntN(2*vars) + 1 {
			a, b := dimacs.Lit(r.IntN(2*vars)), dimacs.Lit(r.IntN(2*vars))
			s.Add(a, b)
			if a == b^1 {
				continue
			}
			for _, l := range []dimacs.Lit{a, a ^ 1, b, b ^ 1} {
				literals[l.String()] = true
			}
			implications[fmt.Sprintf("%v -> %v", a^1, b)] = true
			implications[fmt.Sprintf("%v -> %v", b^1, a)] = true
		}
		outlined := equivalents(literals, implications)
		d, err := s.Draw(false)
		if err != nil {
			t.Fatal(err)
		}
		m := readSVG(t, d)
		if len(m.Rects) != len(literals) || len(m.Paths) != len(implications) {
			t.Fatalf("round %d: %d literals and %d implications, %d and %d drawn", round, len(literals), len(implications), len(m.Rects), len(m.Paths))
		}
		at := map[string]int{}
		for i, a := range m.Rects {
			name, _, _ := strings.Cut(a.Title, ":")
			if !literals[name] || a.X < 0 || a.Y < 0 || a.X+a.Width > m.Width || a.Y+a.Height > m.Height {
				t.Fatalf("round %d: %+v in %v by %v", round, a, m.Width, m.Height)
			}
			at[name] = i
			for _, b := range m.Rects[:i] {
				if a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height {
					t.Fatalf("round %d: %+v overlaps %+v", round, a, b)
				}
			}
		}
		for _, g := range m.Groups {
			var names []string
			for name, i := range at {
				for _, r := range g.Rects {
					if v := m.Rects[i]; r.Class == "band" && r.X == v.X && r.Y == v.Y {
						names = append(names, name)
					}
				}
			}
			if slices.Sort(names); len(names) > 0 && !outlined[fmt.Sprint(names)] {
				t.Fatalf("round %d: %v is outlined, and no component or twice", round, names)
			}
			delete(outlined, fmt.Sprint(names))
		}
		if len(outlined) > 0 {
			t.Fatalf("round %d: not outlined: %v", round, outlined)
		}
		for _, p := range m.Paths {
			edge, _, _ := strings.Cut(p.Title, ",")
			from, to, _ := strings.Cut(edge, " -> ")
			if !implications[edge] {
				t.Fatalf("round %d: %q is no implication, or twice", round, edge)
			}
			delete(implications, edge)
			x0, y0, x1, y1 := endsOf(t, p.D)
			for _, end := range []struct {
				name string
				x, y float64
			}{{from, x0, y0}, {to, x1, y1}} {
				v := m.Rects[at[end.name]]
				if end.x < v.X || end.x > v.X+v.Width || end.y != v.Y && end.y != v.Y+v.Height {
					t.Fatalf("round %d: %q does not touch %s: %s, %+v", round, edge, end.name, p.D, v)
				}
			}
		}
	}
}

// equivalents returns the sets of several literals that imply each other, by a closure without
// the solver, as sorted lists.
func equivalents(literals, implications map[string]bool) map[string]bool {
	all := slices.Sorted(maps.Keys(literals))
	implies := map[[2]string]bool{}
	for e := range implications {
		from, to, _ := strings.Cut(e, " -> ")
		implies[[2]string{from, to}] = true
	}
	for _, k := range all {
		for _, a := range all {
			for _, b := range all {
				if implies[[2]string{a, k}] && implies[[2]string{k, b}] {
					implies[[2]string{a, b}] = true
				}
			}
		}
	}
	sets := map[string]bool{}
	for _, a := range all {
		set := slices.DeleteFunc(slices.Clone(all), func(b string) bool {
			return a != b && !(implies[[2]string{a, b}] && implies[[2]string{b, a}])
		})
		if len(set) > 1 {
			sets[fmt.Sprint(set)] = true
		}
	}
	return sets
}

// endsOf returns the ends of a path.
func endsOf(t *testing.T, path string) (x0, y0, x1, y1 float64) {
	t.Helper()
	numbers := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("MC ", r) })
	n := len(numbers)
	if _, err := fmt.Sscan(strings.Join(append(numbers[:2:2], numbers[n-2:]...), " "), &x0, &y0, &x1, &y1); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x0, y0, x1, y1
}

// TestNodeClasses expects the classes of forced and free literals.
func TestNodeClasses(t *testing.T) {
	d, err := drawnSolver().Draw(true, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"3: true in every solution":      "true",
		"-10: false in every solution":   "false",
		"4 5: true in every solution":    "true",
		"-4 -5: false in every solution": "false",
		"1: free":                        "free",
		"-6: free":                       "free",
	}
	for _, r := range readSVG(t, d).Rects {
		if class, ok := want[r.Title]; ok && class != r.Class {
			t.Errorf("%s has class %s", r.Title, r.Class)
		}
		delete(want, r.Title)
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
}

// TestDrawingLimits expects a DrawingSizeError for large graphs.
func TestDrawingLimits(t *testing.T) {
	chain := twosat.New(nil)
	for v := range dimacs.Lit(diagram.MaxNodes / 2) {
		chain.Imply(2*v, 2*v+2)
	}
	_, err := chain.Draw(false)
	var size *twosat.DrawingSizeError
	if !errors.As(err, &size) || size.Nodes != diagram.MaxNodes+2 || size.Edges != diagram.MaxNodes {
		t.Errorf("error %v", err)
	}
	chain.Imply(dimacs.Lit(diagram.MaxNodes), 0) // a cycle
	d, err := chain.Draw(true)
	if err != nil {
		t.Fatal(err)
	}
	if m := readSVG(t, d); len(m.Rects) != 2 || len(m.Paths) != 0 {
		t.Errorf("%d vertices, %d edges", len(m.Rects), len(m.Paths))
	}
	dense := twosat.New(nil)
	for a := range dimacs.Lit(40) {
		for b := range a {
			dense.Imply(2*a, 2*b)
		}
	}
	if _, err := dense.Draw(true); err == nil {
		t.Error("1560 edges and no error")
	} else if !errors.As(err, &size) {
		t.Error(err)
	}
}

// TestDrawNothing expects an empty diagram for variables that occur in no clause.
func TestDrawNothing(t *testing.T) {
	s := twosat.New(nil)
	s.Grow(1000)
	s.Add(dimacs.Lits(5, -5)...)
	d, err := s.Draw(false)
	if err != nil {
		t.Fatal(err)
	}
	if m := readSVG(t, d); len(m.Rects) != 0 {
		t.Errorf("%d vertices", len(m.Rects))
	}
}

// Draw the implication graph, for Graphviz or as an SVG.
func ExampleSolver_Draw() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-1, 2)...)
	why, _ := s.Why(dimacs.FromInt(2))
	d, err := s.Draw(false, why)
	if err != nil {
		panic(err)
	}
	d.Caption = "2 is forced"
	d.DOT(os.Stdout)
	// Output:
	// digraph implications {
	// 	label="2 is forced"
	// 	node [shape=box, style="rounded,filled", fillcolor=white]
	// 	subgraph cluster_legend {
	// 		label=""
	// 		{ rank=same; k1 [label=""]; m1 [label="free", shape=plaintext, style="", fixedsize=false]; k1 -> m1 [style=invis] }
	// 		{ rank=same; k2 [label="", fillcolor="#b7dfc5"]; m2 [label="true in every solution", shape=plaintext, style="", fixedsize=false]; k2 -> m2 [style=invis] }
	// 		k1 -> k2 [style=invis]
	// 		{ rank=same; k3 [label="", fillcolor="#d9d9d9"]; m3 [label="false in every solution", shape=plaintext, style="", fixedsize=false]; k3 -> m3 [style=invis] }
	// 		k2 -> k3 [style=invis]
	// 		{ rank=same; k4 [label="", shape=point, style=invis]; m4 [label="implies", shape=plaintext, style="", fixedsize=false]; k4 -> m4 }
	// 		k3 -> k4 [style=invis]
	// 		{ rank=same; k5 [label="", shape=point, style=invis]; m5 [label="chain of implications of an explanation", shape=plaintext, style="", fixedsize=false]; k5 -> m5 [color="#1f5fbf", penwidth=2.5] }
	// 		k4 -> k5 [style=invis]
	// 	}
	// 	n1 [label="1", tooltip="1: free"]
	// 	n2 [label="-1", tooltip="-1: free"]
	// 	n3 [label="2", tooltip="2: true in every solution", fillcolor="#b7dfc5"]
	// 	n4 [label="-2", tooltip="-2: false in every solution", fillcolor="#d9d9d9"]
	// 	n1 -> n3 [color="#1f5fbf", penwidth=2.5]
	// 	n2 -> n3
	// 	n4 -> n1 [color="#1f5fbf", penwidth=2.5]
	// 	n4 -> n2
	// }
}
