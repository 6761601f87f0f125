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
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Layout, from the outside: an edge; the title above and the note below, over the whole width; the legend as a column on
// the right, outside the axes so that it hides nothing; the panels in what is left, one beneath the other and with axes
// of the same width.

const (
	edge         = 8   // around all, in points
	legendGap    = 12  // between axes and legend
	legendThumb  = 20  // width of what stands for a series
	legendSpace  = 6   // between that and its name
	legendSkip   = 3   // between entries
	legendWidest = 130 // of a name, before it is broken into lines
	leading      = 1.25
	dotsPerInch  = 144
)

// A layer draws something between the axes, given the way from numbers to positions.
type layer func(c *draw.Canvas, x, y func(float64) vg.Length)

// A scaled layer is one of a figure with certain scales. Gonum's axes are linear throughout, in what a scale makes of
// numbers: its own logarithmic ones reserve room for the label of the axis as if that were at the end.
type scaledLayer struct {
	*Figure
	layer
}

// Plot implements plot.Plotter.
func (l scaledLayer) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	l.layer(&c,
		func(v float64) vg.Length { return x(scales[l.X.Scale].forward(v)) },
		func(v float64) vg.Length { return y(scales[l.Y.Scale].forward(v)) })
}

// An entry is a line of the legend.
type entry struct {
	name  string
	thumb func(c *draw.Canvas)
}

// A panel is a figure with its gonum plot, ready to be drawn.
type panel struct {
	*Figure
	plot   *plot.Plot
	legend []entry
}

// SVG writes the figure as a scalable drawing, with its title as the title of the document. The error is that of w, or
// tells which number cannot be shown.
func (f *Figure) SVG(w io.Writer) error {
	canvas := vgsvg.NewWith(vgsvg.UseWH(f.size()))
	if err := f.draw(draw.New(canvas)); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	// The typeface is given alone, and few computers have it.
	svg := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"))
	const root = `xmlns:xlink="http://www.w3.org/1999/xlink">` + "\n"
	title := root + "<title>" + html.EscapeString(f.Title) + "</title>\n"
	_, err := w.Write(bytes.Replace(svg, []byte(root), []byte(title), 1))
	return err
}

// PNG writes the figure as a picture of 144 dots per inch. The error is that of w, or tells which number cannot be
// shown.
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

// drawText draws title and note, and returns the room between them.
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

// drawPanels draws panels one beneath the other, with their legends in one column. If all are the
// same, there is one.
func drawPanels(c draw.Canvas, panels []*panel) {
	var legend vg.Length
	var plots [][]*plot.Plot
	for i, p := range panels {
		if i > 0 && slices.Equal(p.names(), panels[0].names()) {
			p.legend = nil // that of the first panel is beside all of them
		}
		legend = max(legend, p.legendWidth())
		plots = append(plots, []*plot.Plot{p.plot})
	}
	inner := draw.Crop(c, 0, -legend, 0, 0)
	for _, p := range panels {
		p.setNames(inner)
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadY: 10}
	for i, row := range plot.Align(plots, tiles, inner) {
		p, room := panels[i], row[0]
		if p.Diagonal {
			room = square(p.plot, room)
		}
		p.plot.Draw(room)
		data := p.plot.DataCanvas(room)
		p.drawLegend(c, data.Max.X+legendGap, data.Max.Y)
	}
}

// square returns the part of c in which the axes of p span a square.
func square(p *plot.Plot, c draw.Canvas) draw.Canvas {
	data := p.DataCanvas(c)
	size := data.Size()
	if size.X > size.Y {
		return draw.Crop(c, 0, size.Y-size.X, 0, 0)
	}
	return draw.Crop(c, 0, 0, 0, size.X-size.Y)
}

