//go:build linux || darwin || freebsd

package hub

import "golang.org/x/sys/unix"

// freeSpace returns the bytes that a process without privileges may still write to the
// file system of a directory, and the size of the file system.
func freeSpace(dir string) (free, size int64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), int64(s.Blocks) * int64(s.Bsize), true
}
