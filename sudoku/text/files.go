package text

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
)

// A FileReader reads the puzzles of several files as one stream, which numbers
// them. It opens a file when the puzzles of the file before are read, and closes
// it at its end.
//
// Reading ends with the context, even if a pipe blocks: each file is read by a
// goroutine of its own, which is abandoned then.
//
// The exported fields must be set before the first call of Next.
type FileReader struct {
	// Rules, Zero and Format are those of the [Reader] of each file.
	Rules  *sudoku.Rules
	Zero   bool
	Format string

	// Adapt, if not nil, returns the variant with which a puzzle is returned for
	// the variant that was read. It adds a diagonal constraint, for instance.
	Adapt func(sudoku.Variant) sudoku.Variant

	// Warn, if not nil, is called with the warnings of the [Reader] of each file.
	Warn func(*dimacs.SyntaxError)

	// BeforeRead, if not nil, is called before a file is opened and before each
	// read from it, which may block: the time to flush an output. Its error ends
	// the stream.
	BeforeRead func() error

	// DisplayName, if not nil, returns the name of a file for messages.
	DisplayName func(name string) string

	ctx    context.Context
	open   func(name string) (io.ReadCloser, error)
	names  []string // not opened yet
	file   io.ReadCloser
	reader *Reader // of file; nil if no file is open
	shown  string  // the name of file for messages
	first  int     // the number of puzzles before those of file
	number int     // of the puzzle that was returned last
	err    error   // that ended the stream

	read    *sudoku.Rules // of the puzzle that was adapted last
	adapted *sudoku.Rules // that Adapt made of them
}

// A FilePuzzle is a puzzle of a [FileReader].
type FilePuzzle struct {
	*Puzzle
	File   string // its name for messages
	Number int    // among the puzzles of all files, from 1
}

// NewFileReader returns a reader of the puzzles in the named files, which it
// opens with open. If a file has a method Drain() error, as those of
// [sator/dimacs/file] have, it is called after a syntax error, and its error is
// returned in place of that one: a damaged archive may decompress to a text that
// is no puzzle.
func NewFileReader(ctx context.Context, names []string, open func(name string) (io.ReadCloser, error)) *FileReader {
	return &FileReader{ctx: ctx, names: names, open: open}
}

// Next returns the next puzzle, and [io.EOF] after the last one. A file without
// puzzles is an error. After an error Next returns the same error again.
func (f *FileReader) Next() (*FilePuzzle, error) {
	if f.err != nil {
		return nil, f.err
	}
	p, err := f.next()
	if err != nil {
		f.err = err
		return nil, err
	}
	return p, nil
}

