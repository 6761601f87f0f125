package versus

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// hold locks and marks a new directory and returns a function that releases the lock. The marker is
// written under the lock, so no other bench ever sees a directory with a marker that is in use but
// not locked. On a file system without locks hold writes no marker.
func hold(dir string) (release func(), err error) {
	f, err := lock(dir, 0)
	if err != nil {
		return func() {}, nil
	}
	if inode, _, ok := identity(f); ok {
		err = os.WriteFile(filepath.Join(dir, markerFile), []byte(marker(dir, inode)), 0o600)
	}
	if err != nil {
		f.Close()
		os.Remove(filepath.Join(dir, markerFile))
		return nil, err
	}
	return func() { f.Close() }, nil
}

// removeAbandoned removes the work directory of a killed bench. It leaves all other directories.
func removeAbandoned(dir string) {
	f, err := lock(dir, unix.LOCK_NB)
	if err != nil {
		return
	}
	defer f.Close()
	inode, uid, ok := identity(f)
	if !ok || uid != os.Geteuid() {
		return
	}
	root, err := openRoot(dir, f)
	if err != nil {
		return
	}
	defer root.Close()
	if marked(root, marker(dir, inode)) {
		removeFiles(root)
		unix.Rmdir(dir) // fails if there are other files
	}
}

// marked reports whether a directory has a marker with this content.
func marked(root *os.Root, want string) bool {
	info, err := root.Lstat(markerFile)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
		return false
	}
	text, err := root.ReadFile(markerFile)
	return err == nil && string(text) == want
}

// identity returns the inode number and the owner of an open directory.
func identity(f *os.File) (inode uint64, uid int, ok bool) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return stat.Ino, int(stat.Uid), true
}

// openRoot opens a directory as an os.Root. os.OpenRoot follows symbolic links, so openRoot returns
// an error if it is not the directory of f.
func openRoot(dir string, f *os.File) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	want, err := f.Stat()
	if err == nil {
		var got os.FileInfo
		if got, err = root.Stat("."); err == nil && !os.SameFile(got, want) {
			err = errors.New("the directory was replaced")
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// lock locks a directory until the file returned is closed. It does not follow symbolic links.
func lock(dir string, how int) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|how); err {
		case nil:
			return f, nil
		case unix.EINTR:
		default:
			f.Close()
			return nil, err
		}
	}
}
