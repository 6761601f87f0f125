package dimacs

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

var stackCases = []struct {
	name     string
	in       string
	vars     int
	stack    string
	strict   string
	warnings []string
	relaxed  string
}{
	{name: "plain", in: "c of 3\np stack 3 2\n1 2 0\n-1 3 0\n", vars: 3, stack: "1 2,-1 3"},
	{name: "nothing", in: "p stack 0 0"},
	{name: "nothing went", in: "p stack 7 0\n", vars: 7},
	{name: "layout", in: "p stack 4 2\r\n4\tc x\r\n-2 0 c y\r\n3 0", vars: 4, stack: "4 -2,3"},
	{name: "comment behind 0", in: "p stack 4 1\n4 -2 0c 3 0\n", vars: 4, stack: "4 -2"},
	{name: "a formula", in: "p cnf 2 1\n1 2 0\n", strict: `1:3: the format is "cnf", not stack: the header is not "p stack VARIABLES CLAUSES"`,
		relaxed: `1:3: the format is "cnf", not stack: the header is not "p stack VARIABLES CLAUSES"`},
	{name: "empty file", in: "c\n", strict: `2:1: neither the header "p stack VARIABLES CLAUSES" nor clauses`,
		relaxed: `2:1: neither the header "p stack VARIABLES CLAUSES" nor clauses`},
	{name: "no number", in: "p stack 3\n", strict: `1:10: no number of clauses in the header`, relaxed: `1:10: no number of clauses in the header`},
	{name: "no witness", in: "p stack 3 2\n1 2 0\n 0\n", strict: `3:2: a clause without a witness`, relaxed: `3:2: a clause without a witness`},
	{name: "no witness at all", in: "p stack 3 1\n0\n", strict: `2:1: a clause without a witness`, relaxed: `2:1: a clause without a witness`},
	{name: "no header", in: "1 2 0\n", vars: 2, stack: "1 2", strict: `1:1: a clause before the header "p stack VARIABLES CLAUSES"`,
		warnings: []string{`1:1: a clause before the header "p stack VARIABLES CLAUSES"`}},
	{name: "too few", in: "p stack 3 2\n1 2 0\n", vars: 3, stack: "1 2", strict: `3:1: 1 clause, but the header announces 2`,
		warnings: []string{`3:1: 1 clause, but the header announces 2`}},
	{name: "too many", in: "p stack 3 1\n1 2 0\n3 0\n", vars: 3, stack: "1 2,3", strict: `3:1: more clauses than the 1 announced`,
		warnings: []string{`3:1: more clauses than the 1 announced`}},
	{name: "cut off", in: "p stack 3 1\n1 2", vars: 3, stack: "1 2", strict: `2:4: the last clause is not ended by 0`,
		warnings: []string{`2:4: the last clause is not ended by 0`}},
	{name: "high literal", in: "p stack 3 1\n-4 1 0\n", vars: 4, stack: "-4 1", strict: `2:1: literal -4 is above the 3 announced variables`,
		warnings: []string{`2:1: literal -4 is above the 3 announced variables`}},
	{name: "text", in: "p stack 3 1\nw 1 0\n", strict: `2:1: "w" is not a number`, relaxed: `2:1: "w" is not a number`},
}

func TestReadReconstruction(t *testing.T) {
	for _, c := range stackCases {
		for _, relaxed := range []bool{false, true} {
			var warnings []string
			r := &Reader{Relaxed: relaxed, Warn: func(e *SyntaxError) { warnings = append(warnings, e.Error()) }}
			f, err := r.ReadReconstruction(strings.NewReader(c.in))
			want := c.strict
			if relaxed {
				want = c.relaxed
			}
			if got := message(err); got != want {
				t.Errorf("%s, relaxed %t: got error %q, want %q", c.name, relaxed, got, want)
			}
			if err == nil && (f.Vars() != c.vars || show(f) != c.stack) {
				t.Errorf("%s, relaxed %t: got %d variables, %q; want %d, %q", c.name, relaxed, f.Vars(), show(f), c.vars, c.stack)
			}
			if err == nil && relaxed && !slices.Equal(warnings, c.warnings) {
				t.Errorf("%s: got warnings %q, want %q", c.name, warnings, c.warnings)
			}
		}
	}
}

func TestWriteReconstruction(t *testing.T) {
	f := NewFormula(5)
	f.AddInts(3, 1)
	f.AddInts(-3)
	var b strings.Builder
	if err := WriteReconstruction(&b, f, "two\nlines"); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "c two\nc lines\np stack 5 2\n3 1 0\n-3 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Add()
	if !panics(func() { WriteReconstruction(io.Discard, f) }) {
		t.Error("wrote a clause without a witness")
	}
}

// The simplified formula has the resolvent of the first two clauses, (2 or 3),
// and all models here satisfy it.
func TestReconstruct(t *testing.T) {
	stack := NewFormula(5)
	stack.AddInts(1, 2)
	stack.AddInts(-1, 3)
	stack.AddInts(2, -4)
	for _, c := range []struct{ model, want []int }{
		{[]int{3, 4}, []int{-1, 2, 3, 4, -5}},
		{[]int{3, -4}, []int{1, -2, 3, -4, -5}},
		{[]int{1, 2, -3, -4, 5}, []int{-1, 2, -3, -4, 5}},
		{[]int{3, -4, 6}, []int{1, -2, 3, -4, -5, 6}},
	} {
		m := make(Model, len(c.want))
		for _, l := range Lits(c.model...) {
			m.Set(l)
		}
		if got := m.Reconstruct(stack).Lits(); !slices.Equal(got, Lits(c.want...)) {
			t.Errorf("%v: got %v, want %v", c.model, got, c.want)
		}
	}
}

// FuzzReadReconstruction writes a stack and reads it back, whole and in pieces,
// and checks that reconstruction satisfies the clause at the bottom.
func FuzzReadReconstruction(f *testing.F) {
	var seeds [][]byte
	for _, c := range stackCases {
		seeds = append(seeds, []byte(c.in))
	}
	fuzztest.Run(f, seeds, fuzzWords, func(t testing.TB, in []byte) {
		_, err := new(Reader).ReadReconstruction(bytes.NewReader(in))
		_, err2 := new(Reader).ReadReconstruction(fuzztest.Pieces(in))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; in pieces: %v", err, err2)
		}
		if _, syntax := err.(*SyntaxError); err != nil && !syntax {
			t.Fatalf("%v is not a syntax error", err)
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := new(Reader).ReadReconstruction(src)
			return err
		})
		if kind, _, _ := Sniff(bytes.NewReader(in)); err == nil && kind != KindReconstruction {
			t.Fatalf("%v, but it is a reconstruction stack", kind)
		}
		stack, err := (&Reader{Relaxed: true}).ReadReconstruction(bytes.NewReader(in))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteReconstruction(&out, stack); err != nil {
			t.Fatal(err)
		}
		back, err := new(Reader).ReadReconstruction(&out)
		if err != nil {
			t.Fatal(err)
		}
		same(t, stack, back)
		if stack.Vars() > 1<<20 {
			return
		}
		if m := Model(nil).Reconstruct(stack); stack.Len() > 0 && m.Clause(stack.Clause(0)) != True {
			t.Fatalf("the clause at the bottom is not satisfied by %v", m.Lits())
		}
	})
}
