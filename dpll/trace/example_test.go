package trace_test

import (
	"context"
	"fmt"
	"os"

	"sator/dimacs"
	"sator/dpll/trace"
)

// A conflict, the resolution steps of the learned clause, and the backtracking.
func Example() {
	f := dimacs.NewFormula(4)
	f.AddInts(-1, 2)
	f.AddInts(-2, 3)
	f.AddInts(-3, 4)
	f.AddInts(-2, -3, -4)
	t, err := trace.Record(context.Background(), f, trace.Options{Limit: 100, Decisions: dimacs.Lits(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	t.Text(os.Stdout, t.Status.String())
	// Output:
	// decide 1 at level 1
	//   imply 2 by clause 1 (-1 2)
	//   imply 3 by clause 2 (-2 3)
	//   imply 4 by clause 3 (-3 4)
	// conflict 1 in clause 4 (-2 -3 -4)
	//   resolve on -4 with clause 3 (-3 4): -2 -3
	//   resolve on -3 with clause 2 (-2 3): -2, first UIP
	//   learn clause 5: -2
	// backtrack to level 0
	//   imply -2 by clause 5 (-2)
	// learn clause 6: -1, from clauses 5 1
	//   imply -1 by clause 6 (-1)
	// decide 4 at level 1
	// decide 3 at level 2
	// SATISFIABLE
}
