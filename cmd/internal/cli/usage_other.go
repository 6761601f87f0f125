//go:build !unix

package cli

import "time"

// ReadUsage returns zeros: this system is not asked.
func ReadUsage() Usage { return Usage{} }

// cpuLimit returns 0: this system has no such limit.
func cpuLimit() time.Duration { return 0 }
