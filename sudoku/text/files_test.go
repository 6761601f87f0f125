package text_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/text"
)

// opener opens the texts of a map as files.
func opener(files map[string]string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		content, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("open %s: no such file", name)
		}
		return io.NopCloser(strings.NewReader(content)), nil
	}
}

// Two files in different forms are one stream of numbered puzzles.
func ExampleFileReader() {
	files := map[string]string{
		"grid.txt": "1...\n..3.\n.4..\n...2\n",
		"csv.txt":  "name,puzzle\nfirst,1.....3..4.....2\nsecond,4.....3..1.....2\n",
	}
	open := func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(files[name])), nil
	}
	r := text.NewFileReader(context.Background(), []string{"grid.txt", "csv.txt"}, open)
	for p, err := range r.All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Number, p, text.Line(p.Grid))
	}
	// Output:
	// 1 grid.txt: line 1 1.....3..4.....2
	// 2 csv.txt: line 2 1.....3..4.....2
	// 3 csv.txt: line 3 4.....3..1.....2
}

const empty4 = "....\n....\n....\n....\n"

func TestFileReaderErrors(t *testing.T) {
	files := map[string]string{"one": empty4, "two": empty4 + "\n" + empty4, "none": "# nothing\n", "wrong": empty4 + "\n12..\n34\n"}
	for _, tt := range []struct {
		names  string
		number int    // of puzzles before the error
		want   string // part of the error
	}{
		{"one two", 3, "EOF"},
		{"", 0, "EOF"},
		{"one none two", 1, "none: there is no puzzle"},
		{"two missing", 2, "open missing: no such file"},
		{"wrong one", 1, "wrong:7:1: "},
	} {
		r := text.NewFileReader(context.Background(), strings.Fields(tt.names), opener(files))
		var last error
		for _, last = range r.All() {
		}
		_, err := r.Next()
		if last != nil && last != err {
			t.Errorf("%q: All ends with error %v, then Next returns %v", tt.names, last, err)
		}
		if !strings.Contains(err.Error(), tt.want) || r.Count() != tt.number {
			t.Errorf("%q: error %v after %d puzzles; want %q after %d", tt.names, err, r.Count(), tt.want, tt.number)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%q: error %v, then %v", tt.names, err, again)
		}
	}
}

// TestFileReaderKeepGoing checks that each invalid puzzle, and each file without one, is
// a result in its place.
func TestFileReaderKeepGoing(t *testing.T) {
	files := map[string]string{"two": empty4 + "\n" + empty4, "wrong": empty4 + "\n12..\n34\n\n" + empty4, "none": "# nothing\n", "large": "9 8 7 6 5 4 3 2 1\n"}
	for _, tt := range []struct {
		names string
		want  string // the results
	}{
		{"wrong", "1:puzzle 2:wrong:7:1: row 2 of the grid has 2 cells, want 4 3:puzzle EOF"},
		{"none", "none: there is no puzzle"},
		{"missing", "open missing: no such file"},
		{"two none missing wrong", "1:puzzle 2:puzzle 3:none: there is no puzzle 4:open missing: no such file " +
			"5:puzzle 6:wrong:7:1: row 2 of the grid has 2 cells, want 4 7:puzzle EOF"},
		{"large two", "1:large:2:1: the input ends after 1 of 9 rows of a grid 2:puzzle 3:puzzle EOF"},
	} {
		r := text.NewFileReader(context.Background(), strings.Fields(tt.names), opener(files))
		r.KeepGoing = true
		var got []string
		failed := 0
		for {
			p, err := r.Next()
			if err != nil {
				got = append(got, err.Error())
				break
			}
			result := "puzzle"
			if p.Err != nil {
				result = p.String()
				failed++
			}
			got = append(got, fmt.Sprintf("%d:%s", p.Number, result))
		}
		if s := strings.Join(got, " "); s != tt.want || r.Failed() != failed || r.Count() != len(got)-1 {
			t.Errorf("%q: %s; %d of %d failed; want %s", tt.names, s, r.Failed(), r.Count(), tt.want)
		}
	}
}

