package text

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestLines checks that runs of lines have the puzzles that Next returns one by one.
func TestLines(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int // puzzles in runs
	}{
		{strings.Repeat(nine9+"\n", 100), 99},
		{"\ufeff" + strings.Repeat(nine9+"\r\n", 5) + nine9, 4},
		{nine9 + "\n" + nine9 + ";7.1 hard\n" + nine9 + "," + done9 + "\n" + nine9 + "\n" + nine9 + "[/code]\n", 4},
		{strings.Repeat(nine9+","+done9+"\n"+nine9+";1.2\n"+nine9+"\t"+done9+"\t7.2 # hard\n", 3), 8},
		{nine9 + "\n" + nine9 + "," + done9[1:] + "1\n" + nine9 + "," + nine9 + "\n" + nine9 + " x " + done9 + "\n", 0},
		{nine9 + "\n\n" + nine9 + "\n5?\n" + nine9 + "\n" + nine9 + "\n", 1},
		{"# rules 9 boxes 3x3 x\n" + nine9 + "\n" + nine9 + "\n", 0},
		{sixteen + "\n" + nine9 + "\n" + strings.Repeat(".", 81) + "\n" + nine9 + "\n", 0},
	} {
		if got := compareLines(t, tt.text); got != tt.want {
			t.Errorf("%.200q: %d puzzles in runs, want %d", tt.text, got, tt.want)
		}
	}
}

// compareLines reads a text with and without Lines, which should find the same. It returns the
// number of puzzles that Lines found.
func compareLines(t testing.TB, text string) (inRuns int) {
	read := func(most int) (found []string) {
		r := NewFileReader(context.Background(), []string{"a", "b"}, func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		})
		r.KeepGoing = true
		var lines Lines
		var reused FilePuzzle
		add := func(p *FilePuzzle) {
			if p.Err != nil {
				found = append(found, fmt.Sprint(p.Number, p.File, p.Err))
				return
			}
			found = append(found, fmt.Sprint(p.Number, p, p.CellPosition(80%len(p.Cells)), p.Rules, p.Label, p.Solution, p.Format, p.Symbols, Line(p.Grid)))
		}
		for {
			if most > 0 && r.Lines(&lines, most) {
				for lines.Next(&reused) {
					inRuns++
					add(&reused)
				}
				continue
			}
			p, err := r.Next()
			if err != nil {
				return append(found, fmt.Sprint(err, r.Count()))
			}
			add(p)
		}
	}
	if alone, runs := read(0), read(7); !slices.Equal(alone, runs) {
		t.Fatalf("%.200q: one by one %q, in runs %q", text, alone, runs)
	}
	return inRuns / 2
}
