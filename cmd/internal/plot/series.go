package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// clip returns the value to draw on an axis with the limit of the figure, and whether v reached the limit.
func (f *Figure) clip(v float64) (shown float64, capped bool) {
	if f.Limit > 0 && v >= f.Limit {
		return f.Limit, true
	}
	return v, false
}

// clipX is clip for the x axis.
func (f *Figure) clipX(v float64) (shown float64, capped bool) {
	if f.Diagonal {
		return f.clip(v)
	}
	return v, false
}

// scaled returns a point with scaled coordinates, in which the axes are linear.
func (f *Figure) scaled(x, y float64) plotter.XY {
	return plotter.XY{X: scales[f.X.Scale].forward(x), Y: scales[f.Y.Scale].forward(y)}
}

// points is the content of a scatter plot.
type points struct{ series []Series }

func (p *points) labels() []string { return nil }

func (p *points) check(f *Figure) error { return checkSeries(f, p.series, false) }

// plotters returns one scatter plot with the points of all series interleaved, so that no series hides the others.
func (p *points) plotters(f *Figure) ([]plot.Plotter, error) {
	total, longest := 0, 0
	for _, s := range p.series {
		total += len(s.X)
		longest = max(longest, len(s.X))
	}
	opacity := max(0.35, min(0.85, 30/math.Sqrt(float64(total+1))))
	all := new(plotter.Scatter)
	var styles []draw.GlyphStyle
	for k := range longest {
		for i, s := range p.series {
			if k >= len(s.X) {
				continue
			}
			x, right := f.clipX(s.X[k])
			y, above := f.clip(s.Y[k])
			all.XYs = append(all.XYs, f.scaled(x, y))
			styles = append(styles, glyphOf(i, withOpacity(colorOf(i), opacity), right || above))
		}
	}
	all.GlyphStyleFunc = func(i int) draw.GlyphStyle { return styles[i] }
	return []plot.Plotter{all}, nil
}

func (p *points) entries(*Figure) []entry {
	var all []entry
	for i, s := range p.series {
		if s.Name != "" {
			all = append(all, entry{s.Name, []plot.Thumbnailer{&plotter.Scatter{GlyphStyle: glyphOf(i, colorOf(i), false)}}})
		}
	}
	return all
}

// lines is the content of a line plot.
type lines struct {
	series []Series
	cactus bool // points with infinite values or values above the limit are dropped
}

func (l *lines) labels() []string { return nil }

func (l *lines) check(f *Figure) error { return checkSeries(f, l.visible(f), true) }

// visible returns the series to draw. In a cactus plot it drops the points of
// unsolved instances.
func (l *lines) visible(f *Figure) []Series {
	if !l.cactus {
		return l.series
	}
	var kept []Series
	for _, s := range l.series {
		n := 0
		for n < len(s.Y) && !math.IsInf(s.Y[n], 1) && (f.Limit <= 0 || s.Y[n] <= f.Limit) {
			n++
		}
		s.X, s.Y = s.X[:n], s.Y[:n]
		if len(s.Low) > 0 {
			s.Low, s.High = s.Low[:n], s.High[:n]
		}
		kept = append(kept, s)
	}
	return kept
}

// plotters returns the bands, and the lines on top.
func (l *lines) plotters(f *Figure) ([]plot.Plotter, error) {
	var bands, front []plot.Plotter
	for i, s := range l.visible(f) {
		if len(s.Low) > 0 {
			bands = append(bands, band(f, withOpacity(colorOf(i), 0.18), s))
		}
		for _, run := range runs(f, s.X, s.Y) {
			front = append(front, &plotter.Line{XYs: run, LineStyle: lineOf(i)},
				&plotter.Scatter{XYs: marked(run, i), GlyphStyle: glyphOf(i, colorOf(i), false)})
		}
	}
	return slices.Concat(bands, front), nil
}

func (l *lines) entries(f *Figure) []entry {
	var all []entry
	for i, s := range l.visible(f) {
		if s.Name != "" {
			all = append(all, entry{s.Name, []plot.Thumbnailer{
				&plotter.Line{LineStyle: lineOf(i)},
				&plotter.Scatter{GlyphStyle: glyphOf(i, colorOf(i), false)},
			}})
		}
	}
	return all
}

// A line of up to maxMarked points has a mark at each point. A longer line has
// about someMarked marks, at different positions for each line.
const (
	maxMarked  = 40
	someMarked = 12
)

// marked returns the points of line i that have a mark.
func marked(run plotter.XYs, i int) plotter.XYs {
	if len(run) <= maxMarked {
		return run
	}
	step := len(run) / someMarked
	first := step * (i * 5 % 8) / 8
	var points plotter.XYs
	for k, p := range run {
		if k%step == first || k == len(run)-1 {
			points = append(points, p)
		}
	}
	return points
}

// runs returns the points of a line between its gaps.
func runs(f *Figure, xs, ys []float64) []plotter.XYs {
	var all []plotter.XYs
	gap := true
	for k := range xs {
		if math.IsNaN(ys[k]) {
			gap = true
			continue
		}
		if gap {
			all = append(all, nil)
			gap = false
		}
		v, _ := f.clip(ys[k])
		last := len(all) - 1
		all[last] = append(all[last], f.scaled(xs[k], v))
	}
	return all
}

// band returns the area between the intervals of a series.
func band(f *Figure, tint color.Color, s Series) *plotter.Polygon {
	area := &plotter.Polygon{Color: tint}
	highs := runs(f, s.X, s.High)
	for i, low := range runs(f, s.X, s.Low) {
		high := highs[i]
		slices.Reverse(high)
		area.XYs = append(area.XYs, slices.Concat(low, high))
	}
	return area
}

// checkSeries returns an error if the axes cannot show a number. It panics if lengths differ.
func checkSeries(f *Figure, series []Series, gaps bool) error {
	for _, s := range series {
		if len(s.X) != len(s.Y) || len(s.Low) != len(s.High) || len(s.Low) != 0 && len(s.Low) != len(s.X) {
			panic(fmt.Sprintf("plot: series %q has %d x, %d y, %d low and %d high",
				s.Name, len(s.X), len(s.Y), len(s.Low), len(s.High)))
		}
		for k := range s.X {
			v, _ := f.clipX(s.X[k])
			if err := f.X.Scale.check(f, v); err != nil {
				return err
			}
			column := []float64{s.Y[k]}
			if len(s.Low) > 0 {
				column = append(column, s.Low[k], s.High[k])
			}
			for _, v := range column {
				if v, _ := f.clip(v); !gaps || !math.IsNaN(v) {
					if err := f.Y.Scale.check(f, v); err != nil {
						return err
					}
				}
			}
		}
		if len(s.Low) > 0 {
			for k := range s.Low {
				if math.IsNaN(s.Low[k]) != math.IsNaN(s.High[k]) {
					return fmt.Errorf("plot: figure %q: an interval of %q has one end at %v", f.Title, s.Name, s.X[k])
				}
			}
		}
	}
	return nil
}
