package dimacs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sator/internal/fuzztest"
)

// text returns a weighted formula in the form since 2022, on one line.
func (w *Weighted) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:", w.Vars())
	for _, c := range w.Hard.Clauses() {
		fmt.Fprintf(&b, " h%v", c)
	}
	for i, c := range w.Soft.Clauses() {
		fmt.Fprintf(&b, " %d%v", w.Weights[i], c)
	}
	return b.String()
}

func (g *Grouped) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d, %d:", g.Formula.Vars(), g.Groups)
	for i, c := range g.Formula.Clauses() {
		fmt.Fprintf(&b, " %d%v", g.Group[i], c)
	}
	return b.String()
}

// readings are inputs with their content, or their error.
var readings = []struct{ in, weighted, grouped string }{
	{"h 1 -2 0\n3 2 0\nc comment\n1 -1\n 0\n", "2: h[1 -2] 3[2] 1[-1]", "2, 2: 0[1 -2] 1[2] 2[-1]"},
	{"5 0\n", "0: 5[]", `f:2:1: no header "p gcnf VARIABLES CLAUSES GROUPS", and no hard clause of WCNF`},
	{"p wcnf 3 3 10\n10 1 0\n11 2 0 9 3 0\n", "3: h[1] h[2] 9[3]", "3, 1: 0[1] 0[2] 1[3]"},
	{"p wcnf 4 1\n7 1 2 0c x\n", "4: 7[1 2]", ""},
	{"p cnf 2 2\n1 0 -1 2 0\n", "2: 1[1] 1[-1 2]", "2, 2: 1[1] 2[-1 2]"},
	{"p gcnf 3 3 2\n{0} 1 0\n{2} -1 2 0\n{2} -2 0\n", `f:1:3: the header is not "p wcnf VARIABLES CLAUSES [TOP]"`, "3, 2: 0[1] 2[-1 2] 2[-2]"},
	{"p gcnf 1 1 1\n{2} 1 0\n", "", `f:2:1: group "{2}" is above the 1 announced group`},
	{"p gcnf 1 1 1\n{x} 1 0\n", "", `f:2:1: "{x}" is not a group such as {3}`},
	{"p gcnf 1 1 1\n1 0\n", "", `f:2:1: "1" is not a group such as {3}`},
	{"p gcnf 1 1 1\n{} 1 0\n", "", `f:2:1: "{}" is not a group such as {3}`},
	{"p gcnf 1 1 1\n{1} 2 0\n", "", `f:2:5: literal 2 is above the 1 announced variable`},
	{"p gcnf 1 1\n{1} 1 0\n", "", `f:1:11: no number of groups in the header`},
	{"p gcnf 1 1 1 1\n{1} 1 0\n", "", `f:1:14: "1" after the header`},
	{"p gcnf 1 2 1\n{1} 1 0\n", "", `f:3:1: 1 clause, but the header announces 2`},
	{"p wcnf 1 1 5\n5 1 0\n5 1 0\n", `f:3:1: more clauses than the 1 announced`, ""},
	{"p wcnf 1 1 5\nh 1 0\n", `f:2:1: "h" is not a weight; weights are integers from 1 on that add up to 9223372036854775807 at most`, ""},
	{"p wcnf 1 1 5 6\n5 1 0\n", `f:1:14: "6" after the header`, ""},
	{"h 1 0\np wcnf 1 1\n", `f:2:1: "p" is not a weight; weights are integers from 1 on that add up to 9223372036854775807 at most`, ""},
	{"0 1 0\n", `f:1:1: "0" is not a weight; weights are integers from 1 on that add up to 9223372036854775807 at most`, ""},
	{"-3 1 0\n", `f:1:1: "-3" is not a weight; weights are integers from 1 on that add up to 9223372036854775807 at most`, ""},
	{"1.5 1 0\n", `f:1:1: "1.5" is not a weight; weights are integers from 1 on that add up to 9223372036854775807 at most`, ""},
	{"hard 1 0\n", `f:1:1: "hard" is neither a weight nor the h of a hard clause`, ""},
	{"h 1 x 0\n", `f:1:5: "x" is not a number`, ""},
	{"h 1 -0\n", `f:1:5: "-0" is not a literal`, ""},
	{"h 1 2", `f:1:6: the last clause is not ended by 0`, ""},
	{"3 1 0\n9223372036854775805 1 0\n", `f:2:1: the weights add up to more than 9223372036854775807`, ""},
	{"3 1 0\n9223372036854775804 1 0\n", "1: 3[1] 9223372036854775804[1]", ""},
	{"18446744073709551616 1 0\n", `f:1:1: the weights add up to more than 9223372036854775807`, ""},
	{"p wcnf 1 1 0\n1 1 0\n", `f:1:12: "0" is not the weight of hard clauses: all clauses would be hard`, ""},
	{"p wcnf 1 1 3\n3 1 0\n", "1: h[1]", "1, 0: 0[1]"},
	{"c nothing\n", "0:", `f:2:1: no clauses`},
	{"h 1 0 \r 2\n", `f:1:7: a carriage return without a line feed`, ""},
}

