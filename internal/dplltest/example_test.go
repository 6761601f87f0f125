package dplltest_test

import (
	"context"
	"fmt"
	"strings"

	"sator/dimacs"
	"sator/internal/dplltest"
)

func ExampleBrute() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	f.AddInts(-1, 3)
	status, model := dplltest.Brute(f, dimacs.FromInt(-2))
	fmt.Println(status, model.Lits())
	status, _ = dplltest.Brute(f, dimacs.Lits(-2, -3)...)
	fmt.Println(status)
	// Output:
	// SATISFIABLE [1 -2 3]
	// UNSATISFIABLE
}

// Shrink an unsatisfiable case. Only cases without the empty clause fail, so that one of
// nine clauses and one of two assumptions are left.
func ExampleShrink() {
	f := dimacs.NewFormula(0)
	for v := 1; v <= 4; v++ {
		f.AddInts(v, v+1, v+2)
		f.AddInts(-v, v+2)
	}
	f.AddInts(-3, -6)
	fails := func(c dplltest.Case) bool {
		for _, clause := range c.Formula.Clauses() {
			if len(clause) == 0 {
				return false
			}
		}
		status, _ := dplltest.Brute(c.Formula, c.Assumptions...)
		return status == dimacs.Unsatisfiable
	}
	fmt.Print(dplltest.Shrink(dplltest.Case{Formula: f, Assumptions: dimacs.Lits(1, 6)}, fails))
	// Output:
	// c assume 1
	// p cnf 1 1
	// -1 0
}

// An optimist returns a model with all variables true for every formula.
type optimist struct{ model dimacs.Model }

func (o *optimist) Add(lits ...dimacs.Lit) {
	for _, l := range lits {
		for int(l.Var()) >= len(o.model) {
			o.model = append(o.model, dimacs.True)
		}
	}
}

func (o *optimist) Solve(context.Context, ...dimacs.Lit) dimacs.Status { return dimacs.Satisfiable }
func (o *optimist) Model() dimacs.Model                                { return o.model }
func (o *optimist) Failed() []dimacs.Lit                               { return nil }

// Check an engine with wrong answers. In a test, Run does this for many seeds.
func ExampleCheck() {
	newEngine := func(dplltest.Setup) dplltest.Engine { return new(optimist) }
	for seed := range uint64(100) {
		if err := dplltest.Check(newEngine, dplltest.Config{}, seed); err != nil {
			fmt.Print(err)
			break
		}
	}
	// Output:
	// seed 0, family horn, property "the answer is right, twice": the model [1] does not satisfy clause 1, (-1), and the oracle says SATISFIABLE
	// shrunk to:
	// p cnf 1 1
	// -1 0
}

func ExampleRecorder() {
	p := dplltest.NewRecorder(true)
	a := p.Original(dimacs.Lits(1, 2))
	b := p.Original(dimacs.Lits(1, -2))
	p.Learn(dimacs.Lits(1), []int64{a, b})
	fmt.Println(p.Err())
	p.Learn(dimacs.Lits(2), []int64{a})
	fmt.Println(p.Err())
	// Output:
	// <nil>
	// proof: after 3 clauses: learned [2] along [1]: the last hint is not falsified
}

func ExampleParseTrace() {
	trace, err := dplltest.ParseTrace(strings.NewReader(`
# A clause is added after an answer.
add 1 2
solve -1
value 2
add -2
solve
model
`))
	fmt.Println(err, len(trace.Ops), trace.Ops[1])
	// Output:
	// <nil> 6 solve -1
}
