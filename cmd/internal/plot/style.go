package plot

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette has the colors of Okabe and Ito (Color universal design, 2008), ordered so that consecutive colors differ
// most. Their yellow is replaced by gray, because it is hard to see on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x00, 0x00, 0xff}, // black
	{0x7f, 0x7f, 0x7f, 0xff}, // gray
}

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff} // text and axes
	quiet = color.NRGBA{0x66, 0x66, 0x66, 0xff} // notes, limits and marks
	grid  = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// glyphs are the shapes of marks, filled and hollow.
var glyphs = [][2]draw.GlyphDrawer{
	{draw.CircleGlyph{}, draw.RingGlyph{}},
	{draw.PyramidGlyph{}, draw.TriangleGlyph{}},
	{draw.BoxGlyph{}, draw.SquareGlyph{}},
	{polygonGlyph{diamond, true}, polygonGlyph{diamond, false}},
	{polygonGlyph{downward, true}, polygonGlyph{downward, false}},
}

// A polygonGlyph is a mark with corners at multiples of the radius, filled or hollow.
type polygonGlyph struct {
	corners []vg.Point
	filled  bool
}

var (
	diamond  = []vg.Point{{X: 0, Y: 1.3}, {X: 1.1, Y: 0}, {X: 0, Y: -1.3}, {X: -1.1, Y: 0}}
	downward = []vg.Point{{X: 0, Y: -1.1}, {X: 1.1, Y: 0.8}, {X: -1.1, Y: 0.8}}
)

// DrawGlyph implements draw.GlyphDrawer.
func (g polygonGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetColor(style.Color)
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: vg.Points(0.5)})
	var p vg.Path
	for i, corner := range g.corners {
		to := vg.Point{X: at.X + corner.X*style.Radius, Y: at.Y + corner.Y*style.Radius}
		if i == 0 {
			p.Move(to)
			continue
		}
		p.Line(to)
	}
	p.Close()
	if g.filled {
		c.Fill(p)
		return
	}
	c.Stroke(p)
}

// dashes are the patterns of lines.
var dashes = [][]vg.Length{nil, {6, 2.5}, {1.5, 2}, {8, 2, 1.5, 2}, {3, 2}}

// glyphOf returns the mark of series i, hollow for a value at a limit.
func glyphOf(i int, tint color.Color, hollow bool) draw.GlyphStyle {
	shape := glyphs[i%len(glyphs)][0]
	if hollow {
		shape = glyphs[i%len(glyphs)][1]
	}
	return draw.GlyphStyle{Color: tint, Radius: 2.4, Shape: shape}
}

// colorOf returns the color of series i.
func colorOf(i int) color.NRGBA { return palette[i%len(palette)] }

// withOpacity returns a color with an opacity from 0 to 1.
func withOpacity(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// fillOf returns the fill color of the boxes of group i. Groups with the same color differ in opacity.
func fillOf(i int) color.NRGBA {
	opacities := []float64{0.35, 0.85, 0.08}
	return withOpacity(colorOf(i), opacities[i/len(palette)%len(opacities)])
}

// lineOf returns the line style of series i.
func lineOf(i int) draw.LineStyle {
	return draw.LineStyle{Color: colorOf(i), Width: 1.6, Dashes: dashes[i%len(dashes)]}
}

func solid(tint color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: tint, Width: width}
}

func dashed(tint color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: tint, Width: width, Dashes: []vg.Length{4, 3}}
}

// words returns a text style.
func words(size vg.Length, tint color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	face := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	return text.Style{Color: tint, Font: face, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// wrap breaks a text at spaces into lines of a maximum width. A longer word has a line of its own.
func wrap(style text.Style, s string, width vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if last := len(lines) - 1; last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
