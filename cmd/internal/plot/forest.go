package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Forest plots of ratios (Lewis and Clarke, Forest plots: trying to see the wood and
// the trees, 2001): a row for each comparison, an estimate with a horizontal interval
// for each series, and a line at the ratio 1.

// forest is the content of a forest plot.
type forest struct {
	names  []string // from top to bottom
	series []Series
}

// Forest returns a forest plot of ratios on a logarithmic x axis. The rows are listed
// from top to bottom. X[i], Low[i] and High[i] of a series are its estimate for row Y[i].
// The estimates of a row are one below the other, in the order of the series. A mark is
// hollow if its interval includes 1.
func Forest(title, x, y string, rows []string, series []Series) *Figure {
	f := newFigure(title, x, y, &forest{rows, series})
	f.X.Scale = Log
	f.Height = 1.7 + 0.12*float64(len(rows)*(len(series)+1))
	return f
}

func (p *forest) labels() []string { return nil }

func (p *forest) rows() []string { return p.names }

func (p *forest) check(f *Figure) error {
	for _, s := range p.series {
		if len(s.X) != len(s.Y) || len(s.Low) != len(s.X) || len(s.High) != len(s.X) {
			panic(fmt.Sprintf("plot: series %q has %d estimates, %d rows and %d, %d ends of intervals", s.Name, len(s.X), len(s.Y), len(s.Low), len(s.High)))
		}
		for i, row := range s.Y {
			if row != math.Trunc(row) || row < 0 || int(row) >= len(p.names) {
				return fmt.Errorf("plot: figure %q: %q has an estimate for row %v of %d", f.Title, s.Name, row, len(p.names))
			}
			for _, x := range []float64{s.X[i], s.Low[i], s.High[i]} {
				if err := f.X.Scale.check(f, x); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plotters returns the line at 1, the intervals, and the estimates on top.
func (p *forest) plotters(f *Figure) ([]plot.Plotter, error) {
	one := f.scaled(1, 0).X
	last := float64(len(p.names) - 1)
	all := []plot.Plotter{vertical(one, span{-0.5, last + 0.5}, solid(quiet, 0.9))}
	width := 0.8 / float64(len(p.series))
	for i, s := range p.series {
		var marks [2]plotter.Scatter // filled and hollow
		for k := range s.X {
			at := last - s.Y[k] + 0.4 - width*(float64(i)+0.5)
			low, high := f.scaled(s.Low[k], 0).X, f.scaled(s.High[k], 0).X
			all = append(all, &plotter.Line{XYs: plotter.XYs{{X: low, Y: at}, {X: high, Y: at}}, LineStyle: solid(colorOf(i), 1.2)})
			hollow := 0
			if s.Low[k] <= 1 && 1 <= s.High[k] {
				hollow = 1
			}
			marks[hollow].XYs = append(marks[hollow].XYs, plotter.XY{X: f.scaled(s.X[k], 0).X, Y: at})
		}
		for hollow := range marks {
			marks[hollow].GlyphStyle = glyphOf(i, colorOf(i), hollow == 1)
			if len(marks[hollow].XYs) > 0 {
				all = append(all, &marks[hollow])
			}
		}
	}
	return all, nil
}

func (p *forest) entries(*Figure) []entry {
	var all []entry
	for i, s := range p.series {
		mark := glyphOf(i, colorOf(i), false)
		all = append(all, entry{s.Name, []plot.Thumbnailer{&plotter.Line{LineStyle: solid(colorOf(i), 1.2)}, &plotter.Scatter{GlyphStyle: mark}}})
	}
	return all
}
