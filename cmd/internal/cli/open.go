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

	"github.com/urfave/cli/v2"

	"sator/dimacs/file"
)

// Operands returns the files of a command line, standard input if there is
// none.
func Operands(c *cli.Context) []string {
	if c.NArg() == 0 {
		return []string{"-"}
	}
	return c.Args().Slice()
}

// Shown returns the name of a file for a message.
func Shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return Named(name)
}

// ShownAll returns the names of files for a message.
func ShownAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = Shown(name)
	}
	return all
}

// Named returns the name of a file as a message shows it: in quotes where it
// could not be seen otherwise.
func Named(name string) string {
	if strings.TrimSpace(name) == "" {
		return strconv.Quote(name)
	}
	return name
}

// ErrNoName is the error of a file whose name is empty.
var ErrNoName = errors.New(`"" is no name of a file`)

// Open opens a file, or standard input for "-", whatever the compression.
func (e *Env) Open(ctx context.Context, name string) (*Stream, error) {
	if name != "-" {
		if name == "" {
			return nil, ErrNoName
		}
		f, err := file.Open(name)
		if err != nil {
			return nil, err
		}
		return &Stream{ctx, f, ""}, nil
	}
	in, err := file.Decompress(e.Stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Shown(name), err)
	}
	return &Stream{ctx, in, Shown(name)}, nil
}

// A Stream fails once its context is done, so that a goroutine that nobody
// waits for any more does not go on for long.
type Stream struct {
	ctx context.Context
	*file.File
	name string // what errors begin with, unless they name the file already
}

func (s *Stream) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.File.Read(p)
	return n, s.named(err)
}

// Drain returns the error of an archive that is damaged: it may make a mistake
// in the formula before it is found out.
func (s *Stream) Drain() error { return s.named(s.File.Drain()) }

func (s *Stream) named(err error) error {
	if err == nil || err == io.EOF || s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// packings are the endings of names that tell of compression.
var packings = []string{".gz", ".bz2", ".xz", ".zst", ".zstd", ".lz", ".lz4", ".lzma", ".z", ".zip", ".7z"}

// Extension returns how a name ends, in lower case, without what tells of
// compression.
func Extension(name string) string {
	name = strings.ToLower(name)
	if ext := filepath.Ext(name); IsPacking(ext) {
		name = strings.TrimSuffix(name, ext)
	}
	return filepath.Ext(name)
}

// IsPacking reports whether the ending of a name tells of compression.
func IsPacking(ext string) bool { return slices.Contains(packings, strings.ToLower(ext)) }
