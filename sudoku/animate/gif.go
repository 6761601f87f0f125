package animate

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math"
)

// GIF writes the film as an animated image, which begins again after its end.
// Each frame but the first has what changes alone. A frame stays for
// 1/Speed seconds, one with more than propagations twice as long.
//
// All frames are in memory at a time; an error tells if they are too large for
// that, more than 512 MB.
func (f *Recording) GIF(w io.Writer) error {
	f.check()
	frames := f.frames(cmp.Or(f.Frames, stillFrames))
	c, err := newCamera(f)
	if err != nil {
		return err
	}
	b := newBoard(f)
	for i, fr := range frames {
		if c.shoot(b, fr); c.err != nil {
			return c.err
		}
		seconds := float64(f.weight(frames, i)) / cmp.Or(f.Speed, DefaultSpeed)
		c.reel.Delay = append(c.reel.Delay, max(1, int(math.Round(100*seconds))))
	}
	return gif.EncodeAll(w, &c.reel)
}

// mostBytes is how large the frames of a GIF are together, without compression.
const mostBytes = 1 << 29

// A camera makes the frames of a GIF.
type camera struct {
	*sheet
	base    *image.RGBA // what does not change
	canvas  *raster
	before  *image.RGBA // the frame before
	palette color.Palette
	index   map[color.RGBA]uint8 // in the palette
	reel    gif.GIF
	room    int   // how many bytes there may still be
	err     error // the first
}

func newCamera(f *Recording) (*camera, error) {
	c := &camera{sheet: f.sheet(), palette: palette(), room: mostBytes, index: make(map[color.RGBA]uint8)}
	grid, err := c.picture.Image()
	if err != nil {
		return nil, err
	}
	if c.width > math.MaxUint16 || c.height > math.MaxUint16 {
		return nil, fmt.Errorf("a GIF cannot have %d x %d pixels; make cells smaller", c.width, c.height)
	}
	c.base = image.NewRGBA(image.Rect(0, 0, c.width, c.height))
	draw.Draw(c.base, c.base.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(c.base, grid.Bounds().Add(c.grid), grid, image.Point{}, draw.Src)
	still, err := newRaster(c.base)
	if err != nil {
		return nil, err
	}
	c.legend(still)
	c.canvas, err = newRaster(image.NewRGBA(c.base.Bounds()))
	if err != nil {
		return nil, err
	}
	c.canvas.restore(c.base, c.base.Bounds())
	c.before = image.NewRGBA(c.base.Bounds())
	c.reel.Config = image.Config{ColorModel: c.palette, Width: c.width, Height: c.height}
	return c, still.err
}

// shoot plays a frame and adds its image.
func (c *camera) shoot(b *board, fr frame) {
	var dirty image.Rectangle
	last := -1
	for _, change := range b.play(fr) {
		if cell := change.place / b.places(); cell != last {
			dirty = dirty.Union(c.draw(b, cell))
			last = cell
		}
	}
	moving := image.Rect(0, c.panel, c.width, c.panel+movingPart)
	c.canvas.restore(c.base, moving)
	c.read(c.canvas, b.readout(fr), float64(c.panel))
	dirty = dirty.Union(moving)
	if len(c.reel.Image) == 0 {
		dirty = c.base.Bounds()
	}
	if c.err = c.canvas.err; c.err == nil {
		c.add(dirty)
	}
}

// draw draws a cell, and returns where it is.
func (c *camera) draw(b *board, cell int) image.Rectangle {
	box := c.place(cell)
	c.canvas.restore(c.base, box)
	x, y := float64(box.Min.X), float64(box.Min.Y)
	middle := point{x + c.cell/2, y + c.cell/2}
	shown := b.shown[cell*b.places() : (cell+1)*b.places()]
	for d, mark := range shown[:b.n] {
		if mark != noMark {
			spot := c.spot(d + 1)
			c.mark(c.canvas, mark, d+1, x+spot.x, y+spot.y)
		}
	}
	if large := shown[b.n]; large != 0 {
		look, digit := split(large)
		c.digit(c.canvas, look, digit, middle.x, middle.y)
	}
	c.pointer(c.canvas, pointer(shown[b.n+1]), middle.x, middle.y)
	return box
}

// add adds a part of the canvas as a frame. Pixels that stay are transparent,
// which makes most of it one color and the file a fraction of what it would be.
func (c *camera) add(part image.Rectangle) {
	if c.room -= part.Dx() * part.Dy(); c.room < 0 {
		c.err = fmt.Errorf("the frames take more than %d MB; make cells smaller, or frames fewer", mostBytes>>20)
		return
	}
	img := image.NewPaletted(part, c.palette)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if now := c.canvas.RGBAAt(x, y); now != c.before.RGBAAt(x, y) {
				img.Pix[img.PixOffset(x, y)] = c.nearest(now)
			}
		}
	}
	draw.Draw(c.before, part, c.canvas, part.Min, draw.Src)
	c.reel.Image = append(c.reel.Image, img)
}

// nearest returns the index of the nearest color of the palette.
func (c *camera) nearest(pixel color.RGBA) uint8 {
	i, known := c.index[pixel]
	if !known {
		i = uint8(1 + c.palette[1:].Index(pixel))
		c.index[pixel] = i
	}
	return i
}

// shades is how many steps the palette has between two colors.
const shades = 14

// palette returns the colors of images: none, those used, and between each of them and
// white the shades that the edges of shapes have. 256 are the most of a GIF.
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
