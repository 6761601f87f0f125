package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Plots of estimates with intervals, side by side: a forest plot with vertical
// intervals. Meta-analyses draw them horizontally (Lewis and Clarke, Forest
// plots: trying to see the wood and the trees, 2001); several estimates of the
// same quantity under each label need the labels on the x axis.

// intervals is the content of a plot of estimates.
type intervals struct {
	names  []string
	series []Series
}

// Intervals returns a plot of estimates with their intervals. The labels are on
// the x axis; Y[i], Low[i] and High[i] of a series are its estimate for label
// X[i]. The estimates of a label are side by side, in the order of the series. A
// line marks 0.
func Intervals(title, x, y string, labels []string, series []Series) *Figure {
	f := newFigure(title, x, y, &intervals{labels, series})
	f.Width = min(14, max(7.5, 2.5+0.16*float64(len(labels)*(len(series)+1))))
	return f
}

func (p *intervals) labels() []string { return p.names }

func (p *intervals) check(f *Figure) error {
	for _, s := range p.series {
		for _, at := range s.X {
			if at != math.Trunc(at) || at < 0 || int(at) >= len(p.names) {
				return fmt.Errorf("plot: figure %q: %q has an estimate for label %v of %d", f.Title, s.Name, at, len(p.names))
			}
		}
		if len(s.Low) != len(s.X) {
			panic(fmt.Sprintf("plot: series %q has %d estimates and %d intervals", s.Name, len(s.X), len(s.Low)))
		}
	}
	return checkSeries(f, p.series, false)
}

// plotters returns the line at 0, the intervals, and the estimates on top.
func (p *intervals) plotters(f *Figure) ([]plot.Plotter, error) {
	zero := f.scaled(0, 0).Y
	all := []plot.Plotter{&plotter.Line{XYs: plotter.XYs{{X: -0.5, Y: zero}, {X: float64(len(p.names)) - 0.5, Y: zero}}, LineStyle: solid(quiet, 0.9)}}
	width := 0.8 / float64(len(p.series))
	for i, s := range p.series {
		estimates := &plotter.Scatter{GlyphStyle: markOf(i)}
		for k := range s.X {
			at := s.X[k] - 0.4 + width*(float64(i)+0.5)
			estimates.XYs = append(estimates.XYs, plotter.XY{X: at, Y: f.scaled(0, s.Y[k]).Y})
			low, high := f.scaled(0, s.Low[k]).Y, f.scaled(0, s.High[k]).Y
			all = append(all, &plotter.Line{XYs: plotter.XYs{{X: at, Y: low}, {X: at, Y: high}}, LineStyle: solid(colorOf(i), 1.3)})
		}
		if len(estimates.XYs) > 0 {
			all = append(all, estimates)
		}
	}
	return all, nil
}

func (p *intervals) entries(*Figure) []entry {
	var all []entry
	for i, s := range p.series {
		if s.Name != "" {
			all = append(all, entry{s.Name, []plot.Thumbnailer{&plotter.Line{LineStyle: solid(colorOf(i), 1.3)}, &plotter.Scatter{GlyphStyle: markOf(i)}}})
		}
	}
	return all
}

// markOf returns the mark of series i: filled shapes, then hollow ones.
func markOf(i int) draw.GlyphStyle {
	mark := glyphOf(i, colorOf(i), i/len(glyphs)%2 == 1)
	mark.Radius = 3
	return mark
}
