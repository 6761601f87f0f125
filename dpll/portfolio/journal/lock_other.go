//go:build !unix || solaris || aix

package journal

import "os"

// lock does nothing on systems without advisory locks.
func lock(string, *os.File) error { return nil }
