//go:build !unix

package versus

import "syscall"

// attributes returns nil: this system has no process groups.
func attributes() *syscall.SysProcAttr { return nil }
