package render

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"sator/sudoku/shapes"
)

// maxPixels limits the size of an image. An image of this size takes 512 MB of
// memory. It is large enough for a grid of size 255 with cells of 45 pixels.
const maxPixels = 1 << 27

// PNG writes the picture as an image with digits in the Go fonts. It needs four
// bytes of memory per pixel, and returns an error for more than 2^27 pixels.
func (p *Picture) PNG(w io.Writer) error {
	img, err := p.Image()
	if err != nil {
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, img)
}

// Image returns the image that [Picture.PNG] writes.
func (p *Picture) Image() (*image.RGBA, error) {
	s := p.scene()
	if int64(s.width)*int64(s.height) > maxPixels {
		return nil, fmt.Errorf("an image of %d x %d pixels is too large: use smaller cells", s.width, s.height)
	}
	img := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	for _, a := range s.areas {
		fill(img, image.Rect(a.x, a.y, a.x+a.width, a.y+a.height), a.fill)
	}
	fillPolygons(img, s.relations.Under)
	for pen, strokes := range s.strokes {
		for _, l := range strokes {
			drawStroke(img, l, s.widths[pen], penLook[pen].dash, penLook[pen].color)
		}
	}
	fillPolygons(img, s.relations.Over)
	fillPolygons(img, s.arrows)
	for ink, labels := range s.labels {
		if err := drawLabels(img, labels, s.size[ink], inkLook[ink].bold, inkLook[ink].color); err != nil {
			return nil, err
		}
	}
	return img, nil
}

// CellBounds returns the rectangle of a cell in SVG and in images, in pixels.
func (p *Picture) CellBounds(cell int) image.Rectangle {
	p.check()
	at, side := p.Puzzle.Rules.Plan().Place(cell), cmp.Or(p.Cell, p.defaultCellSize())
	corner := image.Pt(margin(side)+at.Col*side, margin(side)+at.Row*side)
	return image.Rectangle{corner, corner.Add(image.Pt(side, side))}
}

// fillPolygons draws polygons on an image.
func fillPolygons(img *image.RGBA, polygons []shapes.Polygon) {
	for _, p := range polygons {
		bounds := image.Rectangle{Min: img.Rect.Max}
		for _, at := range p.Points {
			bounds.Min.X, bounds.Min.Y = min(bounds.Min.X, int(at[0])), min(bounds.Min.Y, int(at[1]))
			bounds.Max.X, bounds.Max.Y = max(bounds.Max.X, int(at[0])+2), max(bounds.Max.Y, int(at[1])+2)
		}
		z := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
		for i, at := range p.Points {
			x, y := float32(at[0]-float64(bounds.Min.X)), float32(at[1]-float64(bounds.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
		z.Draw(img, bounds, image.NewUniform(p.Fill), image.Point{})
	}
}

func fill(img draw.Image, r image.Rectangle, c color.Color) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// drawStroke draws a line. A solid line is extended by its width so that lines
// meet without a notch.
func drawStroke(img draw.Image, l stroke, width, dash int, c color.Color) {
	r := image.Rect(l.x1, l.y1, l.x2, l.y2)
	before, after := width/2, width-width/2
	if dash == 0 {
		fill(img, image.Rect(r.Min.X-before, r.Min.Y-before, r.Max.X+after, r.Max.Y+after), c)
		return
	}
	if l.y1 == l.y2 {
		for x := l.x1; x < l.x2; x += 2 * dash {
			fill(img, image.Rect(x, l.y1-before, min(x+dash, l.x2), l.y1+after), c)
		}
		return
	}
	for y := l.y1; y < l.y2; y += 2 * dash {
		fill(img, image.Rect(l.x1-before, y, l.x1+after, min(y+dash, l.y2)), c)
	}
}

// drawLabels draws labels of one kind.
func drawLabels(img draw.Image, labels []label, size float64, bold bool, c color.Color) error {
	if len(labels) == 0 {
		return nil
	}
	face, err := newFace(size, bold)
	if err != nil {
		return err
	}
	defer face.Close()
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: face}
	for _, l := range labels {
		d.Dot = fixed.Point26_6{X: toFixed(l.x) - d.MeasureString(l.text)/2, Y: toFixed(l.y)}
		d.DrawString(l.text)
	}
	return nil
}

// toFixed converts a coordinate.
func toFixed(x float64) fixed.Int26_6 { return fixed.Int26_6(x * 64) }

func newFace(size float64, bold bool) (font.Face, error) {
	ttf := goregular.TTF
	if bold {
		ttf = gobold.TTF
	}
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
}
