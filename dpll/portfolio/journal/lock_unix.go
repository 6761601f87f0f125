//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock keeps other processes out of a folder, by a lock on a file of it that goes
// with the process. A file system that has no locks is left without.
func lock(dir string, f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s is in use by another process", dir)
	}
	return nil
}
