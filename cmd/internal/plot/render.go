package plot

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Layout, from the outside: an edge; the title above and the note below, over the whole width; the legend as a column on
// the right, outside of the axes so that it hides no data; the panels in the remaining area, one below the other, with
// axes of the same width.

const (
	edge           = 8  // around the figure, in points
	legendGap      = 12 // between axes and legend
	legendMaxWidth = 130
	leading        = 1.25
	dotsPerInch    = 144
)

// An entry is an entry of the legend.
type entry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// newLegend returns a legend. It breaks long names into lines.
func newLegend(entries []entry) plot.Legend {
	l := plot.NewLegend()
	l.TextStyle = words(10, ink, draw.XLeft, draw.YBottom)
	l.Top, l.Left = true, true
	l.Padding = 4
	for _, e := range entries {
		l.Add(strings.Join(wrap(l.TextStyle, e.name, legendMaxWidth), "\n"), e.thumbs...)
	}
	return l
}

// A panel is a figure with its plot, ready to draw.
type panel struct {
	*Figure
	plot    *plot.Plot
	entries []entry
}

// SVG writes the figure as SVG, with its title as the title of the document. It returns an error of w, or an error for
// a number that the axes cannot show.
func (f *Figure) SVG(w io.Writer) error {
	canvas := vgsvg.NewWith(vgsvg.UseWH(f.size()))
	if err := f.draw(draw.New(canvas)); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	// vgsvg names a single font that few computers have; add fallbacks.
	svg := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"))
	const root = `xmlns:xlink="http://www.w3.org/1999/xlink">` + "\n"
	title := root + "<title>" + html.EscapeString(f.Title) + "</title>\n"
	_, err := w.Write(bytes.Replace(svg, []byte(root), []byte(title), 1))
	return err
}

// PNG writes the figure as PNG with 144 dots per inch. It returns an error of w, or an error for a number that the axes
// cannot show.
func (f *Figure) PNG(w io.Writer) error {
	width, height := f.size()
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch))
	if err := f.draw(draw.New(canvas)); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

func (f *Figure) size() (width, height vg.Length) {
	return vg.Length(f.Width) * vg.Inch, vg.Length(f.Height) * vg.Inch
}

