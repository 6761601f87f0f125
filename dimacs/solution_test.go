package dimacs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// solutionCases are inputs of the solution reader. The model is written as its
// true literals, and "-" if there is no model.
var solutionCases = []struct {
	name    string
	in      string
	status  Status
	model   string
	strict  string
	warning string
}{
	{name: "satisfiable", in: "s SATISFIABLE\nv 1 -2 3 0\n", status: Satisfiable, model: "1 -2 3"},
	{name: "unsatisfiable", in: "s UNSATISFIABLE\n", status: Unsatisfiable, model: "-"},
	{name: "unknown", in: "s UNKNOWN", status: Unknown, model: "-"},
	{name: "indeterminate", in: "s INDETERMINATE\n", status: Unknown, model: "-"},
	{name: "several lines", in: "c x\ns SATISFIABLE\nv 1 -2\nc y\nv 3\nv\nv 0\nc z\n", status: Satisfiable, model: "1 -2 3"},
	{name: "values first", in: "v 2 0\ns SATISFIABLE\n", status: Satisfiable, model: "2"},
	{name: "partial", in: "s SATISFIABLE\nv 7 -3 0\n", status: Satisfiable, model: "-3 7"},
	{name: "twice the same", in: "s SATISFIABLE\nv 1 1 -2 -2 0\n", status: Satisfiable, model: "1 -2"},
	{name: "empty model", in: "s SATISFIABLE\nv 0\n", status: Satisfiable, model: ""},
	{name: "without values", in: "s SATISFIABLE\n", status: Satisfiable, model: "-"},
	{name: "unknown with values", in: "s UNKNOWN\nv 1 0\n", status: Unknown, model: "1"},
	{name: "layout", in: "\xef\xbb\xbfc x\r\n\r\n s  SATISFIABLE \r\n\tv\t1 2 \r\nv -3 0\r\n\r\n", status: Satisfiable, model: "1 2 -3"},
	{name: "values alone", in: "v 1 2 0\n", status: Satisfiable, model: "1 2"},
	{name: "MiniSat", in: "SAT\n1 -2 3 0\n", status: Satisfiable, model: "1 -2 3"},
	{name: "MiniSat, nothing", in: "SAT\n0\n", status: Satisfiable, model: ""},
	{name: "MiniSat, unsatisfiable", in: "UNSAT\n", status: Unsatisfiable, model: "-"},
	{name: "MiniSat, no answer", in: "INDET\n", status: Unknown, model: "-"},
	{name: "screen", in: "c x\nSATISFIABLE\n", status: Satisfiable, model: "-"},
	{name: "bare list", in: "1 -2\n3\n0\n", status: Satisfiable, model: "1 -2 3"},
	{name: "bare list after s", in: "s SATISFIABLE\n1 -2 0\n", status: Satisfiable, model: "1 -2"},
	{name: "high variable", in: "v 1073741823 0\n", status: Satisfiable, model: "1073741823"},

	{name: "empty", in: "", strict: "1:1: neither an answer nor values"},
	{name: "comments alone", in: "c s SATISFIABLE\n", strict: "2:1: neither an answer nor values"},
	{name: "no 0", in: "s SATISFIABLE\nv 1 2\n", status: Satisfiable, model: "1 2", strict: "3:1: the values are not ended by 0",
		warning: "3:1: the values are not ended by 0"},
	{name: "v alone", in: "s SATISFIABLE\nv\n", status: Satisfiable, model: "", strict: "3:1: the values are not ended by 0",
		warning: "3:1: the values are not ended by 0"},
	{name: "bare, no 0", in: "1 2", status: Satisfiable, model: "1 2", strict: "1:4: the values are not ended by 0",
		warning: "1:4: the values are not ended by 0"},
	{name: "contradiction", in: "s SATISFIABLE\nv 1 -2\nv 3 2 0\n", strict: "3:5: literal 2 after its complement"},
	{name: "contradiction, negative", in: "1 -1 0\n", strict: "1:3: literal -1 after its complement"},
	{name: "second section", in: "s SATISFIABLE\nv 1 0\nv 2 0\n", strict: "3:3: \"2\" after the 0 that ends the values"},
	{name: "two zeros", in: "v 1 0 0\n", strict: "1:7: \"0\" after the 0 that ends the values"},
	{name: "two answers", in: "s SATISFIABLE\ns SATISFIABLE\n", strict: "2:3: a second answer, \"SATISFIABLE\""},
	{name: "unsatisfiable with values", in: "s UNSATISFIABLE\nv 1 0\n", strict: "2:1: values for an unsatisfiable formula"},
	{name: "unsatisfiable after values", in: "c\nv 1 0\ns UNSATISFIABLE\n", strict: "2:1: values for an unsatisfiable formula"},
	{name: "other answer", in: "s OPTIMUM FOUND\n", strict: "1:3: \"OPTIMUM\" is not an answer"},
	{name: "small letters", in: "s Satisfiable\n", strict: "1:3: \"Satisfiable\" is not an answer"},
	{name: "MiniSat's on an s line", in: "s SAT\n", strict: "1:3: \"SAT\" is not an answer"},
	{name: "no answer on the s line", in: "s\nSATISFIABLE\n", strict: "1:2: no answer after s"},
	{name: "more on the s line", in: "s SATISFIABLE v 1 0\n", strict: "1:15: \"v\" after the answer"},
	{name: "glued s", in: "sSATISFIABLE\n", strict: "1:1: \"sSATISFIABLE\" is not an answer"},
	{name: "glued v", in: "v1 2 0\n", strict: "1:1: \"v1\" is not an answer"},
	{name: "v inside a line", in: "v 1 v 2 0\n", strict: "1:5: \"v\" is not a number"},
	{name: "line without v", in: "v 1 2\n3 0\n", strict: "2:1: \"3\" on a line that does not begin with v"},
	{name: "line with v after bare", in: "1 2\nv 3 0\n", strict: "2:1: values on a line with v after values on lines without"},
	{name: "text", in: "v 1 two 0\n", strict: "1:5: \"two\" is not a number"},
	{name: "glued text", in: "v 1 2x 0\n", strict: "1:5: \"2x\" is not a number"},
	{name: "minus", in: "v 1 - 0\n", strict: "1:5: \"-\" is not a number"},
	{name: "minus zero", in: "v 1 -0\n", strict: "1:5: \"-0\" is not a literal"},
	{name: "too large", in: "v 1073741824 0\n", strict: "1:3: literal \"1073741824\" is above the limit of 1073741823 variables"},
	{name: "carriage return in a comment", in: "c a\rs SATISFIABLE\nv 1 0\n", strict: "1:4: a carriage return without a line feed"},
	{name: "carriage return", in: "s SATISFIABLE\rv 1 0\n", strict: "1:14: a carriage return without a line feed"},
	{name: "formula", in: "p cnf 1 1\n1 0\n", strict: "1:1: \"p\" is not an answer"},
}

