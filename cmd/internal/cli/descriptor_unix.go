//go:build unix

package cli

import "golang.org/x/sys/unix"

// accessMode returns how a descriptor was opened. The error means that it is closed.
func accessMode(fd int) (access, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	mode := flags & unix.O_ACCMODE
	return access{reads: mode != unix.O_WRONLY, writes: mode != unix.O_RDONLY}, err
}

// sharedDescription reports whether two descriptors of the null device come from one
// call of open. It changes a status flag through one of them and looks for the change
// in the other; the flag has no effect on this device.
func sharedDescription(a, b int) bool {
	before, err := unix.FcntlInt(uintptr(a), unix.F_GETFL, 0)
	if err != nil {
		return false
	}
	other, err := unix.FcntlInt(uintptr(b), unix.F_GETFL, 0)
	if err != nil || other != before {
		return false
	}
	if _, err := unix.FcntlInt(uintptr(a), unix.F_SETFL, before^unix.O_APPEND); err != nil {
		return false
	}
	after, err := unix.FcntlInt(uintptr(b), unix.F_GETFL, 0)
	unix.FcntlInt(uintptr(a), unix.F_SETFL, before)
	return err == nil && after != other
}
