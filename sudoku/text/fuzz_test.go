package text

import (
	"strings"
	"testing"
)

func FuzzReader(f *testing.F) {
	for _, s := range samples {
		f.Add(s.text)
	}
	for _, s := range failures {
		f.Add(s.text)
	}
	f.Add(candidates9)
	f.Fuzz(func(t *testing.T, text string) {
		puzzles, _ := all(NewReader(strings.NewReader(text), "f"))
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
