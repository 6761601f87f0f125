package dimacs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scriptCases are inputs of the iCNF reader. Each cube is written with the
// number of clauses before it. The other fields are as in readCases.
var scriptCases = []struct {
	name     string
	in       string
	vars     int
	clauses  string
	cubes    string
	strict   string
	warnings []string
	relaxed  string
}{
	{name: "plain", in: "p inccnf\n1 2 0\na 1 0\n-1 3 0\na -1 -3 0\na 0\n", vars: 3, clauses: "1 2,-1 3", cubes: "1@1 -1,-3@2 @2"},
	{name: "no cubes", in: "p inccnf\n1 2 0\n", vars: 2, clauses: "1 2"},
	{name: "nothing", in: "p inccnf"},
	{name: "cubes alone", in: "p inccnf\na 1 -7 0 a 2 0", vars: 7, cubes: "1,-7@0 2@0"},
	{name: "layout", in: "c x\r\n p  inccnf \r\n1\t2\r\n0 a\r\nc y\r\n1 c z\r\n-2 0\r\n", vars: 2, clauses: "1 2", cubes: "1,-2@1"},
	{name: "variables", in: "c p variables 9\np inccnf\n1 2 0\na 3 0\n", vars: 9, clauses: "1 2", cubes: "3@1"},
	{name: "variables, laid out otherwise", in: "p inccnf\r\n1 2 0 c \tp  variables 9 \r\na 3 0", vars: 9, clauses: "1 2", cubes: "3@1"},
	{name: "variables at the end", in: "p inccnf\n1 2 0\nc p variables 9", vars: 9, clauses: "1 2"},
	{name: "fewer variables", in: "c p variables 1\np inccnf\n1 2 0\n", vars: 2, clauses: "1 2"},
	{name: "other comments", in: "cp variables 3\nc\nc p\nc p show 4 0\n" +
		"c variables 7\np inccnf\n1 2 0\n", vars: 2, clauses: "1 2"},
	{name: "comments behind 0", in: "p inccnf\n1 2 0c\na 1 -2 0c a 2 0\na 0comment\n", vars: 2, clauses: "1 2", cubes: "1,-2@1 @1"},
	{name: "comment behind a literal of a cube", in: "p inccnf\na 1c 0\n", strict: `2:3: "1c" is not a number`, relaxed: `2:3: "1c" is not a number`},
	{name: "carriage return in a comment", in: "p inccnf\nc x\ra 1 0\n", strict: `2:4: a carriage return without a line feed`,
		relaxed: `2:4: a carriage return without a line feed`},
	{name: "plain CNF", in: "p cnf 2 1\n1 2 0\n", strict: `1:3: the format is "cnf", not inccnf: the header is not "p inccnf"`,
		relaxed: `1:3: the format is "cnf", not inccnf: the header is not "p inccnf"`},
	{name: "numbers in the header", in: "p inccnf 2 1\n1 2 0\n", strict: `1:10: "2" after the header`, relaxed: `1:10: "2" after the header`},
	{name: "no header", in: "1 2 0\na 1 0\n", vars: 2, clauses: "1 2", cubes: "1@1", strict: `1:1: a clause before the header "p inccnf"`,
		warnings: []string{`1:1: a clause before the header "p inccnf"`}},
	{name: "cube before the header", in: "a 1 0\n", vars: 1, cubes: "1@0", strict: `1:1: a clause before the header "p inccnf"`,
		warnings: []string{`1:1: a clause before the header "p inccnf"`}},
	{name: "empty file", in: "", strict: `1:1: neither the header "p inccnf" nor clauses`,
		relaxed: `1:1: neither the header "p inccnf" nor clauses`},
	{name: "second header", in: "p inccnf\n1 0\np inccnf\na 1 0\n", vars: 1, clauses: "1", cubes: "1@1", strict: `3:1: a second header`,
		warnings: []string{`3:1: a second header`}},
	{name: "clause without 0 at the end", in: "p inccnf\n1 2\n", vars: 2, clauses: "1 2", strict: `3:1: the last clause is not ended by 0`,
		warnings: []string{`3:1: the last clause is not ended by 0`}},
	{name: "cube without 0 at the end", in: "p inccnf\na 1 2", vars: 2, cubes: "1,2@0", strict: `2:6: the last cube is not ended by 0`,
		warnings: []string{`2:6: the last cube is not ended by 0`}},
	{name: "clause without 0 before a cube", in: "p inccnf\n1 2\na 1 0\n", strict: `3:1: a cube inside a clause: the clause before it is not ended by 0`,
		relaxed: `3:1: a cube inside a clause: the clause before it is not ended by 0`},
	{name: "cube inside a cube", in: "p inccnf\na 1 a 2 0\n", strict: `2:5: "a" is not a number`, relaxed: `2:5: "a" is not a number`},
	{name: "glued", in: "p inccnf\na1 2 0\n", strict: `2:1: "a1" is not a number, nor the a of a cube`, relaxed: `2:1: "a1" is not a number, nor the a of a cube`},
	{name: "minus zero", in: "p inccnf\na 1 -0\n", strict: `2:5: "-0" is not a literal`, relaxed: `2:5: "-0" is not a literal`},
	{name: "no number of variables", in: "c p variables\np inccnf\n", strict: `1:14: no number of variables up to 1073741823`, relaxed: `1:14: no number of variables up to 1073741823`},
	{name: "two numbers of variables", in: "c p variables 6 0\np inccnf\n", strict: `1:15: no number of variables up to 1073741823`, relaxed: `1:15: no number of variables up to 1073741823`},
	{name: "too many variables", in: "c p variables 1073741824\np inccnf\n", strict: `1:15: no number of variables up to 1073741823`, relaxed: `1:15: no number of variables up to 1073741823`},
	{name: "too large", in: "p inccnf\na 1 1073741824 0\n", strict: `2:5: literal "1073741824" is above the limit of 1073741823 variables`,
		relaxed: `2:5: literal "1073741824" is above the limit of 1073741823 variables`},
}

