package film

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
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
	for _, still := range recording.Stills(recording.Group(10))[:3] {
		fmt.Println(len(still.Changes)/2, "changes:", still.Caption)
	}
	fmt.Println(recording.Status)
	// Output:
	// 56 changes: the puzzle: 2 givens
	// 13 changes: ► R1C3 is not 2, and 15 propagated
	// 19 changes: ► R1C2 is not 4, and 15 propagated
	// SATISFIABLE
}

// record records a search with the default options except the heuristic.
func record(t testing.TB, g *sudoku.Grid, encoding, heuristic string) *Recording {
	t.Helper()
	o := classic.DefaultOptions()
	o.Heuristic = heuristic
	f, err := Record(context.Background(), g, sudoku.Coding{Encoding: encoding}, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// recordings returns the recordings of all searches of sudokutest, and one that was stopped.
func recordings(t testing.TB) map[string]*Recording {
	all := make(map[string]*Recording)
	for _, s := range sudokutest.Searches() {
		all[s.Name] = record(t, s.Grid, s.Encoding, s.Heuristic)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	early, err := Record(stopped, all["four"].Puzzle, sudoku.Coding{}, classic.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	all["early"] = early
	return all
}

// TestGolden compares the captions and changes of two recordings with files.
func TestGolden(t *testing.T) {
	for _, name := range []string{"four", "none"} {
		sudokutest.Golden(t, name+".txt", script(recordings(t)[name], 100))
	}
}

// slotName returns the name of a value in slot i of a cell: m, d or p for marks, digits and
// pointers, the mark, style or pointer, and the digit.
func slotName(n, i int, value uint16) string {
	switch {
	case value == 0:
		return ""
	case i < n:
		return fmt.Sprintf("m%d-%d", value, i+1)
	case i == n:
		style, digit := Split(value)
		return fmt.Sprintf("d%d-%d", style, digit)
	}
	return fmt.Sprintf("p%d", value)
}

// script returns the frames of a recording as text.
func script(f *Recording, limit int) []byte {
	var script bytes.Buffer
	b := NewBoard(f)
	for i, fr := range f.Group(limit) {
		changes := b.Advance(fr)
		r := b.Readout(fr)
		fmt.Fprintf(&script, "%d %s | level %d %s | %v |", i+1, r.Caption, r.Level, r.Path, r.Counts)
		for _, c := range changes {
			cell, place := c.Slot/b.Slots(), c.Slot%b.Slots()
			fmt.Fprintf(&script, " %s:%s", f.Puzzle.Rules.CellName(cell), slotName(b.n, place, c.Value))
		}
		script.WriteByte('\n')
	}
	return script.Bytes()
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
		frames := f.Group(1000)
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
		b := NewBoard(f)
		b.Advance(Frame{to: len(f.events)})
		solution := f.Puzzle.Clone()
		for cell := range solution.Cells {
			switch value := b.shown[cell*b.Slots()+b.n]; {
			case solution.Cells[cell] != 0:
			case f.found[cell] != 0:
				solution.Cells[cell] = f.found[cell]
			default:
				_, solution.Cells[cell] = Split(value)
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
		b := NewBoard(f)
		b.Advance(Frame{})
		for candidate := range b.state {
			cell, digit := f.Puzzle.Rules.Split(candidate)
			want := f.Puzzle.Cells[cell] == 0 && (!propagated || left.Has(candidate) && left.Digit(cell) == 0)
			if got := b.shown[cell*b.Slots()+digit-1] == OpenMark; got != want {
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
		b := NewBoard(f)
		var entries []entry
		for i, e := range f.events {
			b.Advance(Frame{from: i, to: i + 1})
			if e.kind == classic.Conflict || e.kind == classic.Solution {
				continue
			}
			if e.kind == classic.Backtrack {
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
			if b.counts[len(counted)] != len(entries) {
				t.Fatalf("%s: %d assigned after event %d, not %d", name, b.counts[len(counted)], i, len(entries))
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
	b := NewBoard(f)
	checked := 0
	for i, e := range f.events {
		fr := Frame{from: i, to: i + 1}
		b.Advance(fr)
		m := is.FindStringSubmatch(f.caption(fr))
		if m == nil || e.kind != classic.Propagate {
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
			frames := f.Group(limit)
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
				if fr.Branch != (opens > 0) {
					t.Fatalf("%s, %d frames: one with %d decisions and backtracks has Branch %v", name, limit, opens, fr.Branch)
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
			if limit > len(f.events)+1 && slices.ContainsFunc(frames, func(fr Frame) bool { return fr.to-fr.from > 1 }) {
				t.Fatalf("%s: events share a frame, though there are enough", name)
			}
		}
	}
	f := recordings(t)["hard"]
	if frames := f.Group(MinFrames); !slices.ContainsFunc(frames, func(fr Frame) bool { return fr.omitted }) {
		t.Error("ten frames show all of a large tree")
	}
}

// TestRandom records searches of random puzzles with every heuristic and encoding.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, h := range classic.Heuristics {
		for _, e := range sudoku.Encodings {
			g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
			for range 3 {
				g.Cells[rng.IntN(16)] = 1 + rng.IntN(4)
			}
			f := record(t, g, e.Name, h.Name)
			if f.Status == dimacs.Unknown || f.Events() == 0 && f.Status == dimacs.Unsatisfiable {
				t.Errorf("%s, %s: %v after %d events", h.Name, e.Name, f.Status, f.Events())
			}
			if frames := f.Group(MinFrames + rng.IntN(50)); len(frames) < 2 {
				t.Errorf("%s, %s: %d frames", h.Name, e.Name, len(frames))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	g := recordings(t)["four"].Puzzle
	if _, err := Record(context.Background(), g, sudoku.Coding{Encoding: "x"}, classic.DefaultOptions()); err == nil {
		t.Error("no error for an unknown encoding")
	}
	if _, err := Record(context.Background(), g, sudoku.Coding{}, classic.Options{}); err == nil {
		t.Error("no error for options without a heuristic")
	}
}
