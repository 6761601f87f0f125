//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"fmt"
	"syscall"

	"sator/dimacs/file"
)

// lock keeps other processes out of a directory by an advisory lock on one of its files.
// The system releases the lock when the process ends. On a file system without locks,
// lock has no effect.
func lock(dir string, f *file.Handle) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s is in use by another process", dir)
	}
	return nil
}
