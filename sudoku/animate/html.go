package animate

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
)

// The page has the grid and the symbols as SVG, and the film as data: what changes
// with each frame, so that going back is going there from the beginning. It is
// page.html that plays it. Nothing is loaded from elsewhere, and a policy in the
// page forbids that.

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes the film as a page that needs nothing beside it: with buttons to
// play and to step, a slider, and a choice of speed, all of which work by
// keyboard. The page opens at the frame whose number follows # in its address,
// counted from 1.
func (f *Recording) HTML(w io.Writer) error {
	f.check()
	s := f.layout()
	v := &svgCanvas{layout: s}
	height := s.panel + keyHeight
	v.open("The grid", height)
	v.printf(`<svg x="%d">`+"\n", s.grid.X)
	if err := s.picture.SVG(v); err != nil {
		return err
	}
	v.printf("</svg>\n")
	v.symbols(func(name string) bool { return name != "" })
	v.printf(`<g id="cells"></g>` + "\n")
	v.drawKey(v, float64(s.panel))
	v.printf("</svg>\n")
	return page.Execute(w, struct {
		Title     string
		Drawing   template.HTML
		Counters  []string
		Recording pageRecording
	}{"Sudoku: " + f.Caption, template.HTML(v.String()), counterNames[:], f.page(s)})
}

// keyHeight is the height of what [layout.drawKey] draws.
const keyHeight = panelHeight - movingHeight

// A pageRecording is the film as the page reads it.
type pageRecording struct {
	Size   int          `json:"size"`
	Speed  float64      `json:"speed"`
	Styles int          `json:"styles"`
	Cells  [][2]int     `json:"cells"` // the corners
	Slots  [][2]float64 `json:"slots"` // the position of each slot, relative to that corner
	Frames []pageFrame  `json:"frames"`
}

// A pageFrame is a frame as the page reads it.
type pageFrame struct {
	Caption string                 `json:"caption"`
	Path    string                 `json:"path"`
	Level   int                    `json:"level"`
	Counts  [len(counterNames)]int `json:"counts"`
	Weight  int                    `json:"weight"`
	Branch  bool                   `json:"branch,omitempty"`  // there is a decision or a backtrack
	Changes []int                  `json:"changes,omitempty"` // places and what stands there, in turn
}

// page returns the film as data.
func (f *Recording) page(s *layout) pageRecording {
	n := f.Puzzle.Rules.Size()
	p := pageRecording{Size: n, Speed: cmp.Or(f.Speed, DefaultSpeed), Styles: styles}
	for cell := range f.Puzzle.Rules.Cells() {
		corner := s.cellBounds(cell).Min
		p.Cells = append(p.Cells, [2]int{corner.X, corner.Y})
	}
	origin := s.cellBounds(0).Min
	for i := range n + 2 {
		spot := s.slotPosition(0, i, n)
		p.Slots = append(p.Slots, [2]float64{rounded(spot.x - float64(origin.X)), rounded(spot.y - float64(origin.Y))})
	}
	b := newBoard(f)
	frames := f.frames(cmp.Or(f.Frames, defaultPageFrames))
	for i, fr := range frames {
		var changes []int
		for _, c := range b.advance(fr) {
			changes = append(changes, c.slot, int(c.value))
		}
		r := b.readout(fr)
		turn := false
		for _, e := range f.events[fr.from:fr.to] {
			turn = turn || e.startsNode()
		}
		p.Frames = append(p.Frames, pageFrame{r.caption, r.path, r.level, r.counts, f.weight(frames, i), turn, changes})
	}
	return p
}

// rounded rounds to a hundredth of a pixel.
func rounded(x float64) float64 { return float64(int(100*x+0.5)) / 100 }
