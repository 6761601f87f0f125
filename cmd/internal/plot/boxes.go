package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"sator/cmd/internal/stat"
)

// Box plots with whiskers to fixed quantiles.
//
// The whiskers of Tukey's box plot (1977) extend to the data within 1.5 times
// the height of the box. These whiskers are appropriate for nearly normal
// samples. In samples of counts that span several decades they classify a tenth
// of the values as outliers, all of them above the box. Whiskers to fixed
// quantiles mean the same for every distribution and do not depend on the scale
// of the axis.

// boxes is the content of a box plot.
type boxes struct {
	names  []string // labels of the x axis at 0, 1, ...
	groups []Group
}

// minQuartiles is the minimal number of values for a box with quartiles. Fewer values are all drawn as points.
const minQuartiles = 5

// maxOutside bounds the points drawn beyond a whisker. If there are more, every k-th one is drawn, including the extreme
// one.
const maxOutside = 60

func (b *boxes) labels() []string { return b.names }

func (b *boxes) check(f *Figure) error {
	for _, g := range b.groups {
		for _, s := range g.Boxes {
			for _, v := range s.Values {
				v, _ = f.clip(v)
				if err := f.Y.Scale.check(f, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plotters returns the boxes of each label side by side, in the order of the groups.
func (b *boxes) plotters(f *Figure) ([]plot.Plotter, error) {
	var all []plot.Plotter
	width := 0.84 / float64(len(b.groups))
	for i, g := range b.groups {
		for _, s := range g.Boxes {
			if len(s.Values) == 0 {
				continue
			}
			at := float64(slices.Index(b.names, s.Label)) - 0.42 + width*(float64(i)+0.5)
			box, err := newBox(f, i, at, s.Values)
			if err != nil {
				return nil, err
			}
			all = append(all, scaledBox{box, width})
		}
	}
	return all, nil
}

// newBox returns the box of group i at x = at. It replaces the statistics that [plotter.NewBoxPlot] computes.
func newBox(f *Figure, i int, at float64, values []float64) (*plotter.BoxPlot, error) {
	sorted := make(plotter.Values, len(values))
	for k, v := range values {
		v, _ = f.clip(v)
		sorted[k] = f.scaled(0, v).Y
	}
	slices.Sort(sorted)
	b, err := plotter.NewBoxPlot(0, at, sorted)
	if err != nil {
		return nil, err
	}
	b.GlyphStyle = draw.GlyphStyle{Color: withOpacity(colorOf(i), 0.55), Radius: 1.3, Shape: draw.CircleGlyph{}}
	b.FillColor = fillOf(i)
	b.BoxStyle = solid(colorOf(i), 0.9)
	b.WhiskerStyle = b.BoxStyle
	b.MedianStyle = solid(ink, 1.8)
	b.Outside = nil
	low, high := len(sorted), len(sorted)
	if len(sorted) >= minQuartiles {
		raw := slices.Clone(values)
		for k, v := range raw {
			raw[k], _ = f.clip(v)
		}
		q := stat.Quantiles(raw, 0.05, 0.25, 0.5, 0.75, 0.95)
		for k, field := range []*float64{&b.AdjLow, &b.Quartile1, &b.Median, &b.Quartile3, &b.AdjHigh} {
			*field = f.scaled(0, q[k]).Y
		}
		low, _ = slices.BinarySearch(sorted, b.AdjLow)
		high, _ = slices.BinarySearch(sorted, math.Nextafter(b.AdjHigh, math.Inf(1)))
	} else {
		b.FillColor, b.BoxStyle.Width, b.MedianStyle.Width, b.WhiskerStyle.Width = nil, 0, 0, 0
	}
	for k := 0; k < low; k += 1 + low/maxOutside {
		b.Outside = append(b.Outside, k)
	}
	for k := 0; k < len(sorted)-high; k += 1 + (len(sorted)-high)/maxOutside {
		b.Outside = append(b.Outside, len(sorted)-1-k)
	}
	return b, nil
}

// A scaledBox is a box whose width is a fraction of the x axis.
type scaledBox struct {
	*plotter.BoxPlot
	share float64
}

// Plot implements [plot.Plotter].
func (b scaledBox) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	b.Width = min(28, (x(b.share)-x(0))*0.8)
	b.CapWidth = b.Width / 2
	b.BoxPlot.Plot(c, p)
}

func (b *boxes) entries(*Figure) []entry {
	var all []entry
	for i, g := range b.groups {
		if g.Name != "" {
			swatch := &plotter.Polygon{Color: fillOf(i), LineStyle: solid(colorOf(i), 0.9)}
			all = append(all, entry{g.Name, []plot.Thumbnailer{swatch}})
		}
	}
	return all
}
