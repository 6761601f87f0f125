package plot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat maps of ratios. The color shows the direction and the size, from a factor of
// 1 to 10; the number in each cell says the same in gray.

// heat is the content of a heat map.
type heat struct {
	columns, names []string
	values         [][]float64 // by row, then by column
}

// Heat returns a heat map of positive ratios, by row from top to bottom and by column.
// Blue cells are above 1, orange ones below; a ratio of exactly 1, and NaN for a missing
// one, is a white cell without a number.
func Heat(title, x, y string, columns, rows []string, values [][]float64) *Figure {
	f := newFigure(title, x, y, &heat{columns, rows, values})
	f.Width = min(14, max(7.5, 3.6+0.34*float64(len(columns))))
	f.Height = max(4, 2.6+0.2*float64(len(rows)))
	return f
}

func (p *heat) labels() []string { return p.columns }

func (p *heat) rows() []string { return p.names }

func (p *heat) check(f *Figure) error {
	if len(p.values) != len(p.names) {
		panic(fmt.Sprintf("plot: figure %q has %d rows of %d", f.Title, len(p.values), len(p.names)))
	}
	for _, row := range p.values {
		if len(row) != len(p.columns) {
			panic(fmt.Sprintf("plot: figure %q has a row of %d cells in %d columns", f.Title, len(row), len(p.columns)))
		}
		for _, v := range row {
			if !math.IsNaN(v) {
				if err := Log.check(f, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plotters returns the cells and their numbers.
func (p *heat) plotters(*Figure) ([]plot.Plotter, error) {
	var all []plot.Plotter
	var numbers plotter.Labels
	for r, row := range p.values {
		y := float64(len(p.names) - 1 - r)
		for c, v := range row {
			x := float64(c)
			fill := heatColor(v)
			all = append(all, &plotter.Polygon{
				XYs:       []plotter.XYs{{{X: x - 0.5, Y: y - 0.5}, {X: x + 0.5, Y: y - 0.5}, {X: x + 0.5, Y: y + 0.5}, {X: x - 0.5, Y: y + 0.5}}},
				Color:     fill,
				LineStyle: solid(grid, 0.5),
			})
			if math.IsNaN(v) || v == 1 {
				continue
			}
			numbers.XYs = append(numbers.XYs, plotter.XY{X: x, Y: y})
			numbers.Labels = append(numbers.Labels, ratio(v))
			numbers.TextStyle = append(numbers.TextStyle, heatText(fill))
		}
	}
	if len(numbers.XYs) > 0 {
		all = append(all, &numbers)
	}
	return all, nil
}

// ratio formats a ratio with two or three digits.
func ratio(v float64) string {
	switch {
	case v < 0.095:
		return strconv.FormatFloat(v, 'g', 1, 64)
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
}

// heatFull is the factor from which on cells have the full color.
const heatFull = 10

// heatColor returns the fill color of a ratio.
func heatColor(v float64) color.NRGBA {
	if math.IsNaN(v) || v == 1 {
		return color.NRGBA{0xff, 0xff, 0xff, 0xff}
	}
	full := colorOf(0)
	if v < 1 {
		full = color.NRGBA{0xe6, 0x8a, 0x00, 0xff}
	}
	share := math.Pow(min(1, math.Abs(math.Log(v))/math.Log(heatFull)), 0.7)
	mix := func(c uint8) uint8 { return uint8(255 - share*(255-float64(c)) + 0.5) }
	return color.NRGBA{mix(full.R), mix(full.G), mix(full.B), 0xff}
}

// heatText returns a style that can be read on a color.
func heatText(fill color.NRGBA) text.Style {
	const halfBright = 140
	tint := color.Color(ink)
	if 0.299*float64(fill.R)+0.587*float64(fill.G)+0.114*float64(fill.B) < halfBright {
		tint = color.White
	}
	return words(vg.Length(7), tint, draw.XCenter, draw.YCenter)
}

// entries explains the colors by some ratios.
func (p *heat) entries(*Figure) []entry {
	var all []entry
	for _, e := range []struct {
		name string
		at   float64
	}{{"10 or more", 10}, {"3", 3}, {"1.2", 1.2}, {"1, no number", 1}, {"0.8", 0.8}, {"0.3", 0.3}, {"0.1 or less", 0.1}} {
		all = append(all, entry{e.name, []plot.Thumbnailer{&plotter.Polygon{Color: heatColor(e.at), LineStyle: solid(quiet, 0.5)}}})
	}
	return all
}
