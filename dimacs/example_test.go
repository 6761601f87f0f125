package dimacs_test

import (
	"fmt"
	"os"
	"strings"

	"sator/dimacs"
)

func Example() {
	f, err := dimacs.Read(strings.NewReader("c (x1 or not x2) and (x2 or x3)\np cnf 3 2\n1 -2 0\n2 3 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Vars(), "variables,", f.Len(), "clauses")
	for _, c := range f.Clauses() {
		fmt.Println(c)
	}
	m := make(dimacs.Model, f.Vars())
	for _, l := range dimacs.Lits(1, 2, -3) {
		m.Set(l)
	}
	fmt.Println(m.Satisfies(f))
	// Output:
	// 3 variables, 2 clauses
	// [1 -2]
	// [2 3]
	// true
}

func ExampleFormula() {
	f := dimacs.NewFormula(3)
	f.AddInts(1, -2)
	f.Add(dimacs.FromInt(2), dimacs.FromInt(3))
	dimacs.Write(os.Stdout, f, "two clauses")
	// Output:
	// c two clauses
	// p cnf 3 2
	// 1 -2 0
	// 2 3 0
}

func ExampleFormula_Normalize() {
	f := new(dimacs.Formula)
	f.AddInts(1, -2, 1)
	f.AddInts(-2, 1)
	f.AddInts(2, -2)
	dimacs.Write(os.Stdout, f.Normalize())
	// Output:
	// p cnf 2 1
	// 1 -2 0
}

func ExampleReader() {
	r := &dimacs.Reader{
		Name:    "givens.cnf",
		Relaxed: true,
		Warn:    func(e *dimacs.SyntaxError) { fmt.Println("warning:", e) },
	}
	f, err := r.Read(strings.NewReader("p cnf 2 1\n1 2 0\n-1 4 0\n"))
	fmt.Println(f.Vars(), f.Len(), err)
	// Output:
	// warning: givens.cnf:3:1: more clauses than the 1 announced
	// warning: givens.cnf:3:4: literal 4 is above the 2 announced variables
	// 4 2 <nil>
}

func ExampleReader_ReadInto() {
	f := new(dimacs.Formula)
	for _, file := range []struct{ name, text string }{
		{"rules.cnf", "p cnf 2 1\n1 2 0\n"},
		{"givens.cnf", "p cnf 3 1\n-1 0\n"},
		{"more.cnf", "p cnf 2 2\n-2 0\n-1"},
	} {
		r := &dimacs.Reader{Name: file.name}
		if err := r.ReadInto(f, strings.NewReader(file.text)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(f.Vars(), f.Len())
	// Output:
	// more.cnf:3:3: the last clause is not ended by 0
	// 3 3
}

func ExampleReader_ReadScript() {
	s, err := new(dimacs.Reader).ReadScript(strings.NewReader("p inccnf\n1 2 0\na 1 0\n-1 3 0\na -2 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Cubes {
		fmt.Println(c.Lits, "with the first", c.Clauses, "clauses")
	}
	// Output:
	// [1] with the first 1 clauses
	// [-2] with the first 2 clauses
}

func ExampleReader_ReadSolution() {
	for _, in := range []string{"c a solver\ns SATISFIABLE\nv 1 -2\nv 4 0\n", "UNSAT\n"} {
		s, err := new(dimacs.Reader).ReadSolution(strings.NewReader(in))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s.Status, s.HasModel, s.Model.Lits())
	}
	// Output:
	// SATISFIABLE true [1 -2 4]
	// UNSATISFIABLE false []
}

func ExampleWriteScript() {
	f := new(dimacs.Formula)
	f.AddInts(1, 2)
	dimacs.WriteScript(os.Stdout, &dimacs.Script{
		Formula: f,
		Cubes:   []dimacs.Cube{{Lits: dimacs.Lits(1), Clauses: 1}, {Lits: dimacs.Lits(-1, 2), Clauses: 1}},
	})
	// Output:
	// p inccnf
	// 1 2 0
	// a 1 0
	// a -1 2 0
}

func ExampleWriteSolution() {
	dimacs.WriteSolution(os.Stdout, dimacs.Satisfiable, dimacs.Model{dimacs.True, dimacs.False})
	dimacs.WriteSolution(os.Stdout, dimacs.Unsatisfiable, nil)
	// Output:
	// s SATISFIABLE
	// v 1 -2 0
	// s UNSATISFIABLE
}

func ExampleSniff() {
	kind, r, err := dimacs.Sniff(strings.NewReader("c cubes\np inccnf\n1 2 0\na 1 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := new(dimacs.Reader).ReadScript(r) // the whole input
	fmt.Println(kind, len(s.Cubes), err)
	// Output:
	// iCNF 1 <nil>
}

// A solver found a model of the simplified formula. The reconstruction stack
// gives a model of the original formula.
func ExampleModel_Reconstruct() {
	r := new(dimacs.Reader)
	stack, err := r.ReadReconstruction(strings.NewReader("p stack 3 2\n1 2 0\n-1 3 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := r.ReadSolution(strings.NewReader("s SATISFIABLE\nv -2 3 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Model.Reconstruct(stack).Lits())
	// Output: [1 -2 3]
}
