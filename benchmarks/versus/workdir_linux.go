package versus

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold locks a directory and returns a function that releases the lock. On a file system without
// locks hold does nothing; removeAbandoned then cannot lock the directory either and leaves it.
func hold(dir string) (release func()) {
	f, ok := lock(dir, 0)
	if !ok {
		return func() {}
	}
	return func() { f.Close() }
}

// removeAbandoned removes a directory that is not locked.
func removeAbandoned(dir string) {
	f, ok := lock(dir, unix.LOCK_NB)
	if !ok {
		return
	}
	defer f.Close()
	os.RemoveAll(dir)
}

// lock locks a directory until the file returned is closed. It does not follow symbolic links.
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