// TestFileReaderPrompt checks that an invalid puzzle is returned before the input
// behind it is read.
func TestFileReaderPrompt(t *testing.T) {
	in, feed := io.Pipe()
	r := text.NewFileReader(context.Background(), []string{"-"}, func(string) (io.ReadCloser, error) { return in, nil })
	r.KeepGoing = true
	go io.WriteString(feed, "5?\n")
	if p, err := r.Next(); err != nil || p.Err == nil {
		t.Errorf("%v, %v; want an invalid puzzle", p, err)
	}
	feed.Close()
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

func TestFileReaderNth(t *testing.T) {
	files := map[string]string{"one": empty4, "two": empty4 + "\n" + empty4}
	read := func(names ...string) *text.FileReader {
		return text.NewFileReader(context.Background(), names, opener(files))
	}
	if p, err := read("one", "two").Nth(3); err != nil || p.Number != 3 || p.File != "two" || p.Line != 6 {
		t.Errorf("Nth(3) = %v, %v", p, err)
	}
	r := read("one", "two")
	if p, err := r.Nth(4); err != io.EOF || r.Count() != 3 {
		t.Errorf("Nth(4) = %v, %v after %d puzzles", p, err, r.Count())
	}
	if p, second, err := read("one").Only(); err != nil || p == nil || second != nil {
		t.Errorf("Only of 1 puzzle = %v, %v, %v", p, second, err)
	}
	if p, second, err := read("two").Only(); err != nil || p == nil || second.Number != 2 {
		t.Errorf("Only of 2 puzzles = %v, %v, %v", p, second, err)
	}
	if _, _, err := read().Only(); err != io.EOF {
		t.Errorf("Only of no puzzle: error %v", err)
	}
}

func TestFileReaderAdapt(t *testing.T) {
	r := text.NewFileReader(context.Background(), []string{"two"}, opener(map[string]string{"two": empty4 + "\n" + empty4}))
	r.Adapt = func(v sudoku.Variant) sudoku.Variant { v.X = true; return v }
	first, second, err := r.Only()
	if err != nil || !first.Rules.Variant().X || first.Rules != second.Rules {
		t.Errorf("the rules are %v and %v, error %v", first.Rules, second.Rules, err)
	}
	r = text.NewFileReader(context.Background(), []string{"one"}, opener(map[string]string{"one": empty4}))
	r.Adapt = func(v sudoku.Variant) sudoku.Variant { v.Size = 0; return v }
	if _, err := r.Next(); err == nil || !strings.HasPrefix(err.Error(), "one: line 1: ") {
		t.Errorf("error %v of a variant without cells", err)
	}
}

// A damaged file is one whose Drain fails.
type damagedFile struct {
	io.Reader
	closed *bool
}

var errDamaged = errors.New("the archive is damaged")

func (damagedFile) Drain() error   { return errDamaged }
func (f damagedFile) Close() error { *f.closed = true; return nil }

func TestFileReaderDamage(t *testing.T) {
	closed := false
	r := text.NewFileReader(context.Background(), []string{"a"}, func(string) (io.ReadCloser, error) {
		return damagedFile{strings.NewReader("12..\n34\n"), &closed}, nil
	})
	if _, err := r.Next(); err != errDamaged || !closed {
		t.Errorf("error %v, closed is %v; want %v of a closed file", err, closed, errDamaged)
	}
}

// The end of the context ends a read that blocks, and warnings.
func TestFileReaderContext(t *testing.T) {
	reason := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	in, feed := io.Pipe()
	defer feed.Close()
	flushed := 0
	read := make(chan struct{})
	r := text.NewFileReader(ctx, []string{"-"}, func(string) (io.ReadCloser, error) { return in, nil })
	r.BeforeRead = func() error { flushed++; return nil }
	r.DisplayName = func(string) string { return "standard input" }
	r.Warn = func(w *dimacs.SyntaxError) { t.Errorf("warning %v", w) }
	go func() {
		io.WriteString(feed, strings.Repeat(".", 81)+"\nstart9\n1 1 1\n")
		<-read
		time.Sleep(10 * time.Millisecond) // most likely the next read blocks now
		cancel(reason)
	}()
	p, err := r.Next()
	if err != nil || p.String() != "standard input: line 1" || flushed < 2 {
		t.Fatalf("%v, %v after %d calls of BeforeRead", p, err, flushed)
	}
	close(read)
	if _, err := r.Next(); err != reason {
		t.Errorf("error %v, want %v", err, reason)
	}
	r = text.NewFileReader(context.Background(), []string{"a"}, opener(map[string]string{"a": empty4}))
	r.BeforeRead = func() error { return reason }
	if _, err := r.Next(); err != reason {
		t.Errorf("error %v, want that of BeforeRead", err)
	}
}

func TestFilePuzzleContradiction(t *testing.T) {
	r := text.NewFileReader(context.Background(), []string{"a"}, opener(map[string]string{"a": "\n1..1\n....\n....\n....\n"}))
	p, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	got := p.Contradiction(p.Conflict())
	want := "a: line 2, column 1 and line 2, column 4: contradictory givens: "
	if !strings.HasPrefix(got, want) {
		t.Errorf("message %q, want %q", got, want)
	}
}

// A panic of a source reaches the goroutine that reads.
func TestFileReaderPanic(t *testing.T) {
	defer func() {
		if p := recover(); p != "source" {
			t.Errorf("panic %v", p)
		}
	}()
	r := text.NewFileReader(context.Background(), []string{"a"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(nil), panicReader{})), nil
	})
	r.Next()
	t.Error("no panic")
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("source") }
