package versus

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"sator/cmd/internal/plot"
	"sator/dimacs"
)

// A Picture is a figure and the base name of its file.
type Picture struct {
	Name   string
	Figure *plot.Figure
}

// Figures returns the figures of a report: a cactus plot (files solved within a time) of the solvers
// and of the virtual best solver, and for each solver but the base a scatter plot of its times
// against those of the base. Empty figures are left out.
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

// timeLabel returns the label of an axis with the times of a solver.
func (p *Report) timeLabel(solver string) string {
	return fmt.Sprintf("%s: %s per file (s)", solver, p.clockName())
}

// runsNote describes the runs for the note of a figure.
func (p *Report) runsNote() string {
	note := "one run per file"
	if p.Rounds > 1 && !p.Seeded {
		note = fmt.Sprintf("median of %d runs per file", p.Rounds)
	}
	return fmt.Sprintf("%s, limit %g s of %s", note, p.Limit.Seconds(), p.clockName())
}

// cactus returns the cactus plot and the number of its points.
func (p *Report) cactus() (f *plot.Figure, points int) {
	var samples []plot.Sample
	banded := p.Rounds > 1 && !p.Seeded
	add := func(name string, results map[string]result) {
		s := plot.Sample{Label: fmt.Sprintf("%s (%d)", name, countSolved(results))}
		for _, file := range slices.Sorted(maps.Keys(results)) {
			if x := results[file]; x.solved {
				s.Values = append(s.Values, max(x.time, minTime))
				if banded {
					s.Low, s.High = append(s.Low, max(x.fastest, minTime)), append(s.High, max(min(x.slowest, max(x.time, p.Limit.Seconds())), minTime))
				}
			}
		}
		samples = append(samples, s)
		points += len(s.Values)
	}
	for _, row := range p.Rows {
		add(row.Solver, row.results)
	}
	if p.Best != nil {
		add("virtual best", p.Best.results)
	}
	title := fmt.Sprintf("Files solved within a time, of %d", p.Files)
	f = plot.Cactus(title, "number of files solved", p.clockName()+" per file (s)", samples)
	f.Limit = p.Limit.Seconds()
	f.Note = fmt.Sprintf("n = %s, %s. A point (k, t): k files take at most t each; further right is better.", plural(p.Files, "file"), p.runsNote())
	if banded {
		f.Note += " Bands: from the fastest to the slowest run of each file."
	}
	if p.Best != nil {
		f.Note += " Virtual best: the fastest solver on each file."
	}
	return f, points
}

// countSolved returns the number of solved files.
func countSolved(results map[string]result) int {
	n := 0
	for _, x := range results {
		if x.solved {
			n++
		}
	}
	return n
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
	title := fmt.Sprintf("Times of %s and %s", base.Solver, other.Solver)
	f = plot.Versus(title, p.timeLabel(base.Solver), p.timeLabel(other.Solver), series, p.Limit.Seconds())
	points = len(sat.X) + len(unsat.X)
	f.Note = fmt.Sprintf("n = %s that at least one of both solves, %s. Below the diagonal %s is faster; dashed lines: 10 times as fast; hollow marks at the limit: not solved.",
		plural(points, "file"), p.runsNote(), other.Solver)
	return f, points
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
