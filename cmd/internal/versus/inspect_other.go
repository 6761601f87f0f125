//go:build !linux

package versus

import (
	"fmt"
	"runtime"
	"time"
)

// WallFactor is the default wall-clock limit as a multiple of the CPU time limit. The CPU time of a
// running process is not known on this system, so the wall-clock limit ends runs.
const WallFactor = 2

// pin returns an error unless core is negative: processes cannot be pinned on this system.
func pin(core int) (unpin func(), err error) {
	if core < 0 {
		return func() {}, nil
	}
	return nil, fmt.Errorf("processes cannot be pinned to a core on %s", runtime.GOOS)
}

// ownPeak returns 0: child processes do not inherit the peak RSS on this system.
func ownPeak() int64 { return 0 }

// inspect returns zeros: time and memory are known only when the process has ended.
func inspect(int) (cpu time.Duration, peak, resident int64) { return 0, 0, 0 }