// draw draws the whole figure.
func (f *Figure) draw(c draw.Canvas) error {
	figures := f.panels
	if figures == nil {
		figures = []*Figure{f}
	}
	var panels []*panel
	for _, g := range figures {
		p, err := g.prepare(f.panels != nil)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = f.drawText(draw.Crop(c, edge, -edge, edge, -edge))
	drawPanels(c, panels)
	return nil
}

// drawText draws title and note, and returns the area between them.
func (f *Figure) drawText(c draw.Canvas) draw.Canvas {
	title := words(14, ink, draw.XLeft, draw.YTop)
	width := c.Max.X - c.Min.X
	for _, line := range wrap(title, f.Title, width) {
		c.FillText(title, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
		c.Max.Y -= title.Font.Size * leading
	}
	if f.Title != "" {
		c.Max.Y -= 6
	}
	note := words(9, quiet, draw.XLeft, draw.YBottom)
	lines := wrap(note, f.Note, width)
	for i := len(lines) - 1; i >= 0; i-- {
		c.FillText(note, vg.Point{X: c.Min.X, Y: c.Min.Y}, lines[i])
		c.Min.Y += note.Font.Size * leading
	}
	if f.Note != "" {
		c.Min.Y += 4
	}
	return c
}

// drawPanels draws panels one below the other, with their legends in one
// column. Legends equal to the legend of the first panel are not repeated.
func drawPanels(c draw.Canvas, panels []*panel) {
	names := func(p *panel) []string {
		var names []string
		for _, e := range p.entries {
			names = append(names, e.name)
		}
		return names
	}
	width := vg.Length(0)
	var plots [][]*plot.Plot
	var legends []plot.Legend
	for i, p := range panels {
		if i > 0 && slices.Equal(names(p), names(panels[0])) {
			p.entries = nil
		}
		legend := newLegend(p.entries)
		if len(p.entries) > 0 {
			r := legend.Rectangle(c)
			width = max(width, legendGap+r.Max.X-r.Min.X)
		}
		legends = append(legends, legend)
		plots = append(plots, []*plot.Plot{p.plot})
	}
	inner := draw.Crop(c, 0, -width, 0, 0)
	for _, p := range panels {
		p.setNames(inner)
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadY: 10}
	for i, row := range plot.Align(plots, tiles, inner) {
		p, area := panels[i], row[0]
		if p.Diagonal {
			area = square(p.plot, area)
		}
		p.plot.Draw(area)
		data := p.plot.DataCanvas(area)
		corner := c
		corner.Min.X, corner.Max.Y = data.Max.X+legendGap, data.Max.Y
		legends[i].Draw(corner)
	}
}

// square returns the part of c for a plot with a square data area.
func square(p *plot.Plot, c draw.Canvas) draw.Canvas {
	size := p.DataCanvas(c).Size()
	return draw.Crop(c, 0, min(0, size.Y-size.X), 0, min(0, size.X-size.Y))
}

// prepare returns the panel of a figure that is not a stack. In a stack, the plot has the title of the figure.
func (f *Figure) prepare(stacked bool) (*panel, error) {
	if err := f.content.check(f); err != nil {
		return nil, err
	}
	content, err := f.content.plotters(f)
	if err != nil {
		return nil, fmt.Errorf("plot: figure %q: %w", f.Title, err)
	}
	x, y := rangeOf(content)
	if x.isEmpty() || y.isEmpty() {
		return nil, fmt.Errorf("plot: figure %q has no data", f.Title)
	}
	if f.Limit > 0 {
		y.add(f.scaled(0, f.Limit).Y)
	}
	if f.Diagonal {
		y.add(x.low)
		y.add(x.high)
		x = y
	}
	p := &panel{Figure: f, plot: plot.New(), entries: f.content.entries(f)}
	p.plot.BackgroundColor = nil
	if stacked {
		p.plot.Title.Text = f.Title
		p.plot.Title.TextStyle = words(11, ink, draw.XCenter, draw.YTop)
		p.plot.Title.Padding = 4
	}
	above := margin
	if len(f.Marks) > 0 {
		above = headroom
	}
	y = f.Y.shown(y, above)
	if names := f.content.labels(); names != nil {
		x = span{-0.5, float64(len(names)) - 0.5}
	} else {
		x = f.X.shown(x, margin)
	}
	p.plot.Add(slices.Concat(f.behind(x, y), content, f.inFront(x, y))...)
	// Add has extended the ranges of the axes; setAxis replaces them.
	setAxis(&p.plot.X, f.X, x)
	setAxis(&p.plot.Y, f.Y, y)
	p.plot.Y.Label.Padding = 4
	return p, nil
}

// rangeOf returns the range of the data of plotters.
func rangeOf(all []plot.Plotter) (x, y span) {
	x, y = empty, empty
	for _, p := range all {
		if p, ok := p.(plot.DataRanger); ok {
			left, right, bottom, top := p.DataRange()
			x, y = span{min(x.low, left), max(x.high, right)}, span{min(y.low, bottom), max(y.high, top)}
		}
	}
	return x, y
}

// setAxis sets range, style and ticks of an axis. Gonum's axis is linear in the scaled numbers: with its own logarithmic
// scale, it reserves space for the label of the axis as if the label were at the end.
func setAxis(g *plot.Axis, a Axis, shown span) {
	g.Min, g.Max = shown.low, shown.high
	g.Padding = 0
	g.Color, g.Width = ink, 0.7
	g.Label.Text = a.Label
	g.Label.TextStyle.Font = words(11, ink, 0, 0).Font
	g.Label.TextStyle.Color = ink
	g.Label.Padding = 3
	scale := scales[a.Scale]
	ticks := a.Scale.ticks(span{scale.back(shown.low), scale.back(shown.high)})
	for i := range ticks {
		ticks[i].Value = scale.forward(ticks[i].Value)
	}
	g.Tick.Marker = plot.ConstantTicks(ticks)
	g.Tick.Length = 4
	g.Tick.Color, g.Tick.Width = ink, 0.7
	g.Tick.Label.Font = words(9.5, ink, 0, 0).Font
	g.Tick.Label.Color = ink
}

// behind returns the grid and the diagonals, for axes with the ranges x and y.
func (f *Figure) behind(x, y span) []plot.Plotter {
	lattice := &plotter.Grid{Horizontal: solid(grid, 0.6)}
	all := []plot.Plotter{lattice}
	if names := f.content.labels(); names == nil {
		lattice.Vertical = solid(grid, 0.6)
	} else {
		for i := 1; i < len(names); i++ {
			all = append(all, vertical(float64(i)-0.5, y, solid(grid, 0.7)))
		}
	}
	if !f.Diagonal {
		return all
	}
	diagonal := func(style draw.LineStyle, shift float64) {
		all = append(all, &plotter.Line{XYs: plotter.XYs{{X: x.low, Y: x.low + shift}, {X: x.high, Y: x.high + shift}}, LineStyle: style})
	}
	diagonal(solid(quiet, 0.9), 0)
	if f.X.Scale == Log && f.Y.Scale == Log {
		diagonal(dashed(quiet, 0.5), math.Ln10)
		diagonal(dashed(quiet, 0.5), -math.Ln10)
	}
	return all
}

// vertical returns a vertical line.
func vertical(at float64, y span, style draw.LineStyle) *plotter.Line {
	return &plotter.Line{XYs: plotter.XYs{{X: at, Y: y.low}, {X: at, Y: y.high}}, LineStyle: style}
}

// inFront returns the limits and marks with their texts, for axes with the ranges x and y.
func (f *Figure) inFront(x, y span) []plot.Plotter {
	var all []plot.Plotter
	style := dashed(quiet, 0.8)
	text := func(at plotter.XY, y draw.YAlignment, offset vg.Point, s string) {
		all = append(all, &plotter.Labels{XYs: plotter.XYs{at}, Labels: []string{s}, Offset: offset,
			TextStyle: []text.Style{words(8.5, quiet, draw.XLeft, y)}})
	}
	if f.Limit > 0 {
		limit := f.scaled(f.Limit, f.Limit)
		ends := plotter.XYs{{X: x.low, Y: limit.Y}, {X: x.high, Y: limit.Y}}
		all = append(all, &plotter.Line{XYs: ends, LineStyle: style})
		text(ends[0], draw.YBottom, vg.Point{X: 3, Y: 1}, "limit")
		if f.Diagonal {
			all = append(all, vertical(limit.X, y, style))
		}
	}
	for _, m := range f.Marks {
		if at := f.scaled(m.At, 0).X; x.low <= at && at <= x.high {
			all = append(all, vertical(at, y, style))
			text(plotter.XY{X: at, Y: y.high}, draw.YTop, vg.Point{X: 3, Y: -2}, m.Text)
		}
	}
	return all
}

// setNames sets the labels of the x axis, if they are names, at 0, 1, ... Names that do not fit side by side are broken
// into lines, then set in a smaller font, then rotated.
func (p *panel) setNames(c draw.Canvas) {
	names := p.content.labels()
	if names == nil {
		return
	}
	style := &p.plot.X.Tick.Label
	width := (c.Max.X-c.Min.X)*0.9/vg.Length(len(names)) - 4
	broken := func(name string) string { return strings.Join(wrap(*style, name, width), "\n") }
	tooWide := func(name string) bool { return style.Width(broken(name)) > width }
	if slices.ContainsFunc(names, tooWide) {
		style.Font.Size = 8
	}
	gap := ""
	if slices.ContainsFunc(names, tooWide) {
		width = math.MaxFloat64
		gap = "  " // between the end of a name and the axis
		style.Rotation = math.Pi / 2
		style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	}
	lines := 0
	for _, name := range names {
		lines = max(lines, strings.Count(broken(name), "\n"))
	}
	var ticks plot.ConstantTicks
	for i, name := range names {
		label := broken(name) + gap
		// All labels have the same number of lines, because gonum's alignment depends on it. It drops empty lines.
		label += strings.Repeat("\n ", lines-strings.Count(label, "\n"))
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	p.plot.X.Tick.Marker = ticks
}
