package text

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

// TestBrokenSource checks that the error of the source is returned and that a puzzle that
// it cuts off is not read as a shorter one.
func TestBrokenSource(t *testing.T) {
	for _, s := range samples {
		for at := 0; at < len(s.text); at += 1 + len(s.text)/100 {
			fuzztest.CheckBrokenAt(t, []byte(s.text), at, func(src io.Reader) error {
				_, err := all(NewReader(src, "f"))
				return err
			})
		}
	}
}

// largeSize matches the first line of triples of a large grid.
var largeSize = regexp.MustCompile("start *([3-9][0-9]|[0-9]{3})")

func FuzzReader(f *testing.F) {
	seeds := [][]byte{[]byte(candidates9), []byte(codePuzzle), []byte(codeVariant), []byte(codeRegions)}
	for _, s := range samples {
		seeds = append(seeds, []byte(s.text))
	}
	for _, s := range failures {
		seeds = append(seeds, []byte(s.text))
	}
	words := []string{".", "*", "|", "-", "+", "123456789", "0", "x", "[Puzzle]", "# ", "\r\n", "p cnf 9 1\n", ",", "..1..2..3", "{12}", "\xef\xbb\xbf", "c sudoku "}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		if largeSize.Match(in) {
			return // the rules of a grid of size 254 take 700 MB
		}
		text := string(in)
		puzzles, err := all(NewReader(strings.NewReader(text), "f"))
		if _, err2 := all(NewReader(fuzztest.Pieces(in), "f")); fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("at once: %v; in pieces: %v", err, err2)
		}
		on, inPieces := readOn(t, NewReader(strings.NewReader(text), "f"), text), readOn(t, NewReader(fuzztest.Pieces(in), "f"), text)
		if !slices.Equal(on, inPieces) {
			t.Fatalf("resumed at once: %q; in pieces: %q", on, inPieces)
		}
		for i, p := range puzzles {
			if on[i] != Line(p.Grid) {
				t.Fatalf("puzzle %d is %s, resumed %s", i, Line(p.Grid), on[i])
			}
		}
		compareLines(t, text+"\n"+nine9+"\n"+nine9+" "+text)
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := all(NewReader(src, "f"))
			return err
		})
		var out strings.Builder
		w, err := NewWriter(&out, "line")
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, p := range puzzles {
			for cell := range p.Cells {
				if line, column := p.Position(cell); line < 1 || column < 1 {
					t.Fatalf("cell %d is at %d:%d", cell, line, column)
				}
			}
			if p.Marks == nil {
				if err := w.WritePuzzle(p); err != nil {
					t.Fatal(err)
				}
				want = append(want, normal(p.Grid, false))
			}
		}
		check(t, out.String(), want, false)
	})
}

func BenchmarkReader(b *testing.B) {
	for name, text := range map[string]string{
		"line": nine9 + "\n", "line with solution": nine9 + "," + done9 + "\n", "line of 16x16": sixteen + "\n", "rows": rows(nine9, 9), "drawn": drawn9,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			r := NewReader(&repeat{text: text}, "")
			for b.Loop() {
				if _, err := r.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// repeat is a reader that repeats a text without end.
type repeat struct {
	text string
	pos  int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], r.text[r.pos:])
		n, r.pos = n+k, (r.pos+k)%len(r.text)
	}
	return n, nil
}
