package plot

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette has the colors of Okabe and Ito in an order that puts those beside each other that differ most, without their
// yellow, which is hard to see on white, and with a gray.
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
	faint = color.NRGBA{0x60, 0x60, 0x60, 0x38} // one line of many
	veil  = color.NRGBA{0xff, 0xff, 0xff, 0xc8} // behind text that lies over data
)

// shapes are the corners of the marks of series, in units of a radius; a circle has none. Areas are about the same.
var shapes = [][]vg.Point{
	nil,
	{{X: 0, Y: 1.3}, {X: -1.13, Y: -0.65}, {X: 1.13, Y: -0.65}},
	{{X: 0, Y: 1.25}, {X: 1.25, Y: 0}, {X: 0, Y: -1.25}, {X: -1.25, Y: 0}},
	{{X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}},
	{{X: 0, Y: -1.3}, {X: -1.13, Y: 0.65}, {X: 1.13, Y: 0.65}},
}

// dashes are the patterns of lines.
var dashes = [][]vg.Length{nil, {6, 2.5}, {1.5, 2}, {8, 2, 1.5, 2}, {3, 2}}

// colorOf returns the color of series i.
func colorOf(i int) color.NRGBA { return palette[i%len(palette)] }

// through returns a color of which so much, 0 to 1, is left.
func through(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// fillOf returns the color within the box of group i: where colors come again, they are denser, then fainter.
func fillOf(i int) color.NRGBA {
	densities := []float64{0.35, 0.85, 0.08}
	return through(colorOf(i), densities[i/len(palette)%len(densities)])
}

func lineOf(i int) draw.LineStyle {
	return draw.LineStyle{Color: colorOf(i), Width: 1.6, Dashes: dashes[i%len(dashes)]}
}

// radius is that of marks, in points.
const radius = 2.4

// drawMark draws the mark of series i, hollow for what reached a limit.
func drawMark(c *draw.Canvas, i int, tint color.NRGBA, hollow bool, at vg.Point) {
	var path vg.Path
	corners := shapes[i%len(shapes)]
	if corners == nil {
		path.Move(vg.Point{X: at.X + radius, Y: at.Y})
		path.Arc(at, radius, 0, 2*math.Pi)
	}
	for k, p := range corners {
		p = at.Add(p.Scale(radius))
		if k == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
	if hollow {
		c.SetLineStyle(draw.LineStyle{Color: tint, Width: 0.9})
		c.Stroke(path)
		return
	}
	c.SetColor(tint)
	c.Fill(path)
}

// words returns the style of text.
func words(size vg.Length, tint color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	face := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	return text.Style{Color: tint, Font: face, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// wrap breaks a text into lines at most so wide, at spaces; a longer word stays whole.
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