func TestReadSolution(t *testing.T) {
	for _, c := range solutionCases {
		check := func(mode string, s *Solution, err error, want string) {
			t.Helper()
			if got := message(err); got != want {
				t.Errorf("%s, %s: got error %q, want %q", c.name, mode, got, want)
			}
			if err != nil {
				return
			}
			model := "-"
			if s.HasModel {
				model = strings.Trim(fmt.Sprint(s.Model.Lits()), "[]")
			}
			if s.Status != c.status || model != c.model || s.HasModel != (s.Model != nil) {
				t.Errorf("%s, %s: got %v, %q; want %v, %q", c.name, mode, s.Status, model, c.status, c.model)
			}
		}
		if strings.Contains(c.in, "1073741823") {
			// The model has a gigabyte of values, too much to compare.
			if s, err := new(Reader).ReadSolution(strings.NewReader(c.in)); err != nil || s.Model.Lit(FromInt(MaxVars)) != True {
				t.Errorf("%s: got %v", c.name, err)
			}
			continue
		}
		s, err := new(Reader).ReadSolution(strings.NewReader(c.in))
		check("strict", s, err, c.strict)
		var warnings, want []string
		r := &Reader{Relaxed: true, Warn: func(e *SyntaxError) { warnings = append(warnings, e.Error()) }}
		s, err = r.ReadSolution(strings.NewReader(c.in))
		if c.warning != "" {
			want = []string{c.warning}
			check("relaxed", s, err, "")
		} else {
			check("relaxed", s, err, c.strict)
		}
		if err == nil && !slices.Equal(warnings, want) {
			t.Errorf("%s: got warnings %q, want %q", c.name, warnings, want)
		}
	}
}

func TestWriteSolution(t *testing.T) {
	for _, c := range []struct {
		status Status
		model  Model
		want   string
	}{
		{Unknown, nil, "s UNKNOWN\n"},
		{Unsatisfiable, nil, "s UNSATISFIABLE\n"},
		{Satisfiable, nil, "s SATISFIABLE\n"},
		{Satisfiable, Model{}, "s SATISFIABLE\nv 0\n"},
		{Satisfiable, Model{True, Unassigned, False}, "s SATISFIABLE\nv 1 -3 0\n"},
	} {
		var b bytes.Buffer
		if err := WriteSolution(&b, c.status, c.model); err != nil || b.String() != c.want {
			t.Errorf("got %q, %v; want %q", b.String(), err, c.want)
		}
	}
	if !panics(func() { WriteSolution(new(bytes.Buffer), Unsatisfiable, Model{True}) }) {
		t.Error("wrote a model of an unsatisfiable formula")
	}
}

// TestWriteSolutionLines checks that each line is as full as 78 bytes allow,
// for numbers of all lengths.
func TestWriteSolutionLines(t *testing.T) {
	for n := range 400 {
		m := make(Model, n*n/8)
		for v := range m {
			m[v] = []Value{True, False, False, Unassigned}[(v*v/3+n)%4]
		}
		var b bytes.Buffer
		if err := WriteSolution(&b, Satisfiable, m); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		for i, line := range lines {
			if len(line) > 78 {
				t.Fatalf("line %d has %d bytes", i+1, len(line))
			}
			if i == 0 || i+1 == len(lines) {
				continue
			}
			next := strings.Fields(lines[i+1])[1]
			if len(line)+1+len(next) <= 78 {
				t.Fatalf("%q would have fitted on line %d", next, i+1)
			}
		}
		s, err := Reader{}.solution(b.String())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Model.Lits(), m.Lits()) {
			t.Fatalf("%d variables: the model that is read back differs", n)
		}
	}
}

// solution reads a solution from a string.
func (r Reader) solution(in string) (*Solution, error) { return r.ReadSolution(strings.NewReader(in)) }
