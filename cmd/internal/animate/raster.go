package animate

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A raster is a canvas of pixels.
type raster struct {
	*image.RGBA
	fonts [2]*opentype.Font // regular and bold
	faces map[face]font.Face
	fill  vector.Rasterizer
	err   error // the last error of a face
}

func newRaster(img *image.RGBA) (*raster, error) {
	r := &raster{RGBA: img, faces: make(map[face]font.Face)}
	for i, ttf := range [...][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		r.fonts[i] = f
	}
	return r, nil
}

// polygon implements canvas.
func (r *raster) polygon(c color.RGBA, points ...point) {
	r.shape(c, points, func(at func(point) (x, y float32)) {
		r.fill.MoveTo(at(points[0]))
		for _, p := range points[1:] {
			r.fill.LineTo(at(p))
		}
	})
}

// kappa is the distance of the control points of a cubic Bézier curve that
// approximates a quarter of a unit circle, to 0.03 %.
const kappa = 0.5523

// disc implements canvas.
func (r *raster) disc(c color.RGBA, x, y, radius float64) {
	bounds := []point{{x - radius, y - radius}, {x + radius, y + radius}}
	r.shape(c, bounds, func(at func(point) (x, y float32)) {
		r.fill.MoveTo(at(point{x + radius, y}))
		dx, dy := 1.0, 0.0
		for range 4 {
			nx, ny := -dy, dx // a quarter further
			x1, y1 := at(point{x + radius*(dx+kappa*nx), y + radius*(dy+kappa*ny)})
			x2, y2 := at(point{x + radius*(nx+kappa*dx), y + radius*(ny+kappa*dy)})
			x3, y3 := at(point{x + radius*nx, y + radius*ny})
			r.fill.CubeTo(x1, y1, x2, y2, x3, y3)
			dx, dy = nx, ny
		}
	})
}

// shape fills an outline within the bounding box of some points.
func (r *raster) shape(c color.RGBA, points []point, outline func(at func(point) (x, y float32))) {
	low, high := points[0], points[0]
	for _, p := range points {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	corner := image.Pt(int(math.Floor(low.x)), int(math.Floor(low.y)))
	r.fill.Reset(int(math.Ceil(high.x))-corner.X, int(math.Ceil(high.y))-corner.Y)
	outline(func(p point) (x, y float32) {
		return float32(p.x - float64(corner.X)), float32(p.y - float64(corner.Y))
	})
	r.fill.ClosePath()
	box := image.Rectangle{corner, corner.Add(r.fill.Size())}
	r.fill.Draw(r.RGBA, box, image.NewUniform(c), image.Point{})
}

// text implements canvas.
func (r *raster) text(c color.RGBA, f face, x, y float64, text string) {
	ttf, err := r.face(f)
	if err != nil {
		r.err = err
		return
	}
	d := font.Drawer{Dst: r.RGBA, Src: image.NewUniform(c), Face: ttf}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(math.Round(y) * 64)}
	if !f.left {
		d.Dot.X -= d.MeasureString(text) / 2
	}
	d.DrawString(text)
}

func (r *raster) face(f face) (font.Face, error) {
	f.left = false
	if ready := r.faces[f]; ready != nil {
		return ready, nil
	}
	weight := 0
	if f.bold {
		weight = 1
	}
	made, err := opentype.NewFace(r.fonts[weight], &opentype.FaceOptions{Size: f.size, DPI: 72, Hinting: font.HintingFull})
	if err == nil {
		r.faces[f] = made
	}
	return made, err
}

// restore copies a part of the base image.
func (r *raster) restore(base *image.RGBA, part image.Rectangle) {
	draw.Draw(r.RGBA, part, base, part.Min, draw.Src)
}
