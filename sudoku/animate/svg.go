package animate

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"
)

// An animated SVG has every shape once, as a symbol, and on the grid references
// to them that change with time (SMIL). What changes in the same way at the same
// times, as most of the small digits do, is one group with one animation. The
// panel is a strip with the readouts of all frames one below the other, behind a
// window along which it is moved. Where nothing moves, as on paper, the end of the
// search is seen.

// SVG writes the film as a document of SVG, which plays by itself, and again after
// its end, and needs no script.
func (f *Recording) SVG(w io.Writer) error {
	f.check()
	frames := f.frames(cmp.Or(f.Frames, defaultFrames))
	var grid bytes.Buffer
	s := f.layout()
	if err := s.picture.SVG(&grid); err != nil {
		return err
	}
	v := &svgCanvas{layout: s}
	v.open(fmt.Sprintf("The search for a solution of a Sudoku; %s", f.Caption), s.height)
	v.printf(`<svg x="%d">`+"\n%s</svg>\n", s.grid.X, &grid)
	p := newTimeline(f, frames)
	v.drawSlots(p)
	v.drawStrip(p)
	v.drawLegend(v)
	v.printf("</svg>\n")
	_, err := w.Write(v.Bytes())
	return err
}

// svgCanvas is a canvas of SVG.
type svgCanvas struct {
	*layout
	bytes.Buffer
}

func (v *svgCanvas) printf(format string, args ...any) { fmt.Fprintf(&v.Buffer, format, args...) }

// open begins a document of that height.
func (v *svgCanvas) open(title string, height int) {
	v.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="Helvetica, Arial, sans-serif" text-anchor="middle" role="img">`+"\n", v.width, height)
	v.printf("<title>%s</title>\n", escaped(title))
	v.printf(`<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", v.width, height)
}

func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a strings.Builder has no errors
	return b.String()
}

// polygon implements canvas.
func (v *svgCanvas) polygon(c color.RGBA, points ...point) {
	v.printf(`<path fill="%s" d="`, hex(c))
	for i, p := range points {
		v.printf("%c%s %s", "ML"[min(i, 1)], decimal(p.x), decimal(p.y))
	}
	v.printf(`Z"/>`)
}

// disc implements canvas.
func (v *svgCanvas) disc(c color.RGBA, x, y, radius float64) {
	v.printf(`<circle fill="%s"%s%s r="%s"/>`, hex(c), nonzero("cx", x), nonzero("cy", y), decimal(radius))
}

// text implements canvas.
func (v *svgCanvas) text(c color.RGBA, f face, x, y float64, text string) {
	v.printf(`<text fill="%s" font-size="%s"%s%s`, hex(c), decimal(f.size), nonzero("x", x), nonzero("y", y))
	if f.bold {
		v.printf(` font-weight="bold"`)
	}
	if f.left {
		v.printf(` text-anchor="start"`)
	}
	v.printf(">%s</text>", escaped(text))
}

// nonzero writes an attribute whose default is 0.
func nonzero(name string, x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, decimal(x))
}

// decimal writes a number to a hundredth of a pixel.
func decimal(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	if s = strings.TrimRight(strings.TrimRight(s, "0"), "."); s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// symbol returns the name of the symbol of a value in a place of a cell, empty
// for 0.
func symbol(n, i int, value uint16) string {
	switch {
	case value == 0:
		return ""
	case i < n:
		return fmt.Sprintf("m%d-%d", value, i+1)
	case i == n:
		style, digit := split(value)
		return fmt.Sprintf("d%d-%d", style, digit)
	}
	return fmt.Sprintf("p%d", value)
}

// symbols writes the symbols, or those of them that are used.
func (v *svgCanvas) symbols(used func(name string) bool) {
	v.printf("<defs>\n")
	write := func(name string, draw func()) {
		if used(name) {
			v.printf(`<g id="%s">`, name)
			draw()
			v.printf("</g>\n")
		}
	}
	n := v.f.Puzzle.Rules.Size()
	for digit := 1; digit <= n; digit++ {
		for m := range uint16(marks) {
			write(symbol(n, digit-1, m), func() { v.mark(v, m, digit, 0, 0) })
		}
		for style := range styles {
			write(symbol(n, n, uint16(1+style+styles*(digit-1))), func() { v.digit(v, style, digit, 0, 0) })
		}
	}
	for p := range pointers {
		write(symbol(n, n+1, uint16(p)), func() { v.pointer(v, p, 0, 0) })
	}
	v.printf("</defs>\n")
}

// A timeline has the film by places and times.
type timeline struct {
	frames   []frame
	readouts []readout
	changes  map[int][]keyframe // by place, if there ever is something
	times    []string           // of frames, as parts of the whole
	seconds  string             // of the whole
	slots    int                // of a cell
}

// A keyframe is when a place changes, as the index of a frame, and to what.
type keyframe struct {
	frame int
	value uint16
}

func newTimeline(f *Recording, frames []frame) *timeline {
	b := newBoard(f)
	p := &timeline{frames: frames, changes: make(map[int][]keyframe), slots: b.slots()}
	for i, fr := range frames {
		for _, c := range b.advance(fr) {
			p.changes[c.slot] = append(p.changes[c.slot], keyframe{i, c.value})
		}
		p.readouts = append(p.readouts, b.readout(fr))
	}
	total := 0
	for i := range frames {
		total += f.weight(frames, i)
	}
	passed := 0
	for i := range frames {
		p.times = append(p.times, decimals(float64(passed)/float64(total)))
		passed += f.weight(frames, i)
	}
	p.seconds = decimal(float64(total)/cmp.Or(f.Speed, DefaultSpeed)) + "s"
	return p
}

// decimals writes a part of the whole, which is below 1. Frames are told apart by
// 6 digits, since there are fewer than 100,000.
func decimals(part float64) string {
	return cmp.Or(strings.TrimRight(strconv.FormatFloat(part, 'f', 6, 64)[1:], ".0"), "0")
}

// animate returns an animation of an attribute, given its values and when each
// begins.
func (p *timeline) animation(attribute string, frames []int, values []string) string {
	if frames[0] != 0 {
		panic("animate: an animation without a beginning")
	}
	times := make([]string, len(frames))
	for i, frame := range frames {
		times[i] = p.times[frame]
	}
	return fmt.Sprintf(`<animate attributeName="%s" dur="%s" repeatCount="indefinite" calcMode="discrete" keyTimes="%s" values="%s"/>`,
		attribute, p.seconds, strings.Join(times, ";"), strings.Join(values, ";"))
}

// scenes writes what moves on the grid.
func (v *svgCanvas) drawSlots(p *timeline) {
	used := make(map[string]bool)
	groups := make(map[string][]int) // the places of each animation of visibility
	var order []string
	var varying []int
	n := p.slots - 2
	for place := range v.f.Puzzle.Rules.Cells() * p.slots {
		line := p.changes[place]
		for _, m := range line {
			used[symbol(n, place%p.slots, m.value)] = true
		}
		if len(line) == 0 {
			continue
		}
		if !constant(line) {
			varying = append(varying, place)
			continue
		}
		key := p.visibility(line)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], place)
	}
	v.symbols(func(name string) bool { return name != "" && used[name] })
	for _, key := range order {
		v.printf("<g%s", key)
		for _, place := range groups[key] {
			i := slices.IndexFunc(p.changes[place], func(m keyframe) bool { return m.value != 0 })
			v.use(p, place, p.changes[place][i].value)
			v.printf("/>")
		}
		v.printf("</g>\n")
	}
	for _, place := range varying {
		v.drawVarying(p, place)
	}
}

