package count

import (
	"context"

	"sator/dimacs"
)

// SmallWidth is a tree width up to which counting is a matter of seconds: of 106 public formulas all
// with such a bound were counted in at most 7.2 s (benchmarks/results/counting).
const SmallWidth = 45

// mostWidthSize is the largest number of variables and literals for Width.
const mostWidthSize = 5_000_000

// Width returns an upper bound of the tree width of a formula, by one elimination order of least
// degree, and whether there is one: large formulas and clauses have none. The time of a count is at
// most linear in the formula and exponential in the width, and often much less.
func Width(ctx context.Context, f *dimacs.Formula) (width int, found bool) {
	if f.Vars()+f.Size() > mostWidthSize {
		return 0, false
	}
	clauses := make([][]lit, 0, f.Len())
	for _, c := range f.Clauses() {
		clauses = append(clauses, c)
	}
	if d := best(ctx, f.Vars(), clauses, nil, 1); d != nil {
		return d.width, true
	}
	return 0, false
}
