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

// A FileReader reads the puzzles of several files as one numbered stream. It
// opens a file after it has read the puzzles of the previous file, and closes
// each file at its end.
//
// Reading ends with the context, even if a pipe blocks. For this each file is
// read by a goroutine of its own, and the end of the context abandons the
// goroutine.
//
// The exported fields must be set before the first call of Next.
type FileReader struct {
	// Rules, Zero and Format are passed to the [Reader] of each file.
	Rules  *sudoku.Rules
	Zero   bool
	Format string

	// Adapt, if not nil, replaces the variant of each puzzle that was read, for
	// example to add a diagonal constraint.
	Adapt func(sudoku.Variant) sudoku.Variant

	// KeepGoing makes Next return a puzzle with Err set in place of an invalid one, and
	// read on (see [Reader.Resume]). If several files were named, a file that cannot
	// be opened, or has no puzzle, is such a puzzle, too. Other errors of reading end
	// the stream.
	KeepGoing bool

	// Warn, if not nil, is called with the warnings of the [Reader] of each file.
	Warn func(*dimacs.SyntaxError)

	// BeforeRead, if not nil, is called before a file is opened and before each
	// read from it, for example to flush an output, because a read can block.
	// An error of BeforeRead ends the stream.
	BeforeRead func() error

	// DisplayName, if not nil, returns the name of a file for messages.
	DisplayName func(name string) string

	ctx    context.Context
	open   func(name string) (io.ReadCloser, error)
	names  []string // files that are not opened yet
	file   io.ReadCloser
	reader *Reader // reader of file; nil if no file is open
	shown  string  // name of file for messages
	first  int     // number of puzzles before file
	number int     // number of the last puzzle returned
	failed int     // number of puzzles returned with an error
	resume bool    // the last puzzle had a syntax error, and reader is behind it
	single bool    // only one file was named
	err    error   // that ended the stream

	read    *sudoku.Rules // rules of the puzzle adapted last
	adapted *sudoku.Rules // the adapted rules
}

// A FilePuzzle is a puzzle of a [FileReader].
type FilePuzzle struct {
	*Puzzle        // nil if Err is not nil
	File    string // name of the file, for messages
	Number  int    // number among the puzzles of all files, from 1
	Err     error  // with [FileReader.KeepGoing]: why there is no valid puzzle, with its position
}

// NewFileReader returns a reader of the puzzles in the named files. It opens
// them with open. If a file has a method Drain() error, like the files of
// package [sator/dimacs/file], the method is called after a syntax error, and
// an error of it replaces the syntax error. A damaged archive can decompress to
// a text that is no puzzle.
func NewFileReader(ctx context.Context, names []string, open func(name string) (io.ReadCloser, error)) *FileReader {
	return &FileReader{ctx: ctx, names: names, open: open, single: len(names) == 1}
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

// All returns an iterator over the puzzles of [FileReader.Next]. It ends after
// the last puzzle or after an error. With an error the puzzle is nil.
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

// Nth returns puzzle n, counted from 1, and skips the puzzles before it. It
// returns [io.EOF] if there are fewer puzzles; then [FileReader.Count] is their
// number.
func (f *FileReader) Nth(n int) (*FilePuzzle, error) {
	for {
		p, err := f.Next()
		if err != nil || p.Number == n {
			return p, err
		}
	}
}

// Only returns the next puzzle, and the one after it or nil. It returns an
// error of reading either puzzle, except for [io.EOF] after the first one.
func (f *FileReader) Only() (only, second *FilePuzzle, err error) {
	if only, err = f.Next(); err != nil {
		return nil, nil, err
	}
	if second, err = f.Next(); err != nil && err != io.EOF {
		return nil, nil, err
	}
	return only, second, nil
}

// Count returns the number of puzzles that were returned, invalid ones included.
func (f *FileReader) Count() int { return f.number }

// Failed returns the number of invalid puzzles that were returned.
func (f *FileReader) Failed() int { return f.failed }

func (f *FileReader) next() (*FilePuzzle, error) {
	for {
		if f.resume { // not earlier, because Resume can wait for input
			f.resume = false
			f.reader.Resume()
		}
		if f.reader == nil {
			if err := f.openNext(); err != nil {
				return f.failure(err, err != io.EOF && !f.single)
			}
		}
		p, err := f.reader.Next()
		if err == nil {
			if err = f.adapt(p); err != nil {
				return f.failure(err, true)
			}
			f.number++
			return &FilePuzzle{Puzzle: p, File: f.shown, Number: f.number}, nil
		}
		if f.KeepGoing && isSyntax(err) {
			f.resume = true
			return f.failure(err, true)
		}
		if err := f.close(err); err != nil {
			return f.failure(err, err == errNoPuzzle && !f.single)
		}
	}
}

// failure returns a puzzle with an error, or the error if it ends the stream. The
// argument minor reports whether reading can go on.
func (f *FileReader) failure(err error, minor bool) (*FilePuzzle, error) {
	if err == errNoPuzzle {
		err = fmt.Errorf("%s: %w", f.shown, err)
	}
	if !f.KeepGoing || !minor || f.ctx.Err() != nil {
		return nil, err
	}
	f.number++
	f.failed++
	return &FilePuzzle{File: f.shown, Number: f.number, Err: err}, nil
}

// isSyntax reports whether an error is a syntax error.
func isSyntax(err error) bool {
	syntax := (*dimacs.SyntaxError)(nil)
	return errors.As(err, &syntax)
}

// errNoPuzzle is the error of a file without puzzles.
var errNoPuzzle = errors.New("there is no puzzle")

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
	f.shown = name
	if f.DisplayName != nil {
		f.shown = f.DisplayName(name)
	}
	file, err := f.open(name)
	if err != nil {
		return err
	}
	f.file, f.first = file, f.number
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
	if isSyntax(err) {
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
		return errNoPuzzle
	}
	return nil
}

// adapt replaces the rules of a puzzle by those of Adapt. Puzzles that share
// rules before share rules afterwards.
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
// and the line of its first cell. For an invalid puzzle it is the error, which has
// the position.
func (p *FilePuzzle) String() string {
	if p.Err != nil {
		return p.Err.Error()
	}
	return fmt.Sprintf("%s: line %d", p.File, p.Line)
}

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
		err      error // the error that ended the stream
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
