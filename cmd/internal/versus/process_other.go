//go:build !unix

package versus

import "os"

// killGroup does nothing: this system has no process groups. The caller kills the process itself.
func killGroup(*os.Process) {}

// maxResident returns 0: the peak RSS is unknown on this system.
func maxResident(*os.ProcessState) int64 { return 0 }