// prepare makes a gonum plot of a figure without panels; within a stack it has its title on it.
func (f *Figure) prepare(stacked bool) (*panel, error) {
	if err := f.content.check(f); err != nil {
		return nil, err
	}
	x, y := f.content.extent(f)
	if x.isEmpty() || y.isEmpty() {
		return nil, fmt.Errorf("plot: figure %q has nothing to show", f.Title)
	}
	if f.Limit > 0 {
		y.add(f.Limit)
	}
	if f.Diagonal {
		y.add(x.low)
		y.add(x.high)
		x = y
	}
	p := &panel{Figure: f, plot: plot.New()}
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
	if f.content.labels() == nil {
		x = f.X.shown(x, margin)
	}
	style(&p.plot.X, f.X, x)
	style(&p.plot.Y, f.Y, y)
	p.plot.Y.Label.Padding = 4
	content, legend := f.content.layer(f)
	p.legend = legend
	for _, l := range []layer{f.behind(x, y), content, f.inFront()} {
		p.plot.Add(scaledLayer{f, l})
	}
	return p, nil
}

// style sets an axis of gonum's up as that of a figure.
func style(g *plot.Axis, a Axis, shown span) {
	forward := scales[a.Scale].forward
	g.Min, g.Max = forward(shown.low), forward(shown.high)
	g.Padding = 0
	g.Color, g.Width = ink, 0.7
	g.Label.Text = a.Label
	g.Label.TextStyle.Font = words(11, ink, 0, 0).Font
	g.Label.TextStyle.Color = ink
	g.Label.Padding = 3
	marks := a.Scale.ticks(shown)
	for i := range marks {
		marks[i].Value = forward(marks[i].Value)
	}
	g.Tick.Marker = plot.ConstantTicks(marks)
	g.Tick.Length = 4
	g.Tick.Color, g.Tick.Width = ink, 0.7
	g.Tick.Label.Font = words(9.5, ink, 0, 0).Font
	g.Tick.Label.Color = ink
}

// behind is the layer of the grid and the diagonals, of axes that show these ranges.
func (f *Figure) behind(xs, ys span) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		line := hair(grid, 0.6)
		for _, t := range f.Y.Scale.ticks(ys) {
			if t.Label != "" {
				c.StrokeLine2(line, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
			}
		}
		if f.content.labels() == nil {
			for _, t := range f.X.Scale.ticks(xs) {
				if t.Label != "" {
					c.StrokeLine2(line, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
				}
			}
		}
		if !f.Diagonal {
			return
		}
		diagonal := func(style draw.LineStyle, factor float64) {
			ends := []vg.Point{{X: x(xs.low), Y: y(xs.low * factor)}, {X: x(xs.high), Y: y(xs.high * factor)}}
			c.StrokeLines(style, c.ClipLinesXY(ends)...)
		}
		diagonal(hair(quiet, 0.9), 1)
		if f.X.Scale == Log && f.Y.Scale == Log {
			diagonal(dashed(quiet, 0.5), 10)
			diagonal(dashed(quiet, 0.5), 0.1)
		}
	}
}

// inFront is the layer of limits and marks.
func (f *Figure) inFront() layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		small := words(8.5, quiet, draw.XLeft, draw.YBottom)
		if f.Limit > 0 {
			at := y(f.Limit)
			c.StrokeLine2(dashed(quiet, 0.8), c.Min.X, at, c.Max.X, at)
			c.FillText(small, vg.Point{X: c.Min.X + 3, Y: at + 1}, "limit")
			if f.Diagonal {
				at := x(f.Limit)
				c.StrokeLine2(dashed(quiet, 0.8), at, c.Min.Y, at, c.Max.Y)
			}
		}
		small.YAlign = draw.YTop
		for _, m := range f.Marks {
			at := x(m.At)
			if !c.ContainsX(at) {
				continue
			}
			c.StrokeLine2(dashed(quiet, 0.8), at, c.Min.Y, at, c.Max.Y)
			left := at + 3
			if width := small.Width(m.Text); left+width > c.Max.X {
				left = at - 3 - width
			}
			corner := vg.Point{X: left, Y: c.Max.Y - 2}
			c.FillPolygon(veil, corners(small.Rectangle(m.Text).Add(corner)))
			c.FillText(small, corner, m.Text)
		}
	}
}

