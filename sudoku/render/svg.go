package render

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"sator/sudoku/shapes"
)

// SVG writes the picture as a document of SVG 1.1. It uses no style sheet and
// only generic or common fonts.
func (p *Picture) SVG(w io.Writer) error {
	s := p.scene()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">`+"\n<title>", s.width, s.height)
	if err := xml.EscapeText(b, []byte(s.title)); err != nil {
		return err
	}
	b.WriteString("</title>\n")
	for _, a := range s.areas {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", a.x, a.y, a.width, a.height, shapes.Hex(a.fill))
	}
	for _, p := range s.relations.Under {
		b.WriteString(p.SVG())
	}
	for pen, strokes := range s.strokes {
		if len(strokes) > 0 {
			s.path(b, pen, strokes)
		}
	}
	for _, p := range slices.Concat(s.relations.Over, s.arrows) {
		b.WriteString(p.SVG())
	}
	for ink, labels := range s.labels {
		if len(labels) > 0 {
			s.text(b, ink, labels)
		}
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// path writes all lines of a kind.
func (s *scene) path(b *bufio.Writer, pen int, strokes []stroke) {
	look := penLook[pen]
	fmt.Fprintf(b, `<path fill="none" stroke="%s" stroke-width="%d" shape-rendering="crispEdges"`, shapes.Hex(look.color), s.widths[pen])
	if look.dash > 0 {
		fmt.Fprintf(b, ` stroke-dasharray="%d"`, look.dash)
	} else {
		b.WriteString(` stroke-linecap="square"`)
	}
	b.WriteString(` d="`)
	for i, l := range strokes {
		if i > 0 && i%8 == 0 {
			b.WriteByte('\n')
		}
		if l.y1 == l.y2 {
			fmt.Fprintf(b, "M%d %dH%d", l.x1, l.y1, l.x2)
		} else {
			fmt.Fprintf(b, "M%d %dV%d", l.x1, l.y1, l.y2)
		}
	}
	b.WriteString("\"/>\n")
}

// text writes all labels of a kind.
func (s *scene) text(b *bufio.Writer, ink int, labels []label) {
	fmt.Fprintf(b, `<g fill="%s" font-size="%s"`, shapes.Hex(inkLook[ink].color), shapes.Decimal(s.size[ink]))
	if inkLook[ink].bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteString(">\n")
	for _, l := range labels {
		fmt.Fprintf(b, `<text x="%s" y="%s">%s</text>`+"\n", shapes.Decimal(l.x), shapes.Decimal(l.y), l.text)
	}
	b.WriteString("</g>\n")
}
