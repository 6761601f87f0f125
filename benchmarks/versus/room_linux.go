package versus

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold locks a folder and returns what releases it. Without a lock, on a file system that has none,
// nobody else gets one either.
func hold(dir string) (release func()) {
	f, ok := lock(dir, 0)
	if !ok {
		return func() {}
	}
	return func() { f.Close() }
}

// removeAbandoned removes a folder that nobody holds.
func removeAbandoned(dir string) {
	f, ok := lock(dir, unix.LOCK_NB)
	if !ok {
		return
	}
	defer f.Close()
	os.RemoveAll(dir)
}

// lock locks a folder, and no link to one, as long as the file is open.
func lock(dir string, how int) (*os.File, bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, false
	}
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|how); err {
		case nil:
			return f, true
		case unix.EINTR:
		default:
			f.Close()
			return nil, false
		}
	}
}
