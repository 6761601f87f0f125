package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"sator/dimacs/file"
)

// Operands returns the operands of a command line, or "-" (standard input) if
// there are no operands.
func Operands(c *cli.Context) []string {
	if c.NArg() == 0 {
		return []string{"-"}
	}
	return c.Args().Slice()
}

// CheckStdin returns an error if standard input, "-", occurs twice in names.
func CheckStdin(names []string) error {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return Usagef("standard input can be read only once")
	}
	return nil
}

// Shown returns the name of an input for messages.
func Shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return Named(name)
}

// ShownAll returns the names of inputs for messages.
func ShownAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = Shown(name)
	}
	return all
}

// Named returns the name of a file for messages, quoted if it would be invisible or has
// control characters.
func Named(name string) string {
	if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return name
}

// ErrNoName is the error of an empty file name.
var ErrNoName = errors.New(`invalid file name ""`)

// Open opens a file, or standard input for "-", and decompresses it.
func (e *Env) Open(ctx context.Context, name string) (*Stream, error) {
	f, err := Await(ctx, func() (*file.File, error) { return e.open(name) })
	if err != nil {
		return nil, err
	}
	s := &Stream{ctx: ctx, File: f}
	if name == "-" {
		s.name = Shown(name)
	}
	info, err := stat(name, e.Stdin)
	s.waits = err != nil || !info.Mode().IsRegular()
	return s, nil
}

func (e *Env) open(name string) (*file.File, error) {
	switch name {
	case "":
		return nil, ErrNoName
	case "-":
		in, err := file.DecompressWithin(e.Stdin, e.memory.Allows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Shown(name), err)
		}
		return in, nil
	}
	return file.OpenWithin(name, e.memory.Allows)
}

// A Stream is an open input. Reads return the cause of its context once the
// context is done, so that an abandoned goroutine ends soon, and so that a signal ends
// a command that waits for a pipe or a terminal.
type Stream struct {
	ctx context.Context
	*file.File
	name  string // prefix of errors; empty if the errors of File have the name
	waits bool   // File is a pipe or a terminal
	buf   []byte // the data of a read that waits
}

func (s *Stream) Read(p []byte) (n int, err error) {
	if s.waits {
		s.buf = slices.Grow(s.buf[:0], len(p))[:len(p)]
		n, err = Await(s.ctx, func() (int, error) { return s.File.Read(s.buf) })
		copy(p, s.buf[:n])
	} else if err = context.Cause(s.ctx); err == nil {
		n, err = s.File.Read(p)
	}
	return n, s.named(err)
}

// Drain reads the rest of an input and returns the error of a damaged archive,
// which may show first as a syntax error.
func (s *Stream) Drain() error {
	_, err := Await(s.ctx, func() (struct{}, error) { return struct{}{}, s.File.Drain() })
	return s.named(err)
}

// Close closes the input, unless a read may still wait for it.
func (s *Stream) Close() error {
	if s.waits && s.ctx.Err() != nil {
		return nil
	}
	return s.File.Close()
}

func (s *Stream) named(err error) error {
	if err == nil || err == io.EOF || s.name == "" || err == context.Cause(s.ctx) {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// packings are the extensions of compressed files.
var packings = []string{".gz", ".bz2", ".xz", ".zst", ".zstd", ".lz", ".lz4", ".lzma", ".z", ".zip", ".7z"}

// Extension returns the extension of a name in lower case, without the extension
// of the compression.
func Extension(name string) string {
	name = strings.ToLower(name)
	if ext := filepath.Ext(name); IsPacking(ext) {
		name = strings.TrimSuffix(name, ext)
	}
	return filepath.Ext(name)
}

// IsPacking reports whether an extension is that of a compressed file.
func IsPacking(ext string) bool { return slices.Contains(packings, strings.ToLower(ext)) }
