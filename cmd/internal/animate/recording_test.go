package animate

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sator/cmd/internal/film"
	"sator/dpll/classic"
	"sator/internal/sudokutest"
	"sator/sudoku"
)

func Example() {
	puzzle := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
	puzzle.Cells[0], puzzle.Cells[6] = 1, 2
	recording, err := Record(context.Background(), puzzle, sudoku.Coding{}, classic.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	recording.Frames = 20
	var page strings.Builder
	if err := recording.HTML(&page); err != nil {
		fmt.Println(err)
	}
	fmt.Println(recording.Status, recording.Caption)
	// Output: SATISFIABLE heuristic mom, encoding extended, pure literals every
}

// recordings returns the recordings of all searches of sudokutest.
func recordings(t testing.TB) map[string]*Recording {
	t.Helper()
	all := make(map[string]*Recording)
	for _, s := range sudokutest.Searches() {
		o := classic.DefaultOptions()
		o.Heuristic = s.Heuristic
		f, err := Record(context.Background(), s.Grid, sudoku.Coding{Encoding: s.Encoding}, o)
		if err != nil {
			t.Fatal(err)
		}
		all[s.Name] = f
	}
	return all
}

// TestGolden compares an SVG with a file.
func TestGolden(t *testing.T) {
	f := recordings(t)["four"]
	f.Frames = 40
	var drawing bytes.Buffer
	if err := f.SVG(&drawing); err != nil {
		t.Fatal(err)
	}
	sudokutest.Golden(t, "four.svg", drawing.Bytes())
}

// TestGIF decodes images and checks the frames, the delays, and the grid at the end.
func TestGIF(t *testing.T) {
	for name, f := range recordings(t) {
		f.Frames, f.Speed, f.Cell = 12, 10, 16
		var file bytes.Buffer
		if err := f.GIF(&file); err != nil {
			t.Fatal(err)
		}
		decoded, err := gif.DecodeAll(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		frames := f.Group(12)
		if len(decoded.Image) != len(frames) || decoded.LoopCount != 0 {
			t.Fatalf("%s: %d frames, not %d, repeated %d times", name, len(decoded.Image), len(frames), decoded.LoopCount)
		}
		for i, delay := range decoded.Delay {
			if want := 10 * frames[i].Weight; delay != want {
				t.Errorf("%s: frame %d stays for %d/100 s, not %d", name, i, delay, want)
			}
		}
		screen := image.NewRGBA(image.Rect(0, 0, decoded.Config.Width, decoded.Config.Height))
		for _, img := range decoded.Image {
			draw.Draw(screen, img.Bounds(), img, img.Bounds().Min, draw.Over)
		}
		compare(t, name, f, frames, screen)
	}
}

// compare compares the last image of a GIF with the last board drawn in one step.
func compare(t *testing.T, name string, f *Recording, frames []film.Frame, screen *image.RGBA) {
	t.Helper()
	c, err := newGIFEncoder(f)
	if err != nil {
		t.Fatal(err)
	}
	b := film.NewBoard(f.Recording)
	for _, fr := range frames {
		b.Advance(fr)
	}
	for cell := range f.Puzzle.Rules.Cells() {
		box := c.drawCell(b, cell)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if want := c.palette[c.nearest(c.canvas.RGBAAt(x, y))]; screen.At(x, y) != want {
					t.Fatalf("%s: at the end pixel %d,%d is %v, not %v", name, x, y, screen.At(x, y), want)
				}
			}
		}
	}
}

// TestShapes checks that marks, digits and pointers differ without color.
func TestShapes(t *testing.T) {
	f := recordings(t)["four"]
	c, err := newGIFEncoder(f)
	if err != nil {
		t.Fatal(err)
	}
	b := film.NewBoard(f.Recording)
	seen := make(map[string]string)
	n := f.Puzzle.Rules.Size()
	put := func(name string, slot int, value uint16) {
		clear(b.Shown(0))
		b.Shown(0)[slot] = value
		box := c.drawCell(b, 0)
		var dark strings.Builder
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				fmt.Fprint(&dark, c.canvas.RGBAAt(x, y).G/128)
			}
		}
		if other, same := seen[dark.String()]; same {
			t.Errorf("%s and %s have one shape", name, other)
		}
		seen[dark.String()] = name
	}
	for style := range film.Styles {
		put(fmt.Sprintf("style %d", style), n, uint16(1+style))
	}
	for mark := range uint16(film.Marks) {
		put(fmt.Sprintf("mark %d", mark), 0, mark)
	}
	for _, p := range []film.Pointer{film.PropagatePointer, film.DecidePointer, film.BacktrackPointer, film.ConflictPointer} {
		put(fmt.Sprintf("pointer %d", p), n+1, uint16(p))
	}
}