// setNames puts the names of the x axis, if it has any, at 0, 1, ..., in several lines where they do not fit side by
// side, smaller if that does not suffice, and upright as the last resort.
func (p *panel) setNames(c draw.Canvas) {
	names := p.content.labels()
	if names == nil {
		return
	}
	style := &p.plot.X.Tick.Label
	room := (c.Max.X-c.Min.X)*0.9/vg.Length(len(names)) - 4
	width := func(name string) vg.Length { return style.Width(strings.Join(wrap(*style, name, room), "\n")) }
	tooWide := func(name string) bool { return width(name) > room }
	if slices.ContainsFunc(names, tooWide) {
		style.Font.Size = 8
	}
	gap := ""
	if slices.ContainsFunc(names, tooWide) {
		room = math.MaxFloat64
		gap = "  " // between the end of a name and the axis
		style.Rotation = math.Pi / 2
		style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	}
	labels := make([]string, len(names))
	most := 0
	for i, name := range names {
		labels[i] = strings.Join(wrap(*style, name, room), "\n") + gap
		most = max(most, strings.Count(labels[i], "\n"))
	}
	var marks []plot.Tick
	for i, label := range labels {
		// As many lines in each: gonum aligns them by a height that depends on their number. It drops empty ones.
		label += strings.Repeat("\n ", most-strings.Count(label, "\n"))
		marks = append(marks, plot.Tick{Value: float64(i), Label: label})
	}
	p.plot.X.Tick.Marker = plot.ConstantTicks(marks)
}

// legendText is the style of names in the legend, and legendLine the height of a line of it.
func legendText() (style text.Style, legendLine vg.Length) {
	style = words(10, ink, draw.XLeft, draw.YCenter)
	return style, style.Font.Size * leading
}

// lines returns the lines of a name in the legend.
func (e entry) lines() []string {
	style, _ := legendText()
	return wrap(style, e.name, legendWidest)
}

// names returns the names in the legend.
func (p *panel) names() []string {
	var names []string
	for _, e := range p.legend {
		names = append(names, e.name)
	}
	return names
}

func (p *panel) legendWidth() vg.Length {
	style, _ := legendText()
	width := vg.Length(0)
	for _, e := range p.legend {
		for _, line := range e.lines() {
			width = max(width, legendGap+legendThumb+legendSpace+style.Width(line))
		}
	}
	return width
}

func (p *panel) legendHeight() vg.Length {
	_, height := legendText()
	sum := vg.Length(0)
	for _, e := range p.legend {
		sum += vg.Length(len(e.lines()))*height + legendSkip
	}
	return sum
}

// drawLegend draws the legend with its upper left corner at (x, y).
func (p *panel) drawLegend(c draw.Canvas, x, y vg.Length) {
	style, height := legendText()
	y -= height / 2
	for _, e := range p.legend {
		thumb := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - height/3}, Max: vg.Point{X: x + legendThumb, Y: y + height/3},
		}}
		e.thumb(&thumb)
		for _, line := range e.lines() {
			c.FillText(style, vg.Point{X: x + legendThumb + legendSpace, Y: y + 1}, line)
			y -= height
		}
		y -= legendSkip
	}
}

// swatch is what stands for group i of boxes.
func swatch(i int) func(c *draw.Canvas) {
	return func(c *draw.Canvas) {
		middle := c.Center()
		square := corners(vg.Rectangle{Min: vg.Point{X: middle.X - 6, Y: c.Min.Y}, Max: vg.Point{X: middle.X + 6, Y: c.Max.Y}})
		c.FillPolygon(fillOf(i), square)
		c.StrokeLines(hair(colorOf(i), 0.9), square)
	}
}

// corners returns the closed outline of a rectangle.
func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
}

func hair(tint color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: tint, Width: width}
}

func dashed(tint color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: tint, Width: width, Dashes: []vg.Length{4, 3}}
}

// dot draws a small disk.
func dot(c *draw.Canvas, tint color.Color, radius vg.Length, at vg.Point) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: tint, Radius: radius, Shape: draw.CircleGlyph{}}, at)
}
