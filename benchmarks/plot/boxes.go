package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sator/benchmarks/stat"
)

// Box plots
//
// Tukey's box plot (1977) has whiskers as long as the data reach within 1.5 times the height of the box. That is made
// for samples that are nearly normal: of counts over several decades it calls a tenth outliers, and none below. Whiskers
// to fixed quantiles say the same thing of any distribution, and commute with the scale of the axis.

// boxes is the content of a figure of distributions.
type boxes struct {
	names  []string // on the x axis, at 0, 1, ...
	groups []Group
}

// fewest is the number of values below which quartiles say nothing, and all are shown instead.
const fewest = 5

// mostBeyond is how many points beyond a whisker are drawn: of more than that, every so many-th, and the extreme one.
const mostBeyond = 60

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

func (b *boxes) extent(f *Figure) (x, y span) {
	x, y = empty, empty
	for _, g := range b.groups {
		for _, s := range g.Boxes {
			for _, v := range s.Values {
				v, _ = f.clip(v)
				y.add(v)
			}
		}
	}
	if !y.isEmpty() {
		x = span{-0.5, float64(len(b.names)) - 0.5}
	}
	return x, y
}

// layer draws the boxes of a label side by side, in the order of groups, with a line between labels.
func (b *boxes) layer(f *Figure) (layer, []entry) {
	paint := func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i := 1; i < len(b.names); i++ {
			at := x(float64(i) - 0.5)
			c.StrokeLine2(hair(grid, 0.7), at, c.Min.Y, at, c.Max.Y)
		}
		for i, g := range b.groups {
			width := 0.84 / float64(len(b.groups))
			for _, s := range g.Boxes {
				middle := float64(slices.Index(b.names, s.Label)) - 0.42 + width*(float64(i)+0.5)
				half := min(14, (x(width)-x(0))*0.4)
				drawBox(c, f, i, x(middle), half, y, s.Values)
			}
		}
	}
	var entries []entry
	for i, g := range b.groups {
		if g.Name != "" {
			entries = append(entries, entry{g.Name, swatch(i)})
		}
	}
	return paint, entries
}

// drawBox draws the box of group i around x = middle.
func drawBox(c *draw.Canvas, f *Figure, i int, middle, half vg.Length, y func(float64) vg.Length, values []float64) {
	sorted := slices.Clone(values)
	for k, v := range sorted {
		sorted[k], _ = f.clip(v)
	}
	slices.Sort(sorted)
	if len(sorted) < fewest {
		drawBeyond(c, i, middle, y, sorted)
		return
	}
	q := stat.Quantiles(sorted, 0.05, 0.25, 0.5, 0.75, 0.95)
	tint := colorOf(i)
	thin := hair(tint, 0.9)
	bottom, top := y(q[1]), y(q[3])
	c.StrokeLine2(thin, middle, y(q[0]), middle, bottom)
	c.StrokeLine2(thin, middle, top, middle, y(q[4]))
	for _, end := range []float64{q[0], q[4]} {
		c.StrokeLine2(thin, middle-half/2, y(end), middle+half/2, y(end))
	}
	box := corners(vg.Rectangle{Min: vg.Point{X: middle - half, Y: bottom}, Max: vg.Point{X: middle + half, Y: top}})
	c.FillPolygon(fillOf(i), box)
	c.StrokeLines(thin, box)
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.8}, middle-half, y(q[2]), middle+half, y(q[2]))

	low, _ := slices.BinarySearch(sorted, q[0])
	high, _ := slices.BinarySearch(sorted, math.Nextafter(q[4], math.Inf(1)))
	drawBeyond(c, i, middle, y, sorted[:low])
	above := slices.Clone(sorted[high:])
	slices.Reverse(above) // the extreme first
	drawBeyond(c, i, middle, y, above)
}

// drawBeyond draws points of group i, of which the first is the most extreme.
func drawBeyond(c *draw.Canvas, i int, x vg.Length, y func(float64) vg.Length, values []float64) {
	step := 1 + len(values)/mostBeyond
	for k := 0; k < len(values); k += step {
		at := vg.Point{X: x, Y: y(values[k])}
		if c.Contains(at) {
			dot(c, through(colorOf(i), 0.55), 1.3, at)
		}
	}
}
