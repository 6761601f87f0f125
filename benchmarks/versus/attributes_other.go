//go:build !unix

package versus

import "syscall"

// attributes asks for nothing: there are no groups.
func attributes() *syscall.SysProcAttr { return nil }
