package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sator/sudoku"
	"sator/sudoku/render"
)

// TestColumns draws grids of many sizes on terminals of many widths. It expects the widest form
// that fits, one narrow form if none fits, and every digit in its place.
func TestColumns(t *testing.T) {
	for _, size := range []int{1, 4, 9, 10, 16, 25, 35, 36} {
		g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(size)))
		for cell := range g.Cells {
			g.Cells[cell] = (cell%size+cell/size)%size + 1 // a digit for each cell; no rule is checked
		}
		whole := widthOf(t, g, nil, 0)
		narrowest := widthOf(t, g, nil, 1)
		for columns := 1; columns <= whole+1; columns += 1 + whole/30 {
			got := widthOf(t, g, nil, columns)
			if got > max(columns, narrowest) || got > whole || columns >= whole && got != whole {
				t.Errorf("size %d: %d columns on a terminal of %d; %d to %d are possible", size, got, columns, narrowest, whole)
			}
		}
		if size == 16 && whole <= 80 || size <= 25 && size >= 9 && narrowest > 3*size+1 {
			t.Errorf("size %d: %d to %d columns", size, narrowest, whole)
		}
	}
	marks := sudoku.NewGrid(sudoku.Must(sudoku.Standard(16)))
	all := make([]bool, 16*16*16)
	for i := range all {
		all[i] = true
	}
	if whole, narrow := widthOf(t, marks, all, 0), widthOf(t, marks, all, 1); narrow >= whole {
		t.Errorf("marks: %d and %d columns", narrow, whole)
	}
}

// widthOf draws a grid, and returns the length of its longest line. It expects the digits
// of the rows in the drawing, as numbers or as letters.
func widthOf(t *testing.T, g *sudoku.Grid, marks []bool, columns int) int {
	t.Helper()
	var b strings.Builder
	p := render.Picture{Puzzle: g, Marks: marks, NoColor: true, Columns: columns}
	if err := p.ANSI(&b); err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("\x1b[0;1m", "", "\x1b[0m", "").Replace(b.String())
	drawing, note, lettered := strings.Cut(plain, "# letters are ")
	if lettered != (g.Rules.Size() > 9 && strings.ContainsAny(drawing, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
		t.Errorf("size %d, %d columns: letters, and the note %q", g.Rules.Size(), columns, note)
	}
	width, row := 0, 0
	for line := range strings.Lines(drawing) {
		width = max(width, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
		digits := strings.FieldsFunc(line, func(r rune) bool { return r > 0x7f || r == ' ' || r == '\n' })
		if marks != nil || len(digits) == 0 {
			continue
		}
		for col, text := range digits {
			digit := 0
			for _, c := range text {
				if c >= 'A' {
					digit = int(c-'A') + 10
				} else {
					digit = 10*digit + int(c-'0')
				}
			}
			if want := g.Cells[row*g.Rules.Size()+col]; digit != want {
				t.Fatalf("size %d, %d columns, row %d, column %d: %q, want %d", g.Rules.Size(), columns, row+1, col+1, text, want)
			}
		}
		row++
	}
	if marks == nil && row != g.Rules.Size() {
		t.Errorf("size %d, %d columns: %d rows", g.Rules.Size(), columns, row)
	}
	return width
}
