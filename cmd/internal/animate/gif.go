package animate

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math"

	"sator/cmd/internal/film"
)

// GIF writes the recording as an animated image that repeats. Each frame after
// the first contains the changed part of the image only. A frame is shown for
// 1/Speed seconds, and twice as long if it has an event other than a
// propagation or pure literal.
//
// All frames are in memory at the same time. GIF returns an error if they
// exceed 512 MB.
func (f *Recording) GIF(w io.Writer) error {
	f.check()
	c, err := newGIFEncoder(f)
	if err != nil {
		return err
	}
	b := film.NewBoard(f.Recording)
	frames, speed := f.play(defaultFrames)
	for _, fr := range frames {
		if c.addFrame(b, fr); c.err != nil {
			return c.err
		}
		seconds := float64(fr.Weight) / speed
		c.out.Delay = append(c.out.Delay, max(1, int(math.Round(100*seconds))))
	}
	return gif.EncodeAll(w, &c.out)
}

// maxBytes is the largest total size of the frames of a GIF, without compression.
const maxBytes = 1 << 29

// A gifEncoder draws the frames of a GIF.
type gifEncoder struct {
	*layout
	base     *image.RGBA // the part of the image that all frames share
	canvas   *raster     // the current frame
	previous *image.RGBA // the previous frame
	palette  color.Palette
	index    map[color.RGBA]uint8 // by color: the index of the nearest color in palette
	out      gif.GIF
	memory   int   // bytes left of maxBytes
	err      error // the first error
}

func newGIFEncoder(f *Recording) (*gifEncoder, error) {
	c := &gifEncoder{layout: f.layout(), palette: palette(), memory: maxBytes, index: make(map[color.RGBA]uint8)}
	grid, err := c.picture.Image()
	if err != nil {
		return nil, err
	}
	if c.width > math.MaxUint16 || c.height > math.MaxUint16 {
		return nil, fmt.Errorf("a GIF cannot have %d x %d pixels; use smaller cells", c.width, c.height)
	}
	c.base = image.NewRGBA(image.Rect(0, 0, c.width, c.height))
	draw.Draw(c.base, c.base.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(c.base, grid.Bounds().Add(c.grid), grid, image.Point{}, draw.Src)
	still, err := newRaster(c.base)
	if err != nil {
		return nil, err
	}
	c.drawLegend(still)
	c.canvas, err = newRaster(image.NewRGBA(c.base.Bounds()))
	if err != nil {
		return nil, err
	}
	c.canvas.restore(c.base, c.base.Bounds())
	c.previous = image.NewRGBA(c.base.Bounds())
	c.out.Config = image.Config{ColorModel: c.palette, Width: c.width, Height: c.height}
	return c, still.err
}

// addFrame advances the board by a frame and adds its image.
func (c *gifEncoder) addFrame(b *film.Board, fr film.Frame) {
	var dirty image.Rectangle
	last := -1
	for _, change := range b.Advance(fr) {
		if cell := change.Slot / b.Slots(); cell != last {
			dirty = dirty.Union(c.drawCell(b, cell))
			last = cell
		}
	}
	moving := image.Rect(0, c.panel, c.width, c.panel+movingHeight)
	c.canvas.restore(c.base, moving)
	c.drawReadout(c.canvas, b.Readout(fr), float64(c.panel))
	dirty = dirty.Union(moving)
	if len(c.out.Image) == 0 {
		dirty = c.base.Bounds()
	}
	if c.err = c.canvas.err; c.err == nil {
		c.addImage(dirty)
	}
}

// drawCell draws a cell and returns its bounds.
func (c *gifEncoder) drawCell(b *film.Board, cell int) image.Rectangle {
	box := c.cellBounds(cell)
	c.canvas.restore(c.base, box)
	x, y := float64(box.Min.X), float64(box.Min.Y)
	middle := point{x + c.cell/2, y + c.cell/2}
	shown := b.Shown(cell)
	n := len(shown) - 2
	for d, mark := range shown[:n] {
		if mark != film.NoMark {
			at := c.markPosition(d + 1)
			c.mark(c.canvas, mark, d+1, x+at.x, y+at.y)
		}
	}
	if value := shown[n]; value != 0 {
		style, digit := film.Split(value)
		c.digit(c.canvas, style, digit, middle.x, middle.y)
	}
	c.pointer(c.canvas, film.Pointer(shown[n+1]), middle.x, middle.y)
	return box
}

// addImage adds a part of the canvas as a frame. Unchanged pixels are transparent, so
// most pixels have the same color, and the file is several times smaller.
func (c *gifEncoder) addImage(part image.Rectangle) {
	if c.memory -= part.Dx() * part.Dy(); c.memory < 0 {
		c.err = fmt.Errorf("the frames take more than %d MB; use smaller cells or fewer frames", maxBytes>>20)
		return
	}
	img := image.NewPaletted(part, c.palette)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if now := c.canvas.RGBAAt(x, y); now != c.previous.RGBAAt(x, y) {
				img.Pix[img.PixOffset(x, y)] = c.nearest(now)
			}
		}
	}
	draw.Draw(c.previous, part, c.canvas, part.Min, draw.Src)
	c.out.Image = append(c.out.Image, img)
}

// nearest returns the index of the nearest color of the palette.
func (c *gifEncoder) nearest(pixel color.RGBA) uint8 {
	i, known := c.index[pixel]
	if !known {
		i = uint8(1 + c.palette[1:].Index(pixel))
		c.index[pixel] = i
	}
	return i
}

// shades is the number of shades of a color in the palette.
const shades = 14

// palette returns the palette of the images: transparency, grays, and shades of the
// colors of shapes for antialiased edges. A GIF allows 256 colors.
func palette() color.Palette {
	p := color.Palette{color.RGBA{}}
	for i := range 32 {
		y := uint8(i * 255 / 31)
		p = append(p, color.RGBA{y, y, y, 0xff})
	}
	for _, c := range []color.RGBA{blue, vermillion, green, slate, {0x15, 0x50, 0xc0, 0xff}} {
		for i := range shades {
			part := func(v uint8) uint8 { return uint8(255 - (255-int(v))*(shades-i)/shades) }
			p = append(p, color.RGBA{part(c.R), part(c.G), part(c.B), 0xff})
		}
	}
	return append(p, color.RGBA{0xe6, 0xe6, 0xe6, 0xff}, color.RGBA{0xd0, 0xd0, 0xd0, 0xff}, color.RGBA{0x99, 0x99, 0x99, 0xff}, faint)
}