// single reports whether there never is more than one thing in a place.
func constant(line []keyframe) bool {
	what := uint16(0)
	for _, m := range line {
		if m.value != 0 {
			if what != 0 && m.value != what {
				return false
			}
			what = m.value
		}
	}
	return true
}

// visibility returns the attributes and the animation of a group that is there at
// times.
func (p *timeline) visibility(line []keyframe) string {
	states := [...]string{"hidden", "visible"}
	var frames []int
	var values []string
	if line[0].frame != 0 {
		frames, values = append(frames, 0), append(values, states[0])
	}
	for _, m := range line {
		frames, values = append(frames, m.frame), append(values, states[min(m.value, 1)])
	}
	if len(values) == 1 {
		return ">" // always there
	}
	end := ""
	if values[len(values)-1] == states[0] {
		end = ` visibility="hidden"`
	}
	return end + ">" + p.animation("visibility", frames, values)
}

// use begins a reference to a symbol in a place.
func (v *svgCanvas) use(p *timeline, place int, value uint16) {
	cell, i := place/p.slots, place%p.slots
	at := v.slotPosition(cell, i, p.slots-2)
	v.printf(`<use x="%s" y="%s"`, decimal(at.x), decimal(at.y))
	if value != 0 {
		v.printf(` href="#%s"`, symbol(p.slots-2, i, value))
	}
}

// spotIn returns where a place of a cell is.
func (s *layout) slotPosition(cell, i, n int) point {
	corner := s.cellBounds(cell).Min
	at := point{s.cell / 2, s.cell / 2}
	if i < n {
		at = s.markPosition(i + 1)
	}
	return point{float64(corner.X) + at.x, float64(corner.Y) + at.y}
}

// changing writes a place in which one thing follows another.
func (v *svgCanvas) drawVarying(p *timeline, place int) {
	line := p.changes[place]
	var frames []int
	var values []string
	if line[0].frame != 0 {
		frames, values = append(frames, 0), append(values, "#")
	}
	for _, m := range line {
		frames = append(frames, m.frame)
		values = append(values, "#"+symbol(p.slots-2, place%p.slots, m.value))
	}
	v.use(p, place, line[len(line)-1].value)
	v.printf(">%s</use>\n", p.animation("href", frames, values))
}

// strip writes the moving part of the panel. It is clipped, and not an inner svg
// element, since that would have a clock of its own.
func (v *svgCanvas) drawStrip(p *timeline) {
	v.printf(`<clipPath id="window"><rect width="%d" height="%d"/></clipPath>`+"\n", v.width, movingHeight)
	v.printf(`<g transform="translate(0 %d)" clip-path="url(#window)"><g transform="translate(0 %d)">`+"\n", v.panel, -movingHeight*(len(p.frames)-1))
	var frames []int
	var values []string
	for i := range p.frames {
		frames = append(frames, i)
		values = append(values, fmt.Sprintf("0 %d", -i*movingHeight))
	}
	moving := p.animation("transform", frames, values)
	v.printf("%s\n", strings.NewReplacer("<animate ", `<animateTransform type="translate" `).Replace(moving))
	for i, r := range p.readouts {
		v.drawReadout(v, r, float64(i*movingHeight))
		v.printf("\n")
	}
	v.printf("</g></g>\n")
}
