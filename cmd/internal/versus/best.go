package versus

import (
	"math"
	"time"

	"sator/cmd/internal/stat"
)

// The virtual best solver (VBS) and the contributions to it (Xu, Hutter, Hoos and Leyton-Brown, Evaluating component
// solver contributions to portfolio-based algorithm selectors, 2012). The VBS has, on each file, the result of the
// solver that solves it first: the best that a choice among the solvers can reach. The marginal contribution of a solver
// is the loss of the VBS without it. A solver that is best nowhere contributes nothing, even if it solves many files.

// A Best holds the results of the virtual best solver.
type Best struct {
	Solved int
	PAR2   Estimate

	results map[string]result
}

// A Contribution is what a solver adds to the virtual best solver.
type Contribution struct {
	Solver  string
	First   int     // files that this solver solves first; a draw counts for each solver
	Only    int     // files that no other solver solves
	Without float64 // PAR-2 of the virtual best solver of the other solvers
	Loss    float64 // Without minus the PAR-2 of the virtual best solver; 0 or more
}

// bestOf returns the virtual best solver of rows.
func bestOf(rows []*Row, files []string, limit time.Duration) *Best {
	b := &Best{results: map[string]result{}}
	for _, file := range files {
		first := result{time: math.Inf(1)}
		for _, row := range rows {
			if x := row.results[file]; x.cost() < first.cost() {
				first = x
			}
		}
		if first.solved {
			b.Solved++
		}
		b.results[file] = first
	}
	b.PAR2 = par2Of(b.results, files, limit)
	return b
}

// contribute computes the virtual best solver and the contributions of all rows, if there are at least two.
func (p *Report) contribute(files []string) {
	if len(p.Rows) < 2 {
		return
	}
	var rows []*Row
	for i := range p.Rows {
		rows = append(rows, &p.Rows[i])
	}
	p.Best = bestOf(rows, files, p.Limit)
	for i, row := range rows {
		var others []*Row
		others = append(append(others, rows[:i]...), rows[i+1:]...)
		rest := bestOf(others, files, p.Limit)
		c := Contribution{Solver: row.Solver, Without: rest.PAR2.Value, Loss: rest.PAR2.Value - p.Best.PAR2.Value}
		for _, file := range files {
			x := row.results[file]
			if x.solved && x.time == p.Best.results[file].time {
				c.First++
			}
			if x.solved && !rest.results[file].solved {
				c.Only++
			}
		}
		p.Contributions = append(p.Contributions, c)
	}
}

// par2Of returns the PAR-2 score of results with its interval.
func par2Of(results map[string]result, files []string, limit time.Duration) Estimate {
	var (
		times  []float64
		solved []bool
	)
	for _, file := range files {
		x := results[file]
		times, solved = append(times, x.time), append(solved, x.solved)
	}
	mean, low, high := stat.Mean(stat.Penalized(times, solved, limit.Seconds()), seed)
	return Estimate{mean, low, high}
}
