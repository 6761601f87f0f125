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

	"sator/cmd/internal/film"
)

// An animated SVG has each shape once, as a symbol. The grid consists of
// references to symbols that SMIL animations change. Slots whose visibility has
// the same animation form one group, as most marks do. The panel is a strip
// with the readouts of all frames, one below the other, that moves behind a
// window. A viewer without animations, or a printer, shows the end of the
// search.

// SVG writes the recording as an SVG document with SMIL animations, which repeats
// and needs no script.
func (f *Recording) SVG(w io.Writer) error {
	f.check()
	frames, speed := f.play(defaultFrames)
	var grid bytes.Buffer
	s := f.layout()
	if err := s.picture.SVG(&grid); err != nil {
		return err
	}
	v := &svgCanvas{layout: s}
	v.open(fmt.Sprintf("The search for a solution of a Sudoku; %s", f.Caption), s.height)
	v.printf(`<svg x="%d">`+"\n%s</svg>\n", s.grid.X, &grid)
	p := newTimeline(f, frames, speed)
	v.drawSlots(p)
	v.drawStrip(p)
	v.drawLegend(v)
	v.printf("</svg>\n")
	_, err := w.Write(v.Bytes())
	return err
}

// An svgCanvas is a canvas of SVG.
type svgCanvas struct {
	*layout
	bytes.Buffer
}

func (v *svgCanvas) printf(format string, args ...any) { fmt.Fprintf(&v.Buffer, format, args...) }

// open begins a document.
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

// nonzero returns an attribute, or an empty string for 0, the default of the
// attribute.
func nonzero(name string, x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, decimal(x))
}

// decimal returns a number in pixels, with at most two decimals.
func decimal(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	if s = strings.TrimRight(strings.TrimRight(s, "0"), "."); s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// symbol returns the name of the symbol for a value of slot i of a cell, in a
// grid of size n. The name is empty for value 0.
func symbol(n, i int, value uint16) string {
	switch {
	case value == 0:
		return ""
	case i < n:
		return fmt.Sprintf("m%d-%d", value, i+1)
	case i == n:
		style, digit := film.Split(value)
		return fmt.Sprintf("d%d-%d", style, digit)
	}
	return fmt.Sprintf("p%d", value)
}

// symbols defines all symbols for which used returns true.
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
		for m := range uint16(film.Marks) {
			write(symbol(n, digit-1, m), func() { v.mark(v, m, digit, 0, 0) })
		}
		for style := range film.Styles {
			write(symbol(n, n, uint16(1+style+film.Styles*(digit-1))), func() { v.digit(v, style, digit, 0, 0) })
		}
	}
	for p := range film.Pointers {
		write(symbol(n, n+1, uint16(p)), func() { v.pointer(v, p, 0, 0) })
	}
	v.printf("</defs>\n")
}

// A timeline has the changes of a recording by slot.
type timeline struct {
	frames   []film.Frame
	readouts []film.Readout
	changes  map[int][]keyframe // by slot
	times    []string           // by frame: its start, as a fraction of the duration
	seconds  string             // the duration
	slots    int                // number of slots of a cell
}

// A keyframe is a change of a slot: the index of a frame and the new value.
type keyframe struct {
	frame int
	value uint16
}

func newTimeline(f *Recording, frames []film.Frame, speed float64) *timeline {
	b := film.NewBoard(f.Recording)
	p := &timeline{frames: frames, changes: make(map[int][]keyframe), slots: b.Slots()}
	for i, fr := range frames {
		for _, c := range b.Advance(fr) {
			p.changes[c.Slot] = append(p.changes[c.Slot], keyframe{i, c.Value})
		}
		p.readouts = append(p.readouts, b.Readout(fr))
	}
	total, passed := weightOf(frames), 0
	for _, fr := range frames {
		p.times = append(p.times, decimals(float64(passed)/float64(total)))
		passed += fr.Weight
	}
	p.seconds = decimal(float64(total)/speed) + "s"
	return p
}

