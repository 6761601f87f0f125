package plot

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// clip returns what is drawn of a number on an axis that has the figure's limit, and whether it reached that.
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

// points is the content of a scatter plot.
type points struct{ series []Series }

func (p *points) labels() []string { return nil }

func (p *points) check(f *Figure) error { return checkSeries(f, p.series, false) }

func (p *points) extent(f *Figure) (x, y span) {
	x, y = extentOf(f, p.series)
	if !x.isEmpty() {
		x.low, x.high = x.low-f.X.Jitter, x.high+f.X.Jitter
		y.low, y.high = y.low-f.Y.Jitter, y.high+f.Y.Jitter
	}
	return x, y
}

// layer draws the series by turns, some points of each: otherwise the last would hide the others.
func (p *points) layer(f *Figure) (layer, []entry) {
	total, most := 0, 0
	for _, s := range p.series {
		total += len(s.X)
		most = max(most, len(s.X))
	}
	opacity := max(0.35, min(0.85, 30/math.Sqrt(float64(total+1))))
	paint := func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for k := range most {
			for i, s := range p.series {
				if k >= len(s.X) {
					continue
				}
				px, right := f.clipX(s.X[k])
				py, above := f.clip(s.Y[k])
				n := k*len(p.series) + i
				at := vg.Point{X: x(px + f.X.Jitter*offset(n, goldenX)), Y: y(py + f.Y.Jitter*offset(n, goldenY))}
				if c.Contains(at) || right || above {
					drawMark(c, i, through(colorOf(i), opacity), right || above, at)
				}
			}
		}
	}
	var entries []entry
	for i, s := range p.series {
		if s.Name != "" {
			entries = append(entries, entry{s.Name, func(c *draw.Canvas) {
				drawMark(c, i, colorOf(i), false, c.Center())
			}})
		}
	}
	return paint, entries
}

// Multiples of these numbers, modulo 1, fill the unit square evenly (Roberts, The unreasonable effectiveness of
// quasirandom sequences, 2018): 1/p and 1/p² for p³ = p + 1.
const (
	goldenX = 0.7548776662466927
	goldenY = 0.5698402909980532
)

// offset returns the k-th number of an even sequence from -1 to 1.
func offset(k int, golden float64) float64 {
	_, part := math.Modf(0.5 + float64(k)*golden)
	return 2*part - 1
}

// lines is the content of a figure of lines.
type lines struct {
	series []Series
	cactus bool // a point for each instance, and infinity is no point
}

func (l *lines) labels() []string { return nil }

func (l *lines) check(f *Figure) error { return checkSeries(f, l.visible(f), true) }

func (l *lines) extent(f *Figure) (x, y span) {
	x, y = extentOf(f, l.visible(f))
	if l.cactus && !x.isEmpty() {
		x.add(0)
	}
	return x, y
}

// visible returns the series as drawn: of a cactus, without what was not solved.
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
		kept = append(kept, s)
	}
	return kept
}

// layer draws the faint lines, the bands, and the others on top.
func (l *lines) layer(f *Figure) (layer, []entry) {
	series := l.visible(f)
	index := colorsOf(series)
	paint := func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for _, s := range series {
			if s.Faint {
				c.StrokeLines(hair(faint, 0.7), c.ClipLinesXY(runs(f, s.X, s.Y, x, y)...)...)
			}
		}
		for i, s := range series {
			drawBand(c, f, through(colorOf(index[i]), 0.18), s, x, y)
		}
		for i, s := range series {
			if !s.Faint {
				drawLine(c, index[i], runs(f, s.X, s.Y, x, y))
			}
		}
	}
	var entries []entry
	for i, s := range series {
		if s.Name != "" && !s.Faint {
			entries = append(entries, entry{s.Name, func(c *draw.Canvas) {
				c.StrokeLine2(lineOf(index[i]), c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
				drawMark(c, index[i], colorOf(index[i]), false, c.Center())
			}})
		}
	}
	return paint, entries
}

// Lines of up to mostMarked points have a mark at each, longer ones some marks, at other places for each line.
const (
	mostMarked = 40
	someMarked = 12
)

// drawLine draws the line of series i through runs of points.
func drawLine(c *draw.Canvas, i int, runs [][]vg.Point) {
	c.StrokeLines(lineOf(i), c.ClipLinesXY(runs...)...)
	for _, run := range runs {
		step, first := 1, 0
		if len(run) > mostMarked {
			step = len(run) / someMarked
			first = step * (i * 5 % 8) / 8
		}
		for k, at := range run {
			if (k%step == first || k == len(run)-1) && c.Contains(at) {
				drawMark(c, i, colorOf(i), false, at)
			}
		}
	}
}

// colorsOf numbers the series that are not faint.
func colorsOf(series []Series) []int {
	index := make([]int, len(series))
	next := 0
	for i, s := range series {
		index[i] = next
		if !s.Faint {
			next++
		}
	}
	return index
}

// runs returns the points of a line, in parts between its gaps.
func runs(f *Figure, xs, ys []float64, x, y func(float64) vg.Length) [][]vg.Point {
	var all [][]vg.Point
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
		all[last] = append(all[last], vg.Point{X: x(xs[k]), Y: y(v)})
	}
	return all
}

// drawBand fills the intervals of a series from point to point.
func drawBand(c *draw.Canvas, f *Figure, tint color.Color, s Series, x, y func(float64) vg.Length) {
	if len(s.Low) == 0 {
		return
	}
	low, high := runs(f, s.X, s.Low, x, y), runs(f, s.X, s.High, x, y)
	for i := range low {
		outline := append([]vg.Point(nil), low[i]...)
		for k := len(high[i]) - 1; k >= 0; k-- {
			outline = append(outline, high[i][k])
		}
		c.FillPolygon(tint, c.ClipPolygonXY(outline))
	}
}

// checkSeries returns an error if a number cannot be shown. It panics if lengths differ, which is misuse.
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
					return fmt.Errorf("plot: figure %q: half an interval of %q at %v", f.Title, s.Name, s.X[k])
				}
			}
		}
	}
	return nil
}

// extentOf returns the ranges of series.
func extentOf(f *Figure, series []Series) (x, y span) {
	x, y = empty, empty
	for _, s := range series {
		for k := range s.X {
			v, _ := f.clipX(s.X[k])
			x.add(v)
			column := []float64{s.Y[k]}
			if len(s.Low) > 0 {
				column = append(column, s.Low[k], s.High[k])
			}
			for _, v := range column {
				if v, _ := f.clip(v); !math.IsNaN(v) {
					y.add(v)
				}
			}
		}
	}
	return x, y
}
