//go:build !unix

package versus

import "os"

// killGroup does nothing: there are no groups. The process itself is killed.
func killGroup(*os.Process) {}

// maxResident knows nothing on this system.
func maxResident(*os.ProcessState) int64 { return 0 }
