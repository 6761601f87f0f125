package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure is the description of a picture. Constructors return one; the fields may be changed before drawing.
type Figure struct {
	Title         string // drawn above the figure; wrapped
	Note          string // drawn below the figure in small letters; wrapped
	X, Y          Axis
	Width, Height float64 // inches
	Marks         []Mark  // vertical lines

	// Limit is the time or effort limit of the runs; 0 means no limit. Values
	// at or above the limit, including infinity, are drawn as hollow marks at
	// the limit, on a dashed line. The limit applies to the y axis, and with
	// Diagonal to both axes.
	Limit float64

	// Diagonal sets the same range for both axes, a square shape, and the line y = x. Logarithmic axes also have thin
	// lines at ratios of 10 and 1/10.
	Diagonal bool

	content content
	panels  []*Figure // the panels of a stack; content is nil then
}

// An Axis is the x axis or the y axis of a figure.
type Axis struct {
	Label string
	Scale Scale
	// Min and Max are the range shown if they differ. Otherwise the range is that of the data plus a margin.
	Min, Max float64
	zero     bool // the range includes 0
}

// A Mark is a vertical line with a short text.
type Mark struct {
	At   float64
	Text string
}

// A Sample is a set of numbers with a label.
type Sample struct {
	Label  string
	Values []float64

	// Low and High, if not empty, have a lower and an upper value for each of
	// Values, for the band of a cactus plot.
	Low, High []float64
}

// A Group is a set of samples of a box plot with the same color, at most one
// sample for each label of the x axis.
type Group struct {
	Name  string
	Boxes []Sample
}

// A Series is a line, or a set of points of the same color. X and Y have the
// same length.
type Series struct {
	Name string // in the legend; not listed if empty
	X, Y []float64

	// Low and High, if not empty, are the ends of an interval for each point of a line. They are drawn as a band.
	Low, High []float64
}

// A content is the data of a figure.
type content interface {
	// plotters returns the plotters of the data.
	plotters(f *Figure) ([]plot.Plotter, error)
	// entries returns the entries of the legend.
	entries(f *Figure) []entry
	// check returns an error for numbers that the axes cannot show.
	check(f *Figure) error
	// labels returns the names on the x axis, or nil if the axis has numbers.
	labels() []string
}

// Boxes returns a box plot. For each label of the x axis, in order of first occurrence, it has a box for each group. A
// box shows the quartiles and the median, its whiskers end at the 5 % and 95 % quantiles, and values outside of the
// whiskers are points. Fewer than five values are all drawn as points. The y axis is Log if all values are positive,
// Log1p if there are zeros, and Linear otherwise.
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
	f.Note = "Boxes: quartiles and median; whiskers: 5 % and 95 % quantiles; points: values outside."
	return f
}

// Versus returns a scatter plot of two solvers, a point per instance, on logarithmic axes with the diagonal. Times
// above the limit are at the border.
func Versus(title, x, y string, series []Series, limit float64) *Figure {
	f := newFigure(title, x, y, &points{series})
	f.X.Scale, f.Y.Scale = Log, Log
	f.Diagonal, f.Limit = true, limit
	f.Width, f.Height = 7, 5.6
	return f
}

// Lines returns a line plot, with the points in the given order. A y that is NaN is a gap.
func Lines(title, x, y string, series []Series) *Figure {
	return newFigure(title, x, y, &lines{series: series})
}

// Cactus returns a cactus plot: the number of instances solved within a time. The values of a sample are the times of
// the solved instances, in any order; infinite values, and values above the Limit, count as not solved. The y axis is
// logarithmic if all times are positive. With Low and High, for instance the shortest and the longest of repeated runs, a
// line has a band between the cactus plots of the two.
func Cactus(title, x, y string, solvers []Sample) *Figure {
	least := math.Inf(1)
	series := make([]Series, len(solvers))
	for i, s := range solvers {
		times := sortedCopy(s.Values)
		series[i] = Series{Name: s.Label, Y: times, Low: sortedCopy(s.Low), High: sortedCopy(s.High)}
		for k := range times {
			series[i].X = append(series[i].X, float64(k+1))
		}
		if len(times) > 0 {
			least = min(least, times[0])
		}
		if low := series[i].Low; len(low) > 0 {
			least = min(least, low[0])
		}
	}
	f := newFigure(title, x, y, &lines{series: series, cactus: true})
	f.X.zero = true
	if least > 0 {
		f.Y.Scale = Log
	}
	return f
}

// sortedCopy returns the values in ascending order.
func sortedCopy(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted
}

// Stack returns a figure of panels, one below the other, with x axes of the
// same length, for example for several measures of the same experiment. It has
// the width of the widest panel and the total height. Title, Note, Width and
// Height may be set; all other properties belong to the panels.
func Stack(title string, panels ...*Figure) *Figure {
	if len(panels) == 0 {
		panic("plot: a stack without panels")
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

// scaleFor returns the scale for data with that minimum.
func scaleFor(least float64) Scale {
	switch {
	case least > 0:
		return Log
	case least == 0:
		return Log1p
	}
	return Linear
}