// All returns an iterator over the puzzles that [FileReader.Next] returns. It ends
// after the last puzzle, or after an error, which comes with a nil puzzle.
func (f *FileReader) All() iter.Seq2[*FilePuzzle, error] {
	return func(yield func(*FilePuzzle, error) bool) {
		for {
			p, err := f.Next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// Nth returns puzzle n, counted from 1, and skips those before it. It returns
// [io.EOF] if there are fewer puzzles; then [FileReader.Count] is their number.
func (f *FileReader) Nth(n int) (*FilePuzzle, error) {
	for {
		p, err := f.Next()
		if err != nil || p.Number == n {
			return p, err
		}
	}
}

// Only returns the next puzzle, and the one after it if there is one. The error
// is that of reading either; it is not [io.EOF] if there is exactly one.
func (f *FileReader) Only() (only, second *FilePuzzle, err error) {
	if only, err = f.Next(); err != nil {
		return nil, nil, err
	}
	if second, err = f.Next(); err != nil && err != io.EOF {
		return nil, nil, err
	}
	return only, second, nil
}

// Count returns the number of puzzles that were returned.
func (f *FileReader) Count() int { return f.number }

func (f *FileReader) next() (*FilePuzzle, error) {
	for {
		if f.reader == nil {
			if err := f.openNext(); err != nil {
				return nil, err
			}
		}
		p, err := f.reader.Next()
		if err == nil {
			f.number++
			return &FilePuzzle{p, f.shown, f.number}, f.adapt(p)
		}
		if err := f.close(err); err != nil {
			return nil, err
		}
	}
}

// openNext opens the next file. It returns [io.EOF] if there is none.
func (f *FileReader) openNext() error {
	if len(f.names) == 0 {
		return io.EOF
	}
	name := f.names[0]
	f.names = f.names[1:]
	if f.BeforeRead != nil {
		if err := f.BeforeRead(); err != nil {
			return err
		}
	}
	file, err := f.open(name)
	if err != nil {
		return err
	}
	f.file, f.first, f.shown = file, f.number, name
	if f.DisplayName != nil {
		f.shown = f.DisplayName(name)
	}
	f.reader = NewReader(&contextReader{ctx: f.ctx, src: file, before: f.BeforeRead}, f.shown)
	f.reader.Rules, f.reader.Format, f.reader.Zero = f.Rules, f.Format, f.Zero
	f.reader.Warn = func(warning *dimacs.SyntaxError) {
		if f.Warn != nil && f.ctx.Err() == nil {
			f.Warn(warning)
		}
	}
	return nil
}

// close closes the file after the error of its reader. It returns nil if that
// error was the end of a file with puzzles.
func (f *FileReader) close(err error) error {
	file := f.file
	f.reader, f.file = nil, nil
	if f.ctx.Err() != nil { // an abandoned goroutine may still read the file
		return context.Cause(f.ctx)
	}
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		if d, ok := file.(interface{ Drain() error }); ok {
			if damage := d.Drain(); damage != nil {
				err = damage
			}
		}
	}
	closing := file.Close()
	switch {
	case err != io.EOF:
		return err
	case closing != nil:
		return closing
	case f.number == f.first:
		return fmt.Errorf("%s: there is no puzzle", f.shown)
	}
	return nil
}

// adapt gives a puzzle the rules that Adapt makes. Puzzles with the same rules
// have the same rules afterwards.
func (f *FileReader) adapt(p *Puzzle) error {
	if f.Adapt == nil {
		return nil
	}
	if p.Rules != f.read {
		rules, err := sudoku.New(f.Adapt(p.Rules.Variant()))
		if err != nil {
			return fmt.Errorf("%s: line %d: %v", f.shown, p.Line, err)
		}
		f.read, f.adapted = p.Rules, rules
	}
	p.Rules = f.adapted
	return nil
}

// String returns the position of the puzzle for messages: the name of its file,
// and the line of its first cell.
func (p *FilePuzzle) String() string { return fmt.Sprintf("%s: line %d", p.File, p.Line) }

// CellPosition returns the position of a cell in its file for messages.
func (p *FilePuzzle) CellPosition(cell int) string {
	line, column := p.Position(cell)
	return fmt.Sprintf("line %d, column %d", line, column)
}

// Contradiction returns a message about contradictory givens, with the position
// of each.
func (p *FilePuzzle) Contradiction(c *sudoku.Conflict) string {
	var positions []string
	for _, cell := range c.Cells {
		positions = append(positions, p.CellPosition(cell))
	}
	return fmt.Sprintf("%s: %s: contradictory givens: %s", p.File, strings.Join(positions, " and "), c.Msg)
}

// A contextReader reads src on another goroutine, so that Read returns at the end
// of the context even if a read from src blocks.
type contextReader struct {
	ctx    context.Context
	src    io.Reader
	before func() error // called before each read, if not nil
	buf    []byte       // an abandoned read writes here, not into the slice of the caller
}

func (r *contextReader) Read(p []byte) (int, error) {
	if r.before != nil {
		if err := r.before(); err != nil {
			return 0, err
		}
	}
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	type result struct {
		n        int
		err      error
		panicked any
	}
	done := make(chan result, 1)
	go func() {
		var got result
		defer func() {
			got.panicked = recover()
			done <- got
		}()
		got.n, got.err = r.src.Read(r.buf[:len(p)])
	}()
	select {
	case got := <-done:
		if got.panicked != nil {
			panic(got.panicked)
		}
		return copy(p, r.buf[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	}
}
