package cli

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Descriptors that the process inherits. The shell replaces <(command) by the name of
// an open descriptor, such as /dev/fd/63.

// IsInput reports whether a name stands for standard input or for a descriptor that
// can only be read. On systems other than Unix only standard input is known.
func IsInput(name string) bool {
	fd, is := descriptorOf(name)
	if !is || fd == 0 {
		return is
	}
	mode, err := accessMode(fd)
	return err == nil && mode.reads && !mode.writes
}

// An access says how a descriptor was opened.
type access struct{ reads, writes bool }

// descriptorOf returns the descriptor that a name stands for.
func descriptorOf(name string) (fd int, is bool) {
	name = filepath.Clean(name)
	for fd, stream := range []string{"/dev/stdin", "/dev/stdout", "/dev/stderr"} {
		if name == stream {
			return fd, true
		}
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if number, is := strings.CutPrefix(name, dir); is {
			fd, err := strconv.Atoi(number)
			return fd, err == nil && fd >= 0
		}
	}
	return 0, false
}