// decimals returns a fraction below 1 as text. Its 6 decimals distinguish the
// times of up to 100,000 frames.
func decimals(part float64) string {
	return cmp.Or(strings.TrimRight(strconv.FormatFloat(part, 'f', 6, 64)[1:], ".0"), "0")
}

// animation returns an animation of an attribute. Value i begins at frame frames[i].
func (p *timeline) animation(attribute string, frames []int, values []string) string {
	if frames[0] != 0 {
		panic("animate: an animation that does not begin at frame 0")
	}
	times := make([]string, len(frames))
	for i, frame := range frames {
		times[i] = p.times[frame]
	}
	return fmt.Sprintf(`<animate attributeName="%s" dur="%s" repeatCount="indefinite" calcMode="discrete" keyTimes="%s" values="%s"/>`,
		attribute, p.seconds, strings.Join(times, ";"), strings.Join(values, ";"))
}

// drawSlots draws the animated slots of the grid.
func (v *svgCanvas) drawSlots(p *timeline) {
	used := make(map[string]bool)
	groups := make(map[string][]int) // the slots with an animation of visibility
	var order []string
	var varying []int
	n := p.slots - 2
	for slot := range v.f.Puzzle.Rules.Cells() * p.slots {
		line := p.changes[slot]
		for _, m := range line {
			used[symbol(n, slot%p.slots, m.value)] = true
		}
		if len(line) == 0 {
			continue
		}
		if !constant(line) {
			varying = append(varying, slot)
			continue
		}
		key := p.visibility(line)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], slot)
	}
	v.symbols(func(name string) bool { return name != "" && used[name] })
	for _, key := range order {
		v.printf("<g%s", key)
		for _, slot := range groups[key] {
			i := slices.IndexFunc(p.changes[slot], func(m keyframe) bool { return m.value != 0 })
			v.use(p, slot, p.changes[slot][i].value)
			v.printf("/>")
		}
		v.printf("</g>\n")
	}
	for _, slot := range varying {
		v.drawVarying(p, slot)
	}
}

// constant reports whether a slot has at most one value other than 0.
func constant(line []keyframe) bool {
	value := uint16(0)
	for _, m := range line {
		if m.value != 0 {
			if value != 0 && m.value != value {
				return false
			}
			value = m.value
		}
	}
	return true
}

// visibility returns the attributes of a group and an animation of its visibility.
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
		return ">" // always visible
	}
	end := ""
	if values[len(values)-1] == states[0] {
		end = ` visibility="hidden"`
	}
	return end + ">" + p.animation("visibility", frames, values)
}

// use begins a reference to the symbol of a value in a slot.
func (v *svgCanvas) use(p *timeline, slot int, value uint16) {
	cell, i := slot/p.slots, slot%p.slots
	at := v.slotPosition(cell, i, p.slots-2)
	v.printf(`<use x="%s" y="%s"`, decimal(at.x), decimal(at.y))
	if value != 0 {
		v.printf(` href="#%s"`, symbol(p.slots-2, i, value))
	}
}

// slotPosition returns the position of slot i of a cell, in a grid of size n.
func (s *layout) slotPosition(cell, i, n int) point {
	corner := s.cellBounds(cell).Min
	at := point{s.cell / 2, s.cell / 2}
	if i < n {
		at = s.markPosition(i + 1)
	}
	return point{float64(corner.X) + at.x, float64(corner.Y) + at.y}
}

// drawVarying draws a slot with several different values.
func (v *svgCanvas) drawVarying(p *timeline, slot int) {
	line := p.changes[slot]
	var frames []int
	var values []string
	if line[0].frame != 0 {
		frames, values = append(frames, 0), append(values, "#")
	}
	for _, m := range line {
		frames = append(frames, m.frame)
		values = append(values, "#"+symbol(p.slots-2, slot%p.slots, m.value))
	}
	v.use(p, slot, line[len(line)-1].value)
	v.printf(">%s</use>\n", p.animation("href", frames, values))
}

// drawStrip draws the moving part of the panel. It uses a clip path; an inner svg
// element would have a clock of its own.
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
