package versus

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"sator/benchmarks/plot"
	"sator/dimacs"
)

// A Picture is a figure and the base name of its file.
type Picture struct {
	Name   string
	Figure *plot.Figure
}

// Figures returns the figures of a report: a cactus plot (solved instances within a time), and for
// each solver but the base a scatter plot of its times against those of the base. Empty figures are
// left out.
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

// minTime replaces shorter times on the logarithmic axes. CPU time is counted in steps and may be
// 0.
const minTime = 0.001

// timeLabel returns the label of the time axes.
func (p *Report) timeLabel() string { return fmt.Sprintf("%s time (s)", p.Clock) }

// cactus returns the cactus plot and the number of its points.
func (p *Report) cactus() (f *plot.Figure, points int) {
	var samples []plot.Sample
	for _, row := range p.Rows {
		s := plot.Sample{Label: row.Solver}
		for _, x := range row.results {
			if x.solved {
				s.Values = append(s.Values, max(x.time, minTime))
			}
		}
		samples = append(samples, s)
		points += len(s.Values)
	}
	f = plot.Cactus(fmt.Sprintf("Solved of %s", plural(p.Files, "file")), "solved", p.timeLabel(), samples)
	f.Limit = p.Limit.Seconds()
	return f, points
}

// scatter returns the scatter plot of the files that at least one of two solvers solved, and the
// number of its points.
func (p *Report) scatter(base, other *Row) (f *plot.Figure, points int) {
	sat, unsat := plot.Series{Name: "satisfiable"}, plot.Series{Name: "unsatisfiable"}
	for _, file := range slices.Sorted(maps.Keys(base.results)) {
		x, y := base.results[file], other.results[file]
		if !x.solved && !y.solved {
			continue
		}
		to := &unsat
		if x.answer() == dimacs.Satisfiable || y.answer() == dimacs.Satisfiable {
			to = &sat
		}
		to.X, to.Y = append(to.X, x.plotTime()), append(to.Y, y.plotTime())
	}
	series := slices.DeleteFunc([]plot.Series{sat, unsat}, func(s plot.Series) bool { return len(s.X) == 0 })
	title := fmt.Sprintf("%s against %s", other.Solver, base.Solver)
	label := func(r *Row) string { return fmt.Sprintf("%s, %s", r.Solver, p.timeLabel()) }
	return plot.Versus(title, label(base), label(other), series, p.Limit.Seconds()), len(sat.X) + len(unsat.X)
}

// answer returns the answer of a solved run, and Unknown for any other run.
func (x result) answer() dimacs.Status {
	if !x.solved {
		return dimacs.Unknown
	}
	return x.run.Outcome.Answer()
}

// plotTime returns the time to plot: infinity if the file is not solved.
func (x result) plotTime() float64 {
	if !x.solved {
		return math.Inf(1)
	}
	return max(x.time, minTime)
}