// TestAnnotated reads WCNF and GCNF, whole and byte by byte.
func TestAnnotated(t *testing.T) {
	for _, tt := range readings {
		for _, whole := range []bool{true, false} {
			source := func() *Reader { return &Reader{Name: "f"} }
			check := func(kind, got, want string, err error) {
				if err != nil {
					got = err.Error()
					if !errors.As(err, new(*SyntaxError)) {
						t.Errorf("%q: %T", tt.in, err)
					}
				}
				if want != "" && got != want {
					t.Errorf("%s %q, whole %v:\ngot  %s\nwant %s", kind, tt.in, whole, got, want)
				}
			}
			in := func() *iotestReader { return &iotestReader{strings.NewReader(tt.in), whole} }
			w, err := source().ReadWeighted(in())
			text := ""
			if err == nil {
				text = w.text()
			}
			check("weighted", text, tt.weighted, err)
			g, err := source().ReadGrouped(in())
			if text = ""; err == nil {
				text = g.text()
			}
			check("grouped", text, tt.grouped, err)
		}
	}
}

// An iotestReader reads a string, whole or byte by byte.
type iotestReader struct {
	src   *strings.Reader
	whole bool
}

func (r *iotestReader) Read(p []byte) (int, error) {
	if r.whole {
		return r.src.Read(p)
	}
	return iotest.OneByteReader(r.src).Read(p)
}

// FuzzReadAnnotated checks that WCNF and GCNF are read with the same result whole and in
// pieces, that an error of the source is not taken for the end, and that a relaxed reader
// accepts, without a warning, every input that a strict one accepts.
func FuzzReadAnnotated(f *testing.F) {
	seeds := seedFiles(f)
	for _, tt := range readings {
		seeds = append(seeds, []byte(tt.in))
	}
	words := append([]string{"wcnf", "gcnf", "h ", "{1}", "{0} ", "p wcnf 3 2 9\n", "p gcnf 3 2 2\n", "9 1 0\n"}, fuzzWords...)
	reads := []func(*Reader, io.Reader) (string, error){
		func(r *Reader, src io.Reader) (string, error) {
			w, err := r.ReadWeighted(src)
			if err != nil {
				return "", err
			}
			return w.text(), nil
		},
		func(r *Reader, src io.Reader) (string, error) {
			g, err := r.ReadGrouped(src)
			if err != nil {
				return "", err
			}
			return g.text(), nil
		},
	}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		for _, read := range reads {
			a, err := read(new(Reader), bytes.NewReader(in))
			b, err2 := read(new(Reader), fuzztest.Pieces(in))
			if message(err) != message(err2) || a != b {
				t.Fatalf("at once: %s, %v; in pieces: %s, %v", a, err, b, err2)
			}
			if _, syntax := err.(*SyntaxError); err != nil && !syntax {
				t.Fatalf("%v is not a syntax error", err)
			}
			fuzztest.CheckBroken(t, in, func(src io.Reader) error {
				_, err := read(new(Reader), src)
				return err
			})
			warnings := 0
			b, err2 = read(&Reader{Relaxed: true, Warn: func(*SyntaxError) { warnings++ }}, bytes.NewReader(in))
			if err == nil && (err2 != nil || warnings > 0 || a != b) || err != nil && err2 == nil && warnings == 0 {
				t.Fatalf("strict: %s, %v; relaxed: %s, %v and %d warnings", a, err, b, err2, warnings)
			}
		}
	})
}

// TestAnnotatedRelaxed checks the mistakes that a relaxed reader repairs.
func TestAnnotatedRelaxed(t *testing.T) {
	warnings := 0
	r := &Reader{Relaxed: true, Warn: func(*SyntaxError) { warnings++ }}
	w, err := r.ReadWeighted(strings.NewReader("p wcnf 1 1 9\n3 2 0\n9 1"))
	if err != nil || w.text() != "2: h[1] 3[2]" || warnings != 3 {
		t.Errorf("got %v, %v, %d warnings", w, err, warnings)
	}
}

// TestAnnotatedBroken checks that an error of the source, and a refused allocation, are
// the error.
func TestAnnotatedBroken(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "p wcnf 1 1 5\n", "p wcnf 1 1 5\n5 1"} {
		src := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if _, err := new(Reader).ReadWeighted(src); err != broken {
			t.Errorf("%q: got %v", text, err)
		}
	}
	r := &Reader{Memory: func(int64) bool { return false }}
	if _, err := r.ReadGrouped(strings.NewReader("p cnf 1 1\n1 0\n")); !errors.As(err, new(*MemoryError)) {
		t.Errorf("got %v", err)
	}
}

// TestCost evaluates models of a weighted formula.
func TestCost(t *testing.T) {
	w := NewWeighted(2)
	w.Hard.AddInts(1, 2)
	w.AddSoft(3, Lits(-1)...)
	w.AddSoft(4, Lits(-2)...)
	w.AddSoft(5)
	for _, tt := range []struct {
		m    Model
		cost int64
		hard bool
	}{{Model{True, True}, 12, true}, {Model{False, True}, 9, true}, {Model{False, False}, 5, false}} {
		if cost, hard := w.Cost(tt.m); cost != tt.cost || hard != tt.hard {
			t.Errorf("%v: got %d, %v", tt.m, cost, hard)
		}
	}
	if w.Total() != 12 {
		t.Errorf("total %d", w.Total())
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a weight that is too large")
		}
	}()
	w.AddSoft(MaxWeight-11, 0)
}
