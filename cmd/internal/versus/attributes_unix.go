//go:build unix && !linux

package versus

import "syscall"

// attributes makes the process the leader of a new process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
