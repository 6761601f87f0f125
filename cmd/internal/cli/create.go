package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
	"sator/dimacs/file"
)

// Output files. An output file gets its name only when it is complete, even if
// the command fails or is stopped. The name "-" stands for standard output. No
// output replaces an input or another output.

// OutputFlag returns the flag -o, --output of commands that write one file, or of which
// the file replaces standard output. The formats are written by the command, besides the formats of --format; without any it writes text.
func OutputFlag(formats ...string) *FileFlag {
	if len(formats) == 0 {
		formats = []string{anyText}
	}
	return &FileFlag{Formats: formats, By: "format", StringFlag: &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: OutputFlags, Value: "-", Usage: "write to `FILE`, - for standard output"}}
}

// OutputDir returns the flag -o, --output of commands that write several files.
func OutputDir(value string) *FileFlag {
	return Writes(&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: OutputFlags, Value: value, Usage: "write to directory `DIR`"})
}

// CheckOutput returns an error for the value of a flag that names an output file, if both the
// file and the main output of the command are standard output. The arguments what and main are
// the contents of the two, for the message.
func CheckOutput(c *cli.Context, flag, what, main string) error {
	if c.String(flag) == "-" && c.String("output") == "-" {
		return &UsageError{Msg: fmt.Sprintf("%s and the %s cannot both be written to standard output", what, main),
			Hint: fmt.Sprintf("Write the %s to a file with --output.", main)}
	}
	return nil
}

// An output is an incomplete file, or standard output.
type output interface {
	io.Writer
	Close() error // renames the complete file to its name
	Abort()       // removes the incomplete file; no effect after Close
}

// create opens a file for writing. For a named pipe it waits for a reader until
// ctx is done, and then returns the cause of ctx. Once ctx is done, each write to the
// pipe waits pipePatience at most. Run has checked the outputs of the command line;
// create checks them again, because a command may number its outputs.
func (e *Env) create(ctx context.Context, name string) (output, error) {
	switch name {
	case "-":
		if e.terminalOut != nil {
			return standardOutput{Raw(e.terminalOut)}, nil
		}
		return standardOutput{Raw(e.Stdout)}, nil
	case "":
		return nil, ErrNoName
	}
	if err := e.distinct(name, e.inputs); err != nil {
		return nil, err
	}
	if clean := filepath.Clean(name); e.created[clean] {
		return nil, Usagef("%s would be written to twice", Named(name))
	} else if e.created != nil {
		e.created[clean] = true
	}
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		w, err := Await(ctx, func() (*file.Writer, error) { return e.Disk.Create(name) })
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { w.Hurry(pipePatience) })
		return w, nil
	}
	w, err := e.Disk.Create(name)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// pipePatience is how long a stopped command waits for the reader of a named pipe,
// each time that it writes. Without it, a reader that stopped too would keep it waiting.
const pipePatience = 5 * time.Second

// standardOutput is standard output as an [output]. Close does not close it.
type standardOutput struct{ io.Writer }

func (standardOutput) Close() error { return nil }
func (standardOutput) Abort()       {}

// Write creates a file and calls content to write a text, or writes to standard
// output; see [Raw] for other data. If content fails or ctx is done, the file is removed.
func (e *Env) Write(ctx context.Context, name string, content func(io.Writer) error) error {
	out, err := e.create(ctx, name)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := content(escaper{stoppableWriter{ctx, out}}); err != nil {
		return err
	}
	return out.Close()
}

// redirected calls a command with standard output replaced by a file, unless name
// is "-". The file is created if the command returns nil or an [ExitCode].
func (e *Env) redirected(ctx context.Context, name string, command func(*Env) error) error {
	if name == "-" {
		return command(e)
	}
	out, err := e.create(ctx, name)
	if err != nil {
		return err
	}
	defer out.Abort()
	to := *e
	to.Stdout, to.terminalOut = escaper{out}, e.Stdout
	err = command(&to)
	if code := ExitCode(0); err != nil && !errors.As(err, &code) {
		return err
	}
	return cmp.Or(out.Close(), err)
}

// distinct returns an error if the output would replace an input. It compares
// files instead of names, so it also detects standard streams redirected by the
// shell.
func (e *Env) distinct(output string, inputs []string) error {
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

// reachable returns an error if the folder of an output does not exist or the output is
// a folder. Otherwise a command that writes its file at the end would lose the result of
// a long run. A folder with a number in its name is not known yet.
func reachable(name string) error {
	folder := filepath.Dir(name)
	if name == "" || name == "-" || strings.Contains(folder, "%d") {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a directory", Named(name))
	}
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	info, err := os.Stat(folder)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return fmt.Errorf("%s: %w", Named(name), path.Err)
	} else if err == nil && !info.IsDir() {
		return fmt.Errorf("%s: not a directory", Named(name))
	}
	return err
}

// keepFormula returns an error if an output that is no formula, such as a proof, would
// replace one. Probably the command line lacks the name of the output, as in "--proof
// problem.cnf".
func keepFormula(output, name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := file.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if kind, _, err := dimacs.Sniff(f); err != nil || kind != dimacs.KindCNF && kind != dimacs.KindScript {
		return nil
	}
	return &UsageError{Msg: fmt.Sprintf("the %s would replace the formula %s", output, Named(name)), Hint: "Remove the file or choose another name."}
}

// checkOutputs returns an error if the outputs of a command line cannot be written, as
// far as that is known before the run, or would replace an input or another output.
func (e *Env) checkOutputs(outputs, inputs []string) error {
	if slices.Contains(outputs, "-") && e.stdout.closed() {
		return errClosed
	}
	for _, name := range outputs {
		if err := reachable(name); err != nil {
			return err
		}
	}
	return e.apart(outputs, inputs)
}

// apart returns an error if an output would replace an input or another output.
// Empty names are skipped.
func (e *Env) apart(outputs, inputs []string) error {
	for i, name := range outputs {
		if name == "" {
			continue
		}
		if err := e.distinct(name, inputs); err != nil {
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

// same reports whether two outputs are one regular file or one pipe, or have the
// same name. Several outputs may share a terminal or /dev/null.
func (e *Env) same(a, b string) bool {
	x, err := stat(a, e.Stdout)
	y, other := stat(b, e.Stdout)
	if a == b || err != nil || other != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return os.SameFile(x, y) && (x.Mode().IsRegular() || x.Mode()&os.ModeNamedPipe != 0)
}

// ShownOutput returns the name of an output for messages.
func ShownOutput(name string) string {
	if name == "-" {
		return "standard output"
	}
	return Named(name)
}

// stat returns the file info of a name; for "-" it is the info of the stream.
func stat(name string, stream any) (os.FileInfo, error) {
	if name != "-" {
		return os.Stat(name)
	}
	if w, is := stream.(io.Writer); is {
		stream = Raw(w)
	}
	if s, ok := stream.(interface{ Stat() (os.FileInfo, error) }); ok {
		return s.Stat()
	}
	return nil, os.ErrInvalid
}
