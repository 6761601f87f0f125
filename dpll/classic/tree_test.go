package classic_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// grown returns the tree of a formula and the statistics of its search.
func grown(f *dimacs.Formula, o classic.Options, limit int, assumptions ...dimacs.Lit) (*classic.Tree, classic.Stats) {
	t := classic.NewTree(limit)
	o.Trace = t.Event
	s := classic.New(o)
	s.AddFormula(f)
	s.Solve(context.Background(), assumptions...)
	return t, s.Stats()
}

// treeFormula has conflicts, pure literals, propagation and a solution.
func treeFormula() *dimacs.Formula {
	f := new(dimacs.Formula)
	for _, c := range [][]int{{9}, {1, 2, 3}, {-1, 4}, {-4, -1, 5}, {-5, -1, -4}, {-2, 6, 7}, {2, -6, 7}, {-7, 6}, {-7, -6, -2}, {-6, 2, -3}, {8, 3}, {-9, 10, 11}} {
		f.AddInts(c...)
	}
	return f
}

// TestTreeDrawings compares the drawings with files of testdata/tree. UPDATE=1
// writes the files.
func TestTreeDrawings(t *testing.T) {
	f := treeFormula()
	full, _ := grown(f, options("first", classic.PureEvery), 100)
	full.Caption = "a <caption> & more"
	cut, _ := grown(f, options("first", classic.PureOff), 3, dimacs.Lits(-10)...)
	assumed, _ := grown(f, options("first", classic.PureOff), 100, dimacs.Lits(2, 6, -9)...)
	for _, tt := range []struct {
		name string
		tree *classic.Tree
	}{{"full", full}, {"cut", cut}, {"assumed", assumed}} {
		for format, write := range map[string]func(io.Writer, *dimacs.Formula) error{"txt": tt.tree.Text, "dot": tt.tree.DOT, "svg": tt.tree.SVG} {
			var b bytes.Buffer
			if err := write(&b, f); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "tree", tt.name+"."+format), b.Bytes())
			if format == "svg" {
				wellFormed(t, b.Bytes())
			}
		}
	}
}

// wellFormed checks that the text is XML.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTreeCounts checks that the nodes, conflicts, solutions and the depth of trees
// agree with Stats under each heuristic, and that the text has a line per node.
func TestTreeCounts(t *testing.T) {
	for seed := range uint64(40) {
		_, c := dplltest.RandomCase(seed, 30)
		for _, h := range classic.Heuristics {
			tree, st := grown(c.Formula, options(h.Name, classic.Pure(seed%3)), 1e6, c.Assumptions...)
			got := fmt.Sprint(tree.Nodes(), tree.Count(classic.Conflict), tree.Count(classic.Solution), tree.Depth(), tree.Truncated())
			if want := fmt.Sprint(st.Nodes, st.Conflicts, st.Solutions, st.Depth, false); got != want {
				t.Fatalf("seed %d, %s: got %s, want %s", seed, h.Name, got, want)
			}
			var b strings.Builder
			if err := tree.Text(&b, nil); err != nil || strings.Count(b.String(), "\n") != tree.Nodes() {
				t.Fatalf("seed %d, %s: %v\n%s", seed, h.Name, err, b.String())
			}
		}
	}
}

// TestTreeOfEnumeration draws the tree of a search that goes on after a solution.
func TestTreeOfEnumeration(t *testing.T) {
	f := new(dimacs.Formula)
	f.AddInts(1, 2)
	o := options("first", classic.PureOff)
	tree := classic.NewTree(10)
	o.Trace = tree.Event
	s := classic.New(o)
	s.AddFormula(f)
	s.Count(context.Background(), nil)
	var b strings.Builder
	if err := tree.Text(&b, f); err != nil {
		t.Fatal(err)
	}
	if want := "root\n|-- 1: solution, 1 assigned\n`-- -1: 2 (1); solution, 2 assigned\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestTreeCannotWrite checks that errors of writing are returned.
func TestTreeCannotWrite(t *testing.T) {
	tree, _ := grown(treeFormula(), options("first", classic.PureOff), 100)
	for _, write := range []func(io.Writer, *dimacs.Formula) error{tree.Text, tree.DOT, tree.SVG} {
		if err := write(&fullDisk{calls: 2}, nil); err == nil {
			t.Error("no error")
		}
	}
}
