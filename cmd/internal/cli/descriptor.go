package cli

import "sator/dimacs/file"

// Descriptors that the process inherits. The shell replaces <(command) by the name of
// an open descriptor, such as /dev/fd/63.

// IsInput reports whether a name stands for standard input or for a descriptor that
// can only be read. On systems other than Unix only standard input is known.
func IsInput(name string) bool {
	fd, is := file.Descriptor(name)
	if !is || fd == 0 {
		return is
	}
	mode, err := accessMode(fd)
	return err == nil && mode.reads && !mode.writes
}

// An access says how a descriptor was opened.
type access struct{ reads, writes bool }
