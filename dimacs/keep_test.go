package dimacs

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestKeep reads comments in all kinds of input, in pieces, with several ends of
// lines.
func TestKeep(t *testing.T) {
	const comments = "c sudoku rules 4\r\nc of a sudoku \n  c  sudoku a\tb \nc sudokux\ncsudoku c\nc sudoku\n"
	want := []string{"sudoku rules 4", "sudoku a\tb", "sudoku", "sudoku last"}
	for header, read := range map[string]func(*Reader, io.Reader) error{
		"p cnf 1 1\n1 0\n":       func(r *Reader, src io.Reader) error { _, err := r.Read(src); return err },
		"p inccnf\n1 0\na 1 0\n": func(r *Reader, src io.Reader) error { _, err := r.ReadScript(src); return err },
		"p stack 1 1\n1 0\n":     func(r *Reader, src io.Reader) error { _, err := r.ReadReconstruction(src); return err },
		"s SATISFIABLE\nv 1 0\n": func(r *Reader, src io.Reader) error { _, err := r.ReadSolution(src); return err },
	} {
		text := comments + header + "c sudoku last"
		for name, src := range map[string]io.Reader{
			"at once":         strings.NewReader(text),
			"byte by byte":    iotest.OneByteReader(strings.NewReader(text)),
			"with a line end": iotest.DataErrReader(strings.NewReader(text + "\n")),
		} {
			r := Reader{Keep: "sudoku"}
			if err := read(&r, src); err != nil || !slices.Equal(r.Kept, want) {
				t.Errorf("%q, %s: kept %q, %v", header, name, r.Kept, err)
			}
		}
		r := Reader{}
		if err := read(&r, strings.NewReader(text)); err != nil || r.Kept != nil {
			t.Errorf("%q: kept %q without a word, %v", header, r.Kept, err)
		}
	}
}