// showCubes returns the cubes as the table has them.
func showCubes(s *Script) string {
	var all []string
	for _, c := range s.Cubes {
		lits := strings.ReplaceAll(strings.Trim(fmt.Sprint(c.Lits), "[]"), " ", ",")
		all = append(all, fmt.Sprintf("%s@%d", lits, c.Clauses))
	}
	return strings.Join(all, " ")
}

func TestReadScript(t *testing.T) {
	for _, c := range scriptCases {
		check := func(mode string, s *Script, err error, want string) {
			t.Helper()
			if got := message(err); got != want {
				t.Errorf("%s, %s: got error %q, want %q", c.name, mode, got, want)
			}
			if err == nil && (s.Formula.Vars() != c.vars || show(s.Formula) != c.clauses || showCubes(s) != c.cubes) {
				t.Errorf("%s, %s: got %d variables, %q, %q; want %d, %q, %q", c.name, mode,
					s.Formula.Vars(), show(s.Formula), showCubes(s), c.vars, c.clauses, c.cubes)
			}
		}
		s, err := new(Reader).ReadScript(strings.NewReader(c.in))
		check("strict", s, err, c.strict)
		var warnings []string
		r := &Reader{Relaxed: true, Warn: func(e *SyntaxError) { warnings = append(warnings, e.Error()) }}
		s, err = r.ReadScript(strings.NewReader(c.in))
		check("relaxed", s, err, c.relaxed)
		if err == nil && !slices.Equal(warnings, c.warnings) {
			t.Errorf("%s: got warnings %q, want %q", c.name, warnings, c.warnings)
		}
	}
}

// TestScriptWriteReadWrite checks that many cubes, short and long, share memory
// without overlap, and that variables above the largest literal are kept.
func TestScriptWriteReadWrite(t *testing.T) {
	s := &Script{Formula: new(Formula)}
	for i := range 3000 {
		if i%3 != 0 {
			s.Formula.AddInts(i+1, -i-2)
		}
		cube := Cube{Clauses: s.Formula.Len()}
		for j := range i % 100 {
			cube.Lits = append(cube.Lits, Lit(i+j))
		}
		s.Cubes = append(s.Cubes, cube)
	}
	s.Formula.Grow(5000)
	var first, second bytes.Buffer
	if err := WriteScript(&first, s, "cubes"); err != nil {
		t.Fatal(err)
	}
	got, err := new(Reader).ReadScript(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Formula.Vars() != 5000 {
		t.Errorf("got %d variables, want 5000", got.Formula.Vars())
	}
	for i, c := range got.Cubes {
		if want := s.Cubes[i]; c.Clauses != want.Clauses || !slices.Equal(c.Lits, want.Lits) {
			t.Fatalf("cube %d: got %v, want %v", i, c, want)
		}
	}
	if err := WriteScript(&second, got, "cubes"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the second output differs")
	}
}

func TestWriteScriptOutOfOrder(t *testing.T) {
	f := new(Formula)
	f.AddInts(1)
	for _, cubes := range [][]Cube{{{nil, 1}, {nil, 0}}, {{nil, 2}}, {{nil, -1}}} {
		if !panics(func() { WriteScript(new(bytes.Buffer), &Script{f, cubes}) }) {
			t.Errorf("%v: no panic", cubes)
		}
	}
}

// panics reports whether f panics.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
