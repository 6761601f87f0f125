package text

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counts has the number of puzzles in files of the collection, by name. Other
// files have one puzzle each.
var counts = map[string]int{
	"16x16-1000.txt": 1000, "17clue-8000.txt": 8000, "4x4-1000.txt": 1000, "damnhard-35.txt": 35, "easy50.txt": 50,
	"study-1011.txt": 1011, "top1465.txt": 1465, "top95.txt": 95,
	"16x16-letters-A-P-sam.txt": 2, "amtal-start9.txt": 2, "collection.sdm": 3, "euler-grid.txt": 2, "euler-p096-50grids.txt": 50,
	"line-comment-rating.txt": 2, "ser-rated-input.txt": 12,
	"gen_any.txt": 50, "gen_easy.txt": 50, "gen_expert.txt": 50, "gen_intermediate.txt": 50, "gen_simple.txt": 50,
	"sgt-solo-12x12.txt": 5, "sgt-solo-16x16basic.txt": 5, "sgt-solo-25x25basic.txt": 5, "sgt-solo-6x6.txt": 5,
	"sgt-solo-jigsaw9.txt": 5, "sgt-solo-killer9.txt": 5, "sgt-solo-x9.txt": 5,
}

// TestCollection reads every file of a collection of puzzles. It checks the
// number of puzzles, the size in the name of the file, and that the givens do
// not contradict each other. SATOR_SUDOKU is the directory of the collection.
func TestCollection(t *testing.T) {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU is not set")
	}
	for _, pattern := range []string{"*.txt", "*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			readCollection(t, name)
		}
	}
}

func readCollection(t *testing.T, name string) {
	src, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	base := filepath.Base(name)
	r, n := NewReader(src, base), 0
	for ; ; n++ {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Error(err)
			return
		}
		if c := p.Conflict(); c != nil {
			t.Errorf("%s: puzzle %d: %v", base, n+1, c)
		}
		if want := sizeIn(base); want != 0 && p.Rules.Size() != want {
			t.Errorf("%s: puzzle %d has the size %d", base, n+1, p.Rules.Size())
		}
	}
	want := 1
	if c, ok := counts[base]; ok {
		want = c
	}
	if n != want {
		t.Errorf("%s: %d puzzles, want %d", base, n, want)
	}
}

// sizeIn returns the size in a file name, such as 64 for "raw-64x64-hard", or
// 0.
func sizeIn(name string) int {
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '-' || c == '.' }) {
		var rows, columns int
		if n, _ := fmt.Sscanf(part, "%dx%d", &rows, &columns); n == 2 && rows == columns {
			return rows
		}
	}
	return 0
}
