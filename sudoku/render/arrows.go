package render

import (
	"image/color"
	"math"

	"sator/sudoku/shapes"
)

// Arrows from mark to mark are the links of a chain, as polygons that SVG and PNG fill in the same way. They end
// beside the marks and lie under the digits.

// arrowColor leaves digits legible.
var arrowColor = color.RGBA{0x9a, 0x3c, 0xb4, 0xff}

// addArrows adds the links of the highlight.
func (s *sceneBuilder) addArrows() {
	if h := s.p.Highlight; h != nil {
		for _, link := range h.Strong {
			s.addArrow(link, 0)
		}
		for _, link := range h.Weak {
			s.addArrow(link, 3)
		}
	}
}

// addArrow adds an arrow between two marks, with dashes of a length in widths, or 0 for a solid line.
func (s *sceneBuilder) addArrow(link [2]int, dash float64) {
	ax, ay, wide, high := s.markPlace(link[0])
	bx, by, _, _ := s.markPlace(link[1])
	length := math.Hypot(bx-ax, by-ay)
	dx, dy := (bx-ax)/length, (by-ay)/length
	width, gap := max(1, high/9), min(0.55*high, length/4)
	ax, ay = ax+wide/2+dx*gap, ay+high/2+dy*gap
	length -= 2 * gap
	head := min(3.5*width, length)
	at := func(along, aside float64) [2]float64 {
		return [2]float64{ax + dx*along - dy*aside, ay + dy*along + dx*aside}
	}
	add := func(points ...[2]float64) {
		s.arrows = append(s.arrows, shapes.Polygon{Points: points, Fill: arrowColor})
	}
	step := length
	if dash > 0 {
		step = dash * width
	}
	for from := 0.0; from < length-head; from += 2 * step {
		to := min(from+step, length-head)
		add(at(from, -width/2), at(to, -width/2), at(to, width/2), at(from, width/2))
	}
	add(at(length, 0), at(length-head, -head/2), at(length-head, head/2))
}
