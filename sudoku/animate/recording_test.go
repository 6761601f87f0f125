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
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll"
	"sator/sudoku"
)

func Example() {
	puzzle := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
	puzzle.Cells[0], puzzle.Cells[6] = 1, 2
	recording, err := Record(context.Background(), puzzle, sudoku.Coding{}, dpll.DefaultOptions())
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

const (
	four = "..1....33......."
	// hard takes a search tree of hundreds of nodes.
	hard = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
)

// grid returns the puzzle of a line of digits up to 9.
func grid(v sudoku.Variant, digits string) *sudoku.Grid {
	g := sudoku.NewGrid(sudoku.Must(v))
	for cell := range g.Cells {
		g.Cells[cell] = max(0, int(digits[cell])-'0')
	}
	return g
}

// record records a search with the default options except the heuristic.
func record(t testing.TB, g *sudoku.Grid, encoding, heuristic string) *Recording {
	t.Helper()
	o := dpll.DefaultOptions()
	o.Heuristic = heuristic
	f, err := Record(context.Background(), g, sudoku.Coding{Encoding: encoding}, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// recordings returns recordings of all kinds: with and without a solution, with
// auxiliary variables, with propagated givens, with other rules, and of a grid too
// large for marks that are digits.
func recordings(t testing.TB) map[string]*Recording {
	cage := sudoku.Standard(4)
	cage.X = true
	cage.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{1, 2}}}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	early, err := Record(stopped, grid(sudoku.Standard(4), four), sudoku.Coding{}, dpll.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	large := sudoku.NewGrid(sudoku.Must(sudoku.Standard(12)))
	for cell := range 12 {
		large.Cells[cell] = cell + 1
	}
	return map[string]*Recording{
		"four":     record(t, grid(sudoku.Standard(4), four), "extended", "dlcs"),
		"minimal":  record(t, grid(sudoku.Standard(4), four), "minimal", "positive"),
		"none":     record(t, grid(sudoku.Standard(4), "1..2.3....4..2.."), "extended", "mom"),
		"wrong":    record(t, grid(sudoku.Standard(4), "11.............."), "extended", "mom"),
		"spent":    record(t, grid(sudoku.Standard(4), "11.............."), "reduced", "mom"),
		"reduced":  record(t, grid(sudoku.Standard(9), hard), "reduced", "mom"),
		"hard":     record(t, grid(sudoku.Standard(9), hard), "extended", "positive"),
		"triad":    record(t, grid(sudoku.Standard(9), hard), "triad", "mom"),
		"2sat":     record(t, grid(sudoku.Standard(4), strings.Repeat(".", 16)), "2sat", "mom"),
		"variant":  record(t, grid(cage, strings.Repeat(".", 16)), "extended", "first"),
		"large":    record(t, large, "reduced", "positive"),
		"one":      record(t, grid(sudoku.Standard(1), "."), "extended", "mom"),
		"early":    early,
		"straight": record(t, grid(sudoku.Latin(5), "1...2..4................."), "efficient", "jw2"),
	}
}

// TestGolden compares the captions and changes of two recordings, and an SVG, with
// files.
func TestGolden(t *testing.T) {
	for _, name := range []string{"four", "none"} {
		golden(t, name+".txt", script(recordings(t)[name], 100))
	}
	f := recordings(t)["four"]
	f.Frames = 40
	var drawing bytes.Buffer
	if err := f.SVG(&drawing); err != nil {
		t.Fatal(err)
	}
	golden(t, "four.svg", drawing.Bytes())
}

// script returns the frames of a recording as text.
func script(f *Recording, limit int) []byte {
	var script bytes.Buffer
	b := newBoard(f)
	for i, fr := range f.frames(limit) {
		changes := b.advance(fr)
		r := b.readout(fr)
		fmt.Fprintf(&script, "%d %s | level %d %s | %v |", i+1, r.caption, r.level, r.path, r.counts)
		for _, c := range changes {
			cell, place := c.slot/b.slots(), c.slot%b.slots()
			fmt.Fprintf(&script, " %s:%s", f.Puzzle.Rules.CellName(cell), symbol(b.n, place, c.value))
		}
		script.WriteByte('\n')
	}
	return script.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (UPDATE=1 rewrites it):\n%s", file, got)
	}
}

// TestEndings checks the captions of last frames.
func TestEndings(t *testing.T) {
	all := recordings(t)
	for name, want := range map[string]string{
		"four":  "■ solution",
		"none":  "■ no solution: all branches have failed",
		"wrong": "■ no solution: all branches have failed",
		"spent": "■ no solution: all branches have failed",
		"early": "■ the search was stopped",
		"2sat":  "■ a model of the formula, but no solution",
	} {
		f := all[name]
		frames := f.frames(1000)
		if got := f.caption(frames[len(frames)-1]); !strings.HasPrefix(got, want) {
			t.Errorf("%s ends with %q, not %q", name, got, want)
		}
	}
}

// TestSolution checks that the last board has the solution.
func TestSolution(t *testing.T) {
	for name, f := range recordings(t) {
		if !f.solved {
			continue
		}
		b := newBoard(f)
		b.advance(frame{to: len(f.events)})
		solution := f.Puzzle.Clone()
		for cell := range solution.Cells {
			switch value := b.shown[cell*b.slots()+b.n]; {
			case solution.Cells[cell] != 0:
			case f.found[cell] != 0:
				solution.Cells[cell] = f.found[cell]
			default:
				_, solution.Cells[cell] = split(value)
			}
		}
		if err := solution.Solves(f.Puzzle); err != nil {
			t.Errorf("%s: at the end the board has no solution: %v", name, err)
		}
	}
}

// TestStart checks that the first board has the marks of all candidates with
// variables, and no others if the encoding propagates the givens.
func TestStart(t *testing.T) {
	for name, f := range recordings(t) {
		if name == "wrong" || name == "spent" {
			continue // the givens contradict each other
		}
		propagated := strings.Contains(f.Caption, "encoding reduced") || strings.Contains(f.Caption, "encoding 2sat")
		left := sudoku.NewCandidates(f.Puzzle.Rules)
		if propagated && !(left.Load(f.Puzzle) && left.Singles()) {
			t.Fatal("a contradiction")
		}
		b := newBoard(f)
		b.advance(frame{})
		for candidate := range b.state {
			cell, digit := f.Puzzle.Rules.Split(candidate)
			want := f.Puzzle.Cells[cell] == 0 && (!propagated || left.Has(candidate) && left.Digit(cell) == 0)
			if got := b.shown[cell*b.slots()+digit-1] == openMark; got != want {
				t.Fatalf("%s: %s has the digit %d open: %v", name, f.Puzzle.Rules.CellName(cell), digit, got)
			}
		}
	}
}

// TestBoard compares the board with a list of assignments that uses the levels of
// events to backtrack, and not the length of the trail.
func TestBoard(t *testing.T) {
	type entry struct {
		candidate int32
		level     int32
		e         event
	}
	for name, f := range recordings(t) {
		b := newBoard(f)
		var entries []entry
		for i, e := range f.events {
			b.advance(frame{from: i, to: i + 1})
			if e.kind == dpll.Conflict || e.kind == dpll.Solution {
				continue
			}
			if e.kind == dpll.Backtrack {
				entries = slices.DeleteFunc(entries, func(x entry) bool { return x.level >= e.level })
			}
			entries = append(entries, entry{f.candidates[e.lit.Var()], e.level, e})
			if i%7 != 0 && i != len(f.events)-1 {
				continue
			}
			want := make([]uint16, len(b.state))
			for _, x := range entries {
				if x.candidate >= 0 {
					want[x.candidate] = 1 + 2*uint16(x.e.kind) + uint16(x.e.lit&1)
				}
			}
			if !slices.Equal(b.state, want) {
				t.Fatalf("%s: the board differs after event %d", name, i)
			}
			if b.counts.assigned != len(entries) {
				t.Fatalf("%s: %d assigned after event %d, not %d", name, b.counts.assigned, i, len(entries))
			}
		}
	}
}

// TestReasons checks that the reason in the caption of a propagation by a binary
// clause is true on the board.
func TestReasons(t *testing.T) {
	is := regexp.MustCompile(`: (R\d+C\d+) is (not )?(\d+)$`)
	f := recordings(t)["hard"]
	r := f.Puzzle.Rules
	b := newBoard(f)
	checked := 0
	for i, e := range f.events {
		fr := frame{from: i, to: i + 1}
		b.advance(fr)
		m := is.FindStringSubmatch(f.caption(fr))
		if m == nil || e.kind != dpll.Propagate {
			continue
		}
		cell, _ := r.Cell(m[1])
		digit, _ := strconv.Atoi(m[3])
		if state := b.state[r.Candidate(cell, digit)]; state == 0 || state%2 == 0 != (m[2] != "") {
			t.Fatalf("event %d: the reason in %q is not true", i, f.caption(fr))
		}
		checked++
	}
	if checked < 500 {
		t.Errorf("%d reasons found", checked)
	}
}

// TestSample checks the grouping of events for several limits of frames.
func TestSample(t *testing.T) {
	for name, f := range recordings(t) {
		nodes, turns := 1, 0
		for i, e := range f.events {
			if e.startsNode() {
				turns++
				if i > 0 {
					nodes++
				}
			}
		}
		for _, limit := range []int{MinFrames, 11, 25, 50, 100, 333, 1000, 1 << 20} {
			frames := f.frames(limit)
			if len(frames) > limit {
				t.Fatalf("%s: %d frames, not %d", name, len(frames), limit)
			}
			at, seen := 0, 0
			for _, fr := range frames {
				if fr.from != at && fr.to > fr.from {
					t.Fatalf("%s, %d frames: one begins at event %d, not %d", name, limit, fr.from, at)
				}
				at = max(at, fr.to)
				opens := 0
				for _, e := range f.events[fr.from:fr.to] {
					if e.startsNode() {
						opens++
					}
				}
				if !fr.omitted {
					seen += opens
				}
				if opens > 1 && !fr.omitted {
					t.Fatalf("%s, %d frames: one has %d decisions and backtracks", name, limit, opens)
				}
			}
			if at != len(f.events) {
				t.Fatalf("%s, %d frames: they end at event %d of %d", name, limit, at, len(f.events))
			}
			if nodes <= limit-2 && seen != turns {
				t.Fatalf("%s, %d frames: %d of %d decisions and backtracks seen", name, limit, seen, turns)
			}
			if limit > len(f.events)+1 && slices.ContainsFunc(frames, func(fr frame) bool { return fr.to-fr.from > 1 }) {
				t.Fatalf("%s: events share a frame, though there are enough", name)
			}
		}
	}
	f := recordings(t)["hard"]
	if frames := f.frames(MinFrames); !slices.ContainsFunc(frames, func(fr frame) bool { return fr.omitted }) {
		t.Error("ten frames show all of a large tree")
	}
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
		frames := f.frames(12)
		if len(decoded.Image) != len(frames) || decoded.LoopCount != 0 {
			t.Fatalf("%s: %d frames, not %d, repeated %d times", name, len(decoded.Image), len(frames), decoded.LoopCount)
		}
		for i, delay := range decoded.Delay {
			if want := 10 * f.weight(frames, i); delay != want {
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
func compare(t *testing.T, name string, f *Recording, frames []frame, screen *image.RGBA) {
	t.Helper()
	c, err := newGIFEncoder(f)
	if err != nil {
		t.Fatal(err)
	}
	b := newBoard(f)
	for _, fr := range frames {
		b.advance(fr)
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
	b := newBoard(f)
	seen := make(map[string]string)
	put := func(name string, slot int, value uint16) {
		clear(b.shown)
		b.shown[slot] = value
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
	for style := range styles {
		put(fmt.Sprintf("style %d", style), b.n, uint16(1+style))
	}
	for mark := range uint16(marks) {
		put(fmt.Sprintf("mark %d", mark), 0, mark)
	}
	for _, p := range []pointer{propagatePointer, decidePointer, backtrackPointer, conflictPointer} {
		put(fmt.Sprintf("pointer %d", p), b.n+1, uint16(p))
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

// TestRandom records searches of random puzzles with every heuristic and encoding.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, h := range dpll.Heuristics {
		for _, e := range sudoku.Encodings {
			g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
			for range 3 {
				g.Cells[rng.IntN(16)] = 1 + rng.IntN(4)
			}
			f := record(t, g, e.Name, h.Name)
			if f.Status == dimacs.Unknown || f.Events() == 0 && f.Status == dimacs.Unsatisfiable {
				t.Errorf("%s, %s: %v after %d events", h.Name, e.Name, f.Status, f.Events())
			}
			if frames := f.frames(MinFrames + rng.IntN(50)); len(frames) < 2 {
				t.Errorf("%s, %s: %d frames", h.Name, e.Name, len(frames))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	g := grid(sudoku.Standard(4), four)
	if _, err := Record(context.Background(), g, sudoku.Coding{Encoding: "x"}, dpll.DefaultOptions()); err == nil {
		t.Error("no error for an unknown encoding")
	}
	if _, err := Record(context.Background(), g, sudoku.Coding{}, dpll.Options{}); err == nil {
		t.Error("no error for options without a heuristic")
	}
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
	b := newBoard(f)
	c.memory = 2 * c.width * c.height
	for i := 0; i < len(f.events) && c.err == nil; i++ {
		c.addFrame(b, frame{from: i, to: i + 1})
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
