//go:build unix

package cli

import "golang.org/x/sys/unix"

// accessMode returns how a descriptor was opened. The error means that it is closed.
func accessMode(fd int) (access, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	mode := flags & unix.O_ACCMODE
	return access{reads: mode != unix.O_WRONLY, writes: mode != unix.O_RDONLY}, err
}
