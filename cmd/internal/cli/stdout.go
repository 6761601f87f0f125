package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// Standard output. An answer that cannot be written is an error, whatever the
// command does after the failed write:
//
//   - The first error of a write ends the command, since nobody sees the rest of its
//     output. The exit code is 1.
//   - A closed pipe, as after "| head", is not worth a message. The exit code is 141;
//     shells report the same for programs that SIGPIPE kills.
//   - A closed standard output (>&-) is an error before the command starts. The Go
//     runtime opens /dev/null in place of a closed stream before any code of a
//     program runs, and for reading and writing, while >/dev/null opens it for
//     writing only. Programs that start others may open /dev/null for both too, as
//     Python does for subprocess.DEVNULL. It is recognized if two streams share it,
//     because the runtime opens each stream anew; otherwise it counts as closed.
//
// Errors of writing to standard error are ignored. They cannot be reported, and the
// answer is not there.

// codePipe is the exit code after a write to a pipe without a reader: 128 plus the
// number of SIGPIPE.
const codePipe = 141

// errClosed is the error of a write to a closed standard output.
var errClosed = errors.New("standard output is closed, or is /dev/null opened for reading too (>/dev/null opens it for writing only)")

// A stream is standard output. It keeps the first error.
type stream struct {
	w io.Writer

	mu     sync.Mutex
	err    error       // the first error of w
	failed func(error) // called with the first error; may be nil
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	if err == nil {
		return n, nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("standard output: %w", path.Err) // without the name /dev/stdout
	}
	s.err = err
	if s.failed != nil {
		s.failed(err)
	}
	return n, err
}

// Stat returns the file info of the stream, for tests whether it is an input.
func (s *stream) Stat() (os.FileInfo, error) { return stat("-", s.w) }

// closed reports whether standard output was closed when the process started.
func (s *stream) closed() bool {
	_, is := s.w.(closedOutput)
	return is
}

// onFailure sets the function that the first error of a write calls.
func (s *stream) onFailure(f func(error)) {
	s.mu.Lock()
	s.failed = f
	s.mu.Unlock()
}

// failure returns the first error of a write, or nil.
func (s *stream) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// OnTerminal reports whether a writer is a terminal.
func OnTerminal(w io.Writer) bool {
	if s, is := Raw(w).(*stream); is {
		w = s.w
	}
	f, is := w.(*os.File)
	if !is {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term.IsTerminal(int(f.Fd()))
}

// closedOutput is a standard output that is closed.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) { return 0, errClosed }

// processOutput returns the standard output of the process.
func processOutput() io.Writer {
	if wasClosed(os.Stdout, 1) {
		return closedOutput{}
	}
	return os.Stdout
}

// closedInput is a standard input that is closed. An empty input would be a proof
// without steps.
type closedInput struct{}

func (closedInput) Read([]byte) (int, error) {
	return 0, errors.New("it is closed, or is /dev/null opened for writing too")
}

// processInput returns the standard input of the process.
func processInput() io.Reader {
	if wasClosed(os.Stdin, 0) {
		return closedInput{}
	}
	return os.Stdin
}

// wasClosed reports whether a standard stream was closed when the process started.
func wasClosed(f *os.File, fd int) bool {
	mode, err := accessMode(fd)
	if err != nil || !mode.reads || !mode.writes {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, null) {
		return false
	}
	for other := range 3 {
		if other != fd && sharedDescription(fd, other) {
			return false
		}
	}
	return true
}

// isBrokenPipe reports whether an error is that of a pipe without a reader.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
