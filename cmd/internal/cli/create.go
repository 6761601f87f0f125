package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"sator/dimacs/file"
)

// How commands make files. A file gets its name when it is whole and not
// before, so that none is cut off, whatever happens; the name "-" is standard
// output. No output takes the place of an input or of another output.

// OutputFlag is the flag of all commands that write a file alone.
func OutputFlag() cli.Flag { return OutputFlagOf("write to `FILE`, - for standard output") }

func OutputFlagOf(usage string) cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: OutputFlags, Value: "-", Usage: usage}
}

// An output is a file in the making, or standard output.
type output interface {
	io.Writer
	Close() error // gives the file its name
	Abort()       // removes what was written, unless it was closed
}

// create begins to make a file. A pipe is waited for until somebody reads it,
// or until ctx is done, whose cause is then returned.
func (e *Env) create(ctx context.Context, name string) (output, error) {
	switch name {
	case "-":
		if e.made != nil {
			return standardOutput{e.made}, nil
		}
		return standardOutput{e.Stdout}, nil
	case "":
		return nil, ErrNoName
	}
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return Await(ctx, func() (output, error) { return newFile(name) })
	}
	return newFile(name)
}

func newFile(name string) (output, error) {
	w, err := file.Create(name)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// standardOutput is an output that stays open.
type standardOutput struct{ io.Writer }

func (standardOutput) Close() error { return nil }
func (standardOutput) Abort()       {}

// Write makes a file by calling content, or writes to standard output. What is
// not complete, for an error or since ctx is done, does not stay.
func (e *Env) Write(ctx context.Context, name string, content func(io.Writer) error) error {
	out, err := e.create(ctx, name)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := content(stoppableWriter{ctx, out}); err != nil {
		return err
	}
	return out.Close()
}

// Redirected runs a command with its standard output sent to a file, unless
// that is standard output. The file is made if the command has an answer.
func (e *Env) Redirected(name string, command func(*Env) error) error {
	if name == "-" {
		return command(e)
	}
	out, err := e.create(context.Background(), name)
	if err != nil {
		return err
	}
	defer out.Abort()
	to := *e
	to.Stdout, to.made = out, e.Stdout
	err = command(&to)
	if code := ExitCode(0); err != nil && !errors.As(err, &code) {
		return err
	}
	return cmp.Or(out.Close(), err)
}

// Distinct returns an error if the output would replace an input, also where
// one of them is a standard stream that the shell has redirected.
func (e *Env) Distinct(output string, inputs []string) error {
	out, err := stat(output, e.Stdout)
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, name := range inputs {
		if in, err := stat(name, e.Stdin); err == nil && os.SameFile(in, out) {
			what := "the output " + Named(output)
			if output == "-" {
				what = "standard output"
			}
			return Usagef("%s is an input", what)
		}
	}
	return nil
}

// Apart returns an error if one of the outputs would replace an input or
// another output. Outputs without a name are not asked for.
func (e *Env) Apart(outputs, inputs []string) error {
	for i, name := range outputs {
		if name == "" {
			continue
		}
		if err := e.Distinct(name, inputs); err != nil {
			return err
		}
		for _, other := range outputs[:i] {
			if other != "" && e.same(name, other) {
				return Usagef("%s would be written to twice", ShownOutput(name))
			}
		}
	}
	return nil
}

// same reports whether two outputs are one file, also where one is standard
// output and the shell has redirected it. What is no regular file, a terminal or
// /dev/null, takes both.
func (e *Env) same(a, b string) bool {
	x, err := stat(a, e.Stdout)
	y, other := stat(b, e.Stdout)
	if a == b || err != nil || other != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return os.SameFile(x, y) && x.Mode().IsRegular()
}

// ShownOutput returns the name of an output for a message.
func ShownOutput(name string) string {
	if name == "-" {
		return "standard output"
	}
	return Named(name)
}

// stat tells what file has that name; for "-" it is the one behind a standard
// stream.
func stat(name string, stream any) (os.FileInfo, error) {
	if name != "-" {
		return os.Stat(name)
	}
	if s, ok := stream.(interface{ Stat() (os.FileInfo, error) }); ok {
		return s.Stat()
	}
	return nil, os.ErrInvalid
}
