//go:build !unix || solaris || aix

package hub

import (
	"os"
	"path/filepath"
)

// lock creates the file of the lock. It keeps no process out on systems without advisory
// locks.
func lock(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
}
