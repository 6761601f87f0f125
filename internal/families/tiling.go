package families

import (
	"fmt"

	"sator/dimacs"
)

// Tiling of a torus by crosses of five cells: a variable for each cell states that it is the
// middle of a cross; each cell is in exactly one cross. That is a perfect code, or efficient
// dominating set, of the torus grid. It exists if and only if the numbers of rows and columns
// are both multiples of 5; then the middles are a knight's move apart, in 10 ways. Each cell
// has a clause of 5 literals and 10 clauses of 2, so that rows times columns cells have 11
// times as many clauses; neighborhoods that share two cells repeat a clause.

var tiling = &Family{
	Name:   "tiling",
	Help:   "tiling of a torus by crosses of five cells; unsatisfiable unless 5 divides both sides",
	Source: "Livingston and Stout, Perfect Dominating Sets, 1990",
	Params: []Param{
		{"rows", Int, 10, 3, 10000, "number of rows"},
		{"columns", Int, 0, 0, 10000, "number of columns, at least 3; 0 for the number of rows"}},
	build: buildTiling,
}

func buildTiling(v Values, _ *rng) (*Instance, error) {
	if v["columns"] == 0 {
		v["columns"] = v["rows"]
	}
	rows, columns := v.int("rows"), v.int("columns")
	if columns < 3 {
		return nil, fmt.Errorf("invalid value %d for columns: want at least 3", columns)
	}
	if _, err := count(11 * float64(rows) * float64(columns)); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(rows * columns)
	middle := func(i, j int) dimacs.Lit {
		return dimacs.Var((i+rows)%rows*columns + (j+columns)%columns).Lit()
	}
	for i := range rows {
		for j := range columns {
			addExactlyOne(f, []dimacs.Lit{middle(i, j), middle(i-1, j), middle(i+1, j), middle(i, j-1), middle(i, j+1)})
		}
	}
	inst := newInstance(f, statusOf(rows%5 == 0 && columns%5 == 0), "tiling of a torus of %d rows and %d columns by crosses", rows, columns)
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = allFalse(f.Vars())
		for i := range rows {
			for j := range columns {
				if (i+2*j)%5 == 0 {
					inst.Model.Set(middle(i, j))
				}
			}
		}
	}
	return inst, nil
}
