//go:build unix && !linux

package versus

import "syscall"

// attributes makes a process the head of a group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