// TestSVG parses drawings: every reference has a target, and every animation has as
// many times as values, from 0 on.
func TestSVG(t *testing.T) {
	for name, f := range recordings(t) {
		f.Frames = 40
		var file bytes.Buffer
		if err := f.SVG(&file); err != nil {
			t.Fatal(err)
		}
		ids, wanted := map[string]bool{"": true}, make(map[string]bool)
		animations := 0
		dec := xml.NewDecoder(&file)
		for {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			at := make(map[string]string)
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			ids[at["id"]] = true
			if href, ok := at["href"]; ok {
				wanted[href] = true
			}
			if strings.HasPrefix(e.Name.Local, "animate") {
				animations++
				values := strings.Split(at["values"], ";")
				if at["attributeName"] == "href" {
					for _, v := range values {
						wanted[v] = true
					}
				}
				checkTimes(t, name, values, at["keyTimes"])
			}
		}
		for href := range wanted {
			if !ids[strings.TrimPrefix(href, "#")] {
				t.Errorf("%s: no element has the id %s", name, href)
			}
		}
		if animations == 0 {
			t.Errorf("%s: no animations", name)
		}
	}
}

func checkTimes(t *testing.T, name string, values []string, keyTimes string) {
	t.Helper()
	times := strings.Split(keyTimes, ";")
	if len(times) != len(values) || times[0] != "0" {
		t.Fatalf("%s: %d values at %d times, from %s on", name, len(values), len(times), times[0])
	}
	last := -1.0
	for _, text := range times {
		time, err := strconv.ParseFloat(text, 64)
		if err != nil || time <= last || time >= 1 {
			t.Fatalf("%s: time %s after %g", name, text, last)
		}
		last = time
	}
}

// TestHTML checks that the page has no addresses and forbids loading anything.
func TestHTML(t *testing.T) {
	address := regexp.MustCompile(`(https?:)?//[a-z][^"\s]*`)
	for name, f := range recordings(t) {
		f.Frames = 30
		var file bytes.Buffer
		if err := f.HTML(&file); err != nil {
			t.Fatal(err)
		}
		for _, found := range address.FindAllString(file.String(), -1) {
			if found != "http://www.w3.org/2000/svg" {
				t.Errorf("%s: the page names %s", name, found)
			}
		}
		if !strings.Contains(file.String(), `content="default-src 'none';`) {
			t.Errorf("%s: the page does not forbid loading other files", name)
		}
	}
}

func TestErrors(t *testing.T) {
	f := recordings(t)["four"]
	f.Cell = 100_000
	if err := f.GIF(io.Discard); err == nil {
		t.Error("no error for an image that is too large")
	}
	f.Cell = 20
	c, err := newGIFEncoder(f)
	if err != nil {
		t.Fatal(err)
	}
	b := film.NewBoard(f.Recording)
	c.memory = 2 * c.width * c.height
	for _, fr := range f.Group(1 << 20) {
		if c.addFrame(b, fr); c.err != nil {
			break
		}
	}
	if c.err == nil || len(c.out.Image) < 2 {
		t.Errorf("%d frames, and the error %v", len(c.out.Image), c.err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for 3 frames")
		}
	}()
	f.Frames = 3
	f.SVG(io.Discard)
}

// TestDefaultLength animates a hard puzzle with the defaults of each format. It expects
// decisions and backtracks with frames of their own, and a minute at most. With Frames or
// Speed the length is that of the choice.
func TestDefaultLength(t *testing.T) {
	hard := sudokutest.Parse(sudokutest.Nine, "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
	f, err := Record(context.Background(), hard, sudoku.Coding{Encoding: "extended"}, classic.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{defaultFrames, defaultPageFrames} {
		frames, speed := f.play(most)
		branches := 0
		for _, fr := range frames {
			if fr.Branch {
				branches++
			}
		}
		if seconds := float64(weightOf(frames)) / speed; seconds > DefaultSeconds+0.01 || seconds < DefaultSeconds/2 || speed > 2*DefaultSpeed {
			t.Errorf("%d frames: %.1f s at %.1f frames a second", len(frames), seconds, speed)
		}
		if len(frames) > most || branches < 200 {
			t.Errorf("%d frames, %d of decisions and backtracks", len(frames), branches)
		}
	}
	f.Frames = 1000
	if frames, speed := f.play(defaultFrames); len(frames) <= defaultFrames || speed != DefaultSpeed {
		t.Errorf("Frames %d: %d frames, %g a second", f.Frames, len(frames), speed)
	}
	f.Frames, f.Speed = 0, 2
	if frames, speed := f.play(defaultFrames); weightOf(frames) < 2*DefaultSeconds || speed != 2 {
		t.Errorf("Speed 2: %d frames, %g a second", len(frames), speed)
	}
}
