package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure is one picture, described but not drawn yet. Constructors return one; the fields may be changed before
// drawing.
type Figure struct {
	Title         string // above, broken into lines where it is too long
	Note          string // below, small: what the reader has to know; broken into lines likewise
	X, Y          Axis
	Width, Height float64 // inches
	Marks         []Mark  // vertical lines

	// Limit is where runs were stopped, 0 if nowhere. What was not finished by then, infinity too, is drawn as a hollow
	// mark at the limit, on a dashed line. It applies to the y axis, and with Diagonal to both.
	Limit float64

	// Diagonal asks for the same range on both axes, a square, and the line y = x; on logarithmic axes also for thinner
	// ones where one is ten times the other.
	Diagonal bool

	content content
	panels  []*Figure // of a stack, instead of content
}

// An Axis is one of the two of a figure.
type Axis struct {
	Label string
	Scale Scale
	// Min and Max, if they differ, are the range shown. Otherwise it is that of the data and a little more.
	Min, Max float64
	// Jitter spreads the points of a scatter plot by up to that much to both sides, in units of the axis, so that equal
	// ones are seen to be many. The offsets follow from the order of the points.
	Jitter float64

	zero bool // the range includes 0
}

// A Mark is a vertical line in a figure, with a few words beside it.
type Mark struct {
	At   float64
	Text string
}

// A Sample is a set of numbers under a label.
type Sample struct {
	Label  string
	Values []float64
}

// A Group is what has one color in a figure of boxes: a sample for some or all labels of the x axis.
type Group struct {
	Name  string
	Boxes []Sample
}

// A Series is what has one color in a figure of points or lines. X and Y are as long as each other.
type Series struct {
	Name string // for the legend; none if empty
	X, Y []float64

	// Low and High, if there are any, are the ends of an interval for each point of a line, drawn as a band.
	Low, High []float64

	// Faint draws a line thin, gray and beneath all others, and leaves it out of the legend: one of many that together
	// say something.
	Faint bool
}

// A content is what is between the axes.
type content interface {
	// plotters returns the plotters of the data.
	plotters(f *Figure) ([]plot.Plotter, error)
	// entries returns the entries of the legend.
	entries(f *Figure) []entry
	// check returns what cannot be shown.
	check(f *Figure) error
	// labels returns the names on the x axis, nil if that has numbers.
	labels() []string
}

// Boxes returns a figure of distributions: for each label of the x axis, in the order in which they come first, one box
// for each group. A box goes from the quartile to the quartile around the line of the median, its whiskers from the 5 %
// to the 95 % quantile, and what is beyond them is drawn as points. Fewer than five values are drawn as points only.
// The y axis is logarithmic if all values are positive, Log1p if there are zeros too, and linear otherwise.
func Boxes(title, x, y string, groups []Group) *Figure {
	b := &boxes{groups: groups}
	least := math.Inf(1)
	for _, g := range groups {
		for _, s := range g.Boxes {
			if !slices.Contains(b.names, s.Label) {
				b.names = append(b.names, s.Label)
			}
			for _, v := range s.Values {
				least = min(least, v)
			}
		}
	}
	f := newFigure(title, x, y, b)
	f.Width = min(14, max(7.5, 2+0.14*float64(len(b.names)*(len(groups)+1))))
	f.Y.Scale = scaleFor(least)
	f.Note = "Boxes: quartiles and median; whiskers: from 5 % to 95 %; points: beyond."
	return f
}

// Scatter returns a figure of points.
func Scatter(title, x, y string, series []Series) *Figure {
	return newFigure(title, x, y, &points{series})
}

// Versus returns a figure of one solver against another, a point for each instance: Scatter on logarithmic axes with
// the diagonal, and with what took either longer than limit at the border.
func Versus(title, x, y string, series []Series, limit float64) *Figure {
	f := Scatter(title, x, y, series)
	f.X.Scale, f.Y.Scale = Log, Log
	f.Diagonal, f.Limit = true, limit
	f.Width, f.Height = 7, 5.6
	return f
}

// Lines returns a figure of lines through points, in the order given. A y that is NaN is a gap.
func Lines(title, x, y string, series []Series) *Figure {
	return newFigure(title, x, y, &lines{series: series})
}

// Cactus returns a figure of how many instances each solver solved within which time: the values of a sample are the
// times for what it solved, in any order; infinity, and with a Limit what is beyond it, counts as not solved. The
// y axis is logarithmic if all times are positive.
func Cactus(title, x, y string, solvers []Sample) *Figure {
	least := math.Inf(1)
	series := make([]Series, len(solvers))
	for i, s := range solvers {
		times := slices.Clone(s.Values)
		slices.Sort(times)
		series[i] = Series{Name: s.Label, Y: times}
		for k := range times {
			series[i].X = append(series[i].X, float64(k+1))
		}
		if len(times) > 0 {
			least = min(least, times[0])
		}
	}
	f := newFigure(title, x, y, &lines{series: series, cactus: true})
	f.X.zero = true
	if least > 0 {
		f.Y.Scale = Log
	}
	return f
}

// Stack returns a figure of panels, one beneath the other, with x axes of the same length: the same experiment in
// several measures. It is as wide as the widest panel, and as high as all of them. Title, Note, Width and Height may be
// set; the rest is the panels' own.
func Stack(title string, panels ...*Figure) *Figure {
	if len(panels) == 0 {
		panic("plot: a stack of nothing")
	}
	f := &Figure{Title: title, panels: panels}
	for _, p := range panels {
		if p.panels != nil {
			panic("plot: a stack within a stack")
		}
		f.Width = max(f.Width, p.Width)
		f.Height += p.Height
	}
	return f
}

func newFigure(title, x, y string, c content) *Figure {
	f := &Figure{Title: title, X: Axis{Label: x}, Y: Axis{Label: y}, Width: 7.5, content: c}
	legend := newLegend(c.entries(f))
	height := legend.Rectangle(draw.Canvas{}).Size().Y
	f.Height = max(4.6, 1.3+float64(height/vg.Inch))
	return f
}

// scaleFor returns the scale for data of which the least is known.
func scaleFor(least float64) Scale {
	switch {
	case least > 0:
		return Log
	case least == 0:
		return Log1p
	}
	return Linear
}
