package animate

import (
	_ "embed"
	"encoding/json"
	"io"
	"math"
	"text/template"

	"sator/cmd/internal/film"
)

// The page contains the grid and the symbols as SVG, and the recording as JSON: the
// changes of each frame. The script in page.html applies them; to step back it
// starts from the first frame. The page loads no other files, and its content
// security policy forbids that.

//go:embed page.html
var pageText string

// page escapes the texts itself: html/template would add 300 kB to programs.
var page = template.Must(template.New("page").Parse(pageText))

// HTML writes the recording as a page in a single file, with buttons to play and to
// step, a slider for the frame and one for the speed, and keys for all of these. The
// fragment of its address is the number of the first frame shown, counted from 1:
// page.html#20.
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
	recording, err := json.Marshal(f.page(s)) // which has no < or > either
	if err != nil {
		return err
	}
	return page.Execute(w, struct {
		Title     string
		Drawing   string
		Counters  []string
		Recording string
	}{"Sudoku: " + f.Caption, v.String(), film.CounterNames[:], string(recording)})
}

// keyHeight is the height of what [layout.drawKey] draws.
const keyHeight = panelHeight - movingHeight

// A pageRecording is the JSON form of a recording.
type pageRecording struct {
	Size   int          `json:"size"`
	Speed  float64      `json:"speed"`
	Styles int          `json:"styles"`
	Cells  [][2]int     `json:"cells"` // the corners
	Slots  [][2]float64 `json:"slots"` // the position of each slot, relative to that corner
	Frames []film.Still `json:"frames"`
}

// page returns the JSON form of the recording.
func (f *Recording) page(s *layout) pageRecording {
	n := f.Puzzle.Rules.Size()
	frames, speed := f.play(defaultPageFrames)
	p := pageRecording{Size: n, Speed: math.Round(100*speed) / 100, Styles: film.Styles}
	for cell := range f.Puzzle.Rules.Cells() {
		corner := s.cellBounds(cell).Min
		p.Cells = append(p.Cells, [2]int{corner.X, corner.Y})
	}
	origin := s.cellBounds(0).Min
	for i := range n + 2 {
		at := s.slotPosition(0, i, n)
		p.Slots = append(p.Slots, [2]float64{rounded(at.x - float64(origin.X)), rounded(at.y - float64(origin.Y))})
	}
	p.Frames = f.Stills(frames)
	return p
}

// rounded rounds to a hundredth of a pixel.
func rounded(x float64) float64 { return float64(int(100*x+0.5)) / 100 }
