package families_test

import (
	"fmt"

	"sator/dimacs"
	"sator/internal/families"
)

// A small instance with its comments.
func Example() {
	fam, _ := families.Find("tseitin")
	inst, err := fam.Make(families.Values{"vertices": 10}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(inst.Formula.Vars(), "variables,", inst.Formula.Len(), "clauses,", inst.Answer)
	for _, c := range inst.Comments {
		fmt.Println("c", c)
	}
	// Output:
	// 15 variables, 40 clauses, UNSATISFIABLE
	// c sator generate tseitin --vertices 10 --degree 3 --seed 7
	// c Tseitin formula: a random connected graph of 10 vertices, each of degree 3, and odd charge
	// c source: Urquhart, Hard Examples for Resolution, 1987
	// c known answer: UNSATISFIABLE
}

// The model of a factoring instance contains the factors.
func ExampleFamily_Make() {
	fam, _ := families.Find("multiplier")
	inst, _ := fam.Make(families.Values{"product": 35}, 0)
	fmt.Println(inst.Comments[1])
	fmt.Println(inst.Model[:3], inst.Model[3:8])
	fmt.Println(inst.Model.Satisfies(inst.Formula))
	// Output:
	// factors of 35, by an array multiplier of 3 times 5 bits; neither factor is 0 or 1
	// [1 -1 1] [1 1 1 -1 -1]
	// true
}

// An invalid value is an error that names the parameter.
func ExampleFamily_Make_error() {
	fam, _ := families.Find("tseitin")
	_, err := fam.Make(families.Values{"vertices": 9}, 0)
	fmt.Println(err)
	// Output: vertices 9 times degree 3 is odd: want an even number of edge ends
}

// A program can derive flags and help from the table.
func ExampleFind() {
	fam, ok := families.Find("ksat")
	fmt.Println(ok, fam.Help)
	for _, p := range fam.Params {
		fmt.Printf("--%s (%g): %s\n", p.Name, p.Default, p.Help)
	}
	// Output:
	// true uniform random k-SAT
	// --vars (100): number of variables
	// --k (3): literals per clause
	// --ratio (0): clauses per variable; 0 for the satisfiability threshold
	// --clauses (0): number of clauses, instead of a ratio
}

// Each variable becomes the XOR of two variables, and a clause of two literals four clauses.
func ExampleGadget_Substitute() {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	g, _ := families.FindGadget("xor")
	x, err := g.Substitute(f, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range x.Clauses() {
		fmt.Println(c)
	}
	// Output:
	// [1 2 3 4]
	// [1 2 -3 -4]
	// [-1 -2 3 4]
	// [-1 -2 -3 -4]
}

func ExampleShuffling() {
	f := dimacs.NewFormula(3)
	f.AddInts(1, 2, 3)
	f.AddInts(-1)
	f.AddInts(-2)
	s := families.NewShuffling(f.Vars(), 1)
	g := s.Formula(f)
	for _, c := range g.Clauses() {
		fmt.Println(c)
	}
	// Output:
	// [-1]
	// [3 1 2]
	// [-3]
}
