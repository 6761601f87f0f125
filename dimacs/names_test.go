package dimacs

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestNames checks the names of comments in CNF and in the annotated formats.
func TestNames(t *testing.T) {
	tests := []struct {
		in   string
		want string // names, or the error
		warn string // of a relaxed reader, which otherwise returns the same
	}{
		{in: "c 1 door\nc 2 motor.on\np cnf 3 1\n1 2 0\nc 3 ä\n", want: "[1 door 2 motor.on 3 ä]"},
		{in: "c 2 clauses follow\nc\nc 1\nc door\nc x 1\nc 0 null\nc -1 minus\np cnf 2 1\n1 2 0\n", want: "[]"},
		{in: "c 1 door \r\nc 1 door\np cnf 2 1\n1 2 0\nc 2 window\n", want: "[1 door 2 window]"},
		{in: "c 1 door\nc 1 gate\np cnf 2 0\n", want: `f:2:5: variable 1 has the name "door" already`},
		{in: "c 1 door\nc  2 door\np cnf 2 0\n", want: `f:2:6: variable 1 has the name "door" already`},
		{in: "c 1 -door\np cnf 2 0\n", want: `f:1:5: "-door" is not a name: a name is not a number, does not begin with a minus sign, and has no blanks or commas`},
		{in: "c 1 2\np cnf 2 0\n", want: `f:1:5: "2" is not a name: a name is not a number, does not begin with a minus sign, and has no blanks or commas`},
		{in: "c 3 door\np cnf 2 0\n", want: "f:1:3: the name of variable 3, but there are 2 variables", warn: "[3 door]"},
		{in: "c 5000000000 door\np cnf 2 0\n", want: "f:1:3: variable 5000000000 is above the limit of 2147483647 variables"},
	}
	for _, tt := range tests {
		tt.want = strings.ReplaceAll(tt.want, "2147483647", fmt.Sprint(MaxVars))
		for name, read := range map[string]func(*Reader, string) error{
			"cnf":  func(r *Reader, in string) error { _, err := r.Read(strings.NewReader(in)); return err },
			"wcnf": func(r *Reader, in string) error { _, err := r.ReadWeighted(strings.NewReader(in)); return err },
			"gcnf": func(r *Reader, in string) error { _, err := r.ReadGrouped(strings.NewReader(in)); return err },
		} {
			for _, relaxed := range []bool{false, true} {
				names := new(Names)
				got, want := "", tt.want
				r := &Reader{Name: "f", Names: names, Relaxed: relaxed}
				if err := read(r, tt.in); err != nil {
					got = err.Error()
				} else {
					got = fmt.Sprint(names.Comments())
				}
				if relaxed && tt.warn != "" {
					want = tt.warn
				}
				if got != want {
					t.Errorf("%s, relaxed %v, %q: got %s, want %s", name, relaxed, tt.in, got, want)
				}
			}
		}
	}
}

// TestNamesWritten checks that names survive writing, and the texts of literals.
func TestNamesWritten(t *testing.T) {
	n := new(Names)
	for i, name := range []string{"a", "", "b[0]"} {
		if name != "" {
			if err := n.Add(Var(i), name); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := NewFormula(4)
	f.AddInts(1, -2)
	var b strings.Builder
	if err := Write(&b, f, n.Comments()...); err != nil {
		t.Fatal(err)
	}
	again := new(Names)
	r := &Reader{Names: again}
	if _, err := r.Read(strings.NewReader(b.String())); err != nil || !slices.Equal(again.Comments(), n.Comments()) {
		t.Errorf("read %v from %q: %v", again.Comments(), b.String(), err)
	}
	texts := fmt.Sprintln(n.Text(FromInt(-1)), n.Text(FromInt(2)), n.Text(FromInt(3)), n.Text(FromInt(-4)))
	if texts != "-a 2 b[0] -4\n" {
		t.Errorf("literals are %s", texts)
	}
	if v, ok := n.Var("b[0]"); !ok || v != 2 || n.Len() != 2 {
		t.Errorf("b[0] is variable %d, %v", v.Int(), ok)
	}
	if _, err := (&Reader{}).Read(io.MultiReader(strings.NewReader("c 1 a\nc 1 b\n"), strings.NewReader(b.String()))); err != nil {
		t.Errorf("a reader without names: %v", err)
	}
}
