package versus

import (
	"fmt"
	"math"
	"slices"

	"sator/benchmarks/plot"
	"sator/dimacs"
)

// A Picture is a figure and what a file with it may be called.
type Picture struct {
	Name   string
	Figure *plot.Figure
}

// Figures returns the figures of a report: how many files each solver has solved within which time,
// and for each solver but the base its times against those of the base. One that has nothing to
// show is left out.
func (p *Report) Figures() []Picture {
	var pictures []Picture
	add := func(name string, f *plot.Figure, points int) {
		if points > 0 {
			pictures = append(pictures, Picture{name, f})
		}
	}
	f, points := p.cactus()
	add("cactus", f, points)
	base := slices.IndexFunc(p.Rows, func(r Row) bool { return r.Solver == p.Base })
	for i := range p.Rows {
		if i != base && base >= 0 {
			f, points := p.scatter(&p.Rows[base], &p.Rows[i])
			add(fmt.Sprintf("scatter-%s-%s", p.Base, p.Rows[i].Solver), f, points)
		}
	}
	return pictures
}

// leastTime is what shorter times are drawn as, since the system counts in steps and 0 has no
// logarithm.
const leastTime = 0.001

// timeLabel says what the axes show.
func (p *Report) timeLabel() string { return fmt.Sprintf("%s time (s)", p.Clock) }

func (p *Report) cactus() (f *plot.Figure, points int) {
	var samples []plot.Sample
	for _, row := range p.Rows {
		s := plot.Sample{Label: row.Solver}
		for _, x := range row.results {
			if x.solved {
				s.Values = append(s.Values, max(x.time, leastTime))
			}
		}
		samples = append(samples, s)
		points += len(s.Values)
	}
	f = plot.Cactus(fmt.Sprintf("Solved of %s", plural(p.Files, "file")), "solved", p.timeLabel(), samples)
	f.Limit = p.Limit.Seconds()
	return f, points
}

// scatter shows the files that at least one of two solvers has solved.
func (p *Report) scatter(base, other *Row) (f *plot.Figure, points int) {
	sat, unsat := plot.Series{Name: "satisfiable"}, plot.Series{Name: "unsatisfiable"}
	for _, file := range sortedKeys(base.results) {
		x, y := base.results[file], other.results[file]
		if !x.solved && !y.solved {
			continue
		}
		to := &unsat
		if x.answer() == dimacs.Satisfiable || y.answer() == dimacs.Satisfiable {
			to = &sat
		}
		to.X, to.Y = append(to.X, x.drawn()), append(to.Y, y.drawn())
	}
	series := slices.DeleteFunc([]plot.Series{sat, unsat}, func(s plot.Series) bool { return len(s.X) == 0 })
	title := fmt.Sprintf("%s against %s", other.Solver, base.Solver)
	label := func(r *Row) string { return fmt.Sprintf("%s, %s", r.Solver, p.timeLabel()) }
	return plot.Versus(title, label(base), label(other), series, p.Limit.Seconds()), len(sat.X) + len(unsat.X)
}

func sortedKeys(results map[string]result) []string {
	var names []string
	for name := range results {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// answer returns the answer, if it counts.
func (x result) answer() dimacs.Status {
	if !x.solved {
		return dimacs.Unknown
	}
	return x.run.Outcome.Answer()
}

// drawn returns the time as a figure takes it.
func (x result) drawn() float64 {
	if !x.solved {
		return math.Inf(1)
	}
	return max(x.time, leastTime)
}
